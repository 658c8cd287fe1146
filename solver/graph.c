// graph.c: which subspaces can arise from a start, and how they hang together.
//
// db/arise.c finds the subspaces, Tarjan's algorithm the components. Counts are small
// (at most 24 points), so a subspace's number in the walk stands in a table over its counts.

#include "solver/graph.h"

#include <stdlib.h>
#include <string.h>

enum { COUNTS = MAX_POINTS + 1 };

struct walk {
    const struct rules *rules;
    struct subspace *found; // all that can arise, the start first
    size_t n_found;
    int32_t *number; // over the four counts: place in `found`; only theirs are set
};

static size_t place_of(struct subspace s)
{
    return ((s.a * (size_t)COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb;
}

static enum status walk_from(const struct rules *rules, const struct start *start,
                             struct walk *walk, struct error *err)
{
    size_t n_places = (size_t)COUNTS * COUNTS * COUNTS * COUNTS;
    *walk = (struct walk){.rules = rules};
    enum status status =
        merels_subspaces_arising(rules, *start, &walk->found, &walk->n_found, err);
    if (status != STATUS_OK)
        return status;
    walk->number = malloc(n_places * sizeof *walk->number);
    if (walk->number == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the graph of subspaces");
    for (size_t k = 0; k < walk->n_found; k++)
        walk->number[place_of(walk->found[k])] = (int32_t)k;
    return STATUS_OK;
}

static void end_walk(struct walk *walk)
{
    free(walk->found);
    free(walk->number);
}

// ---- Tarjan: strongly connected components, successors first -------------------------------

struct tarjan {
    const struct walk *walk;
    const struct solve_options *options;
    // By number: order of discovery (0: none), lowest reached; the open ones.
    int32_t *order, *low, *stack;
    bool *open;
    int32_t n_order, n_stack;
    struct work_unit *units;
    size_t n_units;
    bool too_large;
};

static bool wanted(const struct solve_options *options, struct subspace s)
{
    if (options->moving_only && s.ha + s.hb > 0)
        return false;
    return options->max_men == 0 || s.a + s.b + s.ha + s.hb <= options->max_men;
}

static void close_component(struct tarjan *t, int32_t root)
{
    struct work_unit unit = {0};
    int32_t k;
    do {
        k = t->stack[--t->n_stack];
        t->open[k] = false;
        struct subspace s = t->walk->found[k];
        if (!wanted(t->options, s))
            continue;
        if (unit.n_subspaces == MAX_UNIT_SUBSPACES) {
            t->too_large = true;
            continue;
        }
        unit.subspaces[unit.n_subspaces++] = s;
        unit.n_slots += merels_subspace_slots(&t->walk->rules->board, s);
    } while (k != root);
    if (unit.n_subspaces == 2 &&
        merels_subspace_compare(unit.subspaces[0], unit.subspaces[1]) > 0) {
        struct subspace swap = unit.subspaces[0];
        unit.subspaces[0] = unit.subspaces[1];
        unit.subspaces[1] = swap;
    }
    if (unit.n_subspaces > 0)
        t->units[t->n_units++] = unit;
}

static void search(struct tarjan *t, int32_t k) // depth: at most the number of subspaces
{
    t->order[k] = t->low[k] = ++t->n_order;
    t->stack[t->n_stack++] = k;
    t->open[k] = true;
    struct subspace next[MAX_SUCCESSORS];
    int n = merels_subspace_successors(t->walk->rules, t->walk->found[k], next);
    for (int i = 0; i < n; i++) {
        int32_t m = t->walk->number[place_of(next[i])];
        if (t->order[m] == 0) {
            search(t, m);
            t->low[k] = t->low[m] < t->low[k] ? t->low[m] : t->low[k];
        } else if (t->open[m] && t->order[m] < t->low[k]) {
            t->low[k] = t->order[m];
        }
    }
    if (t->low[k] == t->order[k])
        close_component(t, k);
}

// One side slides, the other still places: the slide leads to a unit with as many men in hand
// and on the board.
static bool slides_alone(const struct work_unit *unit)
{
    return unit->n_subspaces == 1 && unit->subspaces[0].ha == 0 && unit->subspaces[0].hb > 0;
}

// Order of units: men in hand, men on board, whether one side slides alone, and so on (of their
// first subspaces). A successor has fewer men in hand, or as many and fewer on the board, or is
// what such a slide leads to: there the side that places is to move.
static int compare_units(const void *x, const void *y)
{
    const struct work_unit *u = x, *v = y;
    struct subspace s = u->subspaces[0], t = v->subspaces[0];
    bool same_men = s.ha + s.hb == t.ha + t.hb && s.a + s.b == t.a + t.b;
    if (same_men && slides_alone(u) != slides_alone(v))
        return slides_alone(u) ? 1 : -1;
    return merels_subspace_compare(s, t);
}

static enum status find_components(const struct walk *walk, const struct solve_options *options,
                                   struct tarjan *t, struct error *err)
{
    *t = (struct tarjan){.walk = walk, .options = options};
    size_t n = walk->n_found;
    t->order = calloc(n, sizeof *t->order);
    t->low = calloc(n, sizeof *t->low);
    t->stack = calloc(n, sizeof *t->stack);
    t->open = calloc(n, sizeof *t->open);
    t->units = calloc(n, sizeof *t->units);
    if (t->order == NULL || t->low == NULL || t->stack == NULL || t->open == NULL ||
        t->units == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the graph of subspaces");
    search(t, 0);
    if (t->too_large)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "a work unit of more than %d subspaces is not supported",
                            MAX_UNIT_SUBSPACES);
    qsort(t->units, t->n_units, sizeof *t->units, compare_units);
    return STATUS_OK;
}

enum status merels_graph_units(const struct rules *rules, const struct start *start,
                               const struct solve_options *options, struct work_unit **units,
                               size_t *n_units, struct error *err)
{
    struct walk walk;
    struct tarjan t = {0};
    enum status status = walk_from(rules, start, &walk, err);
    if (status == STATUS_OK)
        status = find_components(&walk, options, &t, err);
    end_walk(&walk);
    free(t.order);
    free(t.low);
    free(t.stack);
    free(t.open);
    if (status != STATUS_OK) {
        free(t.units);
        return status;
    }
    *units = t.units;
    *n_units = t.n_units;
    return STATUS_OK;
}

size_t merels_graph_count(const struct rules *rules, const struct start *start)
{
    struct subspace *arising;
    size_t n;
    if (merels_subspaces_arising(rules, *start, &arising, &n, NULL) != STATUS_OK)
        return 0;
    free(arising);
    return n;
}
