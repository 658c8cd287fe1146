// table_files.h: where the verifier gets its bytes: table files and the manifest.
//
// source.c is the only file of the verifier that includes anything of db/.

#ifndef MERELS_VERIFY_TABLE_FILES_H
#define MERELS_VERIFY_TABLE_FILES_H

#include "verify/verify_index.h"

// The four counts of a subspace (docs/FORMAT.md, section 4).
struct counts {
    int a, b, ha, hb;
};

enum { COUNTS_NAME_BYTES = 16, DIGEST_BYTES = 32, NO_DEPTH = -1 };

bool merels_verify_same(struct counts x, struct counts y);
void merels_verify_name(struct counts counts, char out[COUNTS_NAME_BYTES]);
bool merels_verify_parse_name(const char *text, size_t n, struct counts *counts);

struct source_table {
    struct counts counts;
    char name[COUNTS_NAME_BYTES];
    bool wdl;     // win, draw and loss without depths
    void *handle; // the reader's
    uint64_t n_rows, n_columns, n_slots, n_orbits, win, draw, loss;
    uint64_t max_win_slot, max_loss_slot;
    int max_win, max_loss; // NO_DEPTH if there is none
    uint64_t n_file_bytes;
    uint8_t values[DIGEST_BYTES];    // SHA-256 of the values, says the header
    char file[2 * DIGEST_BYTES + 1]; // SHA-256 of the file, says the manifest
};

struct source {
    const struct ground *ground;
    const char *dir;
    bool wdl; // the edition: all tables without depths
    size_t n_tables;
    struct source_table *tables; // in the order of the manifest
    char root[2 * DIGEST_BYTES + 1];
};

// Reads DIR/MANIFEST, opens every table in it, and compares the rules, the manifest's lines,
// the headers and the closed formulas with each other; root hash and checksum are recomputed.
// Free the source also after a failure.
MERELS_CHECKED enum status merels_verify_open(const char *dir, const char *rules_text,
                                              const struct ground *ground,
                                              struct source *source, struct error *err);
void merels_verify_close(struct source *source);

// The table of these counts, NULL if the manifest has none.
const struct source_table *merels_verify_find(const struct source *source,
                                              struct counts counts);

// The values of slots from `first` on; checksums of all blocks touched are checked, and that
// codes that do not occur do not occur. Any thread.
MERELS_CHECKED enum status merels_verify_read(const struct source_table *table, uint64_t first,
                                              uint64_t n, uint8_t *values, struct error *err);

// Compares the SHA-256 of the whole file with the manifest. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_file(const struct source *source,
                                              const struct source_table *table,
                                              struct error *err);

// SHA-256 of values in memory against the header. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_value_hash(const struct source_table *table,
                                                    const uint8_t *values, struct error *err);

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
