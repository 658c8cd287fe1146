// failure.h: what went wrong, for programs.

#ifndef MERELS_QUERY_FAILURE_H
#define MERELS_QUERY_FAILURE_H

#include <stdbool.h>

#include "game/status.h"

// The name of the status; of a position that has no table one of three: "cannot arise",
// "not kept" or "missing".
const char *merels_failure_kind(const struct error *reason);

// True if a position has no answer because no game has such counts.
bool merels_failure_cannot_arise(const struct error *reason);

// True if there is nothing from which to answer: no table, or a search that has ended at its
// limit. False if what is there is damaged or cannot be read.
bool merels_failure_is_absence(const struct error *reason);

#endif
