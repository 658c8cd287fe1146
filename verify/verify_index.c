// verify_index.c: symmetries, ranks, canonical sets and closed formulas of the verifier.

#include "verify/verify_index.h"

#include <stdlib.h>
#include <string.h>

// ---- symmetries ----------------------------------------------------------------------------
// All permutations that keep edges and mills, found by trying: point after point gets a place
// with as many edges and mills, whose edges to the places given before are the same as those of
// the point, and so that mills whose points all have a place are mills there. The next point is
// one with most edges to those before, which leaves few places to try.

struct trying {
    struct verify_index *index;
    int order[VERIFY_POINTS];
    int n_mills_at[VERIFY_POINTS];
    uint8_t map[VERIFY_POINTS];
    uint32_t done; // points that have a place
};

static int joined_count(const struct verify_rules *rules, int p, uint32_t set)
{
    int n = 0;
    for (int q = 0; q < rules->n_points; q++)
        n += (rules->joined[p] >> q & 1) && (set >> q & 1);
    return n;
}

static void choose_order(struct trying *trying)
{
    const struct verify_rules *rules = &trying->index->rules;
    uint32_t chosen = 0;
    for (int i = 0; i < rules->n_points; i++) {
        int best = -1;
        for (int p = 0; p < rules->n_points; p++)
            if (!(chosen >> p & 1) && (best < 0 || joined_count(rules, p, chosen) >
                                                       joined_count(rules, best, chosen)))
                best = p;
        trying->order[i] = best;
        chosen |= (uint32_t)1 << best;
    }
    for (int p = 0; p < rules->n_points; p++)
        for (int k = 0; k < rules->n_mills; k++)
            trying->n_mills_at[p] += (int)(rules->mills[k] >> p & 1);
}

// The mills through p whose other points all have a place: are they mills there?
static bool keeps_mills(const struct trying *trying, int p)
{
    const struct verify_rules *rules = &trying->index->rules;
    uint32_t placed = trying->done | (uint32_t)1 << p;
    for (int k = 0; k < rules->n_mills; k++) {
        if (!(rules->mills[k] >> p & 1) || (rules->mills[k] & ~placed) != 0)
            continue;
        uint32_t image = 0;
        for (int q = 0; q < rules->n_points; q++)
            if (rules->mills[k] >> q & 1)
                image |= (uint32_t)1 << trying->map[q];
        bool found = false;
        for (int m = 0; m < rules->n_mills; m++)
            found |= rules->mills[m] == image;
        if (!found)
            return false;
    }
    return true;
}

static bool fits(struct trying *trying, int p, int place)
{
    const struct verify_rules *rules = &trying->index->rules;
    if (joined_count(rules, p, rules->all) != joined_count(rules, place, rules->all) ||
        trying->n_mills_at[p] != trying->n_mills_at[place])
        return false;
    for (int q = 0; q < rules->n_points; q++)
        if ((trying->done >> q & 1) &&
            ((rules->joined[p] >> q & 1) != (rules->joined[place] >> trying->map[q] & 1) ||
             trying->map[q] == place))
            return false;
    trying->map[p] = (uint8_t)place;
    return keeps_mills(trying, p);
}

// Places the i-th point and those behind it. False if there are more symmetries than room.
static bool find_maps(struct trying *trying, int i)
{
    struct verify_index *index = trying->index;
    int n = index->rules.n_points, p = i < n ? trying->order[i] : 0;
    if (i == n) {
        if (index->n_maps == VERIFY_MAPS)
            return false;
        memcpy(index->maps[index->n_maps++], trying->map, (size_t)n);
        return true;
    }
    for (int place = 0; place < n; place++) {
        if (!fits(trying, p, place))
            continue;
        trying->done |= (uint32_t)1 << p;
        bool room = find_maps(trying, i + 1);
        trying->done &= ~((uint32_t)1 << p);
        if (!room)
            return false;
    }
    return true;
}

static bool find_symmetries(struct verify_index *index)
{
    struct trying trying = {.index = index};
    choose_order(&trying);
    return find_maps(&trying, 0);
}

static void fill_images(struct verify_index *index)
{
    for (int m = 0; m < index->n_maps; m++)
        for (int p = 0; p < index->rules.n_points; p++)
            for (int byte = 0; byte < 256; byte++)
                if (byte >> (p % 8) & 1)
                    index->images[m][p / 8][byte] |= (uint32_t)1 << index->maps[m][p];
}

int merels_verify_stabilizer(const struct verify_index *index, uint32_t set,
                             int maps[VERIFY_MAPS])
{
    int n = 0;
    for (int m = 0; m < index->n_maps; m++) {
        bool moves = false;
        for (int p = 0; p < index->rules.n_points; p++)
            moves |= index->maps[m][p] != p;
        if (moves && verify_image(index, m, set) == set)
            maps[n++] = m;
    }
    return n;
}

// ---- ranks ---------------------------------------------------------------------------------

static void fill_choose(struct verify_index *index)
{
    for (int n = 0; n <= VERIFY_POINTS; n++)
        for (int k = 0; k <= n; k++)
            index->choose[n][k] =
                k == 0 || k == n ? 1 : index->choose[n - 1][k - 1] + index->choose[n - 1][k];
}

