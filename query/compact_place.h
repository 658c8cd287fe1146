// compact_place.h: where the file of edition compact of a game is: named itself, beside the
// directory of its tables, or in it.

#ifndef MERELS_QUERY_COMPACT_PLACE_H
#define MERELS_QUERY_COMPACT_PLACE_H

#include "query/command.h"

// The name beside a directory: "DIR.mce", malloc'ed. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_compact_beside(const char *dir, char **path,
                                                 struct error *err);

// What is opened for context->dir, which may become another: a directory that is not there, or
// in which there is no such file while --edition compact is asked for, stands for the file
// beside it, if there is one. STATUS_BAD_INPUT if --edition asks for another one than the
// file's.
MERELS_CHECKED enum status merels_compact_settle(struct context *context, struct error *err);

// The file that `dir` means: itself, the one beside it, or the only one in it; malloc'ed.
// STATUS_MISSING names those that are not there.
MERELS_CHECKED enum status merels_compact_find(const char *dir, char **path, struct error *err);

// STATUS_BAD_INPUT if context->dir is such a file, for a command that works on tables.
MERELS_CHECKED enum status merels_compact_refuse(const struct context *context,
                                                 const char *command, struct error *err);

#endif
