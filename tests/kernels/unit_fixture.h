// unit_fixture.h: a unit in memory whose rows a test gives to the kernels one by one.

#ifndef MERELS_TESTS_KERNELS_UNIT_FIXTURE_H
#define MERELS_TESTS_KERNELS_UNIT_FIXTURE_H

#include "solver/unit.h"
#include "tests/solver/support.h"

struct fixture {
    struct rules *rules;
    struct index *index;
    struct unit unit;
    struct work_unit work;
    struct workspace space;
};

// The unit of a subspace and, if it is solved by depths, its twin. Without lists turns go
// straight to their place.
static inline void open_fixture(struct fixture *f, const char *rules, struct subspace s,
                                enum way_to_solve way, const struct kernels *kernels)
{
    const struct subspace twin = {s.b, s.a, s.hb, s.ha};
    bool alone = way == SOLVE_BY_SWEEP || merels_subspace_equal(s, twin);
    f->rules = make_rules(rules);
    f->work = (struct work_unit){.n_subspaces = alone ? 1 : 2, .subspaces = {s, twin}};
    OK(merels_index_create(&f->rules->board, &f->index, &test_error));
    OK(merels_unit_create(f->rules, f->index, &f->work, way, (struct holding){0},
                          kernels->cell_points, 1, NULL, &f->unit, &test_error));
    struct workspace_sizes sizes = merels_unit_workspace(&f->unit);
    OK(merels_workspace_create(&sizes, 0, &f->space, &test_error));
    for (int i = 0; i < f->unit.n_sides; i++) {
        struct side *side = &f->unit.sides[i];
        for (int k = 0; k < side->n_sources; k++)
            merels_turn_lists_destroy(&side->sources[k].lists);
        for (int k = 0; k < 2; k++)
            merels_turn_lists_destroy(&side->lists[k]);
    }
}

static inline void close_fixture(struct fixture *f)
{
    merels_workspace_destroy(&f->space);
    merels_unit_destroy(&f->unit);
    merels_index_destroy(f->index);
    free(f->rules);
}

#endif
