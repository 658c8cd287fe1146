// row_log.c: columns by row and step, kept in a temporary file.

#include "solver/row_log.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "game/bits.h"

struct placed_piece {
    uint64_t offset;
    uint32_t n_bytes;
    int step;
};

struct log_bucket {
    struct placed_piece *pieces;
    uint32_t n;
};

enum { MAX_NUMBER_BYTES = 5, SHARE_FOR_BITS = 8 };

// ---- the file ------------------------------------------------------------------------------

enum status merels_log_file_create(const char *dir, const char *unit, struct log_file *file,
                                   struct error *err)
{
    *file = (struct log_file){.file = {.fd = -1}};
    enum status status = merels_path_join(dir, "temporary file of ", unit, &file->name, err);
    if (status == STATUS_OK)
        status = merels_file_create_unnamed(dir, file->name, &file->file, err);
    if (status != STATUS_OK)
        merels_log_file_destroy(file);
    return status;
}

void merels_log_file_destroy(struct log_file *file)
{
    if (file->name != NULL)
        merels_file_drop(&file->file);
    free(file->name);
    *file = (struct log_file){.file = {.fd = -1}};
}

void merels_log_file_clear(struct log_file *file)
{
    file->most = merels_log_file_most(file);
    file->n_bytes = 0;
}

uint64_t merels_log_file_most(const struct log_file *file)
{
    return file->n_bytes > file->most ? file->n_bytes : file->most;
}

// ---- logs ----------------------------------------------------------------------------------

enum status merels_row_log_create(struct log_file *file, uint32_t n_columns, uint32_t n_buckets,
                                  struct row_log *log, struct error *err)
{
    *log = (struct row_log){.file = file, .n_columns = n_columns, .n_buckets = n_buckets};
    log->buckets = calloc(n_buckets, sizeof *log->buckets);
    return log->buckets != NULL
               ? STATUS_OK
               : merels_error(err, STATUS_NO_MEMORY, "out of memory for a log of rows");
}

void merels_row_log_clear(struct row_log *log)
{
    for (uint32_t k = 0; log->buckets != NULL && k < log->n_buckets; k++) {
        free(log->buckets[k].pieces);
        log->buckets[k] = (struct log_bucket){NULL, 0};
    }
}

void merels_row_log_destroy(struct row_log *log)
{
    merels_row_log_clear(log);
    free(log->buckets);
    *log = (struct row_log){0};
}

// The list of a bucket's pieces grows by doubling.
uint64_t merels_row_log_bytes(uint32_t n_buckets, int n_steps)
{
    uint64_t most = 1;
    while (most < (uint64_t)n_steps)
        most *= 2;
    return n_buckets * (sizeof(struct log_bucket) + most * sizeof(struct placed_piece));
}

static uint64_t number_bytes(uint32_t number)
{
    uint64_t n = 1;
    for (; number >= 128; number >>= 7)
        n++;
    return n;
}

uint64_t merels_row_log_row_bytes(uint32_t bucket_rows, uint32_t n_columns, int n_steps)
{
    return n_columns +
           (uint64_t)n_steps * (number_bytes(bucket_rows) + number_bytes(n_columns));
}

