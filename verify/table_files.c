// table_files.c: table files through the reader, or values in memory in their place.

#include "verify/table_files.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/reader.h"
#include "verify/small_files.h"
#include "verify/verify_marks.h"

static enum status differs(struct error *err, const struct checked_table *table,
                           const char *what)
{
    return merels_error(err, STATUS_MISMATCH, "%s: %s", table->file_name, what);
}

// Than losses may be, or depths to a conversion.
static bool is_deeper(enum measure measure, const struct table_stats *stats, int loss,
                      int conversion)
{
    return measure == MEASURE_CONVERSION
               ? stats->max_loss > conversion || stats->max_win > conversion
               : stats->max_loss > loss;
}

static void copy_header(const struct table_header *h, struct checked_table *table)
{
    table->value_bytes = h->value_bytes;
    table->deep = h->value_bytes == 2 || is_deeper(table->measure, &h->stats, DEEPEST_BYTE_LOSS,
                                                   DEEPEST_BYTE_CONVERSION);
    table->n_rows = h->n_rows;
    table->n_columns = h->n_columns;
    table->n_slots = h->n_slots;
    table->n_orbits = h->n_orbits;
    table->win = h->stats.win;
    table->draw = h->stats.draw;
    table->loss = h->stats.loss;
    table->none = h->stats.none;
    table->max_win = h->stats.max_win;
    table->max_loss = h->stats.max_loss;
    table->max_win_slot = h->stats.max_win_slot;
    table->max_loss_slot = h->stats.max_loss_slot;
    memcpy(table->values, h->value_hash, DIGEST_BYTES);
}

static enum edition edition_of(enum measure measure)
{
    return measure == MEASURE_NONE         ? EDITION_WDL
           : measure == MEASURE_CONVERSION ? EDITION_DTC
                                           : EDITION_DTM;
}

// Edition and width; without depths nothing may be said of depths.
static enum status check_edition(const struct table_header *h, const struct checked_table *t,
                                 struct error *err)
{
    if (h->edition != edition_of(t->measure))
        return merels_error(err, STATUS_CORRUPT,
                            "%s: of another edition than the manifest says", t->file_name);
    if (t->wdl)
        return h->value_bytes == 0 && t->max_win == NO_DEPTH && t->max_loss == NO_DEPTH &&
                       t->max_win_slot == 0 && t->max_loss_slot == 0
                   ? STATUS_OK
                   : differs(err, t, "depths in a table of the edition wdl");
    if (!is_deeper(t->measure, &h->stats, DEEPEST_LOSS, DEEPEST_CONVERSION))
        return STATUS_OK;
    return merels_error(err, STATUS_UNSUPPORTED,
                        "%s: depths of more than %d plies cannot be verified", t->file_name,
                        t->measure == MEASURE_CONVERSION ? DEEPEST_CONVERSION : DEEPEST_LOSS);
}

// Fingerprint, edition, width, and the counts by the closed formulas.
static enum status check_header(const struct verify_index *index, const uint8_t *fingerprint,
                                const struct table_header *h, const struct checked_table *t,
                                struct error *err)
{
    if (memcmp(h->fingerprint, fingerprint, FINGERPRINT_BYTES) != 0)
        return merels_error(err, STATUS_OTHER_RULES, "%s: made for other rules", t->file_name);
    enum status status = check_edition(h, t, err);
    if (status != STATUS_OK)
        return status;
    int n = index->rules.n_points, a = t->counts.a, b = t->counts.b;
    if (h->n_points != n || a + b > n)
        return differs(err, t, "the number of points is wrong");
    if (t->n_rows != merels_verify_orbits(index, 0, b) ||
        t->n_columns != index->choose[n - b][a] || t->n_slots != t->n_rows * t->n_columns)
        return differs(err, t, "rows, columns or slots are not those of the closed formula");
    if (t->n_orbits != merels_verify_orbits(index, a, b))
        return differs(err, t, "the number of orbits is not that of the closed formula");
    return STATUS_OK;
}

