// value_hash.c: the digests of the pieces of a table, and the digest of these.

#include "db/value_hash.h"

#include <stdlib.h>

enum status merels_value_hash_create(uint64_t n_slots, struct value_hash *hash,
                                     struct error *err)
{
    *hash = (struct value_hash){.n_slots = n_slots,
                                .n_pieces = n_slots / HASH_PIECE_SLOTS +
                                            (n_slots % HASH_PIECE_SLOTS != 0)};
    hash->digests = calloc((size_t)hash->n_pieces + 1, SHA256_BYTES);
    return hash->digests != NULL
               ? STATUS_OK
               : merels_error(err, STATUS_NO_MEMORY, "out of memory for the hash of a table");
}

void merels_value_hash_destroy(struct value_hash *hash)
{
    free(hash->digests);
    *hash = (struct value_hash){0};
}

enum status merels_value_hash_piece(struct value_hash *hash, uint64_t piece,
                                    const uint8_t *values, size_t n_bytes, struct error *err)
{
    return merels_sha256(values, n_bytes, hash->digests + piece * SHA256_BYTES, err);
}

enum status merels_value_hash_finish(const struct value_hash *hash,
                                     uint8_t digest[SHA256_BYTES], struct error *err)
{
    return merels_sha256(hash->digests, (size_t)hash->n_pieces * SHA256_BYTES, digest, err);
}

enum status merels_value_hash(enum edition edition, int value_bytes, const uint8_t *values,
                              uint64_t n_slots, uint8_t digest[SHA256_BYTES], struct error *err)
{
    struct value_hash hash;
    enum status status = merels_value_hash_create(n_slots, &hash, err);
    for (uint64_t k = 0; k < hash.n_pieces && status == STATUS_OK; k++) {
        uint64_t first = k * HASH_PIECE_SLOTS, rest = n_slots - first;
        size_t n = (size_t)(rest < HASH_PIECE_SLOTS ? rest : HASH_PIECE_SLOTS);
        status = merels_value_hash_piece(
            &hash, k, values + merels_edition_bytes(edition, value_bytes, (size_t)first),
            merels_edition_bytes(edition, value_bytes, n), err);
    }
    if (status == STATUS_OK)
        status = merels_value_hash_finish(&hash, digest, err);
    merels_value_hash_destroy(&hash);
    return status;
}
