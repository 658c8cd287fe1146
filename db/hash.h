// hash.h: the two hashes: SHA-256 for identity (values, files, rules, root), XXH64 for the
// checksums inside a file. The only file that includes libcrypto and xxHash.

#ifndef MERELS_DB_HASH_H
#define MERELS_DB_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "game/rules.h"
#include "game/status.h"

enum { SHA256_BYTES = 32, FINGERPRINT_BYTES = 16 };

struct sha256; // a running hash

MERELS_CHECKED enum status merels_sha256_create(struct sha256 **hash, struct error *err);
MERELS_CHECKED enum status merels_sha256_update(struct sha256 *hash, const void *data,
                                                size_t n_bytes, struct error *err);
MERELS_CHECKED enum status
merels_sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_BYTES], struct error *err);
void merels_sha256_destroy(struct sha256 *hash); // NULL is allowed

// The SHA-256 of one piece of memory.
MERELS_CHECKED enum status merels_sha256(const void *data, size_t n_bytes,
                                         uint8_t digest[SHA256_BYTES], struct error *err);

// XXH64 with seed 0.
uint64_t merels_xxh64(const void *data, size_t n_bytes);

// The first 16 bytes of the SHA-256 of merels_rules_text.
MERELS_CHECKED enum status merels_rules_fingerprint(const struct rules *rules,
                                                    uint8_t fingerprint[FINGERPRINT_BYTES],
                                                    struct error *err);

// 2n lower-case hexadecimal digits and a NUL; and back (STATUS_BAD_INPUT).
void merels_hex(const uint8_t *bytes, size_t n_bytes, char *out);
MERELS_CHECKED enum status merels_unhex(const char *text, uint8_t *bytes, size_t n_bytes,
                                        struct error *err);

#endif
