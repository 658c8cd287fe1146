// verify_manifest.c: the manifest line by line.
//
// A line is not parsed but written anew from the header that the file has, and compared; so are
// the rules, the root hash and the checksum.

#include "verify/verify_manifest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/hash.h"
#include "db/reader.h"

enum { LINE_BYTES = 1024, MANIFEST_LIMIT = 16 << 20 };

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
        merels_verify_find_listed(files, t->counts) != NULL)
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
    bool twice = merels_verify_find_listed(files, t->counts) != NULL;
    t->wdl = files->wdl;
    t->measure = files->measure;
    files->n_tables++;
    status = merels_verify_open_table(files, fingerprint, t, lines->err);
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

enum status merels_verify_manifest_open(const char *dir, const char *rules_text,
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
