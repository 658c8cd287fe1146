// names.h: lists of names, and paths made of them: text alone, no files.

#ifndef MERELS_DB_NAMES_H
#define MERELS_DB_NAMES_H

#include <stddef.h>

#include "game/status.h"

// Begins as {NULL, 0}; ends with merels_names_free.
struct names {
    char **names;
    size_t n;
};

// Adds a copy. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_names_add(struct names *names, const char *name,
                                            struct error *err);
void merels_names_free(struct names *names);

// "DIR/NAME" + suffix, malloc'ed. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_path_join(const char *dir, const char *name,
                                            const char *suffix, char **path, struct error *err);

#endif
