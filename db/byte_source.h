// byte_source.h: where the bytes of tables and manifests come from: named pieces, each read at
// offsets.
//
//     reader, manifest --> byte source --> files of a directory   db/directory_source.h
//                                      --> memory of the caller   db/memory_source.h
//                                      --> what a client fetches: over a network, in a browser
//
// A piece has the name of its file: "9-8.mtb", "MANIFEST". A source that would have to wait
// answers STATUS_NOT_YET and is then told every range that the failed call is known to need;
// the caller fetches them and makes the same call again. Bytes that were there must stay until
// that call succeeds, or the call cannot come to an end.

#ifndef MERELS_DB_BYTE_SOURCE_H
#define MERELS_DB_BYTE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

struct names;

// Bytes of a piece. An n_bytes of TO_THE_END: all from the offset on, when the size is not
// known.
struct byte_range {
    uint64_t offset, n_bytes;
};

#define TO_THE_END UINT64_MAX

// The functions of one source; `context` is theirs. All may be called by any thread at any
// time. A piece that is not there is STATUS_MISSING, other failures are those of the source.
// The text of an error names the piece as `place`/name.
struct byte_source {
    void *context;
    const char *place; // for messages: the directory, an address

    // The size of a piece.
    enum status (*size)(void *context, const char *name, uint64_t *n_bytes, struct error *err);

    // Copies exactly n_bytes from an offset; STATUS_CORRUPT if the piece ends before.
    enum status (*read)(void *context, const char *name, uint64_t offset, void *to,
                        size_t n_bytes, struct error *err);

    // After STATUS_NOT_YET: all ranges that the failed call needs, whether they are there or
    // not. They lie within the size told, if one was told. NULL: nobody wants to know.
    void (*want)(void *context, const char *name, const struct byte_range *ranges, size_t n);

    // The piece is not needed for now: what is kept open for it may go. NULL: nothing to do.
    void (*forget)(void *context, const char *name);

    // The names of all pieces, to be freed with merels_names_free. NULL: nobody knows; the
    // tables are those of the manifest.
    enum status (*list)(void *context, struct names *names, struct error *err);
};

// Tells the source what is wanted, if it listens.
void merels_source_want(const struct byte_source *source, const char *name,
                        const struct byte_range *ranges, size_t n);

// The names of all pieces; none if the source cannot say.
MERELS_CHECKED enum status merels_source_list(const struct byte_source *source,
                                              struct names *names, struct error *err);

// Reads a whole piece of at most `limit` bytes into malloc'ed memory with a NUL behind it.
// STATUS_MISSING, STATUS_NOT_YET, STATUS_CORRUPT if it is larger, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_source_load(const struct byte_source *source,
                                              const char *name, size_t limit, char **data,
                                              size_t *n_bytes, struct error *err);

#endif