enum status merels_verify_open_table(const struct table_files *files,
                                     const uint8_t *fingerprint, struct checked_table *table,
                                     struct error *err)
{
    struct counts c = table->counts;
    struct table *handle;
    const struct subspace s = {(uint8_t)c.a, (uint8_t)c.b, (uint8_t)c.ha, (uint8_t)c.hb};
    enum status status = merels_reader_load_table(files->reader, NULL, s,
                                                  edition_of(table->measure), 0, &handle, err);
    if (status != STATUS_OK)
        return status;
    table->handle = handle;
    table->n_file_bytes = merels_table_file_bytes(handle);
    copy_header(merels_table_header(handle), table);
    return check_header(files->index, fingerprint, merels_table_header(handle), table, err);
}

// From the codes of the edition wdl (docs/FORMAT.md, section 6), in place.
static enum status from_codes(const struct checked_table *table, uint64_t first, uint64_t n,
                              uint8_t *values, struct error *err)
{
    enum { NO_CODE = 3 };
    static const uint8_t of_code[] = {BYTE_DRAW, WIN, LOSS, NO_CODE};
    bool damaged = false;
    for (uint64_t k = 0; k < n; k++) {
        damaged |= values[k] == NO_CODE;
        values[k] = of_code[values[k] & 3];
    }
    if (!damaged)
        return STATUS_OK;
    uint64_t bad = (uint64_t)((uint8_t *)memchr(values, NO_CODE, (size_t)n) - values);
    return merels_error(err, STATUS_CORRUPT,
                        "%s: slot %" PRIu64 " holds code 3, which does not occur",
                        table->file_name, first + bad);
}

struct checked_table merels_verify_memory_table(const struct verify_index *index,
                                                struct counts counts)
{
    int n = index->rules.n_points;
    struct checked_table table = {.counts = counts, .wdl = true, .measure = MEASURE_NONE};
    merels_verify_name(counts, table.name);
    snprintf(table.file_name, sizeof table.file_name, "%s", table.name);
    table.n_rows = merels_verify_orbits(index, 0, counts.b);
    table.n_columns = index->choose[n - counts.b][counts.a];
    table.n_slots = table.n_rows * table.n_columns;
    table.n_orbits = merels_verify_orbits(index, counts.a, counts.b);
    table.max_win = table.max_loss = NO_DEPTH;
    return table;
}

void merels_verify_put(struct checked_table *table, uint64_t first, uint64_t n,
                       const uint8_t *values)
{
    unsigned byte = 0;
    for (uint64_t k = 0; k < n; k++) {
        uint64_t slot = first + k;
        unsigned code = values[k] == WIN ? 1 : values[k] == LOSS ? 2 : 0;
        byte |= code << 2 * (slot % 4);
        if (slot % 4 < 3 && k + 1 < n)
            continue;
        if (byte != 0) // a byte may belong to two rows
            __atomic_fetch_or(&table->codes[slot / 4], (uint8_t)byte, __ATOMIC_RELAXED);
        byte = 0;
    }
}

static void read_memory(const struct checked_table *table, uint64_t first, uint64_t n,
                        uint8_t *values)
{
    static const uint8_t of_code[] = {BYTE_DRAW, WIN, LOSS, BYTE_DRAW};
    for (uint64_t k = 0; k < n; k++)
        values[k] = of_code[table->codes[(first + k) / 4] >> 2 * ((first + k) % 4) & 3];
}

enum status merels_verify_read(const struct checked_table *table, uint64_t first, uint64_t n,
                               uint8_t *values, struct error *err)
{
    assert(table->value_bytes != 2);
    if (table->codes != NULL) {
        read_memory(table, first, n, values);
        return STATUS_OK;
    }
    enum status status = merels_table_read(table->handle, first, n, values, err);
    return status == STATUS_OK && table->wdl ? from_codes(table, first, n, values, err)
                                             : status;
}

