// solver.c: the naive fixpoint solver.
//
// Every subspace is a plain array over (own set, other set), without symmetry:
//
//     place = (number of the own set among sets of as many men) * (number of other sets)
//             + number of the other set          (pairs that overlap are never used)
//
// In round t every position that is due is looked at again by playing its plies. One whose
// value comes out as t is decided, and those that might lead to it are due in round t + 1; one
// whose value comes out later is due again then; one that is open is left until something it
// leads to is decided. What no round decides is a draw. Looking too often costs time but never
// changes a value.

#include "tests/reference/reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 13, OPEN = REFERENCE_DRAW };

struct key {
    int a, b, ha, hb;
};

struct reference_solver {
    struct reference_rules rules;
    uint32_t choose[REFERENCE_POINTS + 1][REFERENCE_POINTS + 1]; // n over k
    uint32_t *sets[MEN]; // the sets of so many men, by number
    uint8_t *values[MEN][MEN][MEN][MEN];
    uint8_t *rounds[MEN][MEN][MEN][MEN]; // when to look; only while solving
};

static int count(uint32_t set)
{
    return __builtin_popcount(set);
}

static uint8_t **slot_of(uint8_t *tables[MEN][MEN][MEN][MEN], struct key k)
{
    return &tables[k.a][k.b][k.ha][k.hb];
}

static struct key twin(struct key k)
{
    return (struct key){k.b, k.a, k.hb, k.ha};
}

static struct key key_of(const struct reference_position *pos)
{
    return (struct key){count(pos->own), count(pos->other), pos->own_hand, pos->other_hand};
}

// The sets of k men in ascending order: the number of such sets, and the number of one of them,
// C(p1, 1) + C(p2, 2) + ... for its points p1 < p2 < ...
static uint32_t sets_of(const struct reference_solver *solver, int k)
{
    return solver->choose[solver->rules.board.n_points][k];
}

static uint32_t number_of(const struct reference_solver *solver, uint32_t set)
{
    uint32_t number = 0;
    for (int k = 1; set != 0; k++, set &= set - 1)
        number += solver->choose[__builtin_ctz(set)][k];
    return number;
}

struct reference_solver *reference_solver_create(const struct reference_rules *rules)
{
    struct reference_solver *solver = calloc(1, sizeof *solver);
    if (solver == NULL)
        return NULL;
    solver->rules = *rules;
    for (int n = 0; n <= REFERENCE_POINTS; n++)
        for (int k = 0; k <= n; k++)
            solver->choose[n][k] =
                k == 0 ? 1 : solver->choose[n - 1][k - 1] + solver->choose[n - 1][k];
    return solver;
}

void reference_solver_destroy(struct reference_solver *solver)
{
    if (solver == NULL)
        return;
    for (int i = 0; i < MEN * MEN * MEN * MEN; i++) {
        free((&solver->values[0][0][0][0])[i]);
        free((&solver->rounds[0][0][0][0])[i]);
    }
    for (int men = 0; men < MEN; men++)
        free(solver->sets[men]);
    free(solver);
}

static bool list_sets(struct reference_solver *solver, int men)
{
    if (solver->sets[men] != NULL)
        return true;
    solver->sets[men] = malloc(sets_of(solver, men) * sizeof(uint32_t));
    if (solver->sets[men] == NULL)
        return false;
    uint32_t n = UINT32_C(1) << solver->rules.board.n_points;
    for (uint32_t set = 0; set < n; set++)
        if (count(set) == men)
            solver->sets[men][number_of(solver, set)] = set;
    return true;
}

static size_t size_of(const struct reference_solver *solver, struct key k)
{
    return (size_t)sets_of(solver, k.a) * sets_of(solver, k.b);
}

static size_t place_of(const struct reference_solver *solver,
                       const struct reference_position *pos)
{
    return (size_t)number_of(solver, pos->own) * sets_of(solver, count(pos->other)) +
           number_of(solver, pos->other);
}

static struct reference_position position_at(const struct reference_solver *solver,
                                             struct key k, size_t place)
{
    return (struct reference_position){
        .own = solver->sets[k.a][place / sets_of(solver, k.b)],
        .other = solver->sets[k.b][place % sets_of(solver, k.b)],
        .own_hand = k.ha,
        .other_hand = k.hb,
    };
}

int reference_value(const struct reference_solver *solver, const struct reference_position *pos)
{
    struct key k = key_of(pos);
    if (k.a + k.ha < solver->rules.least)
        return 0;
    const uint8_t *values = solver->values[k.a][k.b][k.ha][k.hb];
    assert(values != NULL);
    return values[place_of(solver, pos)];
}

