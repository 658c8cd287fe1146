// load_table.h: brings what checking one table needs into memory, by all threads.
//
//     own values                1 byte a slot of a-b, or 2
//     pairs of its successors   2 bytes a slot of b-a, or 4  (1.8 GB in all for 8-8, or 3.6)
//
// Slot by slot there are no pairs: 2 bytes a slot of a-b, b-a and (b-1)-a.

#ifndef MERELS_VERIFY_LOAD_TABLE_H
#define MERELS_VERIFY_LOAD_TABLE_H

#include "verify/judge_slot.h"
#include "verify/verify_run.h"

// The view of a table, with the pairs of its successors, and its values in run->values, a byte
// each or two as its marks. Marks of one byte must do for the depths (check_row.h). Unload the
// view also after a failure. The classes concerned must have been learned.
MERELS_CHECKED enum status merels_verify_load(struct verify_run *run,
                                              const struct checked_table *table, int mark_bytes,
                                              struct table_view *view, struct error *err);
void merels_verify_unload(struct table_view *view);

// The bytes that this takes, with a thread's rows.
uint64_t merels_verify_load_bytes(const struct verify_run *run,
                                  const struct checked_table *table, int mark_bytes);

// The table's values in run->values, those of its successors where the judge finds them; all of
// two bytes.
MERELS_CHECKED enum status merels_verify_load_wide(struct verify_run *run,
                                                   struct slot_judge *judge, struct error *err);
uint64_t merels_verify_load_wide_bytes(const struct slot_judge *judge);

// Stages of the meter, and their shares of a table.
#define LOADING_SHARE 0.2
#define CHECKING_SHARE 0.8

#endif
