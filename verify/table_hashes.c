// table_hashes.c: what a table's file and its values hash to.

#include "verify/table_hashes.h"

#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/hash.h"
#include "verify/verify_marks.h"

enum { PIECE_BYTES = 1 << 18 };

static enum status differs(struct error *err, const struct checked_table *table,
                           const char *what)
{
    return merels_error(err, STATUS_MISMATCH, "%s: %s", table->file_name, what);
}

static enum status hash_pieces(const struct file *file, uint64_t n_bytes, uint8_t *buffer,
                               struct sha256 *hash, struct error *err)
{
    for (uint64_t at = 0; at < n_bytes; at += PIECE_BYTES) {
        size_t n = n_bytes - at < PIECE_BYTES ? (size_t)(n_bytes - at) : PIECE_BYTES;
        enum status status = merels_file_read_at(file, at, buffer, n, err);
        if (status == STATUS_OK)
            status = merels_sha256_update(hash, buffer, n, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status hash_file(const char *path, uint64_t n_bytes, uint8_t digest[DIGEST_BYTES],
                             struct error *err)
{
    struct file file;
    struct sha256 *hash = NULL;
    uint8_t *buffer = malloc(PIECE_BYTES);
    if (buffer == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = merels_file_open(path, &file, err);
    if (status == STATUS_OK) {
        status = merels_sha256_create(&hash, err);
        if (status == STATUS_OK)
            status = hash_pieces(&file, n_bytes, buffer, hash, err);
        if (status == STATUS_OK)
            status = merels_sha256_finish(hash, digest, err);
        merels_sha256_destroy(hash);
        merels_file_drop(&file);
    }
    free(buffer);
    return status;
}

enum status merels_verify_file_hash(const struct table_files *files,
                                    const struct checked_table *table, struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    char digits[2 * DIGEST_BYTES + 1], *path;
    enum status status = merels_path_join(files->dir, table->file_name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = hash_file(path, table->n_file_bytes, digest, err);
    free(path);
    if (status != STATUS_OK)
        return status;
    merels_hex(digest, DIGEST_BYTES, digits);
    return strcmp(digits, table->file) == 0
               ? STATUS_OK
               : differs(err, table, "the SHA-256 of the file is not that of the manifest");
}

// Writes the values of some slots as they stand in a file; returns the bytes.
typedef size_t pack_fn(const struct checked_table *table, const void *values, uint64_t first,
                       size_t n, uint8_t *packed);

static size_t pack_bytes(const struct checked_table *table, const void *values, uint64_t first,
                         size_t n, uint8_t *packed)
{
    (void)table;
    memcpy(packed, (const uint8_t *)values + first, n);
    return n;
}

// Four codes in a byte, the lowest slot in the lowest bits.
static size_t pack_codes(const struct checked_table *table, const void *values, uint64_t first,
                         size_t n, uint8_t *packed)
{
    const uint8_t *at = (const uint8_t *)values + first;
    (void)table;
    memset(packed, 0, (n + 3) / 4);
    for (size_t k = 0; k < n; k++) {
        unsigned code = at[k] == BYTE_DRAW ? 0 : at[k] == WIN ? 1 : 2;
        packed[k / 4] |= (uint8_t)(code << 2 * (k % 4));
    }
    return (n + 3) / 4;
}

static size_t pack_wide_codes(const struct checked_table *table, const void *values,
                              uint64_t first, size_t n, uint8_t *packed)
{
    const uint16_t *at = (const uint16_t *)values + first;
    (void)table;
    memset(packed, 0, (n + 3) / 4);
    for (size_t k = 0; k < n; k++) {
        unsigned code = at[k] == DRAW ? 0 : at[k] == WIN ? 1 : 2;
        packed[k / 4] |= (uint8_t)(code << 2 * (k % 4));
    }
    return (n + 3) / 4;
}

// Wide values, one byte or two, little-endian.
static size_t pack_wide(const struct checked_table *table, const void *values, uint64_t first,
                        size_t n, uint8_t *packed)
{
    const uint16_t *at = (const uint16_t *)values + first;
    size_t width = (size_t)table->value_bytes;
    for (size_t k = 0; k < n; k++) {
        packed[width * k] = (uint8_t)at[k]; // the low byte of a draw is BYTE_DRAW
        if (width == 2)
            packed[2 * k + 1] = (uint8_t)(at[k] >> 8);
    }
    return width * n;
}

// The SHA-256 of the SHA-256s of pieces of 2^20 slots (docs/FORMAT.md, section 7.1).
static enum status hash_values(const struct checked_table *table, const void *values,
                               pack_fn *pack, uint8_t digest[DIGEST_BYTES], struct error *err)
{
    enum { PIECE_SLOTS = 1 << 20 };
    size_t n_pieces = (size_t)((table->n_slots + PIECE_SLOTS - 1) / PIECE_SLOTS);
    uint8_t *digests = malloc(n_pieces * DIGEST_BYTES), *packed = malloc(2 * PIECE_SLOTS);
    enum status status = STATUS_OK;
    if (digests == NULL || packed == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a hash");
    for (size_t k = 0; k < n_pieces && status == STATUS_OK; k++) {
        uint64_t first = (uint64_t)k * PIECE_SLOTS, rest = table->n_slots - first;
        size_t n = (size_t)(rest < PIECE_SLOTS ? rest : PIECE_SLOTS);
        status = merels_sha256(packed, pack(table, values, first, n, packed),
                               digests + k * DIGEST_BYTES, err);
    }
    if (status == STATUS_OK)
        status = merels_sha256(digests, n_pieces * DIGEST_BYTES, digest, err);
    free(digests);
    free(packed);
    return status;
}

static enum status compare_hash(const struct checked_table *table,
                                const uint8_t digest[DIGEST_BYTES], struct error *err)
{
    return memcmp(digest, table->values, DIGEST_BYTES) == 0
               ? STATUS_OK
               : differs(err, table, "the hash of the values is not that of the header");
}

enum status merels_verify_value_hash(const struct checked_table *table, const uint8_t *values,
                                     struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    if (table->codes != NULL)
        return STATUS_OK; // there is no header
    enum status status =
        hash_values(table, values, table->wdl ? pack_codes : pack_bytes, digest, err);
    return status == STATUS_OK ? compare_hash(table, digest, err) : status;
}

enum status merels_verify_wide_hash(const struct checked_table *table, const uint16_t *values,
                                    struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    if (table->codes != NULL)
        return STATUS_OK;
    enum status status =
        hash_values(table, values, table->wdl ? pack_wide_codes : pack_wide, digest, err);
    return status == STATUS_OK ? compare_hash(table, digest, err) : status;
}
