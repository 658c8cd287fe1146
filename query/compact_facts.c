// compact_facts.c: reads a file from its first to its last byte, twice.

#include "query/compact_facts.h"

#include <stdlib.h>

#include "db/file.h"
#include "game/rules_text.h"
#include "query/compact_place.h"
#include "verify/verify_compact.h"

enum { CHUNK_BYTES = 1 << 20 };

static enum status hash_open(const struct file *file, uint64_t n_bytes, struct sha256 *hash,
                             struct error *err)
{
    uint8_t *chunk = malloc(CHUNK_BYTES);
    enum status status =
        chunk != NULL ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "no memory for a file");
    for (uint64_t at = 0; at < n_bytes && status == STATUS_OK; at += CHUNK_BYTES) {
        size_t n = n_bytes - at < CHUNK_BYTES ? (size_t)(n_bytes - at) : CHUNK_BYTES;
        status = merels_file_read_at(file, at, chunk, n, err);
        if (status == STATUS_OK)
            status = merels_sha256_update(hash, chunk, n, err);
    }
    free(chunk);
    return status;
}

static enum status hash_file(struct compact_facts *facts, struct error *err)
{
    struct file file;
    struct sha256 *hash = NULL;
    enum status status = merels_file_open(facts->path, &file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_size(&file, &facts->n_bytes, err);
    if (status == STATUS_OK)
        status = merels_sha256_create(&hash, err);
    if (status == STATUS_OK)
        status = hash_open(&file, facts->n_bytes, hash, err);
    if (status == STATUS_OK)
        status = merels_sha256_finish(hash, facts->file_hash, err);
    merels_sha256_destroy(hash);
    merels_file_drop(&file);
    return status;
}

static enum status count_subspaces(const struct context *context, size_t *n, struct error *err)
{
    struct subspace *covered;
    enum status status = merels_tablebase_list(context->base, &covered, n, err);
    if (status == STATUS_OK)
        free(covered);
    return status;
}

enum status merels_compact_look(const struct context *context, struct compact_facts *facts,
                                struct error *err)
{
    char rules_text[RULES_TEXT_BYTES];
    *facts = (struct compact_facts){0};
    enum status status = merels_compact_find(context->dir, &facts->path, err);
    if (status == STATUS_OK)
        status = count_subspaces(context, &facts->n_subspaces, err);
    if (status == STATUS_OK)
        status = hash_file(facts, err);
    if (status != STATUS_OK) {
        free(facts->path);
        return status;
    }
    merels_rules_text(context->rules, rules_text);
    (void)!merels_verify_compact_checksums(
        rules_text, facts->path, context->rules->board.kind == BOARD_OWN, &facts->damage);
    return STATUS_OK;
}
