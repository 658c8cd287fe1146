// symmetry.c: the group by backtracking over points that look alike.
//
// First every point gets a colour, made from those of its neighbours and of its partners in
// mills again and again: a symmetry keeps colours. Then the points get images one after
// another, each next point hanging together with as many points before it as possible, so that
// few images are left to try: on boards of rings some hundreds of trials in all. A board on
// which this fails, or with too many symmetries, is refused after a bounded number of trials.

#include "game/symmetry.h"

#include <string.h>

enum { MAX_TRIALS = 200000 };

struct search {
    struct board *board;
    uint64_t colour[MAX_POINTS];
    int order[MAX_POINTS];        // of the points in the search
    point_set before[MAX_POINTS]; // by place in the order: the points that come earlier
    uint8_t image[MAX_POINTS];
    point_set used; // images given
    int n_trials;
};

// ---- colours -------------------------------------------------------------------------------

// A mixer with full avalanche, so that sums of it tell multisets apart.
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 32;
}

static uint64_t sum_of(const uint64_t *colour, point_set set)
{
    uint64_t sum = 0;
    for (; set != 0; set &= set - 1)
        sum += mixed(colour[bit_lowest(set)]);
    return sum;
}

static void refine(const struct board *board, uint64_t *colour)
{
    uint64_t next[MAX_POINTS];
    for (int p = 0; p < board->n_points; p++) {
        next[p] = mixed(colour[p] + 3 * sum_of(colour, board->neighbours[p]));
        for (int k = 0; k < board->n_mills_at[p]; k++)
            next[p] += mixed(5 * sum_of(colour, board->mates[p][k]) + 1);
    }
    memcpy(colour, next, (size_t)board->n_points * sizeof *colour);
}

// ---- order ---------------------------------------------------------------------------------

// How much a point hangs together with a set.
static int links(const struct board *board, int p, point_set set)
{
    int n = 2 * bit_count(board->neighbours[p] & set);
    for (int k = 0; k < board->n_mills_at[p]; k++)
        n += bit_count(board->mates[p][k] & set);
    return n;
}

static void choose_order(struct search *search)
{
    const struct board *board = search->board;
    point_set chosen = 0;
    for (int i = 0; i < board->n_points; i++) {
        int best = -1;
        for (int p = 0; p < board->n_points; p++)
            if (!(chosen >> p & 1) &&
                (best < 0 || links(board, p, chosen) > links(board, best, chosen)))
                best = p;
        search->order[i] = best;
        search->before[i] = chosen;
        chosen |= (point_set)1 << best;
    }
}

// ---- backtracking --------------------------------------------------------------------------

static bool is_mill(const struct board *board, point_set set)
{
    for (int m = 0; m < board->n_mills; m++)
        if (board->mills[m] == set)
            return true;
    return false;
}

static point_set permuted(const uint8_t image[MAX_POINTS], point_set set)
{
    point_set result = 0;
    for (; set != 0; set &= set - 1)
        result |= (point_set)1 << image[bit_lowest(set)];
    return result;
}

// May the i-th point of the order go to q, given the images of those before it? Keeps the edges
// among them and every mill whose last point it is.
static bool fits(const struct search *search, int i, int q)
{
    const struct board *board = search->board;
    int p = search->order[i];
    point_set before = search->before[i];
    if ((search->used >> q & 1) || search->colour[p] != search->colour[q] ||
        permuted(search->image, board->neighbours[p] & before) !=
            (board->neighbours[q] & search->used))
        return false;
    for (int k = 0; k < board->n_mills_at[p]; k++) {
        point_set mates = board->mates[p][k];
        if ((mates & ~before) == 0 &&
            !is_mill(board, permuted(search->image, mates) | (point_set)1 << q))
            return false;
    }
    return true;
}

// False if there are too many symmetries or trials. A permutation that takes every mill to a
// mill keeps their set.
static bool extend(struct search *search, int i)
{
    struct board *board = search->board;
    if (i == board->n_points) {
        if (board->n_symmetries == MAX_SYMMETRIES)
            return false;
        memcpy(board->symmetry[board->n_symmetries++], search->image, (size_t)i);
        return true;
    }
    for (int q = 0; q < board->n_points; q++) {
        if (!fits(search, i, q))
            continue;
        if (++search->n_trials > MAX_TRIALS)
            return false;
        search->image[search->order[i]] = (uint8_t)q;
        search->used |= (point_set)1 << q;
        bool found = extend(search, i + 1);
        search->used &= ~((point_set)1 << q);
        if (!found)
            return false;
    }
    return true;
}

// ---- the group -----------------------------------------------------------------------------

static void sort(struct board *board)
{
    uint8_t(*list)[MAX_POINTS] = board->symmetry;
    for (int i = 1; i < board->n_symmetries; i++)
        for (int j = i; j > 0 && memcmp(list[j], list[j - 1], MAX_POINTS) < 0; j--) {
            uint8_t swap[MAX_POINTS];
            memcpy(swap, list[j], sizeof swap);
            memcpy(list[j], list[j - 1], sizeof swap);
            memcpy(list[j - 1], swap, sizeof swap);
        }
}

static void find_inverses(struct board *board)
{
    for (int s = 0; s < board->n_symmetries; s++)
        for (int t = 0; t < board->n_symmetries; t++) {
            bool inverse = true;
            for (int p = 0; p < board->n_points; p++)
                inverse = inverse && board->symmetry[t][board->symmetry[s][p]] == p;
            if (inverse)
                board->inverse[s] = (uint8_t)t;
        }
}

enum status merels_symmetry_find(struct board *board, struct error *err)
{
    struct search search = {.board = board};
    for (int round = 0; round < board->n_points; round++)
        refine(board, search.colour);
    choose_order(&search);
    board->n_symmetries = 0;
    if (!extend(&search, 0))
        return search.n_trials > MAX_TRIALS
                   ? merels_error(err, STATUS_UNSUPPORTED,
                                  "board: its symmetries were not found in %d trials",
                                  MAX_TRIALS)
                   : merels_error(err, STATUS_UNSUPPORTED,
                                  "board: it has more than %d symmetries (permutations of the "
                                  "points that keep edges and mills)",
                                  MAX_SYMMETRIES);
    sort(board);
    find_inverses(board);
    return STATUS_OK;
}
