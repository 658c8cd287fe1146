// directory_source.h: the files of a directory as a source of bytes, a bounded number of them
// open.
//
// A tablebase can have thousands of tables and a process only 32 descriptors. A file is opened
// when it is read, stays open, and is closed again when another needs the place and no thread
// is reading from it (least recently used first).

#ifndef MERELS_DB_DIRECTORY_SOURCE_H
#define MERELS_DB_DIRECTORY_SOURCE_H

#include "db/byte_source.h"

struct directory;

// A source of the files of `dir`, at most max_files of them (at least 1) open at a time. The
// directory is not looked at: without it every file is missing. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_directory_create(const char *dir, int max_files,
                                                   struct directory **directory,
                                                   struct error *err);

// Closes what is open; nobody may be reading. NULL is allowed.
void merels_directory_destroy(struct directory *directory);

// Its functions; they live as long as it does. A thread reads one file at a time and waits if
// all places are in use. STATUS_MISSING, STATUS_CORRUPT (no regular file), STATUS_IO,
// STATUS_NO_MEMORY; never STATUS_NOT_YET.
const struct byte_source *merels_directory_source(const struct directory *directory);

#endif
