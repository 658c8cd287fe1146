// counting.c: results by the number of plies that are left.
//
// Two layers of one byte a position are kept: what it is worth with r plies left, and with one
// more. A layer follows from the one before by the plies alone:
//
//     with none left     the value of a game that is over, else a draw
//     with r left        the best of: a ply that converts    its value with all plies left
//                                     any other ply          its value with r - 1 left
//
// Places of positions are as in solver.c: pairs of sets, without symmetry.

#include "tests/reference/reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 13, NOTHING = -2, MOST_LAYERS = 1000 };

struct key {
    int a, b, ha, hb;
};

struct reference_counter {
    struct reference_rules rules;
    int n_move;
    bool steady;
    uint32_t choose[REFERENCE_POINTS + 1][REFERENCE_POINTS + 1];
    uint32_t *sets[MEN];
    struct reference_standing *values[MEN][MEN][MEN][MEN];
};

// A subspace while it is solved.
struct area {
    struct key key;
    size_t n;
    int8_t *fixed;     // of a game that is over; else NOTHING
    int8_t *converted; // the best of the plies that convert; NOTHING: there are none
    size_t *first;     // of its other plies, in the list of places one ply later
    uint32_t *places;
    size_t n_places, n_room;
    int8_t *layer[2];
    struct reference_standing *values;
};

static int count(uint32_t set)
{
    return __builtin_popcount(set);
}

struct reference_counter *reference_counter_create(const struct reference_rules *rules,
                                                   int n_move)
{
    struct reference_counter *counter = calloc(1, sizeof *counter);
    if (counter == NULL)
        return NULL;
    counter->rules = *rules;
    counter->n_move = n_move;
    counter->steady = true;
    for (int n = 0; n <= REFERENCE_POINTS; n++)
        for (int k = 0; k <= n; k++)
            counter->choose[n][k] =
                k == 0 ? 1 : counter->choose[n - 1][k - 1] + counter->choose[n - 1][k];
    return counter;
}

void reference_counter_destroy(struct reference_counter *counter)
{
    for (int i = 0; counter != NULL && i < MEN * MEN * MEN * MEN; i++)
        free((&counter->values[0][0][0][0])[i]);
    for (int men = 0; counter != NULL && men < MEN; men++)
        free(counter->sets[men]);
    free(counter);
}

bool reference_is_steady(const struct reference_counter *counter)
{
    return counter->steady;
}

// ---- places --------------------------------------------------------------------------------

static struct key key_of(const struct reference_position *pos)
{
    return (struct key){count(pos->own), count(pos->other), pos->own_hand, pos->other_hand};
}

static uint32_t number_of(const struct reference_counter *counter, uint32_t set)
{
    uint32_t number = 0;
    for (int k = 1; set != 0; k++, set &= set - 1)
        number += counter->choose[__builtin_ctz(set)][k];
    return number;
}

static uint32_t sets_of(const struct reference_counter *counter, int men)
{
    return counter->choose[counter->rules.board.n_points][men];
}

static uint32_t place_of(const struct reference_counter *counter,
                         const struct reference_position *pos)
{
    return number_of(counter, pos->own) * sets_of(counter, count(pos->other)) +
           number_of(counter, pos->other);
}

static void list_sets(struct reference_counter *counter, int men)
{
    if (counter->sets[men] != NULL)
        return;
    counter->sets[men] = malloc(sets_of(counter, men) * sizeof(uint32_t));
    assert(counter->sets[men] != NULL);
    for (uint32_t set = 0; set < UINT32_C(1) << counter->rules.board.n_points; set++)
        if (count(set) == men)
            counter->sets[men][number_of(counter, set)] = set;
}

static struct reference_position position_at(const struct reference_counter *counter,
                                             struct key k, size_t place)
{
    return (struct reference_position){
        .own = counter->sets[k.a][place / sets_of(counter, k.b)],
        .other = counter->sets[k.b][place % sets_of(counter, k.b)],
        .own_hand = k.ha,
        .other_hand = k.hb,
    };
}

// ---- plies ---------------------------------------------------------------------------------

static bool converts(const struct reference_rules *rules, const struct reference_position *next,
                     const struct reference_ply *ply)
{
    bool places = ply->from < 0 && ply->to >= 0;
    bool must_place = next->own_hand > 0 && (!rules->place_or_move || count(next->own) == 0);
    return places || ply->removed != 0 || must_place;
}

static void add_place(struct area *area, uint32_t place)
{
    if (area->n_places == area->n_room) {
        area->n_room = 2 * area->n_room + 1024;
        area->places = realloc(area->places, area->n_room * sizeof *area->places);
        assert(area->places != NULL);
    }
    area->places[area->n_places++] = place;
}

// The value that the plies of one step give the mover, of those that convert.
static int better_pick(const struct reference_rules *rules, int picked, int value)
{
    if (picked == NOTHING)
        return value;
    return (value > picked) != rules->opponent_chooses ? value : picked;
}

