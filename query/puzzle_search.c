// puzzle_search.c: random positions, and the shares that keep puzzles apart.

#include "query/puzzle_search.h"

#include <stdlib.h>
#include <string.h>

// How many tries in vain end the search, for all and for each, and how many pass the turn on.
enum { TRIES_EACH = 20000, TRIES_MORE = 100000, TRIES_IN_TURN = 300 };

struct search {
    struct context *context;
    const struct puzzle_wish *wish;
    struct subspace *list; // of those that are wished for, by phases
    size_t n_list, first[N_GAME_PHASES + 1];
    struct position *taken; // first positions of the puzzles so far
    int n_taken;
    int by_depth[N_GAME_PHASES][2][MAX_PUZZLE_PLIES + 1];
    int *by_subspace;
    uint64_t random, n_tried;
};

static int random_below(struct search *search, int n)
{
    search->random =
        search->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((search->random >> 33) % (uint64_t)n);
}

// ---- what there is to look in --------------------------------------------------------------

static enum game_phase phase_of(const struct rules *rules, struct subspace s)
{
    const struct position pos = {.own = ((point_set)1 << s.a) - 1, .own_hand = s.ha};
    return merels_game_phase(rules, &pos);
}

// Sorts the subspaces by phase and leaves out those that are not wished for.
static enum status choose_subspaces(struct search *search, struct error *err)
{
    struct subspace *all;
    size_t n;
    enum status status = merels_tablebase_list(search->context->base, &all, &n, err);
    if (status != STATUS_OK)
        return status;
    search->list = malloc((n + 1) * sizeof *search->list);
    search->by_subspace = calloc(n + 1, sizeof *search->by_subspace);
    for (int phase = 0; search->list && phase < N_GAME_PHASES; phase++) {
        search->first[phase] = search->n_list;
        for (size_t i = 0; search->wish->phases[phase] && i < n; i++)
            if ((int)phase_of(search->context->rules, all[i]) == phase &&
                all[i].a + all[i].b + all[i].ha + all[i].hb <= search->wish->max_men)
                search->list[search->n_list++] = all[i];
    }
    search->first[N_GAME_PHASES] = search->n_list;
    free(all);
    if (!search->list || !search->by_subspace)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the subspaces");
    if (search->n_list == 0)
        return merels_error(err, STATUS_MISSING, "there is no table of what is asked for");
    return STATUS_OK;
}

static point_set random_set(struct search *search, point_set free, int n)
{
    point_set set = 0;
    for (int n_free = bit_count(free); n > 0; n--, n_free--) {
        point_set rest = free;
        for (int skip = random_below(search, n_free); skip > 0; skip--)
            rest &= rest - 1;
        set |= rest & -rest;
        free &= ~(rest & -rest);
    }
    return set;
}

static struct position random_position(struct search *search, struct subspace s)
{
    point_set points = search->context->rules->board.points;
    struct position pos = {.own_hand = s.ha, .other_hand = s.hb};
    pos.mover = (uint8_t)random_below(search, 2);
    pos.own = random_set(search, points, s.a);
    pos.other = random_set(search, points & ~pos.own, s.b);
    return pos;
}

// ---- shares --------------------------------------------------------------------------------

// The most puzzles of one depth in a phase, and of one subspace.
static int share(const struct search *search, int parts)
{
    return 1 + search->wish->count / parts;
}

static bool is_near(const struct search *search, const struct position *pos)
{
    for (int i = 0; i < search->n_taken; i++)
        if (merels_puzzle_near(search->context->rules, &search->taken[i], pos))
            return true;
    return false;
}

// The place of a position's subspace in the list, or -1.
static int subspace_place(const struct search *search, const struct position *pos)
{
    struct subspace s = merels_subspace_of(pos);
    for (size_t i = 0; i < search->n_list; i++)
        if (merels_subspace_equal(search->list[i], s))
            return (int)i;
    return -1;
}

// True if one more puzzle of this kind is wanted.
static bool has_share(const struct search *search, const struct position *pos,
                      enum puzzle_goal goal, int plies)
{
    int place = subspace_place(search, pos);
    enum game_phase phase = merels_game_phase(search->context->rules, pos);
    return place >= 0 && search->by_subspace[place] < share(search, 6) &&
           plies >= search->wish->min_plies && plies <= search->wish->max_plies &&
           search->by_depth[phase][goal][plies] < share(search, 12);
}

// ---- the search ----------------------------------------------------------------------------

// Proves and takes a position, if it is a puzzle that is wanted.
static enum status take(struct search *search, const struct position *pos,
                        struct puzzle *puzzle, bool *taken, struct error *err)
{
    bool is_one;
    char why[ERROR_TEXT_BYTES];
    *taken = false;
    enum status status = merels_puzzle_prove(search->context, pos, search->wish->max_plies,
                                             puzzle, &is_one, why, err);
    if (status != STATUS_OK || !is_one ||
        !has_share(search, pos, puzzle->goal, puzzle->plies) || is_near(search, pos))
        return status;
    enum game_phase phase = merels_game_phase(search->context->rules, pos);
    search->by_subspace[subspace_place(search, pos)]++;
    search->by_depth[phase][puzzle->goal][puzzle->plies]++;
    search->taken[search->n_taken++] = *pos;
    *taken = true;
    return STATUS_OK;
}