static enum status note_piece(struct log_bucket *bucket, struct placed_piece piece,
                              struct error *err)
{
    if ((bucket->n & (bucket->n - 1)) == 0) { // full: 0, 1, 2, 4, ... pieces
        size_t room = bucket->n == 0 ? 1 : 2 * (size_t)bucket->n;
        struct placed_piece *grown = realloc(bucket->pieces, room * sizeof *grown);
        if (grown == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for a log of rows");
        bucket->pieces = grown;
    }
    bucket->pieces[bucket->n++] = piece;
    return STATUS_OK;
}

enum status merels_row_log_append(struct row_log *log, uint32_t bucket, int step,
                                  struct log_piece *piece, struct error *err)
{
    size_t n = piece->n_bytes;
    piece->n_bytes = 0;
    if (n == 0)
        return STATUS_OK;
    uint64_t offset = __atomic_fetch_add(&log->file->n_bytes, n, __ATOMIC_RELAXED);
    enum status status = merels_file_write_at(&log->file->file, offset, piece->bytes, n, err);
    if (status != STATUS_OK)
        return status;
    return note_piece(&log->buckets[bucket], (struct placed_piece){offset, (uint32_t)n, step},
                      err);
}

// ---- pieces --------------------------------------------------------------------------------

// An entry that is a list is no longer than an eighth of its columns and what larger gaps add.
static size_t entry_bytes(uint32_t n_columns)
{
    return 2 * MAX_NUMBER_BYTES + n_columns / SHARE_FOR_BITS + n_columns / 64 + 8;
}

uint64_t merels_log_piece_bytes(uint32_t n_rows, uint32_t n_columns)
{
    return (uint64_t)n_rows * entry_bytes(n_columns);
}

static enum status make_room(struct log_piece *piece, size_t n_more, struct error *err)
{
    size_t needed = piece->n_bytes + n_more;
    if (needed <= piece->room)
        return STATUS_OK;
    size_t room = needed + needed / 2;
    uint8_t *grown = realloc(piece->bytes, room);
    if (grown == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a piece of a log");
    piece->bytes = grown;
    piece->room = room;
    return STATUS_OK;
}

void merels_log_piece_free(struct log_piece *piece)
{
    free(piece->bytes);
    *piece = (struct log_piece){0};
}

static uint8_t *put_number(uint8_t *to, uint32_t number)
{
    for (; number >= 128; number >>= 7)
        *to++ = (uint8_t)(number | 128);
    *to++ = (uint8_t)number;
    return to;
}

static const uint8_t *take_number(const uint8_t *from, uint32_t *number)
{
    uint32_t value = *from & 127;
    for (int shift = 7; *from++ & 128; shift += 7)
        value |= (uint32_t)(*from & 127) << shift;
    *number = value;
    return from;
}

static bool is_bits(uint32_t n, uint32_t n_columns)
{
    return n > n_columns / SHARE_FOR_BITS;
}

static uint8_t *put_bits(uint8_t *to, uint32_t n_columns, const uint32_t *columns, uint32_t n)
{
    size_t n_bytes = (n_columns + 7) / 8;
    memset(to, 0, n_bytes);
    for (uint32_t k = 0; k < n; k++)
        to[columns[k] / 8] |= (uint8_t)(1u << columns[k] % 8);
    return to + n_bytes;
}

enum status merels_log_piece_add(struct log_piece *piece, uint32_t n_columns, uint32_t row,
                                 const uint32_t *columns, uint32_t n, struct error *err)
{
    assert(n > 0 && n <= n_columns);
    enum status status = make_room(piece, entry_bytes(n_columns), err);
    if (status != STATUS_OK)
        return status;
    uint8_t *to = put_number(piece->bytes + piece->n_bytes, row);
    to = put_number(to, n);
    if (is_bits(n, n_columns)) {
        to = put_bits(to, n_columns, columns, n);
    } else {
        uint32_t next = 0;
        for (uint32_t k = 0; k < n; k++) {
            to = put_number(to, columns[k] - next);
            next = columns[k] + 1;
        }
    }
    piece->n_bytes = (size_t)(to - piece->bytes);
    return STATUS_OK;
}

// ---- reading -------------------------------------------------------------------------------

uint32_t merels_row_log_pieces(const struct row_log *log, uint32_t bucket)
{
    return log->buckets[bucket].n;
}

static enum status read_piece(const struct row_log *log, const struct placed_piece *placed,
                              struct log_piece *piece, struct error *err)
{
    enum status status = make_room(piece, placed->n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_read_at(&log->file->file, placed->offset,
                                     piece->bytes + piece->n_bytes, placed->n_bytes, err);
    piece->n_bytes += status == STATUS_OK ? placed->n_bytes : 0;
    return status;
}

enum status merels_row_log_piece(const struct row_log *log, uint32_t bucket, uint32_t number,
                                 struct log_piece *piece, int *step, struct error *err)
{
    const struct placed_piece *placed = &log->buckets[bucket].pieces[number];
    piece->n_bytes = 0;
    *step = placed->step;
    return read_piece(log, placed, piece, err);
}

enum status merels_row_log_read(const struct row_log *log, uint32_t bucket, int step,
                                struct log_piece *piece, struct error *err)
{
    const struct log_bucket *b = &log->buckets[bucket];
    enum status status = STATUS_OK;
    piece->n_bytes = 0;
    for (uint32_t k = 0; k < b->n && status == STATUS_OK; k++)
        if (b->pieces[k].step == step)
            status = read_piece(log, &b->pieces[k], piece, err);
    return status;
}

static void open_entry(struct log_cursor *cursor)
{
    cursor->row = NO_ROW;
    if (cursor->at == cursor->end)
        return;
    cursor->at = take_number(cursor->at, &cursor->row);
    cursor->at = take_number(cursor->at, &cursor->n);
}

struct log_cursor merels_log_cursor(const struct log_piece *piece)
{
    struct log_cursor cursor = {.at = piece->bytes, .end = piece->bytes};
    if (piece->n_bytes > 0)
        cursor.end += piece->n_bytes;
    open_entry(&cursor);
    return cursor;
}

void merels_log_cursor_take(struct log_cursor *cursor, uint32_t n_columns, uint32_t *columns)
{
    uint32_t n = 0, next = 0;
    if (is_bits(cursor->n, n_columns)) {
        for (uint32_t first = 0; first < n_columns; first += 8)
            for (uint64_t byte = *cursor->at++; byte != 0; byte &= byte - 1)
                columns[n++] = first + (uint32_t)bit_lowest(byte);
    } else {
        for (; n < cursor->n; n++) {
            cursor->at = take_number(cursor->at, &columns[n]);
            columns[n] += next;
            next = columns[n] + 1;
        }
    }
    open_entry(cursor);
}
