// scratch.c: a temporary directory, its making and its removal.

#include "query/scratch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"

enum status merels_scratch_create(const char *parent, char **dir, struct error *err)
{
    char *name;
    if (!parent)
        parent = getenv("TMPDIR");
    if (!parent || parent[0] == '\0')
        parent = "/tmp";
    enum status status = merels_path_join(parent, "merels-XXXXXX", "", &name, err);
    if (status != STATUS_OK)
        return status;
    if (!mkdtemp(name)) {
        status = merels_error(err, STATUS_IO, "%s: cannot make a directory here: %s", parent,
                              strerror(errno));
        free(name);
        return status;
    }
    *dir = name;
    return STATUS_OK;
}

static enum status remove_files(const char *dir, struct error *err)
{
    struct names list;
    enum status status = merels_dir_list(dir, &list, err);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < list.n; i++) {
        char *path;
        status = merels_path_join(dir, list.names[i], "", &path, err);
        if (status != STATUS_OK)
            break;
        status = merels_file_remove(path, err);
        free(path);
    }
    merels_names_free(&list);
    return status;
}

enum status merels_scratch_remove(const char *dir, struct error *err)
{
    enum status status = remove_files(dir, err);
    if (status == STATUS_OK && remove(dir) != 0)
        status = merels_error(err, STATUS_IO, "%s: cannot remove this directory: %s", dir,
                              strerror(errno));
    return status;
}
