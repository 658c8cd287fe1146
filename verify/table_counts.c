// table_counts.c: counting, and comparing with a header.

#include "verify/table_counts.h"

struct table_counts merels_verify_counts_start(void)
{
    return (struct table_counts){.max_win = NO_DEPTH, .max_loss = NO_DEPTH};
}

// The deeper one, and of equal ones the first slot.
static void take_depth(int *deepest, uint64_t *slot, int depth, uint64_t first_slot)
{
    if (depth == NO_DEPTH || depth < *deepest || (depth == *deepest && first_slot > *slot))
        return;
    *deepest = depth;
    *slot = first_slot;
}

void merels_verify_counts_add(struct table_counts *counts, int value, uint64_t orbits,
                              uint64_t first_slot)
{
    if (value == DRAW) {
        counts->draw += orbits;
    } else if (value & 1) {
        counts->win += orbits;
        take_depth(&counts->max_win, &counts->max_win_slot, value, first_slot);
    } else {
        counts->loss += orbits;
        take_depth(&counts->max_loss, &counts->max_loss_slot, value, first_slot);
    }
}

void merels_verify_counts_join(struct table_counts *counts, const struct table_counts *other)
{
    counts->win += other->win;
    counts->draw += other->draw;
    counts->loss += other->loss;
    counts->none += other->none;
    take_depth(&counts->max_win, &counts->max_win_slot, other->max_win, other->max_win_slot);
    take_depth(&counts->max_loss, &counts->max_loss_slot, other->max_loss,
               other->max_loss_slot);
}

static int plies_of(const struct checked_table *t, int value)
{
    return value == NO_DEPTH ? NO_DEPTH : merels_verify_plies_of(value, t->measure);
}

struct comparison {
    const char *what;
    long long stored, counted;
};

enum status merels_verify_counts_compare(const struct checked_table *t,
                                         const struct table_counts *c, struct error *err)
{
    const struct comparison comparisons[] = {
        {"won orbits", (long long)t->win, (long long)c->win},
        {"drawn orbits", (long long)t->draw, (long long)c->draw},
        {"lost orbits", (long long)t->loss, (long long)c->loss},
        {"orbits that are no position", (long long)t->none, (long long)c->none},
        {"orbits", (long long)t->n_orbits, (long long)(c->win + c->draw + c->loss + c->none)},
        {"longest win", t->max_win, plies_of(t, c->max_win)},
        {"first slot of the longest win", (long long)t->max_win_slot,
         (long long)c->max_win_slot},
        {"longest loss", t->max_loss, plies_of(t, c->max_loss)},
        {"first slot of the longest loss", (long long)t->max_loss_slot,
         (long long)c->max_loss_slot},
    };
    enum { N_OF_EDITION_WDL = 5, N_COMPARISONS = sizeof comparisons / sizeof comparisons[0] };
    if (t->codes != NULL) { // there is no header
        if (t->counted != NULL)
            *t->counted = *c;
        return STATUS_OK;
    }
    for (int k = 0; k < (t->wdl ? N_OF_EDITION_WDL : N_COMPARISONS); k++)
        if (comparisons[k].stored != comparisons[k].counted)
            return merels_error(err, STATUS_MISMATCH,
                                "%s: %s: the header says %lld, counted %lld", t->file_name,
                                comparisons[k].what, comparisons[k].stored,
                                comparisons[k].counted);
    return STATUS_OK;
}
