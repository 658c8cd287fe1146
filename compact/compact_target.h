// compact_target.h: what stands where a file of edition compact is to be written.

#ifndef MERELS_COMPACT_COMPACT_TARGET_H
#define MERELS_COMPACT_COMPACT_TARGET_H

#include "game/rules.h"
#include "game/status.h"

// A file that is no edition of these rules must not be lost by a slip of the pen. STATUS_OK if
// there is none, or one of edition compact of these rules (or its first piece), be it damaged
// behind its first bytes. STATUS_BAD_INPUT for anything else; STATUS_OTHER_RULES,
// STATUS_NEWER, STATUS_CORRUPT for a file of edition compact that is not for these rules.
MERELS_CHECKED enum status merels_compact_may_replace(const struct rules *rules,
                                                      const char *path, struct error *err);

#endif
