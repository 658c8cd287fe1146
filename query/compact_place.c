// compact_place.c: names of files of edition compact, and which of them are there.

#include "query/compact_place.h"

#include <stdlib.h>
#include <string.h>

#include "db/compact_base.h"
#include "db/file.h"
#include "query/new_text.h"

enum status merels_compact_beside(const char *dir, char **path, struct error *err)
{
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    *path = merels_new_text("%.*s" COMPACT_SUFFIX, (int)length, dir);
    return *path != NULL
               ? STATUS_OK
               : merels_error(err, STATUS_NO_MEMORY, "no memory for the name of a file");
}

// What cannot be opened for want of something is neither there nor not.
static enum status look_for(const char *path, bool *there, struct error *err)
{
    struct file file;
    enum status status = merels_file_open(path, &file, err);
    *there = status == STATUS_OK;
    if (*there)
        merels_file_drop(&file);
    return status == STATUS_MISSING || status == STATUS_CORRUPT ? STATUS_OK : status;
}

// How many such files a directory has, and the path of the last one, malloc'ed.
static enum status look_into(const char *dir, size_t *n, char **path, struct error *err)
{
    struct names names;
    *n = 0;
    *path = NULL;
    if (merels_dir_check(dir, NULL) != STATUS_OK)
        return STATUS_OK;
    enum status status = merels_dir_list(dir, &names, err);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; status == STATUS_OK && k < names.n; k++) {
        size_t length = strlen(names.names[k]), end = strlen(COMPACT_SUFFIX);
        if (length <= end || strcmp(names.names[k] + length - end, COMPACT_SUFFIX) != 0)
            continue;
        free(*path);
        *path = NULL;
        (*n)++;
        status = merels_path_join(dir, names.names[k], "", path, err);
    }
    merels_names_free(&names);
    return status;
}

// True if a look-up in `dir` would find nothing of the edition asked for.
static enum status lacks(const char *dir, bool asks_compact, bool *empty, struct error *err)
{
    size_t n;
    char *path;
    *empty = merels_dir_check(dir, NULL) == STATUS_MISSING;
    if (*empty || !asks_compact)
        return STATUS_OK;
    enum status status = look_into(dir, &n, &path, err);
    *empty = n == 0;
    free(path);
    return status;
}

enum status merels_compact_settle(struct context *context, struct error *err)
{
    char *beside;
    bool empty, there = false;
    const char *edition = context->args->edition;
    bool asks_compact = edition != NULL && strcmp(edition, "compact") == 0;
    if (merels_compact_path(context->dir)) {
        if (edition == NULL || asks_compact)
            return STATUS_OK;
        return merels_error(err, STATUS_BAD_INPUT,
                            "%s is a file of edition compact, in which no --edition %s is",
                            context->dir, edition);
    }
    enum status status = lacks(context->dir, asks_compact, &empty, err);
    if (status != STATUS_OK || !empty || (edition != NULL && !asks_compact))
        return status;
    status = merels_compact_beside(context->dir, &beside, err);
    if (status == STATUS_OK)
        status = look_for(beside, &there, err);
    if (!there) {
        free(beside);
        return status;
    }
    free(context->dir);
    context->dir = beside;
    return STATUS_OK;
}

enum status merels_compact_find(const char *dir, char **path, struct error *err)
{
    size_t n = 0;
    bool there;
    char *beside;
    if (merels_compact_path(dir)) {
        *path = strdup(dir);
        return *path != NULL ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "out of memory");
    }
    enum status status = merels_compact_beside(dir, &beside, err);
    if (status != STATUS_OK)
        return status;
    status = look_for(beside, &there, err);
    if (there) {
        *path = beside;
        return STATUS_OK;
    }
    *path = NULL;
    if (status == STATUS_OK)
        status = look_into(dir, &n, path, err);
    if (status == STATUS_OK && n != 1) {
        free(*path);
        *path = NULL;
        status = merels_error(err, STATUS_MISSING,
                              "there is no file of edition compact: neither %s nor %s in %s",
                              beside, n == 0 ? "one" : "only one", dir);
    }
    free(beside);
    return status;
}

enum status merels_compact_refuse(const struct context *context, const char *command,
                                  struct error *err)
{
    if (!merels_compact_path(context->dir))
        return STATUS_OK;
    return merels_error(
        err, STATUS_BAD_INPUT,
        "%s: %s is a file of edition compact, which has values of positions and "
        "no tables; here --db is a directory of tables",
        command, context->dir);
}