// Reads off the plies of a position.
static void look_at(struct reference_counter *counter, struct area *area, size_t place)
{
    struct reference_ply plies[REFERENCE_PLIES];
    struct reference_position pos = position_at(counter, area->key, place);
    int n = 0, value = 0, best = NOTHING;
    area->first[place] = area->n_places;
    area->fixed[place] = area->converted[place] = NOTHING;
    if ((pos.own & pos.other) == 0)
        n = reference_plies(&counter->rules, &pos, plies);
    else
        area->fixed[place] = 0;
    if (n == 0 && area->fixed[place] == NOTHING) {
        bool over = reference_over(&counter->rules, &pos, &value);
        area->fixed[place] = over && value != REFERENCE_DRAW ? -1 : 0;
    }
    for (int i = 0; i < n;) {
        int from = plies[i].from, to = plies[i].to, picked = NOTHING;
        for (; i < n && plies[i].from == from && plies[i].to == to; i++) {
            struct reference_position next = reference_play(&pos, plies[i]);
            if (!converts(&counter->rules, &next, &plies[i]))
                add_place(area, place_of(counter, &next));
            else
                picked = better_pick(&counter->rules, picked,
                                     -reference_stands(counter, &next).result);
        }
        best = picked > best ? picked : best;
    }
    area->converted[place] = (int8_t)best;
}

static void open_area(struct reference_counter *counter, struct key key, struct area *area)
{
    list_sets(counter, key.a);
    list_sets(counter, key.b);
    *area = (struct area){.key = key,
                          .n = (size_t)sets_of(counter, key.a) * sets_of(counter, key.b)};
    area->fixed = malloc(area->n);
    area->converted = malloc(area->n);
    area->first = malloc((area->n + 1) * sizeof *area->first);
    area->values = calloc(area->n, sizeof *area->values);
    for (int k = 0; k < 2; k++)
        area->layer[k] = calloc(area->n, 1);
    assert(area->fixed && area->converted && area->first && area->values && area->layer[1]);
    for (size_t place = 0; place < area->n; place++)
        look_at(counter, area, place);
    area->first[area->n] = area->n_places;
}

static void close_area(struct area *area)
{
    free(area->fixed);
    free(area->converted);
    free(area->first);
    free(area->places);
    free(area->layer[0]);
    free(area->layer[1]);
}

// ---- layers --------------------------------------------------------------------------------

static int value_with(const struct area *area, const int8_t *other_layer, size_t place,
                      int plies_left)
{
    if (area->fixed[place] != NOTHING)
        return area->fixed[place];
    int best = area->converted[place];
    if (plies_left == 0)
        return 0;
    for (size_t k = area->first[place]; k < area->first[place + 1]; k++) {
        int value = -other_layer[area->places[k]];
        best = value > best ? value : best;
    }
    return best;
}

// One layer of a side; returns how many results are new.
static size_t fill_layer(struct reference_counter *counter, struct area *area,
                         const struct area *other, int plies_left)
{
    size_t n_new = 0;
    int8_t *layer = area->layer[plies_left % 2];
    const int8_t *before = other->layer[(plies_left + 1) % 2];
    for (size_t place = 0; place < area->n; place++) {
        int value = value_with(area, before, place, plies_left);
        struct reference_standing *standing = &area->values[place];
        layer[place] = (int8_t)value;
        if (standing->result != 0)
            counter->steady &= value == standing->result;
        else if (value != 0) {
            *standing = (struct reference_standing){value, plies_left};
            n_new++;
        }
    }
    return n_new;
}

// Can both sides play on without converting anything?
static bool is_quiet(const struct reference_rules *rules, struct key k)
{
    bool first = k.ha == 0 || (rules->place_or_move && k.a > 0);
    return first && (k.hb == 0 || (rules->place_or_move && k.b > 0));
}

static void solve(struct reference_counter *counter, struct key key)
{
    struct area areas[2];
    struct key twin = {key.b, key.a, key.hb, key.ha};
    bool alone = memcmp(&twin, &key, sizeof key) == 0 || !is_quiet(&counter->rules, key);
    open_area(counter, key, &areas[0]);
    if (!alone)
        open_area(counter, twin, &areas[1]);
    int last = counter->n_move > 0 ? counter->n_move : MOST_LAYERS;
    size_t n_new = 1;
    for (int r = 0; r <= last && (n_new > 0 || r < 3 || counter->n_move > 0); r++) {
        n_new = fill_layer(counter, &areas[0], &areas[!alone], r);
        if (!alone)
            n_new += fill_layer(counter, &areas[1], &areas[0], r);
    }
    counter->values[key.a][key.b][key.ha][key.hb] = areas[0].values;
    if (!alone)
        counter->values[key.b][key.a][key.hb][key.ha] = areas[1].values;
    close_area(&areas[0]);
    if (!alone)
        close_area(&areas[1]);
}

struct reference_standing reference_stands(struct reference_counter *counter,
                                           const struct reference_position *pos)
{
    struct key k = key_of(pos);
    if (k.a + k.ha < counter->rules.least)
        return (struct reference_standing){-1, 0};
    if (counter->values[k.a][k.b][k.ha][k.hb] == NULL)
        solve(counter, k);
    return counter->values[k.a][k.b][k.ha][k.hb][place_of(counter, pos)];
}
