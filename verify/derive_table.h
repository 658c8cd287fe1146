// derive_table.h: values that are not stored, from those that plies lead to.

#ifndef MERELS_VERIFY_DERIVE_TABLE_H
#define MERELS_VERIFY_DERIVE_TABLE_H

#include "verify/verify_run.h"

// The positions to derive: those whose men on dark points are even in number, odd, or all.
struct derived {
    uint32_t dark;
    bool even, odd;
};

// Puts the best value of all plies of these positions into the codes of a table in memory. The
// classes concerned must have been learned, and the tables that plies lead to must be there.
// STATUS_NO_MEMORY, STATUS_INTERRUPTED, STATUS_CORRUPT, STATUS_IO.
MERELS_CHECKED enum status merels_verify_derive(struct verify_run *run,
                                                struct checked_table *table,
                                                struct derived derived, struct error *err);

#endif
