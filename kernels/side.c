// side.c: the shape of a side, and which of its plies leave the unit.

#include "kernels/side.h"

#include <string.h>

// Plies of this step: how many classes of arrivals there are.
static void count_class(struct side *side, const struct effect *effect)
{
    int *n = &side->n_classes[effect->kind];
    if (effect->class >= *n)
        *n = effect->class + 1;
}

static void add_source(struct side *side, const struct effect *effect)
{
    struct source *source = &side->sources[side->n_sources++];
    source->effect = *effect;
    source->columns = effect->kind == PLY_PLACES ? &side->placed : &side->columns;
}

static enum status make_columns(struct side *side, int cell_points, struct error *err)
{
    int n_points = side->rules->board.n_points - side->subspace.b;
    enum status status =
        merels_columns_create(n_points, side->subspace.a, cell_points, &side->columns, err);
    if (status == STATUS_OK && side->n_classes[PLY_PLACES] > 0)
        status = merels_columns_create(n_points, side->subspace.a + 1, cell_points,
                                       &side->placed, err);
    for (int k = 0; k < side->n_sources && status == STATUS_OK; k++) {
        struct source *source = &side->sources[k];
        source->n_columns = source->columns->n_columns;
        source->row_words = words_of_bits(source->n_columns);
    }
    return status;
}

enum status merels_side_describe(const struct rules *rules, struct subspace s,
                                 const struct canon *rows, int cell_points,
                                 bool (*inside)(const void *unit, struct subspace after),
                                 const void *unit, struct side *side, struct error *err)
{
    struct effect effects[MAX_EFFECTS];
    int n = merels_effects(rules, s, effects);
    *side = (struct side){.subspace = s,
                          .rules = rules,
                          .ranks = merels_rank_tables(),
                          .rows = rows,
                          .n_columns = (uint32_t)merels_subspace_columns(&rules->board, s),
                          .n_rows = (uint32_t)merels_subspace_rows(&rules->board, s),
                          .flies = merels_men_fly(rules, s.a, s.ha)};
    side_set_range(side, 0, side->n_rows);
    side->row_words = words_of_bits(side->n_columns);
    for (int k = 0; k < n; k++) {
        count_class(side, &effects[k]);
        if (effects[k].ends || !inside(unit, effects[k].after))
            add_source(side, &effects[k]);
        else
            side->moves_stay = true;
    }
    side->n_fresh = side->moves_stay ? n_fresh_lists(rules->metric) : 0;
    return make_columns(side, cell_points, err);
}

void merels_side_forget(struct side *side)
{
    merels_columns_destroy(&side->columns);
    merels_columns_destroy(&side->placed);
}

const struct source *merels_side_source(const struct side *side, enum ply_kind kind, int class)
{
    for (int k = 0; k < side->n_sources; k++)
        if (side->sources[k].effect.kind == kind && side->sources[k].effect.class == class)
            return &side->sources[k];
    return NULL;
}

bool merels_side_may_pass(const struct rules *rules, struct subspace s)
{
    struct effect effects[MAX_EFFECTS];
    return rules->blocked == BLOCKED_PASSES && s.ha == 0 &&
           (s.a == 0 || !merels_men_fly(rules, s.a, s.ha)) &&
           merels_effects(rules, s, effects) > 0;
}

bool merels_side_row_is_lost(const struct side *side, uint32_t row)
{
    return side->rules->mill == MILL_WINS &&
           merels_board_mill_men(&side->rules->board, side->rows->rows->sets[row]) != 0;
}

bool merels_side_no_positions(const struct side *side, uint32_t row, uint64_t *bits)
{
    const struct board *board = &side->rules->board;
    if (side->rules->mill != MILL_WINS || board->men_in_mills[1] > side->subspace.a)
        return false;
    point_set free = board->points & ~side->rows->rows->sets[row];
    memset(bits, 0, side->row_words * sizeof *bits);
    for (uint32_t k = 0; k < side->n_columns; k++) {
        point_set own = (point_set)bit_deposit_portable(side->columns.sets[k], free);
        if (merels_board_mill_men(board, own) != 0)
            bits[k / 64] |= (uint64_t)1 << (k % 64);
    }
    return true;
}
