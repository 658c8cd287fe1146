// compact_facts.h: what there is to say of a file of edition compact besides its values:
// length, hash, what it covers, and whether its checksums are right.

#ifndef MERELS_QUERY_COMPACT_FACTS_H
#define MERELS_QUERY_COMPACT_FACTS_H

#include "db/hash.h"
#include "query/command.h"

struct compact_facts {
    char *path; // the caller's to free
    uint64_t n_bytes;
    uint8_t file_hash[SHA256_BYTES];
    size_t n_subspaces;
    struct error damage; // STATUS_OK, or what the verifier says of checksums and head
};

// Reads the whole file that is open in the context. A failure leaves nothing to be freed.
MERELS_CHECKED enum status merels_compact_look(const struct context *context,
                                               struct compact_facts *facts, struct error *err);

#endif
