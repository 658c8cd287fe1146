// manifest.h: the list of the tables of a directory, DIR/MANIFEST.
//
// `sha256sum -c` works on it, everything else stands in '#' lines: rules text and fingerprint;
// for each edition that is there the starts whose games are complete, and per table its
// subspace, slots, orbits, depths and value hash; last the edition's root hash: SHA-256 of the
// sorted list of rules fingerprint, subspaces and value hashes.

#ifndef MERELS_DB_MANIFEST_H
#define MERELS_DB_MANIFEST_H

#include "db/byte_source.h"
#include "db/header.h"

struct manifest_entry {
    struct subspace subspace;
    bool dropped; // the table was made, and its file is not kept
    uint64_t file_bytes;
    uint8_t file_hash[SHA256_BYTES]; // not of a dropped one
    struct table_header header;
};

// The tables of one edition.
struct manifest {
    enum edition edition;
    size_t n_entries;
    struct manifest_entry *entries; // in listing order
    size_t n_starts;
    struct start *starts; // whose tables are all there, in ascending order
    uint8_t root_hash[SHA256_BYTES];
    struct manifest *beside; // the next edition in the same directory, NULL if there is none
    char *notes;             // optional lines as they stand, NULL if there are none
};

// Reads and checks DIR/MANIFEST (structure, fingerprint, root hash; not the files).
// *manifest is that of the first edition that is there: dtm, if it is, else wdl, which is also
// found as `beside` the other. STATUS_MISSING if there is none, STATUS_OTHER_RULES,
// STATUS_NEWER, STATUS_OLDER, STATUS_CORRUPT.
MERELS_CHECKED enum status merels_manifest_read(const char *dir, const struct rules *rules,
                                                struct manifest *manifest, struct error *err);

// The same for the manifest of a source; also STATUS_NOT_YET.
MERELS_CHECKED enum status merels_manifest_load(const struct byte_source *source,
                                                const struct rules *rules,
                                                struct manifest *manifest, struct error *err);
void merels_manifest_free(struct manifest *manifest);

// The manifest of one edition of the directory, or NULL.
const struct manifest *merels_manifest_of(const struct manifest *manifest,
                                          enum edition edition);

// The edition that is read if nobody chooses: the first one of which all tables are kept, or
// the first, if none is.
const struct manifest *merels_manifest_preferred(const struct manifest *manifest);

// How many tables of an edition are not kept.
size_t merels_manifest_dropped(const struct manifest *manifest);

// The entry of a subspace, or NULL if it is not listed.
const struct manifest_entry *merels_manifest_find(const struct manifest *manifest,
                                                  struct subspace s);

// Compares every file with its entry: there, whole, and of the hash listed; all bytes are read
// (some 1.5 GB a second from the page cache). STATUS_MISSING, STATUS_CORRUPT (another file than
// the one listed too), STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_manifest_check(const char *dir, const struct rules *rules,
                                                 const struct manifest *manifest,
                                                 struct error *err);

// The same for the file of one entry.
MERELS_CHECKED enum status merels_manifest_check_table(const char *dir,
                                                       const struct rules *rules,
                                                       const struct manifest_entry *entry,
                                                       struct error *err);

// ---- changing ------------------------------------------------------------------------------

// Puts the finished table of one subspace among those of its edition, over an entry that was
// there, hashing its file. MANIFEST stays as it is until it is written.
MERELS_CHECKED enum status merels_manifest_enter(const char *dir, const struct rules *rules,
                                                 struct subspace subspace, enum edition edition,
                                                 struct manifest *manifest, struct error *err);

// Says of a table that is listed that it is not kept. STATUS_MISSING if it is not listed.
MERELS_CHECKED enum status merels_manifest_drop(const struct rules *rules,
                                                struct subspace subspace, enum edition edition,
                                                struct manifest *manifest, struct error *err);

// Forgets a table that is listed. STATUS_MISSING if it is not; STATUS_UNSUPPORTED of the only
// one of its edition if there is another edition.
MERELS_CHECKED enum status merels_manifest_remove(const struct rules *rules,
                                                  struct subspace subspace,
                                                  enum edition edition,
                                                  struct manifest *manifest, struct error *err);

// Replaces MANIFEST by write, fsync, rename; fills the root hashes.
MERELS_CHECKED enum status merels_manifest_write(const char *dir, const struct rules *rules,
                                                 struct manifest *manifest, struct error *err);

// Reads, enters one table, writes. Creates MANIFEST if there is none.
MERELS_CHECKED enum status merels_manifest_add(const char *dir, const struct rules *rules,
                                               struct subspace subspace, enum edition edition,
                                               struct error *err);

#endif
