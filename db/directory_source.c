// directory_source.c: the files of a directory as a source of bytes, a bounded number of them
// open.
//
//     open   | 9-8.mtb, 2 readers | 3-3.mtb, idle | ... |     n_open <= max_files
//
// One mutex guards the list; it is held while a file is opened (microseconds) and never while
// one is read. The list is short (merels_file_budget), so a name is found by comparing.

#include "db/directory_source.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"

struct open_file {
    char *path;
    const char *name; // the end of the path
    struct file file;
    int n_readers; // threads between begin and end: not closed then
    uint64_t last_use;
};

struct directory {
    struct byte_source source;
    char *dir;
    pthread_mutex_t mutex;
    pthread_cond_t idle; // a file has no reader any more, or is closed
    int max_files, n_open;
    struct open_file **open; // max_files places, the first n_open used
    uint64_t clock;
};

// ---- the list of open files, with the mutex held -------------------------------------------

static void close_place(struct directory *directory, int place)
{
    struct open_file *file = directory->open[place];
    directory->open[place] = directory->open[--directory->n_open];
    merels_file_drop(&file->file);
    free(file->path);
    free(file);
}

// Closes the least recently used file that nobody reads; false if there is none.
static bool close_idle(struct directory *directory)
{
    int oldest = -1;
    for (int i = 0; i < directory->n_open; i++) {
        const struct open_file *file = directory->open[i];
        if (file->n_readers == 0 &&
            (oldest < 0 || file->last_use < directory->open[oldest]->last_use))
            oldest = i;
    }
    if (oldest >= 0)
        close_place(directory, oldest);
    return oldest >= 0;
}

static int find_place(const struct directory *directory, const char *name)
{
    for (int i = 0; i < directory->n_open; i++)
        if (strcmp(directory->open[i]->name, name) == 0)
            return i;
    return -1;
}

// Opens a file in a free place. STATUS_TOO_LITTLE if the process has no descriptor left.
static enum status open_in_place(struct directory *directory, const char *name,
                                 struct error *err)
{
    struct open_file *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s: out of memory", directory->dir,
                            name);
    enum status status = merels_path_join(directory->dir, name, "", &made->path, err);
    if (status == STATUS_OK)
        status = merels_file_open(made->path, &made->file, err);
    if (status != STATUS_OK) {
        free(made->path);
        free(made);
        return status;
    }
    made->name = made->path + strlen(made->path) - strlen(name);
    directory->open[directory->n_open++] = made;
    return STATUS_OK;
}

// Finds the file open or opens it. While there is no place or no descriptor left an idle file
// is closed; if none is idle, waits for one. Another thread may open the file meanwhile.
static enum status find_or_open(struct directory *directory, const char *name,
                                struct open_file **file, struct error *err)
{
    struct error cause;
    int place;
    while ((place = find_place(directory, name)) < 0) {
        enum status status = STATUS_TOO_LITTLE;
        if (directory->n_open < directory->max_files)
            status = open_in_place(directory, name, &cause);
        if (status == STATUS_OK || (status == STATUS_TOO_LITTLE && close_idle(directory)))
            continue;
        if (status != STATUS_TOO_LITTLE)
            return merels_error(err, status, "%s", cause.text);
        if (directory->n_open == 0)
            return merels_error(err, STATUS_IO,
                                "%s/%s: the process has no file descriptor left",
                                directory->dir, name);
        pthread_cond_wait(&directory->idle, &directory->mutex);
    }
    *file = directory->open[place];
    return STATUS_OK;
}

// ---- the functions of the source -----------------------------------------------------------

// Between begin and end a file is open.
static enum status begin_reading(struct directory *directory, const char *name,
                                 struct open_file **file, struct error *err)
{
    pthread_mutex_lock(&directory->mutex);
    enum status status = find_or_open(directory, name, file, err);
    if (status == STATUS_OK) {
        (*file)->n_readers++;
        (*file)->last_use = ++directory->clock;
    }
    pthread_mutex_unlock(&directory->mutex);
    return status;
}

static void end_reading(struct directory *directory, struct open_file *file)
{
    pthread_mutex_lock(&directory->mutex);
    if (--file->n_readers == 0)
        pthread_cond_broadcast(&directory->idle);
    pthread_mutex_unlock(&directory->mutex);
}

static enum status size_of_file(void *context, const char *name, uint64_t *n_bytes,
                                struct error *err)
{
    struct open_file *file;
    enum status status = begin_reading(context, name, &file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_size(&file->file, n_bytes, err);
    end_reading(context, file);
    return status;
}

static enum status read_file(void *context, const char *name, uint64_t offset, void *to,
                             size_t n_bytes, struct error *err)
{
    struct open_file *file;
    enum status status = begin_reading(context, name, &file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_read_at(&file->file, offset, to, n_bytes, err);
    end_reading(context, file);
    return status;
}

// Closes a file that nobody reads, so that the next reader finds the file of that name then.
static void forget_file(void *context, const char *name)
{
    struct directory *directory = context;
    pthread_mutex_lock(&directory->mutex);
    int place = find_place(directory, name);
    if (place >= 0 && directory->open[place]->n_readers == 0) {
        close_place(directory, place);
        pthread_cond_broadcast(&directory->idle);
    }
    pthread_mutex_unlock(&directory->mutex);
}

static enum status list_files(void *context, struct names *names, struct error *err)
{
    const struct directory *directory = context;
    return merels_dir_list(directory->dir, names, err);
}

const struct byte_source *merels_directory_source(const struct directory *directory)
{
    return &directory->source;
}

// ---- making and freeing --------------------------------------------------------------------

enum status merels_directory_create(const char *dir, int max_files,
                                    struct directory **directory, struct error *err)
{
    struct directory *made = calloc(1, sizeof *made);
    struct open_file **open = calloc((size_t)max_files, sizeof *open);
    char *copy = strdup(dir);
    if (made == NULL || open == NULL || copy == NULL)
        goto no_memory;
    if (pthread_mutex_init(&made->mutex, NULL) != 0)
        goto no_memory;
    if (pthread_cond_init(&made->idle, NULL) != 0) {
        pthread_mutex_destroy(&made->mutex);
        goto no_memory;
    }
    made->dir = copy;
    made->open = open;
    made->max_files = max_files;
    made->source = (struct byte_source){.context = made,
                                        .place = copy,
                                        .size = size_of_file,
                                        .read = read_file,
                                        .forget = forget_file,
                                        .list = list_files};
    *directory = made;
    return STATUS_OK;
no_memory:
    free(copy);
    free(open);
    free(made);
    return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", dir);
}

void merels_directory_destroy(struct directory *directory)
{
    if (directory == NULL)
        return;
    while (directory->n_open > 0)
        close_place(directory, 0);
    pthread_cond_destroy(&directory->idle);
    pthread_mutex_destroy(&directory->mutex);
    free(directory->open);
    free(directory->dir);
    free(directory);
}
