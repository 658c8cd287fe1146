// row_log.h: columns by row and step, kept in a temporary file.
//
// Most of the memory of a unit that is solved step by step are bytes that are touched once: a
// slot's code is written at the step that decides it, a source's code is looked at when the
// steps have reached it. Both are lists, "these columns of this row, at this step", and need
// not be in memory. A log holds them by bucket, a group of 2^bucket_bits rows on which one
// thread works at a time:
//
//     bucket 0    step 0 [piece]          step 1 [piece]     step 4 [piece] ...
//     bucket 1    step 0 [piece][piece]   ...
//
//     piece       row, n, columns | row, n, columns | ...          rows ascending
//     columns     n > an eighth of all: a bit for each; else n gaps, mostly a byte each
//
// Numbers are of seven bits a byte, the lowest first, the highest bit says that more follow. No
// two pieces overlap, and the file is read as it was written: big pieces, few seeks.

#ifndef MERELS_SOLVER_ROW_LOG_H
#define MERELS_SOLVER_ROW_LOG_H

#include "db/file.h"

// The file that the logs of a unit share. Without a name: it is gone when the process ends.
struct log_file {
    struct file file;
    char *name;       // in messages
    uint64_t n_bytes; // atomic
    uint64_t most;    // bytes before it was begun again
};

// Entries in memory: of one bucket and step.
struct log_piece {
    uint8_t *bytes;
    size_t n_bytes, room;
};

struct row_log {
    struct log_file *file;
    uint32_t n_columns, n_buckets;
    struct log_bucket *buckets;
};

// Reads the entries of a piece in turn.
struct log_cursor {
    const uint8_t *at, *end;
    uint32_t row, n; // of this entry; row is NO_ROW behind the last one
};
enum { NO_ROW = 0xFFFFFFFF };

// STATUS_IO if no file can be made in the directory; STATUS_NO_MEMORY. `unit` names it.
MERELS_CHECKED enum status merels_log_file_create(const char *dir, const char *unit,
                                                  struct log_file *file, struct error *err);
void merels_log_file_destroy(struct log_file *file); // all zero is allowed

MERELS_CHECKED enum status merels_row_log_create(struct log_file *file, uint32_t n_columns,
                                                 uint32_t n_buckets, struct row_log *log,
                                                 struct error *err);
void merels_row_log_destroy(struct row_log *log);

// Forgets all; the file is not smaller by that before merels_log_file_clear.
void merels_row_log_clear(struct row_log *log);

// Begins the file again: every log in it has been cleared.
void merels_log_file_clear(struct log_file *file);

// The greatest length that the file has had.
uint64_t merels_log_file_most(const struct log_file *file);

// Adds a row and its columns, ascending and at least one, to a piece. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_log_piece_add(struct log_piece *piece, uint32_t n_columns,
                                                uint32_t row, const uint32_t *columns,
                                                uint32_t n, struct error *err);
void merels_log_piece_free(struct log_piece *piece);

// Writes a piece, which is empty then, behind those of its bucket: its rows come after theirs
// at the same step. One thread at a time works on a bucket. STATUS_IO: the disk is full, or
// fails.
MERELS_CHECKED enum status merels_row_log_append(struct row_log *log, uint32_t bucket, int step,
                                                 struct log_piece *piece, struct error *err);

// All entries of a bucket and step.
MERELS_CHECKED enum status merels_row_log_read(const struct row_log *log, uint32_t bucket,
                                               int step, struct log_piece *piece,
                                               struct error *err);

// The number of pieces of a bucket, and one of them by number: entries and step.
uint32_t merels_row_log_pieces(const struct row_log *log, uint32_t bucket);
MERELS_CHECKED enum status merels_row_log_piece(const struct row_log *log, uint32_t bucket,
                                                uint32_t number, struct log_piece *piece,
                                                int *step, struct error *err);

// The first entry; the columns of the entry at the cursor, once, which goes on to the next.
struct log_cursor merels_log_cursor(const struct log_piece *piece);
void merels_log_cursor_take(struct log_cursor *cursor, uint32_t n_columns, uint32_t *columns);

// Bytes that the pieces of a log's buckets take at most, one for each of n_steps steps.
uint64_t merels_row_log_bytes(uint32_t n_buckets, int n_steps);

// Bytes of the file that a row takes, each column once, in n_steps entries: a byte for each
// column and the numbers of each entry. A gap of 128 columns or more takes a byte more; an
// entry of bits, less than a byte a column; a column at no step, none.
uint64_t merels_row_log_row_bytes(uint32_t bucket_rows, uint32_t n_columns, int n_steps);

// Bytes of a piece at most.
uint64_t merels_log_piece_bytes(uint32_t n_rows, uint32_t n_columns);

#endif
