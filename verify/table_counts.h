// table_counts.h: what a table's header says of its values as a whole, counted anew.

#ifndef MERELS_VERIFY_TABLE_COUNTS_H
#define MERELS_VERIFY_TABLE_COUNTS_H

#include "verify/table_files.h"

struct table_counts {
    uint64_t win, draw, loss;             // orbits
    uint64_t none;                        // orbits that are no position
    int max_win, max_loss;                // the greatest values; NO_DEPTH if there is none
    uint64_t max_win_slot, max_loss_slot; // the first slot with it
};

// Nothing counted yet.
struct table_counts merels_verify_counts_start(void);

// Counts `orbits` positions of one value; first_slot is the first of their slots.
void merels_verify_counts_add(struct table_counts *counts, int value, uint64_t orbits,
                              uint64_t first_slot);

// Adds what another thread has counted.
void merels_verify_counts_join(struct table_counts *counts, const struct table_counts *other);

// STATUS_MISMATCH, with what differs from the header. Of a table in memory nothing is compared;
// its counts go to table->counted.
MERELS_CHECKED enum status merels_verify_counts_compare(const struct checked_table *table,
                                                        const struct table_counts *counts,
                                                        struct error *err);

#endif
