// check_slots.h: all slots of one table, one after another by judge_slot.c: for tables with
// values of two bytes, which do not fit the marks of check_row.c, and for plies that it does
// not know. Some sixteen times slower for six men's morris.

#ifndef MERELS_VERIFY_CHECK_SLOTS_H
#define MERELS_VERIFY_CHECK_SLOTS_H

#include "verify/judge_slot.h"

// As merels_verify_table.
MERELS_CHECKED enum status merels_verify_slots(struct verify_run *run,
                                               const struct checked_table *table,
                                               struct error *err);

#endif
