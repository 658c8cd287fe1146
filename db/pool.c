// pool.c: open files and workspaces shared by the tables of a tablebase.
//
// One mutex guards everything; it is held while a file is opened (microseconds) and never while
// one is read. Idle workspaces are kept, at most MAX_IDLE of them (about 0.4 MB each).

#include "db/pool.h"

#include <pthread.h>
#include <stdlib.h>

#include "db/header.h"

enum { MAX_IDLE = 4 };

struct pool {
    pthread_mutex_t mutex;
    pthread_cond_t released;
    int max_files;
    int n_open;
    struct pooled_file **open; // max_files places, the first n_open used
    uint64_t clock;
    struct block_workspace *idle;
    int n_idle;
};

enum status merels_pool_create(int max_files, struct pool **pool, struct error *err)
{
    struct pool *made = calloc(1, sizeof *made);
    struct pooled_file **open = calloc((size_t)max_files, sizeof *open);
    if (made == NULL || open == NULL)
        goto no_memory;
    if (pthread_mutex_init(&made->mutex, NULL) != 0)
        goto no_memory;
    if (pthread_cond_init(&made->released, NULL) != 0) {
        pthread_mutex_destroy(&made->mutex);
        goto no_memory;
    }
    made->max_files = max_files;
    made->open = open;
    *pool = made;
    return STATUS_OK;
no_memory:
    free(open);
    free(made);
    return merels_error(err, STATUS_NO_MEMORY, "out of memory for a pool of files");
}

static void free_workspace(struct block_workspace *workspace)
{
    merels_block_decoder_destroy(workspace->decoder);
    free(workspace->stored);
    free(workspace->plain);
    free(workspace);
}

void merels_pool_destroy(struct pool *pool)
{
    if (pool == NULL)
        return;
    while (pool->idle != NULL) {
        struct block_workspace *workspace = pool->idle;
        pool->idle = workspace->next;
        free_workspace(workspace);
    }
    pthread_cond_destroy(&pool->released);
    pthread_mutex_destroy(&pool->mutex);
    free(pool->open);
    free(pool);
}

// ---- files ---------------------------------------------------------------------------------

static void close_place(struct pool *pool, int place)
{
    struct pooled_file *file = pool->open[place];
    merels_file_drop(&file->file);
    file->is_open = false;
    pool->open[place] = pool->open[--pool->n_open];
}

// Closes the least recently used file that nobody reads; false if there is none.
static bool close_idle(struct pool *pool)
{
    int oldest = -1;
    for (int i = 0; i < pool->n_open; i++)
        if (pool->open[i]->n_readers == 0 &&
            (oldest < 0 || pool->open[i]->last_use < pool->open[oldest]->last_use))
            oldest = i;
    if (oldest >= 0)
        close_place(pool, oldest);
    return oldest >= 0;
}

// Opens the file, with the mutex held. While the pool or the process has no descriptor left, an
// idle file is closed; if none is idle, waits for one to be released. Another thread may open
// it meanwhile.
static enum status open_file(struct pool *pool, struct pooled_file *file, struct error *err)
{
    struct error cause;
    while (!file->is_open) {
        enum status status = STATUS_TOO_LITTLE;
        if (pool->n_open < pool->max_files)
            status = merels_file_open(file->path, &file->file, &cause);
        if (status == STATUS_OK) {
            file->is_open = true;
            pool->open[pool->n_open++] = file;
        } else if (status != STATUS_TOO_LITTLE) {
            return merels_error(err, status, "%s", cause.text);
        } else if (close_idle(pool)) {
            continue;
        } else if (pool->n_open > 0) {
            pthread_cond_wait(&pool->released, &pool->mutex);
        } else {
            return merels_error(err, STATUS_IO, "%s: the process has no file descriptor left",
                                file->path);
        }
    }
    return STATUS_OK;
}

enum status merels_pool_acquire(struct pool *pool, struct pooled_file *file, struct error *err)
{
    pthread_mutex_lock(&pool->mutex);
    enum status status = open_file(pool, file, err);
    if (status == STATUS_OK) {
        file->n_readers++;
        file->last_use = ++pool->clock;
    }
    pthread_mutex_unlock(&pool->mutex);
    return status;
}

void merels_pool_release(struct pool *pool, struct pooled_file *file)
{
    pthread_mutex_lock(&pool->mutex);
    if (--file->n_readers == 0)
        pthread_cond_broadcast(&pool->released);
    pthread_mutex_unlock(&pool->mutex);
}

void merels_pool_forget(struct pool *pool, struct pooled_file *file)
{
    pthread_mutex_lock(&pool->mutex);
    for (int i = 0; i < pool->n_open; i++)
        if (pool->open[i] == file) {
            close_place(pool, i);
            break;
        }
    pthread_cond_broadcast(&pool->released);
    pthread_mutex_unlock(&pool->mutex);
}

// ---- workspaces ----------------------------------------------------------------------------

static struct block_workspace *make_workspace(void)
{
    struct block_workspace *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->stored = malloc(MAX_BLOCK_BYTES);
    made->plain = malloc(MAX_BLOCK_BYTES);
    if (made->stored == NULL || made->plain == NULL ||
        merels_block_decoder_create(&made->decoder, NULL) != STATUS_OK) {
        free_workspace(made);
        return NULL;
    }
    return made;
}

enum status merels_pool_take_workspace(struct pool *pool, struct block_workspace **workspace,
                                       struct error *err)
{
    pthread_mutex_lock(&pool->mutex);
    struct block_workspace *taken = pool->idle;
    if (taken != NULL) {
        pool->idle = taken->next;
        pool->n_idle--;
    }
    pthread_mutex_unlock(&pool->mutex);
    if (taken == NULL)
        taken = make_workspace();
    if (taken == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for reading a block");
    *workspace = taken;
    return STATUS_OK;
}

void merels_pool_give_workspace(struct pool *pool, struct block_workspace *workspace)
{
    pthread_mutex_lock(&pool->mutex);
    bool keep = pool->n_idle < MAX_IDLE;
    if (keep) {
        workspace->next = pool->idle;
        pool->idle = workspace;
        pool->n_idle++;
    }
    pthread_mutex_unlock(&pool->mutex);
    if (!keep)
        free_workspace(workspace);
}
