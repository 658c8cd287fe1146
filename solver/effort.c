// effort.c: pieces of work of a unit, from its shape and from how such units have turned out.
//
// What a game decides is not known before it is solved. It depends most of all on how crowded
// the board is, so that is what the figures below go by. They were counted in solves of nine,
// seven, twelve, morabaraba and lasker; single units differ by a factor of two, a whole game
// by much less (docs/PERFORMANCE.md).

#include "solver/effort.h"

#include <math.h>

const char *merels_work_name(enum work_kind kind)
{
    static const char *const names[N_WORK_KINDS] = {
        [WORK_STEP] = "step back", [WORK_SPARSE] = "single arrivals", [WORK_TURN] = "turns",
        [WORK_PLACE] = "placing",  [WORK_REMOVE] = "removals",        [WORK_READ] = "reading",
        [WORK_WRITE] = "writing",
    };
    return names[kind];
}

void merels_effort_add(const struct effort *more, struct effort *effort)
{
    for (int k = 0; k < N_WORK_KINDS; k++)
        effort->n[k] += more->n[k];
}

// ---- shape ---------------------------------------------------------------------------------

enum { LOW_POINTS = 6 }; // of a word

static double plane_words(int n_points, int n_men)
{
    double n = 0;
    int high = n_points > LOW_POINTS ? n_points - LOW_POINTS : 0;
    for (int k = 0; k <= high && k <= n_men; k++)
        if (n_men - k <= LOW_POINTS)
            n += (double)merels_choose(high, k);
    return n;
}

double merels_plane_work(int n_points, int n_men)
{
    return plane_words(n_points, n_men) * n_points;
}

// Kinds of plies and classes of arrivals of a subspace.
struct plies {
    int n_classes[N_PLY_KINDS];
    int n_effects;
    struct effect effects[MAX_EFFECTS];
};

static struct plies plies_of(const struct rules *rules, struct subspace s)
{
    struct plies plies = {.n_effects = merels_effects(rules, s, plies.effects)};
    for (int k = 0; k < plies.n_effects; k++)
        plies.n_classes[plies.effects[k].kind]++;
    return plies;
}

// Opening a row and spreading its bits cost as much as some points and words more. Men that
// fly are lifted and set, twice the planes of men that slide.
enum { POINTS_MORE = 8, ROW_MORE = 1000, FLYING = 2 };

double merels_step_work(const struct rules *rules, struct subspace s)
{
    struct plies plies = plies_of(rules, s);
    int n = rules->board.n_points - s.b;
    double work = ROW_MORE;
    if (plies.n_classes[PLY_MOVES] > 0)
        work += plane_words(n, s.a) * (n + POINTS_MORE) *
                (merels_men_fly(rules, s.a, s.ha) ? FLYING : 1);
    if (plies.n_classes[PLY_PLACES] > 0)
        work += plane_words(n, s.a + 1) * (n + POINTS_MORE);
    return work;
}

double merels_place_work(const struct rules *rules, struct subspace s)
{
    struct plies plies = plies_of(rules, s);
    int n = rules->board.n_points - s.b, n_classes = plies.n_classes[PLY_PLACES];
    return n_classes * (merels_plane_work(n, s.a) + plane_words(n, s.a + 1)) + ROW_MORE;
}

// ---- what a game decides -------------------------------------------------------------------

// A board of 24 points by men on it, with 16 mills; each four mills more count as a man.
struct outcome {
    double decided;     // share of slots
    double steps;       // back on bit planes, for each row
    double sparse_rows; // for each row: times that single arrivals are new
};

enum { FIRST_MEN = 8, SMALL_POINTS = 20, USUAL_MILLS = 16, MILLS_PER_MAN = 4 };

static const struct outcome by_men[] = {
    {0.10, 1.5, 1},   {0.10, 1.4, 1},   {0.26, 3.5, 15},  {0.53, 6.0, 15},
    {0.70, 7.5, 20},  {0.79, 9.0, 20},  {0.84, 12.0, 25}, {0.84, 13.0, 25},
    {0.84, 15.0, 25}, {0.84, 20.0, 30}, {0.84, 29.0, 38},
};
static const double PLACING_DECIDED = 0.10, PLACING_DECIDED_A_MAN = 0.06,
                    PLACING_DECIDED_MOST = 0.77;
