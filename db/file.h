// file.h: the system's files and directories. The only place with POSIX file calls.
//
// Every call is checked and repeated when a signal interrupts it; an error names the path and
// the system's reason. Nothing is mapped into memory: a file that shrinks under a map kills the
// process with a signal, a short read is an error like any other. Offsets and sizes have 64
// bits everywhere.
//
// Unless a line says otherwise failures are STATUS_IO, and STATUS_NO_MEMORY where text is
// built.

#ifndef MERELS_DB_FILE_H
#define MERELS_DB_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/names.h"
#include "game/status.h"

// ---- files ---------------------------------------------------------------------------------
// A descriptor plus the path for messages; the path is the caller's and must live as long.

struct file {
    int fd;
    const char *path;
    bool lacks_lock; // it was to be locked, and the file system has no locks
};

// Opens for reading. STATUS_MISSING if there is none; STATUS_TOO_LITTLE if the process or the
// system has no descriptor left (close one and try again); STATUS_CORRUPT if it is no regular
// file.
MERELS_CHECKED enum status merels_file_open(const char *path, struct file *file,
                                            struct error *err);

// Creates or empties a file for writing and reading.
MERELS_CHECKED enum status merels_file_create(const char *path, struct file *file,
                                              struct error *err);

// Opens for writing what another process has created and still writes to. STATUS_MISSING if it
// is not there.
MERELS_CHECKED enum status merels_file_join(const char *path, struct file *file,
                                            struct error *err);

// Opens for writing and reading what is there, or creates it; nothing is emptied. Reserved as
// by merels_dir_lock for the program that goes on with it.
MERELS_CHECKED enum status merels_file_continue(const char *path, struct file *file,
                                                struct error *err);

// Creates a file in a directory that has no name there, for writing and reading: it is gone
// when it is dropped or the process ends, however that comes about. Messages call it `name`,
// which is the caller's as a path is.
MERELS_CHECKED enum status merels_file_create_unnamed(const char *dir, const char *name,
                                                      struct file *file, struct error *err);

MERELS_CHECKED enum status merels_file_size(const struct file *file, uint64_t *n_bytes,
                                            struct error *err);

// Reads exactly n_bytes from an offset; STATUS_CORRUPT if the file ends before. Any thread.
MERELS_CHECKED enum status merels_file_read_at(const struct file *file, uint64_t offset,
                                               void *data, size_t n_bytes, struct error *err);

// Writes all n_bytes at an offset.
MERELS_CHECKED enum status merels_file_write_at(const struct file *file, uint64_t offset,
                                                const void *data, size_t n_bytes,
                                                struct error *err);

// Ends the file after n_bytes.
MERELS_CHECKED enum status merels_file_cut(const struct file *file, uint64_t n_bytes,
                                           struct error *err);

// Forces the contents to the disk.
MERELS_CHECKED enum status merels_file_sync(const struct file *file, struct error *err);

// Closes and reports what the system says (a late write error). The file is closed in any case.
MERELS_CHECKED enum status merels_file_close(struct file *file, struct error *err);

// Closes a file that was only read, or one that is given up.
void merels_file_drop(struct file *file);

// ---- whole files ---------------------------------------------------------------------------

// Reads a file of at most `limit` bytes into malloc'ed memory with a NUL behind it.
// STATUS_MISSING, STATUS_CORRUPT if it is larger.
MERELS_CHECKED enum status merels_file_load(const char *path, size_t limit, char **data,
                                            size_t *n_bytes, struct error *err);

// Replaces DIR/NAME in one step: writes NAME.part, syncs, renames, syncs the directory. After a
// failure the old file is untouched and no .part is left.
MERELS_CHECKED enum status merels_file_replace(const char *dir, const char *name,
                                               const void *data, size_t n_bytes,
                                               struct error *err);

// Renames within a directory and syncs the directory: the last step of writing a file.
MERELS_CHECKED enum status merels_file_publish(const char *dir, const char *from,
                                               const char *to, struct error *err);

// Removes a file; one that is not there is no error.
MERELS_CHECKED enum status merels_file_remove(const char *path, struct error *err);

// ---- directories ---------------------------------------------------------------------------

// Makes a directory and its parents; one that exists is no error.
MERELS_CHECKED enum status merels_dir_create(const char *dir, struct error *err);

// STATUS_OK if it is a directory, STATUS_MISSING if there is nothing, else STATUS_IO.
MERELS_CHECKED enum status merels_dir_check(const char *dir, struct error *err);

// Reserves the directory for one program that writes to it, until the lock is dropped
// (merels_file_drop) or the process ends. STATUS_IO at once if another has it. Where the file
// system has no locks, none is held, which the lock tells and is no error.
MERELS_CHECKED enum status merels_dir_lock(const char *dir, struct file *lock,
                                           struct error *err);

// The names of its entries without "." and "..", in no order; free with merels_names_free.
// STATUS_MISSING if there is no such directory.
MERELS_CHECKED enum status merels_dir_list(const char *dir, struct names *names,
                                           struct error *err);

// Bytes that an ordinary user may still write on the file system of `dir`, or of its nearest
// parent that exists.
MERELS_CHECKED enum status merels_disk_free(const char *dir, uint64_t *n_bytes,
                                            struct error *err);

// True if files can be made in `dir`, or in its nearest parent that exists: a guess for
// messages, as another may change the rights or fill the disk.
bool merels_dir_takes_files(const char *dir);

// ---- the rest ------------------------------------------------------------------------------

// How many files a tablebase may keep open: a quarter of what the process may have, 2 to 64.
int merels_file_budget(void);

#endif
