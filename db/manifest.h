// manifest.h: the list of the tables of a directory, DIR/MANIFEST.
//
// `sha256sum -c` works on it, everything else stands in '#' lines: full rules
// text, fingerprint, edition, and per file its subspace, slots, W/D/L orbits, depths and value
// hash; last the root hash: SHA-256 of the sorted list of rules fingerprint, subspaces and
// value hashes.

#ifndef MERELS_DB_MANIFEST_H
#define MERELS_DB_MANIFEST_H

#include "db/byte_source.h"
#include "db/header.h"

struct manifest_entry {
    struct subspace subspace;
    uint64_t file_bytes;
    uint8_t file_hash[SHA256_BYTES];
    struct table_header header;
};

struct manifest {
    enum edition edition; // of all tables
    size_t n_entries;
    struct manifest_entry *entries; // in listing order
    uint8_t root_hash[SHA256_BYTES];
};

// Reads and checks DIR/MANIFEST (structure, fingerprint, root hash; not the files).
// STATUS_MISSING if there is none.
MERELS_CHECKED enum status merels_manifest_read(const char *dir, const struct rules *rules,
                                                struct manifest *manifest, struct error *err);

// The same for the manifest of a source; also STATUS_NOT_YET.
MERELS_CHECKED enum status merels_manifest_load(const struct byte_source *source,
                                                const struct rules *rules,
                                                struct manifest *manifest, struct error *err);
void merels_manifest_free(struct manifest *manifest);

// The entry of a subspace, or NULL if it is not listed.
const struct manifest_entry *merels_manifest_find(const struct manifest *manifest,
                                                  struct subspace s);

// Compares every file with its entry: there, whole, and of the hash listed; all bytes are read
// (some 1.5 GB a second from the page cache). STATUS_MISSING, STATUS_CORRUPT (another file than
// the one listed too), STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_manifest_check(const char *dir, const struct rules *rules,
                                                 const struct manifest *manifest,
                                                 struct error *err);

// Adds (or replaces) the finished table of one subspace, hashing its file, and replaces
// MANIFEST by write, fsync, rename. Creates it if there is none. STATUS_BAD_INPUT if the table
// is of another edition than those that are listed.
MERELS_CHECKED enum status merels_manifest_add(const char *dir, const struct rules *rules,
                                               struct subspace subspace, struct error *err);

#endif
