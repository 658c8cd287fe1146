// compact_base.c: finds the file of edition compact among the names of a source, and opens it.
//
// The values are opened under the mutex and published by an atomic store, so that a look-up
// takes no lock here. Failures are not remembered: a file that is copied in later is found.

#include "db/compact_base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/header.h"

struct compact_base {
    const struct byte_source *source;
    const struct rules *rules;
    char *name; // of the file, once it is known
    pthread_mutex_t opening;
    _Atomic(struct compact_values *) values;
};

static bool ends_with(const char *name, const char *end)
{
    size_t n = strlen(name), n_end = strlen(end);
    return n > n_end && strcmp(name + n - n_end, end) == 0;
}

// True if the file is there and begins as files of edition compact do.
static bool begins_so(const char *path)
{
    struct file file;
    char first[sizeof COMPACT_MAGIC - 1];
    if (merels_file_open(path, &file, NULL) != STATUS_OK)
        return false;
    bool same = merels_file_read_at(&file, 0, first, sizeof first, NULL) == STATUS_OK &&
                memcmp(first, COMPACT_MAGIC, sizeof first) == 0;
    merels_file_drop(&file);
    return same;
}

bool merels_compact_path(const char *path)
{
    return merels_dir_check(path, NULL) != STATUS_OK &&
           (ends_with(path, COMPACT_SUFFIX) || begins_so(path));
}

enum status merels_compact_base_split(const char *path, char **parent, char **name,
                                      struct error *err)
{
    const char *slash = strrchr(path, '/');
    const char *last = slash != NULL ? slash + 1 : path;
    bool is_file = merels_compact_path(path);
    *name = NULL;
    *parent = !is_file || slash == NULL
                  ? strdup(is_file ? "." : path)
                  : strndup(path, slash == path ? 1 : (size_t)(slash - path));
    if (is_file)
        *name = strdup(last);
    if (*parent != NULL && (!is_file || *name != NULL))
        return STATUS_OK;
    free(*name);
    free(*parent);
    *name = *parent = NULL;
    return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", path);
}

enum status merels_compact_base_create(const struct byte_source *source,
                                       const struct rules *rules, char *name,
                                       struct compact_base **base, struct error *err)
{
    struct compact_base *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->opening, NULL) != 0) {
        free(made);
        free(name);
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", source->place);
    }
    made->source = source;
    made->rules = rules;
    made->name = name;
    *base = made;
    return STATUS_OK;
}

void merels_compact_base_destroy(struct compact_base *base)
{
    if (base == NULL)
        return;
    merels_compact_values_close(atomic_load(&base->values));
    pthread_mutex_destroy(&base->opening);
    free(base->name);
    free(base);
}

// The name of the only file of edition compact, NULL if there is none or several; and whether
// there are tables beside it.
static enum status find_compact(const struct compact_base *base, char **name, bool *has_tables,
                                struct error *err)
{
    struct names names;
    const char *found = NULL;
    size_t n = 0;
    enum status status = merels_source_list(base->source, &names, err);
    if (status != STATUS_OK)
        return status;
    *has_tables = false;
    for (size_t k = 0; k < names.n; k++) {
        struct subspace s;
        if (ends_with(names.names[k], COMPACT_SUFFIX)) {
            found = names.names[k];
            n++;
        }
        *has_tables |= merels_table_named(names.names[k], EDITION_DTM, &s) ||
                       merels_table_named(names.names[k], EDITION_WDL, &s);
    }
    *name = n == 1 ? strdup(found) : NULL;
    merels_names_free(&names);
    return n == 1 && *name == NULL
               ? merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", base->source->place)
               : STATUS_OK;
}

enum status merels_compact_base_alone(struct compact_base *base, bool *alone, struct error *err)
{
    bool has_tables = false;
    enum status status = STATUS_OK;
    if (base->name == NULL && base->source->list != NULL)
        status = find_compact(base, &base->name, &has_tables, err);
    *alone = base->name != NULL && !has_tables;
    return status;
}

// Finds the file and opens it; the mutex is held.
static enum status open_values(struct compact_base *base, struct compact_values **values,
                               struct error *err)
{
    bool has_tables;
    enum status status = STATUS_OK;
    if (base->name == NULL)
        status = find_compact(base, &base->name, &has_tables, err);
    if (status == STATUS_OK && base->name == NULL)
        status = merels_error(err, STATUS_MISSING,
                              "%s: there is no file of edition compact (*" COMPACT_SUFFIX
                              "), or several",
                              base->source->place);
    if (status == STATUS_OK)
        status = merels_compact_values_open(base->source, base->name, base->rules, values, err);
    if (status == STATUS_OK)
        atomic_store_explicit(&base->values, *values, memory_order_release);
    return status;
}

enum status merels_compact_base_values(struct compact_base *base,
                                       struct compact_values **values, struct error *err)
{
    *values = atomic_load_explicit(&base->values, memory_order_acquire);
    if (*values != NULL)
        return STATUS_OK;
    pthread_mutex_lock(&base->opening);
    enum status status = STATUS_OK;
    *values = atomic_load(&base->values);
    if (*values == NULL)
        status = open_values(base, values, err);
    pthread_mutex_unlock(&base->opening);
    return status;
}

const char *merels_compact_base_name(const struct compact_base *base)
{
    return base->name;
}
