// table_files.h: where the verifier gets its values.
//
// All tables are read by one reader, so that few files are open at a time however many tables
// there are.

#ifndef MERELS_VERIFY_TABLE_FILES_H
#define MERELS_VERIFY_TABLE_FILES_H

#include "verify/small_files.h"
#include "verify/verify_counts.h"
#include "verify/verify_index.h"
#include "verify/verify_value.h"

enum { NO_DEPTH = -1 };

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

// Opens the table of these counts, edition and measure, and compares its header with the closed
// formulas.
MERELS_CHECKED enum status merels_verify_open_table(const struct table_files *files,
                                                    const uint8_t *fingerprint,
                                                    struct checked_table *table,
                                                    struct error *err);

void merels_verify_files_close(struct table_files *files);

// Opens the tables with depths of these counts, whatever a manifest says, and compares their
// headers with the closed formulas; the hashes of their files are not known. STATUS_MISSING if
// one is not there. Close the files also after a failure.
MERELS_CHECKED enum status
merels_verify_files_open_some(const char *dir, const char *rules_text,
                              const struct verify_index *index, const struct counts *list,
                              size_t n, struct table_files *files, struct error *err);

// The table of these counts, kept or not; NULL if the manifest has none.
const struct checked_table *merels_verify_find_listed(const struct table_files *files,
                                                      struct counts counts);

// The same, NULL also if it is not kept.
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

#endif