static const struct outcome on_small_boards = {0.98, 14, 5};

static struct outcome outcome_of(const struct board *board, struct subspace s)
{
    enum { N = sizeof by_men / sizeof *by_men };
    if (board->n_points < SMALL_POINTS)
        return on_small_boards;
    int k = s.a + s.b + (board->n_mills - USUAL_MILLS) / MILLS_PER_MAN - FIRST_MEN;
    return by_men[k < 0 ? 0 : k >= N ? N - 1 : k];
}

// Of the values behind a ply that leaves the unit: while men are in hand games are more often
// decided with few men on the board than they are later.
static double decided_behind(const struct board *board, struct subspace after)
{
    double share = PLACING_DECIDED + PLACING_DECIDED_A_MAN * (after.a + after.b);
    if (board->n_points < SMALL_POINTS || after.ha + after.hb == 0)
        return outcome_of(board, after).decided;
    return share < PLACING_DECIDED_MOST ? share : PLACING_DECIDED_MOST;
}

// Of all sets of so many men, those with a mill.
static double share_with_mill(const struct board *board, int men)
{
    double x = (double)men / board->n_points;
    return 1 - exp(-board->n_mills * x * x * x);
}

// With codes in a temporary file everything takes so much longer, on average.
static const double STORED = 1.2;

// ---- units ---------------------------------------------------------------------------------

// A source: the finished table is read as many times as there are ranges of rows, removals are
// chosen where a man can have been taken, and what is decided is sent.
static void add_source(const struct rules *rules, struct subspace s, const struct effect *e,
                       double times, struct effort *effort)
{
    const struct board *board = &rules->board;
    if (e->ends)
        return;
    int free_points = board->n_points - e->after.b;
    double rows = (double)merels_subspace_rows(board, e->after), share = 1;
    if (e->n_removed > 0)
        share = share_with_mill(board, e->after.b);
    for (int k = 1; k <= e->n_removed; k++)
        effort->n[WORK_REMOVE] +=
            times * rows * share * merels_plane_work(free_points, e->after.a + k);
    effort->n[WORK_READ] += times * (double)merels_subspace_slots(board, e->after);
    effort->n[WORK_TURN] += rows * (double)merels_choose(free_points, s.b) * share *
                            decided_behind(board, e->after);
}

// Ranges in which the rows of a unit are in memory.
static double ranges_of(const struct work_unit *work, double rows)
{
    uint32_t n = work->holding.n_rows;
    return n > 0 && n < rows ? ceil(rows / n) : 1;
}

static bool stays(const struct work_unit *work, const struct effect *e)
{
    return !e->ends &&
           merels_subspace_among(work->subspaces, (size_t)work->n_subspaces, e->after);
}

static void add_side(const struct rules *rules, const struct work_unit *work, struct subspace s,
                     struct effort *effort)
{
    struct plies plies = plies_of(rules, s);
    struct outcome outcome = outcome_of(&rules->board, s);
    double rows = (double)merels_subspace_rows(&rules->board, s);
    double slots = (double)merels_subspace_slots(&rules->board, s);
    for (int k = 0; k < plies.n_effects; k++)
        if (!stays(work, &plies.effects[k]))
            add_source(rules, s, &plies.effects[k], ranges_of(work, rows), effort);
        else
            effort->n[WORK_TURN] += slots * outcome.decided;
    effort->n[WORK_WRITE] += slots;
    if (merels_unit_way(rules, work) == SOLVE_BY_SWEEP) {
        effort->n[WORK_PLACE] += rows * merels_place_work(rules, s);
        return;
    }
    effort->n[WORK_STEP] += rows * outcome.steps * merels_step_work(rules, s);
    effort->n[WORK_SPARSE] += slots * outcome.sparse_rows;
}

void merels_effort_of(const struct rules *rules, const struct work_unit *work,
                      struct effort *effort)
{
    *effort = (struct effort){0};
    for (int k = 0; k < work->n_subspaces; k++)
        add_side(rules, work, work->subspaces[k], effort);
    for (int k = 0; k < N_WORK_KINDS && work->holding.room_bytes > 0; k++)
        effort->n[k] *= STORED;
}
