// check_levels.h: the row checks for this processor.

#ifndef MERELS_VERIFY_CHECK_LEVELS_H
#define MERELS_VERIFY_CHECK_LEVELS_H

#include "verify/check_row.h"

// Of a level ("portable", "v3-slow-pext": AVX2, "v3": BMI2, too), or with NULL of the best: v3
// only where pext and pdep are not carried out bit by bit. NULL if this processor or build does
// not have the level.
const struct row_checks *merels_verify_row_checks(const char *level);

#endif
