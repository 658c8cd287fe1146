// value_hash.h: the identity of a table: SHA-256 of the SHA-256s of its plain values in pieces
// of HASH_PIECE_SLOTS slots, whatever the size of stored blocks. Pieces are hashed by anyone,
// in any order.

#ifndef MERELS_DB_VALUE_HASH_H
#define MERELS_DB_VALUE_HASH_H

#include "db/edition.h"
#include "db/hash.h"

// Digests of the pieces of one table.
struct value_hash {
    uint64_t n_slots, n_pieces;
    uint8_t *digests; // SHA256_BYTES each
};

// For a table of n_slots slots. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_value_hash_create(uint64_t n_slots, struct value_hash *hash,
                                                    struct error *err);
void merels_value_hash_destroy(struct value_hash *hash);

// Hashes one piece: its values as a block of the edition holds them (wdl: packed). Any thread,
// each piece once.
MERELS_CHECKED enum status merels_value_hash_piece(struct value_hash *hash, uint64_t piece,
                                                   const uint8_t *values, size_t n_bytes,
                                                   struct error *err);

// The hash, once every piece was hashed.
MERELS_CHECKED enum status merels_value_hash_finish(const struct value_hash *hash,
                                                    uint8_t digest[SHA256_BYTES],
                                                    struct error *err);

// All at once, of values in memory.
MERELS_CHECKED enum status merels_value_hash(enum edition edition, int value_bytes,
                                             const uint8_t *values, uint64_t n_slots,
                                             uint8_t digest[SHA256_BYTES], struct error *err);

#endif
