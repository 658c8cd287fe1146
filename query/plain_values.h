// plain_values.h: what positions are worth without the rule that counts plies (n-move), beside
// their values under it.

#ifndef MERELS_QUERY_PLAIN_VALUES_H
#define MERELS_QUERY_PLAIN_VALUES_H

#include "db/tablebase.h"

struct plain_values {
    struct rules *rules; // malloc'ed
    struct tablebase *base;
};

// Opens a directory of the same rules without the count, of either metric. Fails as
// merels_tablebase_open does; nothing is open then.
MERELS_CHECKED enum status merels_plain_open(const char *dir, const struct rules *rules,
                                             size_t cache_bytes, struct plain_values *plain,
                                             struct error *err);
void merels_plain_close(struct plain_values *plain); // all zero is allowed

// The value of a position, whatever its count. Fails as merels_tablebase_probe does.
MERELS_CHECKED enum status merels_plain_probe(const struct plain_values *plain,
                                              const struct position *pos, struct answer *answer,
                                              struct error *err);

// "won, but not within 50 plies": of a position that is decided without the rule and drawn with
// it; `left` plies are left. "" of all others.
enum { PLAIN_TEXT_BYTES = 64 };
const char *merels_plain_loss_of(enum value plain, enum value counted, int left,
                                 char out[PLAIN_TEXT_BYTES]);

#endif
