// names.c: lists of names, and paths made of them: text alone, no files.

#include "db/names.h"

#include <stdlib.h>
#include <string.h>

enum status merels_names_add(struct names *names, const char *name, struct error *err)
{
    if (names->n % 64 == 0) {
        char **grown = realloc(names->names, (names->n + 64) * sizeof *grown);
        if (grown == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a list", name);
        names->names = grown;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a list", name);
    names->names[names->n++] = copy;
    return STATUS_OK;
}

void merels_names_free(struct names *names)
{
    for (size_t i = 0; i < names->n; i++)
        free(names->names[i]);
    free(names->names);
    *names = (struct names){NULL, 0};
}

enum status merels_path_join(const char *dir, const char *name, const char *suffix, char **path,
                             struct error *err)
{
    size_t n = strlen(dir), n_name = strlen(name), n_suffix = strlen(suffix);
    char *joined = malloc(n + n_name + n_suffix + 2);
    if (joined == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s: out of memory", dir, name);
    memcpy(joined, dir, n);
    if (n > 0 && dir[n - 1] != '/')
        joined[n++] = '/';
    memcpy(joined + n, name, n_name);
    memcpy(joined + n + n_name, suffix, n_suffix + 1);
    *path = joined;
    return STATUS_OK;
}
