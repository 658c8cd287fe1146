// table_files.h: where the verifier gets its bytes: table files and the manifest.
//
// table_files.c is the only file of the verifier that includes anything of db/. All tables are
// read by one reader, so that few files are open at a time however many tables there are.

#ifndef MERELS_VERIFY_TABLE_FILES_H
#define MERELS_VERIFY_TABLE_FILES_H

#include "verify/verify_counts.h"
#include "verify/verify_index.h"
#include "verify/verify_value.h"

enum { DIGEST_BYTES = 32, NO_DEPTH = -1 };

struct table_counts; // table_counts.h

struct checked_table {
    struct counts counts;
    char name[COUNTS_NAME_BYTES];
    char file_name[COUNTS_NAME_BYTES + 4];
    bool wdl;     // win, draw and loss without depths
    bool dropped; // made and not kept: of the rest only the hash of its values is known
    enum measure measure;
    int value_bytes;              // of the file: 1 or 2; 0 in edition wdl
    bool deep;                    // values or what follows from them need marks of two bytes
    void *handle;                 // the reader's; NULL if the values are in memory:
    uint8_t *codes;               // as in edition wdl, four in a byte
    struct table_counts *counted; // where the counts of such a table go; NULL: nowhere
    uint64_t n_rows, n_columns, n_slots, n_orbits, win, draw, loss, none;
    uint64_t max_win_slot, max_loss_slot;
    int max_win, max_loss; // NO_DEPTH if there is none
    uint64_t n_file_bytes;
    uint8_t values[DIGEST_BYTES];    // the hash of the values, says the header
    char file[2 * DIGEST_BYTES + 1]; // SHA-256 of the file, says the manifest
};

struct table_reader;

struct table_files {
    const struct verify_index *index;
    const char *dir;
    struct table_reader *reader;
    bool wdl;                     // the edition: all tables without depths
    enum measure measure;         // of their depths
    size_t n_tables, n_dropped;   // all, and of them not kept
    struct checked_table *tables; // in the order of the manifest
    char root[2 * DIGEST_BYTES + 1];
};

// Whether the manifest says that the table of these counts was made and is not kept.
bool merels_verify_is_dropped(const struct table_files *files, struct counts counts);

// Reads DIR/MANIFEST, opens every table in it that is kept, and compares the rules, the
// manifest's lines, the headers and the closed formulas with each other; root hash and checksum
// are recomputed. Of several editions those of the first one, or with `wdl` those of edition
// wdl; STATUS_BAD_INPUT if there are none. Close the files also after a failure.
MERELS_CHECKED enum status merels_verify_files_open(const char *dir, const char *rules_text,
                                                    const struct verify_index *index, bool wdl,
                                                    struct table_files *files,
                                                    struct error *err);
void merels_verify_files_close(struct table_files *files);

// Opens the tables with depths of these counts, whatever a manifest says, and compares their
// headers with the closed formulas; the hashes of their files are not known. STATUS_MISSING if
// one is not there. Close the files also after a failure.
MERELS_CHECKED enum status
merels_verify_files_open_some(const char *dir, const char *rules_text,
                              const struct verify_index *index, const struct counts *list,
                              size_t n, struct table_files *files, struct error *err);

// The table of these counts, NULL if the manifest has none or it is not kept.
const struct checked_table *merels_verify_find(const struct table_files *files,
                                               struct counts counts);

// A table of the edition wdl whose values are in memory, and nothing known of them.
struct checked_table merels_verify_memory_table(const struct verify_index *index,
                                                struct counts counts);

// Writes n values, a byte each, into the codes from slot `first` on, where all were drawn
// before; any thread, if each slot is written once. NOT_STORED is left out.
enum { NOT_STORED = 2 }; // beside LOSS, WIN and BYTE_DRAW
void merels_verify_put(struct checked_table *table, uint64_t first, uint64_t n,
                       const uint8_t *values);

// The values of slots from `first` on, a byte each, draws as BYTE_DRAW; the table must have no
// values of two bytes. Checksums of all blocks touched are checked, and that codes that do not
// occur do not occur. Any thread.
MERELS_CHECKED enum status merels_verify_read(const struct checked_table *table, uint64_t first,
                                              uint64_t n, uint8_t *values, struct error *err);

// The same for a table of any width, two bytes each, draws as DRAW.
MERELS_CHECKED enum status merels_verify_read_wide(const struct checked_table *table,
                                                   uint64_t first, uint64_t n, uint16_t *values,
                                                   struct error *err);

// The same for a table of any width, a byte each, and of wins and losses no more than WIN and
// LOSS; `values` has room for twice as many.
MERELS_CHECKED enum status merels_verify_read_results(const struct checked_table *table,
                                                      uint64_t first, uint64_t n,
                                                      uint8_t *values, struct error *err);

// Compares the SHA-256 of the whole file with the manifest. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_file_hash(const struct table_files *files,
                                                   const struct checked_table *table,
                                                   struct error *err);

// The hash of all values of a table, as read, against the header. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_value_hash(const struct checked_table *table,
                                                    const uint8_t *values, struct error *err);

MERELS_CHECKED enum status merels_verify_wide_hash(const struct checked_table *table,
                                                   const uint16_t *values, struct error *err);

// ---- hashes of bytes in memory, and whole files
// ----------------------------------------------

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