// For the mover, by the value one ply later: OPEN, or the plies to the end.
static int value_before(int value)
{
    return value == OPEN ? OPEN : value + 1;
}

// True if the mover rather has x than y: a quick win, a draw, a long loss.
static bool better(int x, int y)
{
    int rank_x = x == OPEN ? 0 : x % 2 == 1 ? 1000 - x : x - 1000;
    int rank_y = y == OPEN ? 0 : y % 2 == 1 ? 1000 - y : y - 1000;
    return rank_x > rank_y;
}

// The value of the plies from number `first` on that make the same step; *first is moved behind
// them. The mover picks the best of them, or the other side the one that is worst for the
// mover.
static int value_of_step(const struct reference_solver *solver,
                         const struct reference_position *pos,
                         const struct reference_ply *plies, int n, int *first)
{
    int from = plies[*first].from, to = plies[*first].to, chosen = 0;
    for (int i = *first; i < n && plies[i].from == from && plies[i].to == to; i++) {
        struct reference_position next = reference_play(pos, plies[i]);
        int value = value_before(reference_value(solver, &next));
        bool takes = i == *first || (solver->rules.opponent_chooses ? better(chosen, value)
                                                                    : better(value, chosen));
        chosen = takes ? value : chosen;
        if (i + 1 == n || plies[i + 1].from != from || plies[i + 1].to != to) {
            *first = i + 1;
            break;
        }
    }
    return chosen;
}

// The value by the values one ply later: OPEN unless one of them is a loss, or all are wins.
static int evaluate(const struct reference_solver *solver, const struct reference_position *pos)
{
    struct reference_ply plies[REFERENCE_PLIES];
    int value_at_end, best = 0, n = reference_plies(&solver->rules, pos, plies);
    if (n == 0 && reference_over(&solver->rules, pos, &value_at_end))
        return value_at_end;
    for (int i = 0; i < n;) {
        int value = value_of_step(solver, pos, plies, n, &i);
        best = best == 0 || better(value, best) ? value : best;
    }
    return best;
}

static void make_due(uint8_t *round, int plies)
{
    if (*round == OPEN || (plies % 2 == 0 && *round > plies + 1))
        *round = (uint8_t)(plies + 1);
}

// Makes every position due from which the other side may have moved to this one, decided in
// round `plies`. (A win here cannot improve what already is known to be a win there.)
static void look_before(struct reference_solver *solver, const struct reference_position *pos,
                        int plies)
{
    struct key k = twin(key_of(pos));
    struct reference_position passed = {.own = pos->other, .other = pos->own};
    uint8_t *rounds = *slot_of(solver->rounds, k);
    if (rounds == NULL)
        return;
    const struct reference_board *board = &solver->rules.board;
    bool far = k.a <= solver->rules.fly;
    uint32_t taken = pos->own | pos->other;
    if (solver->rules.blocked_passes)
        make_due(&rounds[place_of(solver, &passed)], plies);
    for (int to = 0; to < board->n_points; to++)
        for (int from = 0; (pos->other >> to & 1) != 0 && from < board->n_points; from++) {
            if ((taken >> from & 1) != 0 || !(far || board->adjacent[from][to]))
                continue;
            struct reference_position before = {.other = pos->own};
            before.own = (pos->other & ~(UINT32_C(1) << to)) | UINT32_C(1) << from;
            make_due(&rounds[place_of(solver, &before)], plies);
        }
}

// One round over one subspace.
static void sweep(struct reference_solver *solver, struct key k, int plies)
{
    uint8_t *values = *slot_of(solver->values, k), *rounds = *slot_of(solver->rounds, k);
    size_t n = size_of(solver, k);
    for (size_t place = 0; place < n; place++) {
        if (rounds[place] != plies)
            continue;
        struct reference_position pos = position_at(solver, k, place);
        bool overlap = (pos.own & pos.other) != 0;
        int value = overlap || values[place] != OPEN ? OPEN : evaluate(solver, &pos);
        assert(value >= plies);
        rounds[place] = value > plies ? (uint8_t)value : OPEN;
        if (value == plies) {
            values[place] = (uint8_t)value;
            look_before(solver, &pos, plies);
        }
    }
}

// True if a position is due in a later round.
static bool any_due(const struct reference_solver *solver, struct key k)
{
    const uint8_t *rounds = solver->rounds[k.a][k.b][k.ha][k.hb];
    for (size_t place = 0; place < size_of(solver, k); place++)
        if (rounds[place] != OPEN)
            return true;
    return false;
}