// Follows best play from a won or lost position, and takes the first puzzle on the way.
static enum status walk(struct search *search, struct position pos, struct puzzle *puzzle,
                        bool *taken, struct error *err)
{
    const struct ranking *ranking = search->context->ranking;
    *taken = false;
    for (;;) {
        enum status status = merels_context_rank(search->context, &pos, err);
        if (status != STATUS_OK || ranking->n_plies == 0 ||
            ranking->answer.value == VALUE_DRAW ||
            ranking->answer.plies < search->wish->min_plies)
            return status;
        const struct position next =
            merels_play(search->context->rules, &pos, ranking->plies[0].ply);
        search->n_tried++;
        if (ranking->answer.value == VALUE_WIN &&
            has_share(search, &pos, PUZZLE_WIN, ranking->answer.plies))
            status = take(search, &pos, puzzle, taken, err);
        if (status != STATUS_OK || *taken)
            return status;
        pos = next;
    }
}

static enum status try(struct search *search, enum game_phase phase, enum puzzle_goal goal,
                       struct puzzle *puzzle, bool *taken, struct error *err)
{
    struct answer answer;
    struct error reason;
    size_t n = search->first[phase + 1] - search->first[phase];
    size_t i = search->first[phase] + (size_t)random_below(search, (int)n);
    const struct position pos = random_position(search, search->list[i]);
    enum status status = STATUS_OK;
    *taken = false;
    search->n_tried++;
    if (merels_position_check(search->context->rules, &pos, NULL) != STATUS_OK)
        return STATUS_OK;
    status = merels_tablebase_probe(search->context->base, &pos, &answer, &reason);
    if (status == STATUS_OK && (answer.value == VALUE_DRAW) != (goal == PUZZLE_HOLD))
        return STATUS_OK;
    if (status == STATUS_OK && goal == PUZZLE_WIN)
        status = walk(search, pos, puzzle, taken, &reason);
    else if (status == STATUS_OK && search->by_subspace[i] < share(search, 6))
        status = take(search, &pos, puzzle, taken, &reason);
    if (status == STATUS_OK || status == STATUS_NOT_COVERED) // a tablebase need not be whole
        return STATUS_OK;
    return merels_error(err, status, "%s", reason.text);
}

// The next phase, of those in which there is something, and the next goal.
static void turn(const struct search *search, int *phase, int *goal)
{
    do
        *phase = (*phase + 1) % N_GAME_PHASES;
    while (search->first[*phase] == search->first[*phase + 1]);
    if (search->wish->goals[0] && search->wish->goals[1])
        *goal = !*goal;
    else
        *goal = search->wish->goals[PUZZLE_WIN] ? PUZZLE_WIN : PUZZLE_HOLD;
}

static enum status run(struct search *search, puzzle_found *found, void *user,
                       struct puzzle *puzzle, struct error *err)
{
    const struct puzzle_wish *wish = search->wish;
    enum status status = STATUS_OK;
    int phase = N_GAME_PHASES - 1, goal = PUZZLE_HOLD;
    uint64_t last = 0; // tries since the last one that was found
    turn(search, &phase, &goal);
    while (status == STATUS_OK && search->n_taken < wish->count &&
           last++ < TRIES_EACH + TRIES_MORE / (uint64_t)wish->count) {
        bool taken;
        status =
            try(search, (enum game_phase)phase, (enum puzzle_goal)goal, puzzle, &taken, err);
        if (status == STATUS_OK && taken)
            status = found(user, puzzle, search->n_taken, err);
        if (taken ||
            last % TRIES_IN_TURN == 0) // a phase or a goal that gives nothing is passed over
            turn(search, &phase, &goal);
        last = taken ? 0 : last;
    }
    return status;
}

enum status merels_puzzle_search(struct context *context, const struct puzzle_wish *wish,
                                 puzzle_found *found, void *user, uint64_t *n_tried,
                                 struct error *err)
{
    struct search *search = calloc(1, sizeof *search);
    struct puzzle *puzzle = malloc(sizeof *puzzle);
    struct position *taken = calloc((size_t)wish->count, sizeof *taken);
    enum status status = STATUS_OK;
    if (!search || !puzzle || !taken)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the puzzles");
    else {
        search->context = context;
        search->wish = wish;
        search->taken = taken;
        search->random = wish->seed;
        status = choose_subspaces(search, err);
        if (status == STATUS_OK)
            status = run(search, found, user, puzzle, err);
        *n_tried = search->n_tried;
        free(search->list);
        free(search->by_subspace);
    }
    free(taken);
    free(puzzle);
    free(search);
    return status;
}
