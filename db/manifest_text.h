// manifest_text.h: the text of a manifest, apart from files: writing it and reading it back.

#ifndef MERELS_DB_MANIFEST_TEXT_H
#define MERELS_DB_MANIFEST_TEXT_H

#include "db/manifest.h"

// The text of a manifest, malloc'ed and NUL-terminated. `rules_text` is the canonical text of
// the rules; entries must be in listing order. Also fills manifest->root_hash.
MERELS_CHECKED enum status merels_manifest_write_text(struct manifest *manifest,
                                                      const char *rules_text, char **text,
                                                      size_t *n_bytes, struct error *err);

// Reads a text that merels_manifest_write_text may have written; anything else is
// STATUS_CORRUPT (STATUS_NEWER for a later version). `path` is for messages. rules_text has
// RULES_TEXT_BYTES bytes. Free the manifest also after a failure.
MERELS_CHECKED enum status merels_manifest_read_text(const char *text, size_t n_bytes,
                                                     const char *path,
                                                     struct manifest *manifest,
                                                     char *rules_text, struct error *err);

#endif