// The sum of C(q, i) over the points of a half; i counts on from the men below it.
static uint32_t half_rank(const struct verify_index *index, uint32_t half, int first_point,
                          int n_below)
{
    uint64_t sum = 0;
    for (int q = 0, i = n_below; q < HALF; q++)
        if (half >> q & 1)
            sum += index->choose[first_point + q][++i];
    return (uint32_t)sum;
}

static int n_bits(uint32_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

static void fill_ranks(struct verify_index *index)
{
    for (uint32_t half = 0; half < 1 << HALF; half++) {
        index->low[half] = half_rank(index, half, 0, 0);
        for (int men = n_bits(half); men <= VERIFY_POINTS; men++)
            if (men - n_bits(half) <= HALF)
                index->high[men][half] = half_rank(index, half, HALF, men - n_bits(half));
    }
}

enum status merels_verify_index_create(const char *text, bool any_board,
                                       struct verify_index **index, struct error *err)
{
    struct verify_index *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the rules");
    enum status status = merels_verify_rules_parse(text, any_board, &made->rules, err);
    if (status == STATUS_OK && !find_symmetries(made))
        status = merels_error(err, STATUS_UNSUPPORTED, "the board has over %d symmetries",
                              VERIFY_MAPS);
    if (status != STATUS_OK) {
        free(made);
        return status;
    }
    fill_images(made);
    verify_fill_bits(&made->bits);
    fill_choose(made);
    fill_ranks(made);
    *index = made;
    return STATUS_OK;
}

// ---- lists of sets -------------------------------------------------------------------------

// The first set in ascending order.
static uint32_t first_set(int men)
{
    return (uint32_t)(((uint64_t)1 << men) - 1);
}

enum status merels_verify_sets(const struct verify_index *index, int n_points, int men,
                               uint32_t **sets, struct error *err)
{
    size_t n = (size_t)index->choose[n_points][men];
    uint32_t *list = malloc((n + 1) * sizeof *list);
    if (list == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the sets of %d men", men);
    for (size_t k = 0; k < n; k++)
        list[k] = k == 0 ? first_set(men) : verify_set_after(list[k - 1]);
    *sets = list;
    return STATUS_OK;
}

// ---- classes -------------------------------------------------------------------------------

// The smallest image and a symmetry that leads to it.
static uint32_t smallest_image(const struct verify_index *index, uint32_t set, uint32_t *map)
{
    uint32_t smallest = UINT32_MAX;
    for (int m = 0; m < index->n_maps; m++) {
        uint32_t image = verify_image(index, m, set);
        if (image < smallest) {
            smallest = image;
            *map = (uint32_t)m;
        }
    }
    return smallest;
}

// Ascending, so that the smallest member of a class is met, and gets its number, before the
// others.
static void fill_classes(const struct verify_index *index, struct classes *classes,
                         const uint32_t *sets, size_t n_sets)
{
    for (size_t k = 0; k < n_sets; k++) {
        uint32_t map = 0, smallest = smallest_image(index, sets[k], &map);
        if (smallest == sets[k])
            classes->smallest[classes->n_rows++] = smallest;
        uint32_t row = smallest == sets[k]
                           ? classes->n_rows - 1
                           : classes->entries[verify_rank(index, classes->men, smallest)] >> 8;
        classes->entries[verify_rank(index, classes->men, sets[k])] = row << 8 | map;
    }
}

enum status merels_verify_classes(const struct verify_index *index, int men,
                                  struct classes *classes, struct error *err)
{
    uint32_t *sets;
    size_t n_sets = (size_t)index->choose[index->rules.n_points][men];
    *classes = (struct classes){.men = men};
    enum status status = merels_verify_sets(index, index->rules.n_points, men, &sets, err);
    if (status != STATUS_OK)
        return status;
    classes->smallest = malloc(n_sets * sizeof *classes->smallest);
    classes->entries = malloc(n_sets * sizeof *classes->entries);
    if (classes->smallest == NULL || classes->entries == NULL) {
        free(sets);
        merels_verify_classes_free(classes);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the sets of %d men", men);
    }
    fill_classes(index, classes, sets, n_sets);
    free(sets);
    return STATUS_OK;
}

void merels_verify_classes_free(struct classes *classes)
{
    free(classes->smallest);
    free(classes->entries);
    *classes = (struct classes){0};
}

// ---- orbits --------------------------------------------------------------------------------

// Pairs (A, B) that a symmetry maps to themselves: every cycle of it lies in A, in B or in
// neither.
static uint64_t fixed_pairs(const struct verify_index *index, int map, int a, int b)
{
    uint64_t ways[VERIFY_POINTS + 1][VERIFY_POINTS + 1] = {{1}};
    uint32_t seen = 0;
    for (int p = 0; p < index->rules.n_points; p++) {
        int length = 0;
        for (int q = p; !(seen >> q & 1); q = index->maps[map][q], length++)
            seen |= (uint32_t)1 << q;
        if (length == 0)
            continue;
        for (int x = a; x >= 0; x--)
            for (int y = b; y >= 0; y--) {
                ways[x][y] += x >= length ? ways[x - length][y] : 0;
                ways[x][y] += y >= length ? ways[x][y - length] : 0;
            }
    }
    return ways[a][b];
}

uint64_t merels_verify_orbits(const struct verify_index *index, int a, int b)
{
    uint64_t sum = 0;
    for (int m = 0; m < index->n_maps; m++)
        sum += fixed_pairs(index, m, a, b);
    return sum / (uint64_t)index->n_maps;
}
