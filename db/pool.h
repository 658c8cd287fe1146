// pool.h: what many tables share: a bounded number of open files, and workspaces for reading.
//
// A tablebase can have thousands of tables and a process only 32 descriptors. A table keeps its
// path; its descriptor is opened when a block is read, stays open, and is closed again when
// another table needs the place and no thread is reading from it (least recently used first).

#ifndef MERELS_DB_POOL_H
#define MERELS_DB_POOL_H

#include "db/codec.h"
#include "db/file.h"

struct pool;

// A pool of at most max_files open files (at least 1).
MERELS_CHECKED enum status merels_pool_create(int max_files, struct pool **pool,
                                              struct error *err);

// All its files must have been forgotten. NULL is allowed.
void merels_pool_destroy(struct pool *pool);

// One file of a pool: embedded in its owner, all fields but `path` belong to the pool.
struct pooled_file {
    const char *path;
    struct file file;
    bool is_open;
    int n_readers; // threads between acquire and release: not closed then
    uint64_t last_use;
};

// Makes the file open and keeps it so until the release. A thread holds one file at a time and
// waits if all places are in use. STATUS_MISSING, STATUS_CORRUPT (no regular file), STATUS_IO.
MERELS_CHECKED enum status merels_pool_acquire(struct pool *pool, struct pooled_file *file,
                                               struct error *err);
void merels_pool_release(struct pool *pool, struct pooled_file *file);

// Closes the file; no thread may be reading from it.
void merels_pool_forget(struct pool *pool, struct pooled_file *file);

// A workspace for reading one block: room for the stored bytes and for the values, and a
// decoder.
struct block_workspace {
    struct block_workspace *next;
    struct block_decoder *decoder;
    uint8_t *stored;
    uint8_t *plain;
};
MERELS_CHECKED enum status merels_pool_take_workspace(struct pool *pool,
                                                      struct block_workspace **workspace,
                                                      struct error *err);
void merels_pool_give_workspace(struct pool *pool, struct block_workspace *workspace);

#endif
