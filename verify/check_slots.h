// check_slots.h: all slots of one table, one after another by judge_slot.c: for plies that
// check_row.c does not know, and in tests as the plain twin of it. Some sixteen times slower
// for six men's morris.

#ifndef MERELS_VERIFY_CHECK_SLOTS_H
#define MERELS_VERIFY_CHECK_SLOTS_H

#include "verify/judge_slot.h"

// As merels_verify_table.
MERELS_CHECKED enum status merels_verify_slots(struct verify_run *run,
                                               const struct checked_table *table,
                                               struct error *err);

#endif
