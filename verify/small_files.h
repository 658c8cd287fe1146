// small_files.h: hashes of bytes in memory, and files that are read or written whole.

#ifndef MERELS_VERIFY_SMALL_FILES_H
#define MERELS_VERIFY_SMALL_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

enum { DIGEST_BYTES = 32 };

uint64_t merels_verify_sum(const void *bytes, size_t n); // XXH64
MERELS_CHECKED enum status merels_verify_sha256(const void *bytes, size_t n,
                                                uint8_t digest[DIGEST_BYTES],
                                                struct error *err);

// A file of any length, malloc'ed. STATUS_MISSING.
MERELS_CHECKED enum status merels_verify_load_file(const char *path, uint8_t **bytes, size_t *n,
                                                   struct error *err);

// Small text files in the directory: the notes and the record. Text of a missing file is "";
// malloc'ed.
MERELS_CHECKED enum status merels_verify_load_text(const char *dir, const char *name,
                                                   char **text, struct error *err);
MERELS_CHECKED enum status merels_verify_store_text(const char *dir, const char *name,
                                                    const char *text, size_t n,
                                                    struct error *err);
MERELS_CHECKED enum status merels_verify_remove_text(const char *dir, const char *name,
                                                     struct error *err);

#endif
