// table_files.c: table files through the reader, and the manifest line by line.
//
// A line of the manifest is not parsed but written anew from the header that the file has, and
// compared; so are the rules, the root hash and the checksum.

#include "verify/table_files.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/hash.h"
#include "db/reader.h"
#include "verify/verify_marks.h"

enum { LINE_BYTES = 1024, MANIFEST_LIMIT = 16 << 20, PIECE_BYTES = 1 << 18 };

// ---- tables --------------------------------------------------------------------------------

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

static enum status open_table(const struct table_files *files, const uint8_t *fingerprint,
                              struct checked_table *table, struct error *err)
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

static const struct checked_table *find_listed(const struct table_files *files,
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
    const struct checked_table *found = find_listed(files, counts);
    return found == NULL || found->dropped ? NULL : found;
}

bool merels_verify_is_dropped(const struct table_files *files, struct counts counts)
{
    const struct checked_table *found = find_listed(files, counts);
    return found != NULL && found->dropped;
}

// ---- hashes --------------------------------------------------------------------------------

static enum status hash_pieces(const struct file *file, uint64_t n_bytes, uint8_t *buffer,
                               struct sha256 *hash, struct error *err)
{
    for (uint64_t at = 0; at < n_bytes; at += PIECE_BYTES) {
        size_t n = n_bytes - at < PIECE_BYTES ? (size_t)(n_bytes - at) : PIECE_BYTES;
        enum status status = merels_file_read_at(file, at, buffer, n, err);
        if (status == STATUS_OK)
            status = merels_sha256_update(hash, buffer, n, err);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static enum status hash_file(const char *path, uint64_t n_bytes, uint8_t digest[DIGEST_BYTES],
                             struct error *err)
{
    struct file file;
    struct sha256 *hash = NULL;
    uint8_t *buffer = malloc(PIECE_BYTES);
    if (buffer == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = merels_file_open(path, &file, err);
    if (status == STATUS_OK) {
        status = merels_sha256_create(&hash, err);
        if (status == STATUS_OK)
            status = hash_pieces(&file, n_bytes, buffer, hash, err);
        if (status == STATUS_OK)
            status = merels_sha256_finish(hash, digest, err);
        merels_sha256_destroy(hash);
        merels_file_drop(&file);
    }
    free(buffer);
    return status;
}

enum status merels_verify_file_hash(const struct table_files *files,
                                    const struct checked_table *table, struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    char digits[2 * DIGEST_BYTES + 1], *path;
    enum status status = merels_path_join(files->dir, table->file_name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = hash_file(path, table->n_file_bytes, digest, err);
    free(path);
    if (status != STATUS_OK)
        return status;
    merels_hex(digest, DIGEST_BYTES, digits);
    return strcmp(digits, table->file) == 0
               ? STATUS_OK
               : differs(err, table, "the SHA-256 of the file is not that of the manifest");
}

// Writes the values of some slots as they stand in a file; returns the bytes.
typedef size_t pack_fn(const struct checked_table *table, const void *values, uint64_t first,
                       size_t n, uint8_t *packed);

static size_t pack_bytes(const struct checked_table *table, const void *values, uint64_t first,
                         size_t n, uint8_t *packed)
{
    (void)table;
    memcpy(packed, (const uint8_t *)values + first, n);
    return n;
}

// Four codes in a byte, the lowest slot in the lowest bits.
static size_t pack_codes(const struct checked_table *table, const void *values, uint64_t first,
                         size_t n, uint8_t *packed)
{
    const uint8_t *at = (const uint8_t *)values + first;
    (void)table;
    memset(packed, 0, (n + 3) / 4);
    for (size_t k = 0; k < n; k++) {
        unsigned code = at[k] == BYTE_DRAW ? 0 : at[k] == WIN ? 1 : 2;
        packed[k / 4] |= (uint8_t)(code << 2 * (k % 4));
    }
    return (n + 3) / 4;
}

static size_t pack_wide_codes(const struct checked_table *table, const void *values,
                              uint64_t first, size_t n, uint8_t *packed)
{
    const uint16_t *at = (const uint16_t *)values + first;
    (void)table;
    memset(packed, 0, (n + 3) / 4);
    for (size_t k = 0; k < n; k++) {
        unsigned code = at[k] == DRAW ? 0 : at[k] == WIN ? 1 : 2;
        packed[k / 4] |= (uint8_t)(code << 2 * (k % 4));
    }
    return (n + 3) / 4;
}

// Wide values, one byte or two, little-endian.
static size_t pack_wide(const struct checked_table *table, const void *values, uint64_t first,
                        size_t n, uint8_t *packed)
{
    const uint16_t *at = (const uint16_t *)values + first;
    size_t width = (size_t)table->value_bytes;
    for (size_t k = 0; k < n; k++) {
        packed[width * k] = (uint8_t)at[k]; // the low byte of a draw is BYTE_DRAW
        if (width == 2)
            packed[2 * k + 1] = (uint8_t)(at[k] >> 8);
    }
    return width * n;
}

// The SHA-256 of the SHA-256s of pieces of 2^20 slots (docs/FORMAT.md, section 7.1).
static enum status hash_values(const struct checked_table *table, const void *values,
                               pack_fn *pack, uint8_t digest[DIGEST_BYTES], struct error *err)
{
    enum { PIECE_SLOTS = 1 << 20 };
    size_t n_pieces = (size_t)((table->n_slots + PIECE_SLOTS - 1) / PIECE_SLOTS);
    uint8_t *digests = malloc(n_pieces * DIGEST_BYTES), *packed = malloc(2 * PIECE_SLOTS);
    enum status status = STATUS_OK;
    if (digests == NULL || packed == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a hash");
    for (size_t k = 0; k < n_pieces && status == STATUS_OK; k++) {
        uint64_t first = (uint64_t)k * PIECE_SLOTS, rest = table->n_slots - first;
        size_t n = (size_t)(rest < PIECE_SLOTS ? rest : PIECE_SLOTS);
        status = merels_sha256(packed, pack(table, values, first, n, packed),
                               digests + k * DIGEST_BYTES, err);
    }
    if (status == STATUS_OK)
        status = merels_sha256(digests, n_pieces * DIGEST_BYTES, digest, err);
    free(digests);
    free(packed);
    return status;
}

static enum status compare_hash(const struct checked_table *table,
                                const uint8_t digest[DIGEST_BYTES], struct error *err)
{
    return memcmp(digest, table->values, DIGEST_BYTES) == 0
               ? STATUS_OK
               : differs(err, table, "the hash of the values is not that of the header");
}

enum status merels_verify_value_hash(const struct checked_table *table, const uint8_t *values,
                                     struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    if (table->codes != NULL)
        return STATUS_OK; // there is no header
    enum status status =
        hash_values(table, values, table->wdl ? pack_codes : pack_bytes, digest, err);
    return status == STATUS_OK ? compare_hash(table, digest, err) : status;
}

enum status merels_verify_wide_hash(const struct checked_table *table, const uint16_t *values,
                                    struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    if (table->codes != NULL)
        return STATUS_OK;
    enum status status =
        hash_values(table, values, table->wdl ? pack_wide_codes : pack_wide, digest, err);
    return status == STATUS_OK ? compare_hash(table, digest, err) : status;
}

// ---- manifest ------------------------------------------------------------------------------

enum { N_CHECKSUM_LINE = 28 };

struct lines {
    const char *path, *text, *at;
    int number;
    struct error *err;
};

static enum status bad_line(const struct lines *lines)
{
    return merels_error(lines->err, STATUS_CORRUPT,
                        "%s, line %d: not what the tables and rules say", lines->path,
                        lines->number);
}

static enum status other_rules(const struct lines *lines)
{
    return merels_error(lines->err, STATUS_OTHER_RULES, "%s: made for other rules",
                        lines->path);
}

// The first line says what the text is, the last one that it is whole.
static enum status check_frame(const struct lines *lines, size_t n)
{
    static const char title[] = "# Merels tablebase manifest, version ";
    enum { N_TITLE = sizeof title - 1 };
    char last[N_CHECKSUM_LINE + 1];
    if (strncmp(lines->text, title, N_TITLE) != 0)
        return merels_error(lines->err, STATUS_CORRUPT, "%s: not a Merels manifest",
                            lines->path);
    const char *version = lines->text + N_TITLE;
    size_t n_digits = strspn(version, "0123456789");
    if (n_digits > 0 && version[n_digits] == '\n' && strncmp(version, "2\n", 2) != 0)
        return merels_error(lines->err, STATUS_NEWER,
                            "%s: of another version than this program knows", lines->path);
    size_t before = n > N_CHECKSUM_LINE ? n - N_CHECKSUM_LINE : 0;
    snprintf(last, sizeof last, "# checksum %016" PRIx64 "\n",
             merels_xxh64(lines->text, before));
    if (strcmp(lines->text + before, last) != 0)
        return merels_error(lines->err, STATUS_CORRUPT,
                            "%s: damaged or cut short (%zu bytes, the checksum does not fit)",
                            lines->path, n);
    return STATUS_OK;
}

// Goes on by one line if it is the one expected.
static enum status take_line(struct lines *lines, const char *expected)
{
    size_t n = strlen(expected);
    lines->number++;
    if (strncmp(lines->at, expected, n) != 0 || lines->at[n] != '\n')
        return bad_line(lines);
    lines->at += n + 1;
    return STATUS_OK;
}

static enum status take_rules(struct lines *lines, const char *rules_text)
{
    char line[LINE_BYTES];
    enum status status = STATUS_OK;
    while (*rules_text != '\0' && status == STATUS_OK) {
        int n = (int)strcspn(rules_text, "\n");
        snprintf(line, sizeof line, "# rules %.*s", n, rules_text);
        status = take_line(lines, line);
        rules_text += n + (rules_text[n] == '\n');
    }
    return status == STATUS_CORRUPT ? other_rules(lines) : status;
}

static const char *depth_text(int depth, char out[16])
{
    if (depth == NO_DEPTH)
        return "-";
    snprintf(out, 16, "%d", depth);
    return out;
}

static void entry_line(const struct checked_table *t, char line[LINE_BYTES])
{
    char win[16], loss[16], values[2 * DIGEST_BYTES + 1];
    merels_hex(t->values, DIGEST_BYTES, values);
    snprintf(line, LINE_BYTES,
             "# table %s format=2 width=%d slots=%" PRIu64 " rows=%" PRIu64 " columns=%" PRIu64
             " orbits=%" PRIu64 " win=%" PRIu64 " draw=%" PRIu64 " loss=%" PRIu64
             " none=%" PRIu64 " max-win=%s max-win-slot=%" PRIu64
             " max-loss=%s max-loss-slot=%" PRIu64 " bytes=%" PRIu64 " values=%s",
             t->name, t->value_bytes, t->n_slots, t->n_rows, t->n_columns, t->n_orbits, t->win,
             t->draw, t->loss, t->none, depth_text(t->max_win, win), t->max_win_slot,
             depth_text(t->max_loss, loss), t->max_loss_slot, t->n_file_bytes, values);
}

// The name that a line about a table begins with, behind its key.
static enum status take_name(struct lines *lines, const char *key, struct checked_table *t)
{
    const char *name = lines->at + strlen(key);
    if (strncmp(lines->at, key, strlen(key)) != 0 ||
        !merels_verify_parse_name(name, strcspn(name, " \n"), &t->counts)) {
        lines->number++;
        return bad_line(lines);
    }
    merels_verify_name(t->counts, t->name);
    return STATUS_OK;
}

// A table that is not kept: the hash of its values, which ends the line, counts in the root
// hash.
static enum status take_dropped(struct lines *lines, struct table_files *files)
{
    static const char key[] = " values=";
    struct checked_table *t = &files->tables[files->n_tables];
    enum status status = take_name(lines, "# dropped ", t);
    if (status != STATUS_OK)
        return status;
    const char *end = lines->at + strcspn(lines->at, "\n"), *value = end - 2 * DIGEST_BYTES;
    char digits[2 * DIGEST_BYTES + 1] = "";
    lines->number++;
    if (value - lines->at > (ptrdiff_t)sizeof key)
        memcpy(digits, value, 2 * DIGEST_BYTES);
    if (digits[0] == '\0' || strncmp(value - strlen(key), key, strlen(key)) != 0 ||
        merels_unhex(digits, t->values, DIGEST_BYTES, NULL) != STATUS_OK ||
        find_listed(files, t->counts) != NULL)
        return bad_line(lines);
    t->dropped = true;
    files->n_tables++;
    files->n_dropped++;
    lines->at = end + (*end == '\n');
    return STATUS_OK;
}

// One table: its name, its file, its line, and the hash of its file.
static enum status take_entry(struct lines *lines, struct table_files *files,
                              const uint8_t *fingerprint)
{
    char line[LINE_BYTES];
    struct checked_table *t = &files->tables[files->n_tables];
    if (strncmp(lines->at, "# dropped ", 10) == 0)
        return take_dropped(lines, files);
    enum status status = take_name(lines, "# table ", t);
    if (status != STATUS_OK)
        return status;
    snprintf(t->file_name, sizeof t->file_name, "%s%s", t->name, files->wdl ? ".wdl" : ".mtb");
    bool twice = find_listed(files, t->counts) != NULL;
    t->wdl = files->wdl;
    t->measure = files->measure;
    files->n_tables++;
    status = open_table(files, fingerprint, t, lines->err);
    if (status != STATUS_OK)
        return status;
    entry_line(t, line);
    status = take_line(lines, line);
    if (status != STATUS_OK)
        return status;
    if (twice || strnlen(lines->at, 64) < 64)
        return bad_line(lines);
    memcpy(t->file, lines->at, 2 * DIGEST_BYTES);
    snprintf(line, sizeof line, "%s  %s", t->file, t->file_name);
    return take_line(lines, line);
}

// The SHA-256 of one line for each table (docs/FORMAT.md, section 10).
static enum status make_root(struct table_files *files, const char *fingerprint,
                             struct error *err)
{
    uint8_t digest[DIGEST_BYTES];
    char line[LINE_BYTES], values[2 * DIGEST_BYTES + 1];
    struct sha256 *hash;
    enum status status = merels_sha256_create(&hash, err);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < files->n_tables && status == STATUS_OK; k++) {
        merels_hex(files->tables[k].values, DIGEST_BYTES, values);
        int n = snprintf(line, sizeof line, "%s %s %s\n", fingerprint, files->tables[k].name,
                         values);
        status = merels_sha256_update(hash, line, (size_t)n, err);
    }
    if (status == STATUS_OK)
        status = merels_sha256_finish(hash, digest, err);
    merels_sha256_destroy(hash);
    if (status == STATUS_OK)
        merels_hex(digest, DIGEST_BYTES, files->root);
    return status;
}

// Title, fingerprint and rules.
static enum status take_head(struct lines *lines, const char *rules_text,
                             const char *fingerprint)
{
    char line[LINE_BYTES];
    enum status status = take_line(lines, "# Merels tablebase manifest, version 2");
    snprintf(line, sizeof line, "# fingerprint %s", fingerprint);
    if (status == STATUS_OK && take_line(lines, line) != STATUS_OK)
        return other_rules(lines);
    return status == STATUS_OK ? take_rules(lines, rules_text) : status;
}

// The starts of which all tables are there are not judged: any line of this key is taken.
static enum status take_starts(struct lines *lines)
{
    static const char key[] = "# complete ";
    lines->number++;
    if (strncmp(lines->at, key, strlen(key)) != 0)
        return bad_line(lines);
    lines->at += strcspn(lines->at, "\n") + 1; // the last line ends in one
    return STATUS_OK;
}

static enum status skip_to_wdl(struct lines *lines)
{
    static const char key[] = "# edition wdl\n";
    while (*lines->at != '\0' && strncmp(lines->at, key, strlen(key)) != 0) {
        lines->at += strcspn(lines->at, "\n");
        lines->at += *lines->at == '\n';
        lines->number++;
    }
    return *lines->at != '\0' ? STATUS_OK
                              : merels_error(lines->err, STATUS_BAD_INPUT,
                                             "%s: lists no table of edition wdl", lines->path);
}

// The edition, its starts, and the number of its tables.
static enum status take_edition(struct lines *lines, struct table_files *files,
                                uint64_t *n_tables)
{
    static const char wdl[] = "# edition wdl", key[] = "# tables ";
    char *end;
    files->wdl = strncmp(lines->at, wdl, strlen(wdl)) == 0;
    files->measure = files->wdl                          ? MEASURE_NONE
                     : files->index->rules.to_conversion ? MEASURE_CONVERSION
                                                         : MEASURE_END;
    enum status status =
        take_line(lines, files->measure == MEASURE_NONE         ? wdl
                         : files->measure == MEASURE_CONVERSION ? "# edition dtc"
                                                                : "# edition dtm");
    if (status == STATUS_OK)
        status = take_starts(lines);
    if (status != STATUS_OK)
        return status;
    lines->number++;
    if (strncmp(lines->at, key, strlen(key)) != 0)
        return bad_line(lines);
    *n_tables = strtoull(lines->at + strlen(key), &end, 10);
    if (*end != '\n' || *n_tables > 100000)
        return bad_line(lines);
    lines->at = end + 1;
    return STATUS_OK;
}

// Root hash; what comes behind it is another edition, or optional, or the checksum, which is
// right.
static enum status take_end(struct lines *lines, struct table_files *files,
                            const char *fingerprint)
{
    char line[LINE_BYTES];
    enum status status = make_root(files, fingerprint, lines->err);
    if (status != STATUS_OK)
        return status;
    snprintf(line, sizeof line, "# root %s", files->root);
    status = take_line(lines, line);
    if (status != STATUS_OK)
        return status;
    lines->number++;
    bool more = strncmp(lines->at, "# edition wdl\n", 14) == 0 && !files->wdl;
    bool optional = strncmp(lines->at, "#? ", 3) == 0;
    return more || optional || strlen(lines->at) == N_CHECKSUM_LINE ? STATUS_OK
                                                                    : bad_line(lines);
}

static enum status take_manifest(struct lines *lines, const char *rules_text, bool wdl,
                                 struct table_files *files)
{
    uint8_t digest[DIGEST_BYTES];
    char fingerprint[2 * FINGERPRINT_BYTES + 1];
    uint64_t n_tables = 0;
    enum status status = merels_sha256(rules_text, strlen(rules_text), digest, lines->err);
    if (status != STATUS_OK)
        return status;
    merels_hex(digest, FINGERPRINT_BYTES, fingerprint);
    status = take_head(lines, rules_text, fingerprint);
    if (status == STATUS_OK && wdl)
        status = skip_to_wdl(lines);
    if (status == STATUS_OK)
        status = take_edition(lines, files, &n_tables);
    if (status != STATUS_OK)
        return status;
    files->tables = calloc((size_t)n_tables + 1, sizeof *files->tables);
    if (files->tables == NULL)
        return merels_error(lines->err, STATUS_NO_MEMORY, "out of memory for the tables");
    for (uint64_t k = 0; k < n_tables && status == STATUS_OK; k++)
        status = take_entry(lines, files, digest);
    return status == STATUS_OK ? take_end(lines, files, fingerprint) : status;
}

enum status merels_verify_files_open(const char *dir, const char *rules_text,
                                     const struct verify_index *index, bool wdl,
                                     struct table_files *files, struct error *err)
{
    char *path, *text;
    size_t n;
    *files = (struct table_files){.index = index, .dir = dir};
    enum status status =
        merels_directory_reader_create(dir, merels_file_budget(), &files->reader, err);
    if (status == STATUS_OK)
        status = merels_path_join(dir, "MANIFEST", "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_load(path, MANIFEST_LIMIT, &text, &n, err);
    if (status == STATUS_OK) {
        struct lines lines = {.path = path, .text = text, .at = text, .err = err};
        status = check_frame(&lines, n);
        if (status == STATUS_OK)
            status = take_manifest(&lines, rules_text, wdl, files);
        free(text);
    }
    free(path);
    return status;
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
    enum status status = merels_sha256(rules_text, strlen(rules_text), digest, err);
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
        status = open_table(files, digest, t, err);
    }
    return status;
}

// ---- bytes in memory -----------------------------------------------------------------------

uint64_t merels_verify_sum(const void *bytes, size_t n)
{
    return merels_xxh64(bytes, n);
}

enum status merels_verify_sha256(const void *bytes, size_t n, uint8_t digest[DIGEST_BYTES],
                                 struct error *err)
{
    return merels_sha256(bytes, n, digest, err);
}

enum status merels_verify_load_file(const char *path, uint8_t **bytes, size_t *n,
                                    struct error *err)
{
    char *data;
    enum status status = merels_file_load(path, SIZE_MAX / 2, &data, n, err);
    if (status == STATUS_OK)
        *bytes = (uint8_t *)data;
    return status;
}

// ---- small text files ----------------------------------------------------------------------

enum status merels_verify_load_text(const char *dir, const char *name, char **text,
                                    struct error *err)
{
    char *path;
    size_t n;
    enum status status = merels_path_join(dir, name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_load(path, MANIFEST_LIMIT, text, &n, err);
    free(path);
    if (status != STATUS_MISSING)
        return status;
    *text = calloc(1, 1);
    return *text != NULL ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "out of memory");
}

enum status merels_verify_store_text(const char *dir, const char *name, const char *text,
                                     size_t n, struct error *err)
{
    return merels_file_replace(dir, name, text, n, err);
}

enum status merels_verify_remove_text(const char *dir, const char *name, struct error *err)
{
    char *path;
    enum status status = merels_path_join(dir, name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_remove(path, err);
    free(path);
    return status;
}
