// refusal.h: the words in which files are refused that are whole but not for this program or
// these rules: what they are, and what would be right.

#ifndef MERELS_DB_REFUSAL_H
#define MERELS_DB_REFUSAL_H

#include "db/hash.h"

// STATUS_OLDER: `path` is of a format that is no longer read; with the command that makes the
// tables anew. rules may be NULL.
enum status merels_refuse_older(const char *path, const struct rules *rules, struct error *err);

// STATUS_OTHER_RULES: `path` was made for the rules of this text (docs/FORMAT.md, section 8),
// asked for were `wanted`: names both, and what differs.
enum status merels_refuse_rules(const char *path, const char *rules_text,
                                const struct rules *wanted, struct error *err);

// The same where only the fingerprint of the rules is known: they are looked for among the
// presets, among those that differ from `wanted` in one or two options, and among all on its
// board that have `fly` and `least` of 4 at most.
enum status merels_refuse_fingerprint(const char *path,
                                      const uint8_t fingerprint[FINGERPRINT_BYTES],
                                      const struct rules *wanted, struct error *err);

#endif