// Bytes that stand at the front (little-endian, two a value) or at the back (one) of the room
// for the values become these values in place.
static void widen(const struct checked_table *table, uint64_t n, uint16_t *values)
{
    const uint8_t *bytes = (const uint8_t *)values;
    for (uint64_t k = 0; k < n; k++)
        values[k] = (uint16_t)(table->value_bytes == 2 ? bytes[2 * k] | bytes[2 * k + 1] << 8
                                                       : verify_widened(bytes[n + k]));
}

enum status merels_verify_read_wide(const struct checked_table *table, uint64_t first,
                                    uint64_t n, uint16_t *values, struct error *err)
{
    uint8_t *bytes = (uint8_t *)values;
    enum status status = table->value_bytes == 2
                             ? merels_table_read(table->handle, first, n, bytes, err)
                             : merels_verify_read(table, first, n, bytes + n, err);
    if (status == STATUS_OK)
        widen(table, n, values);
    return status;
}

static uint8_t result_of(int value)
{
    return (uint8_t)(value == DRAW ? BYTE_DRAW : value & 1 ? WIN : LOSS);
}

enum status merels_verify_read_results(const struct checked_table *table, uint64_t first,
                                       uint64_t n, uint8_t *values, struct error *err)
{
    bool wide = table->value_bytes == 2;
    enum status status = wide ? merels_table_read(table->handle, first, n, values, err)
                              : merels_verify_read(table, first, n, values, err);
    for (uint64_t k = 0; k < n && status == STATUS_OK; k++)
        values[k] = result_of(wide ? values[2 * k] | values[2 * k + 1] << 8
                                   : verify_widened(values[k]));
    return status;
}

const struct checked_table *merels_verify_find_listed(const struct table_files *files,
                                                      struct counts counts)
{
    for (size_t k = 0; k < files->n_tables; k++)
        if (merels_verify_same(files->tables[k].counts, counts))
            return &files->tables[k];
    return NULL;
}

const struct checked_table *merels_verify_find(const struct table_files *files,
                                               struct counts counts)
{
    const struct checked_table *found = merels_verify_find_listed(files, counts);
    return found == NULL || found->dropped ? NULL : found;
}

bool merels_verify_is_dropped(const struct table_files *files, struct counts counts)
{
    const struct checked_table *found = merels_verify_find_listed(files, counts);
    return found != NULL && found->dropped;
}

void merels_verify_files_close(struct table_files *files)
{
    for (size_t k = 0; k < files->n_tables; k++)
        merels_table_close(files->tables[k].handle);
    free(files->tables);
    merels_reader_destroy(files->reader);
    *files = (struct table_files){0};
}

enum status merels_verify_files_open_some(const char *dir, const char *rules_text,
                                          const struct verify_index *index,
                                          const struct counts *list, size_t n,
                                          struct table_files *files, struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    *files = (struct table_files){.index = index, .dir = dir};
    enum status status = merels_verify_sha256(rules_text, strlen(rules_text), digest, err);
    if (status == STATUS_OK)
        status = merels_directory_reader_create(dir, merels_file_budget(), &files->reader, err);
    if (status != STATUS_OK)
        return status;
    files->tables = calloc(n + 1, sizeof *files->tables);
    if (files->tables == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the tables");
    files->measure = index->rules.to_conversion ? MEASURE_CONVERSION : MEASURE_END;
    for (size_t k = 0; k < n && status == STATUS_OK; k++) {
        struct checked_table *t = &files->tables[files->n_tables++];
        t->counts = list[k];
        t->measure = files->measure;
        merels_verify_name(t->counts, t->name);
        snprintf(t->file_name, sizeof t->file_name, "%s.mtb", t->name);
        status = merels_verify_open_table(files, digest, t, err);
    }
    return status;
}
