// compact_pieces.c: copies a file range by range.

#include "compact/compact_pieces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compact/compact_target.h"
#include "db/file.h"
#include "db/tablebase.h"

enum { CHUNK_BYTES = 1 << 20 };

struct cutting {
    const struct file *file;
    const char *out_dir, *out_name;
    uint64_t file_bytes, piece_bytes;
    uint8_t *chunk;
};

// The path of a piece, malloc'ed.
static enum status name_piece(const struct cutting *cut, size_t k, const char *suffix,
                              char **path, struct error *err)
{
    char end[48];
    snprintf(end, sizeof end, ".%0*zu%s", (int)COMPACT_PIECE_DIGITS, k, suffix);
    return merels_path_join(cut->out_dir, cut->out_name, end, path, err);
}

static enum status copy(const struct cutting *cut, uint64_t first, uint64_t n_bytes,
                        const struct file *to, struct error *err)
{
    enum status status = STATUS_OK;
    for (uint64_t at = 0; at < n_bytes && status == STATUS_OK; at += CHUNK_BYTES) {
        size_t n = n_bytes - at < CHUNK_BYTES ? (size_t)(n_bytes - at) : CHUNK_BYTES;
        status = merels_file_read_at(cut->file, first + at, cut->chunk, n, err);
        if (status == STATUS_OK)
            status = merels_file_write_at(to, at, cut->chunk, n, err);
    }
    return status == STATUS_OK ? merels_file_sync(to, err) : status;
}

static enum status write_part(const struct cutting *cut, size_t k, const char *part,
                              struct error *err)
{
    struct file to;
    struct error ignored;
    uint64_t first = k * cut->piece_bytes, rest = cut->file_bytes - first;
    enum status status = merels_file_create(part, &to, err);
    if (status != STATUS_OK)
        return status;
    status = copy(cut, first, rest < cut->piece_bytes ? rest : cut->piece_bytes, &to, err);
    if (status == STATUS_OK)
        return merels_file_close(&to, err);
    merels_file_drop(&to);
    (void)!merels_file_remove(part, &ignored);
    return status;
}

static enum status write_piece(const struct cutting *cut, size_t k, struct error *err)
{
    char *path = NULL, *part = NULL;
    enum status status = name_piece(cut, k, "", &path, err);
    if (status == STATUS_OK)
        status = name_piece(cut, k, ".part", &part, err);
    if (status == STATUS_OK)
        status = write_part(cut, k, part, err);
    if (status == STATUS_OK)
        status = merels_file_publish(cut->out_dir, part, path, err);
    free(path);
    free(part);
    return status;
}

// Pieces behind the last one would be read as parts of the file.
static enum status remove_behind(const struct cutting *cut, size_t n, struct error *err)
{
    enum status status = STATUS_OK;
    for (bool more = true; more && status == STATUS_OK && n < COMPACT_MOST_PIECES; n++) {
        char *path;
        struct file there;
        status = name_piece(cut, n, "", &path, err);
        if (status != STATUS_OK)
            return status;
        more = merels_file_open(path, &there, NULL) == STATUS_OK;
        if (more) {
            merels_file_drop(&there);
            status = merels_file_remove(path, err);
        }
        free(path);
    }
    return status;
}

static enum status check_first(const struct cutting *cut, const struct rules *rules,
                               struct error *err)
{
    char *path;
    enum status status = name_piece(cut, 0, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_compact_may_replace(rules, path, err);
    free(path);
    return status;
}

static enum status cut_file(struct cutting *cut, const struct rules *rules, size_t *n_pieces,
                            struct error *err)
{
    enum status status = merels_file_size(cut->file, &cut->file_bytes, err);
    if (status != STATUS_OK)
        return status;
    uint64_t n = (cut->file_bytes - 1) / cut->piece_bytes + 1;
    if (n > COMPACT_MOST_PIECES)
        return merels_error(err, STATUS_BAD_INPUT,
                            "pieces of %" PRIu64 " bytes would be more than %d",
                            cut->piece_bytes, (int)COMPACT_MOST_PIECES);
    cut->chunk = malloc(CHUNK_BYTES);
    if (cut->chunk == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for pieces");
    status = check_first(cut, rules, err);
    if (status == STATUS_OK)
        status = merels_dir_create(cut->out_dir, err);
    for (size_t k = 0; k < n && status == STATUS_OK; k++)
        status = write_piece(cut, k, err);
    free(cut->chunk);
    *n_pieces = (size_t)n;
    return status == STATUS_OK ? remove_behind(cut, (size_t)n, err) : status;
}

enum status merels_compact_cut(const struct rules *rules, const char *path, const char *out_dir,
                               const char *out_name, uint64_t piece_bytes, size_t *n_pieces,
                               struct error *err)
{
    struct file file;
    struct tablebase *base;
    struct cutting cut = {
        .file = &file, .out_dir = out_dir, .out_name = out_name, .piece_bytes = piece_bytes};
    if (piece_bytes < COMPACT_LEAST_PIECE)
        return merels_error(err, STATUS_BAD_INPUT,
                            "pieces of %" PRIu64
                            " bytes: they have %d at least, as --pieces 50M",
                            piece_bytes, (int)COMPACT_LEAST_PIECE);
    enum status status = merels_tablebase_open(path, rules, 0, &base, err);
    if (status != STATUS_OK)
        return status;
    merels_tablebase_close(base);
    status = merels_file_open(path, &file, err);
    if (status != STATUS_OK)
        return status;
    status = cut_file(&cut, rules, n_pieces, err);
    merels_file_drop(&file);
    return status;
}
