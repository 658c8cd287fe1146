// subspace.c: names, order and closed counts of subspaces.
//
// Counts come from Burnside's lemma: the number of orbits is the mean, over the symmetries, of
// the number of pairs of sets that a symmetry fixes; a fixed pair gives every cycle of the
// symmetry to one side or to none. Nothing is enumerated, so a reader can check a header in
// microseconds.

#include "game/subspace.h"

#include <stdio.h>
#include <string.h>

struct subspace merels_subspace_of(const struct position *pos)
{
    return (struct subspace){.a = (uint8_t)bit_count(pos->own),
                             .b = (uint8_t)bit_count(pos->other),
                             .ha = pos->own_hand,
                             .hb = pos->other_hand};
}

bool merels_subspace_equal(struct subspace x, struct subspace y)
{
    return x.a == y.a && x.b == y.b && x.ha == y.ha && x.hb == y.hb;
}

bool merels_subspace_among(const struct subspace *list, size_t n, struct subspace s)
{
    for (size_t k = 0; k < n; k++)
        if (merels_subspace_equal(list[k], s))
            return true;
    return false;
}

int merels_subspace_compare(struct subspace x, struct subspace y)
{
    int hands = (x.ha + x.hb) - (y.ha + y.hb);
    if (hands != 0)
        return hands;
    int board = (x.a + x.b) - (y.a + y.b);
    if (board != 0)
        return board;
    if (x.a != y.a)
        return x.a - y.a;
    if (x.b != y.b)
        return x.b - y.b;
    if (x.ha != y.ha)
        return x.ha - y.ha;
    return x.hb - y.hb;
}

int merels_subspace_name(struct subspace s, char out[SUBSPACE_NAME_BYTES])
{
    if (s.ha == 0 && s.hb == 0)
        return snprintf(out, SUBSPACE_NAME_BYTES, "%u-%u", (unsigned)s.a, (unsigned)s.b);
    return snprintf(out, SUBSPACE_NAME_BYTES, "%u-%u-%u-%u", (unsigned)s.a, (unsigned)s.b,
                    (unsigned)s.ha, (unsigned)s.hb);
}

// Reads a count 0..MAX_POINTS without leading zeros; returns what follows it, NULL if
// malformed.
static const char *parse_count(const char *text, uint8_t *count)
{
    if (*text < '0' || *text > '9')
        return NULL;
    int value = *text++ - '0';
    while (value != 0 && *text >= '0' && *text <= '9' && value <= MAX_POINTS)
        value = 10 * value + (*text++ - '0');
    if (value > MAX_POINTS)
        return NULL;
    *count = (uint8_t)value;
    return text;
}

enum status merels_subspace_parse(const char *text, struct subspace *s, struct error *err)
{
    uint8_t counts[4] = {0, 0, 0, 0};
    int n = 0;
    const char *rest = text;
    while (rest != NULL && n < 4) {
        rest = parse_count(rest, &counts[n++]);
        if (rest == NULL || *rest != '-')
            break;
        rest++;
    }
    if (rest == NULL || *rest != '\0' || (n != 2 && n != 4) ||
        counts[0] + counts[1] > MAX_POINTS)
        return merels_error(err, STATUS_BAD_INPUT,
                            "subspace '%.40s' is not of the form a-b or a-b-ha-hb", text);
    *s = (struct subspace){counts[0], counts[1], counts[2], counts[3]};
    return STATUS_OK;
}

uint64_t merels_choose(int n, int k)
{
    if (k < 0 || k > n)
        return 0;
    uint64_t result = 1;
    for (int i = 0; i < k; i++)
        result = result * (uint64_t)(n - i) / (uint64_t)(i + 1);
    return result;
}

// The lengths of the cycles of symmetry s; returns how many there are.
static int cycle_lengths(const struct board *board, int s, int lengths[MAX_POINTS])
{
    point_set seen = 0;
    int n = 0;
    for (int start = 0; start < board->n_points; start++) {
        if (seen >> start & 1)
            continue;
        int length = 0;
        for (int p = start; !(seen >> p & 1); p = board->symmetry[s][p]) {
            seen |= (point_set)1 << p;
            length++;
        }
        lengths[n++] = length;
    }
    return n;
}

// The number of pairs of disjoint sets of a and b points that symmetry s fixes.
static uint64_t fixed_pairs(const struct board *board, int s, int a, int b)
{
    int lengths[MAX_POINTS];
    int n = cycle_lengths(board, s, lengths);
    uint64_t ways[MAX_POINTS + 1][MAX_POINTS + 1];
    memset(ways, 0, sizeof ways);
    ways[0][0] = 1;
    for (int c = 0; c < n; c++)
        for (int i = a; i >= 0; i--)
            for (int j = b; j >= 0; j--) {
                int length = lengths[c];
                if (i >= length)
                    ways[i][j] += ways[i - length][j];
                if (j >= length)
                    ways[i][j] += ways[i][j - length];
            }
    return ways[a][b];
}

static uint64_t orbits_of_pairs(const struct board *board, int a, int b)
{
    if (a + b > board->n_points)
        return 0;
    uint64_t fixed = 0;
    for (int s = 0; s < board->n_symmetries; s++)
        fixed += fixed_pairs(board, s, a, b);
    return fixed / (uint64_t)board->n_symmetries;
}

uint64_t merels_subspace_rows(const struct board *board, struct subspace s)
{
    return orbits_of_pairs(board, 0, s.b);
}

uint64_t merels_subspace_columns(const struct board *board, struct subspace s)
{
    return merels_choose(board->n_points - s.b, s.a);
}

uint64_t merels_subspace_slots(const struct board *board, struct subspace s)
{
    return merels_subspace_rows(board, s) * merels_subspace_columns(board, s);
}

uint64_t merels_subspace_orbits(const struct board *board, struct subspace s)
{
    return orbits_of_pairs(board, s.a, s.b);
}
