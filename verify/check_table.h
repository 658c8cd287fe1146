// check_table.h: a whole table: every slot, the value hash, the counts of the header.

#ifndef MERELS_VERIFY_CHECK_TABLE_H
#define MERELS_VERIFY_CHECK_TABLE_H

#include "verify/verify_run.h"

// The classes concerned must have been learned, and what the plies lead to must be there.
// STATUS_MISMATCH with the position or the count, STATUS_CORRUPT, STATUS_INTERRUPTED,
// STATUS_NO_MEMORY, STATUS_IO.
MERELS_CHECKED enum status merels_verify_table(struct verify_run *run,
                                               const struct checked_table *table,
                                               struct error *err);

// The memory that this takes, in bytes.
uint64_t merels_verify_table_bytes(const struct verify_run *run,
                                   const struct checked_table *table);

// STATUS_TOO_LITTLE with both figures if it takes more than limit bytes (0: no limit).
MERELS_CHECKED enum status merels_verify_table_fits(const struct verify_run *run,
                                                    const struct checked_table *table,
                                                    uint64_t limit, struct error *err);

#endif
