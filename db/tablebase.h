// tablebase.h: a directory of tables for one set of rules, its manifest, and the look-up of one
// position.

#ifndef MERELS_DB_TABLEBASE_H
#define MERELS_DB_TABLEBASE_H

#include "db/table.h"

struct tablebase;

// Opens a directory lazily (no table is read). `rules` must outlive it. cache_bytes bounds the
// decompressed blocks kept. STATUS_MISSING if there is no such directory; STATUS_OTHER_RULES if
// its manifest was made for other rules (a directory without a manifest is accepted).
MERELS_CHECKED enum status merels_tablebase_open(const char *dir, const struct rules *rules,
                                                 size_t cache_bytes, struct tablebase **base,
                                                 struct error *err);

// Frees it and everything got from it. No other call may be running or come later. NULL is
// allowed.
void merels_tablebase_close(struct tablebase *base);

// Says from how many men the games begin, so that "cannot arise" and "missing" can be told
// apart (values do not depend on it). Before any other thread uses `base`.
void merels_tablebase_begin_from(struct tablebase *base, struct start start);

struct index *merels_tablebase_index(struct tablebase *base);

// The edition of all its tables: the manifest's, else that of the first table opened; dtm while
// nothing is known. Any thread.
enum edition merels_tablebase_edition(struct tablebase *base);

// The table of a subspace, opened when first asked for and kept. STATUS_MISSING if there is no
// file; STATUS_CORRUPT also if it is of another edition than the rest.
MERELS_CHECKED enum status merels_tablebase_table(struct tablebase *base, struct subspace s,
                                                  const struct table **table,
                                                  struct error *err);

// The subspaces whose files are in the directory, in listing order; *subspaces is malloc'ed.
MERELS_CHECKED enum status merels_tablebase_list(struct tablebase *base,
                                                 struct subspace **subspaces, size_t *n,
                                                 struct error *err);

enum value { VALUE_LOSS = -1, VALUE_DRAWN = 0, VALUE_WIN = 1 };

struct answer {
    enum value value; // for the mover
    int plies;        // to the end of the game; -1 for a draw or where the edition has no depth
    enum edition edition;
};

// The value of a position, mid-turn states included (best removal; depth then counts the ply
// that closed the mill). Positions that are over need no table. STATUS_NOT_COVERED names the
// subspace; the text begins with "not covered: cannot arise: " if no game has such counts (told
// only after merels_tablebase_begin_from), else with "missing: ".
// STATUS_ILLEGAL as merels_position_check; STATUS_CORRUPT names the file and the block; after a
// failure *answer is as before. Any number of threads. About 0.3 microseconds if the block is
// in the cache, else one block is read: 0.1 ms. Needs 40 KB of stack.
MERELS_CHECKED enum status merels_tablebase_probe(struct tablebase *base,
                                                  const struct position *pos,
                                                  struct answer *answer, struct error *err);

// ---- manifest ------------------------------------------------------------------------------
// DIR/MANIFEST: `sha256sum -c` works on it, everything else stands in '#' lines: full rules
// text, fingerprint, edition, and per file its subspace, slots, W/D/L orbits, depths and value
// hash; last the root hash: SHA-256 of the sorted list of rules fingerprint, subspaces and
// value hashes.

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