static bool start_table(struct reference_solver *solver, struct key k)
{
    uint8_t **values = slot_of(solver->values, k), **rounds = slot_of(solver->rounds, k);
    if (*values != NULL)
        return true;
    *values = malloc(size_of(solver, k));
    *rounds = malloc(size_of(solver, k));
    if (*values == NULL || *rounds == NULL)
        return false;
    memset(*values, OPEN, size_of(solver, k));
    memset(*rounds, 0, size_of(solver, k));
    return list_sets(solver, k.a) && list_sets(solver, k.b);
}

static bool solve_tables(struct reference_solver *solver, const struct key *members, int n)
{
    for (int i = 0; i < n; i++)
        if (!start_table(solver, members[i]))
            return false;
    bool more = true;
    for (int plies = 0; more && plies < OPEN; plies++) {
        more = false;
        for (int i = 0; i < n; i++)
            sweep(solver, members[i], plies);
        for (int i = 0; i < n; i++)
            more |= any_due(solver, members[i]);
    }
    for (int i = 0; i < n; i++) {
        uint8_t **rounds = slot_of(solver->rounds, members[i]);
        free(*rounds);
        *rounds = NULL;
    }
    return true;
}

// True if the side may move a man on the board.
static bool moves_men(const struct reference_rules *rules, int hand)
{
    return hand == 0 || rules->place_or_move;
}

static bool solve(struct reference_solver *solver, struct key k);

// Solves what removals of 1, 2 or 3 men lead to from a position in which the mover has now
// `a` men on the board and `ha` in hand.
static bool solve_removals(struct reference_solver *solver, struct key k, int a, int ha)
{
    int most = solver->rules.removals_each ? REFERENCE_MILLS_AT : 1;
    for (int removed = 1; removed <= most; removed++)
        if (a >= 3 && k.b >= removed && !solver->rules.mill_wins)
            if (!solve(solver, (struct key){k.b - removed, a, k.hb, ha}))
                return false;
    return true;
}

// Solves every subspace outside the unit that one ply leads to.
static bool solve_exits(struct reference_solver *solver, struct key k, bool cycle)
{
    bool room = k.a + k.b < solver->rules.board.n_points;
    if (k.ha > 0 && room) {
        if (!solve(solver, (struct key){k.b, k.a + 1, k.hb, k.ha - 1}) ||
            !solve_removals(solver, k, k.a + 1, k.ha - 1))
            return false;
    }
    if (!moves_men(&solver->rules, k.ha))
        return true;
    return (cycle || solve(solver, twin(k))) && solve_removals(solver, k, k.a, k.ha);
}

static bool solve(struct reference_solver *solver, struct key k)
{
    if (k.a + k.ha < solver->rules.least || *slot_of(solver->values, k) != NULL)
        return true;
    struct key members[2] = {k, twin(k)};
    bool cycle = moves_men(&solver->rules, k.ha) && moves_men(&solver->rules, k.hb);
    int n = cycle && (k.a != k.b || k.ha != k.hb) ? 2 : 1;
    for (int i = 0; i < n; i++)
        if (!solve_exits(solver, members[i], cycle))
            return false;
    return solve_tables(solver, members, n);
}

bool reference_solve(struct reference_solver *solver, int a, int b, int ha, int hb)
{
    return solve(solver, (struct key){a, b, ha, hb});
}

struct reference_counts reference_count(const struct reference_solver *solver, int a, int b,
                                        int ha, int hb, bool orbits)
{
    struct reference_counts counts = {.max_win = -1, .max_loss = -1};
    struct key k = {a, b, ha, hb};
    const uint8_t *values = solver->values[a][b][ha][hb];
    for (size_t place = 0; place < size_of(solver, k); place++) {
        struct reference_position pos = position_at(solver, k, place);
        if ((pos.own & pos.other) != 0)
            continue;
        if (orbits) {
            struct reference_position first = reference_canonical(&solver->rules.board, &pos);
            if (reference_compare(&first, &pos) != 0)
                continue;
        }
        counts.by_plies[values[place]]++;
    }
    for (int plies = 0; plies < OPEN; plies++) {
        if (counts.by_plies[plies] == 0)
            continue;
        *(plies % 2 == 0 ? &counts.loss : &counts.win) += counts.by_plies[plies];
        *(plies % 2 == 0 ? &counts.max_loss : &counts.max_win) = plies;
    }
    counts.draw = counts.by_plies[OPEN];
    return counts;
}
