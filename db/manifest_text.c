// manifest_text.c: manifests as text (docs/FORMAT.md, section 9).
//
// There is one text for one content, so reading is: take the fields, write the text again,
// compare every byte. What does not come back the same was not written by this program,
// whatever is wrong with it: a missing line, a number with a leading zero, tables out of order,
// another root hash.

#include "db/manifest_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/rules_text.h"

enum { MANIFEST_VERSION = 2, MAX_TABLES = 100000, LINE_BYTES = 768 };

static const char first_line[] = "# Merels tablebase manifest, version ";

// ---- writing -------------------------------------------------------------------------------

// Growing text; after a failure it stays as it is and `failed` is set.
struct growing_text {
    char *bytes;
    size_t n, room;
    bool failed;
};

static void put_bytes(struct growing_text *text, const char *bytes, size_t n)
{
    if (text->failed)
        return;
    if (text->n + n + 1 > text->room) {
        size_t room = 2 * text->room + n + 4096;
        char *grown = realloc(text->bytes, room);
        if (grown == NULL) {
            text->failed = true;
            return;
        }
        text->bytes = grown;
        text->room = room;
    }
    memcpy(text->bytes + text->n, bytes, n);
    text->n += n;
    text->bytes[text->n] = '\0';
}

__attribute__((format(printf, 2, 3))) static void put(struct growing_text *text,
                                                      const char *format, ...)
{
    char line[LINE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= LINE_BYTES)
        text->failed = true;
    else
        put_bytes(text, line, (size_t)n);
}

static void put_rules(struct growing_text *text, const char *rules_text)
{
    for (const char *line = rules_text; *line != '\0';) {
        size_t n = strcspn(line, "\n");
        put_bytes(text, "# rules ", 8);
        put_bytes(text, line, n);
        put_bytes(text, "\n", 1);
        line += n + (line[n] == '\n');
    }
}

static void put_depth(struct growing_text *text, const char *key, int depth, uint64_t slot)
{
    if (depth < 0)
        put(text, " %s=- %s-slot=%" PRIu64, key, key, slot);
    else
        put(text, " %s=%d %s-slot=%" PRIu64, key, depth, key, slot);
}

static void put_entry(struct growing_text *text, const struct manifest_entry *entry)
{
    const struct table_header *header = &entry->header;
    const struct table_stats *stats = &header->stats;
    char name[SUBSPACE_NAME_BYTES], hex[2 * SHA256_BYTES + 1];
    merels_subspace_name(entry->subspace, name);
    put(text, "# %s %s format=%d width=%d", entry->dropped ? "dropped" : "table", name,
        header->version, header->value_bytes);
    put(text, " slots=%" PRIu64 " rows=%" PRIu64 " columns=%" PRIu64 " orbits=%" PRIu64,
        header->n_slots, header->n_rows, header->n_columns, header->n_orbits);
    put(text, " win=%" PRIu64 " draw=%" PRIu64 " loss=%" PRIu64 " none=%" PRIu64, stats->win,
        stats->draw, stats->loss, stats->none);
    put_depth(text, "max-win", stats->max_win, stats->max_win_slot);
    put_depth(text, "max-loss", stats->max_loss, stats->max_loss_slot);
    merels_hex(header->value_hash, SHA256_BYTES, hex);
    put(text, " bytes=%" PRIu64 " values=%s\n", entry->file_bytes, hex);
    if (entry->dropped)
        return;
    merels_hex(entry->file_hash, SHA256_BYTES, hex);
    put(text, "%s  %s%s\n", hex, name, merels_edition_suffix(header->edition));
}

// The SHA-256 of one line per table: fingerprint, name, hash of the values.
static enum status make_root_hash(struct manifest *manifest, const char *fingerprint,
                                  struct error *err)
{
    struct growing_text text = {0};
    for (size_t i = 0; i < manifest->n_entries; i++) {
        char name[SUBSPACE_NAME_BYTES], hex[2 * SHA256_BYTES + 1];
        merels_subspace_name(manifest->entries[i].subspace, name);
        merels_hex(manifest->entries[i].header.value_hash, SHA256_BYTES, hex);
        put(&text, "%s %s %s\n", fingerprint, name, hex);
    }
    enum status status;
    if (text.failed)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    else
        status = merels_sha256(text.n > 0 ? text.bytes : "", text.n, manifest->root_hash, err);
    free(text.bytes);
    return status;
}

// Everything about the tables of one edition.
static enum status put_edition(struct growing_text *text, struct manifest *manifest,
                               const char *fingerprint, struct error *err)
{
    char root[2 * SHA256_BYTES + 1];
    enum status status = make_root_hash(manifest, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    put(text, "# edition %s\n# complete", merels_edition_name(manifest->edition));
    for (size_t i = 0; i < manifest->n_starts; i++)
        put(text, " %d-%d", manifest->starts[i].first_men, manifest->starts[i].second_men);
    put(text, "%s\n# tables %zu\n", manifest->n_starts == 0 ? " -" : "", manifest->n_entries);
    for (size_t i = 0; i < manifest->n_entries; i++)
        put_entry(text, &manifest->entries[i]);
    merels_hex(manifest->root_hash, SHA256_BYTES, root);
    put(text, "# root %s\n", root);
    return STATUS_OK;
}

enum status merels_manifest_write_text(struct manifest *manifest, const char *rules_text,
                                       char **out, size_t *n_bytes, struct error *err)
{
    uint8_t digest[SHA256_BYTES];
    char fingerprint[2 * FINGERPRINT_BYTES + 1];
    enum status status = merels_sha256(rules_text, strlen(rules_text), digest, err);
    if (status != STATUS_OK)
        return status;
    merels_hex(digest, FINGERPRINT_BYTES, fingerprint);
    struct growing_text text = {0};
    put(&text, "%s%d\n# fingerprint %s\n", first_line, MANIFEST_VERSION, fingerprint);
    put_rules(&text, rules_text);
    for (struct manifest *at = manifest; at != NULL && status == STATUS_OK; at = at->beside)
        status = put_edition(&text, at, fingerprint, err);
    if (manifest->notes != NULL)
        put_bytes(&text, manifest->notes, strlen(manifest->notes));
    if (!text.failed)
        put(&text, "# checksum %016" PRIx64 "\n", merels_xxh64(text.bytes, text.n));
    if (text.failed && status == STATUS_OK)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    if (status != STATUS_OK) {
        free(text.bytes);
        return status;
    }
    *out = text.bytes;
    *n_bytes = text.n;
    return STATUS_OK;
}

// ---- reading -------------------------------------------------------------------------------

// Where reading stands. The text ends in a NUL, so that comparing prefixes cannot run past it.
struct cursor {
    const char *at;
    bool failed;
};

static bool skip(struct cursor *cursor, const char *expected)
{
    size_t n = strlen(expected);
    if (cursor->failed || strncmp(cursor->at, expected, n) != 0)
        cursor->failed = true;
    else
        cursor->at += n;
    return !cursor->failed;
}

static uint64_t take_number(struct cursor *cursor)
{
    char *end;
    if (cursor->failed || *cursor->at < '0' || *cursor->at > '9') {
        cursor->failed = true;
        return 0;
    }
    errno = 0;
    unsigned long long number = strtoull(cursor->at, &end, 10);
    cursor->failed = errno != 0;
    cursor->at = end;
    return number;
}

static uint64_t take_field(struct cursor *cursor, const char *key)
{
    return skip(cursor, key) ? take_number(cursor) : 0;
}

// A number that fits a small field.
static int take_small(struct cursor *cursor, const char *key)
{
    uint64_t number = take_field(cursor, key);
    cursor->failed = cursor->failed || number > 65535;
    return (int)number;
}

static int take_depth(struct cursor *cursor, const char *key)
{
    if (!skip(cursor, key))
        return -1;
    if (*cursor->at != '-')
        return take_small(cursor, "");
    cursor->at++;
    return -1;
}

static void take_hash(struct cursor *cursor, uint8_t hash[SHA256_BYTES])
{
    char digits[2 * SHA256_BYTES + 1];
    size_t n = cursor->failed ? 0 : strnlen(cursor->at, sizeof digits - 1);
    memcpy(digits, cursor->at, n);
    digits[n] = '\0';
    if (merels_unhex(digits, hash, SHA256_BYTES, NULL) != STATUS_OK)
        cursor->failed = true;
    else
        cursor->at += n;
}

static void take_subspace(struct cursor *cursor, struct subspace *s)
{
    char name[SUBSPACE_NAME_BYTES];
    size_t n = cursor->failed ? 0 : strcspn(cursor->at, " \n");
    cursor->failed = cursor->failed || n >= sizeof name;
    if (cursor->failed)
        return;
    memcpy(name, cursor->at, n);
    name[n] = '\0';
    cursor->failed = merels_subspace_parse(name, s, NULL) != STATUS_OK;
    cursor->at += n;
}

static void take_line(struct cursor *cursor)
{
    size_t n = cursor->failed ? 0 : strcspn(cursor->at, "\n");
    cursor->at += n;
    skip(cursor, "\n");
}

// True if the next line begins so.
static bool stands(const struct cursor *cursor, const char *begin)
{
    return !cursor->failed && strncmp(cursor->at, begin, strlen(begin)) == 0;
}

static void take_stats(struct cursor *cursor, struct table_stats *stats)
{
    stats->win = take_field(cursor, " win=");
    stats->draw = take_field(cursor, " draw=");
    stats->loss = take_field(cursor, " loss=");
    stats->none = take_field(cursor, " none=");
    stats->max_win = take_depth(cursor, " max-win=");
    stats->max_win_slot = take_field(cursor, " max-win-slot=");
    stats->max_loss = take_depth(cursor, " max-loss=");
    stats->max_loss_slot = take_field(cursor, " max-loss-slot=");
}

static void take_entry(struct cursor *cursor, enum edition edition,
                       struct manifest_entry *entry)
{
    struct table_header *header = &entry->header;
    entry->dropped = stands(cursor, "# dropped ");
    skip(cursor, entry->dropped ? "# dropped " : "# table ");
    take_subspace(cursor, &entry->subspace);
    header->subspace = entry->subspace;
    header->edition = edition;
    header->block_slots = merels_edition_block_slots(edition);
    header->version = take_small(cursor, " format=");
    header->value_bytes = take_small(cursor, " width=");
    header->n_slots = take_field(cursor, " slots=");
    header->n_rows = take_field(cursor, " rows=");
    header->n_columns = take_field(cursor, " columns=");
    header->n_orbits = take_field(cursor, " orbits=");
    take_stats(cursor, &header->stats);
    entry->file_bytes = take_field(cursor, " bytes=");
    skip(cursor, " values=");
    take_hash(cursor, header->value_hash);
    skip(cursor, "\n");
    if (entry->dropped)
        return;
    take_hash(cursor, entry->file_hash);
    take_line(cursor); // the name again: compared when the text is written once more
}

static enum edition take_edition(struct cursor *cursor)
{
    skip(cursor, "# edition ");
    size_t n = cursor->failed ? 0 : strcspn(cursor->at, "\n");
    enum edition edition =
        cursor->failed ? (enum edition)0 : merels_edition_named(cursor->at, n);
    cursor->failed = cursor->failed || (!edition_has_depths(edition) && edition != EDITION_WDL);
    take_line(cursor);
    return edition;
}

// " 3-3 4-4" or " -".
static enum status take_starts(struct cursor *cursor, struct manifest *manifest,
                               struct error *err)
{
    enum { MAX_STARTS = (MAX_POINTS + 1) * (MAX_POINTS + 1) };
    manifest->starts = malloc(MAX_STARTS * sizeof *manifest->starts);
    if (manifest->starts == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    skip(cursor, "# complete");
    if (stands(cursor, " -"))
        skip(cursor, " -");
    while (stands(cursor, " ") && manifest->n_starts < MAX_STARTS) {
        struct start *start = &manifest->starts[manifest->n_starts++];
        start->first_men = take_small(cursor, " ");
        start->second_men = take_small(cursor, "-");
    }
    skip(cursor, "\n");
    return STATUS_OK;
}

// Gathers the rules lines into their text. Too long a text fails.
static void take_rules(struct cursor *cursor, char *rules_text)
{
    size_t n = 0;
    while (!cursor->failed && strncmp(cursor->at, "# rules ", 8) == 0) {
        const char *line = cursor->at + 8;
        take_line(cursor);
        size_t n_line = (size_t)(cursor->at - line);
        cursor->failed = cursor->failed || cursor->at < line || n + n_line >= RULES_TEXT_BYTES;
        if (cursor->failed)
            break;
        memcpy(rules_text + n, line, n_line);
        n += n_line;
    }
    rules_text[n] = '\0';
}

static enum status take_entries(struct cursor *cursor, struct manifest *manifest,
                                struct error *err)
{
    uint64_t n = take_field(cursor, "# tables ");
    cursor->failed = cursor->failed || n > MAX_TABLES;
    skip(cursor, "\n");
    if (cursor->failed)
        return STATUS_OK; // reported with everything else that is damaged
    manifest->entries = calloc((size_t)n + 1, sizeof *manifest->entries);
    if (manifest->entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    for (; manifest->n_entries < n && !cursor->failed; manifest->n_entries++)
        take_entry(cursor, manifest->edition, &manifest->entries[manifest->n_entries]);
    skip(cursor, "# root ");
    take_line(cursor);
    return STATUS_OK;
}

// The first edition, and those beside it in their order, each with tables if there is more than
// one.
static enum status take_editions(struct cursor *cursor, struct manifest *manifest,
                                 struct error *err)
{
    struct manifest *at = manifest;
    for (const struct manifest *before = NULL;; before = at, at = at->beside) {
        at->edition = take_edition(cursor);
        if (before != NULL && at->edition <= before->edition)
            cursor->failed = true; // at once: there can be millions of them
        enum status status = take_starts(cursor, at, err);
        if (status == STATUS_OK)
            status = take_entries(cursor, at, err);
        if (status != STATUS_OK || !stands(cursor, "# edition "))
            return status;
        at->beside = calloc(1, sizeof *at->beside);
        if (at->beside == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    }
}

// Optional lines, "#? ...": kept as they are, whatever they say.
static enum status take_notes(struct cursor *cursor, struct manifest *manifest,
                              struct error *err)
{
    const char *begin = cursor->at;
    while (stands(cursor, "#? "))
        take_line(cursor);
    if (cursor->failed || cursor->at == begin)
        return STATUS_OK;
    manifest->notes = strndup(begin, (size_t)(cursor->at - begin));
    return manifest->notes != NULL
               ? STATUS_OK
               : merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
}

static enum status check_version(struct cursor *cursor, const char *path, struct error *err)
{
    uint64_t version = take_field(cursor, first_line);
    if (cursor->failed)
        return merels_error(err, STATUS_CORRUPT, "%s: not a Merels manifest", path);
    if (version > MANIFEST_VERSION)
        return merels_error(err, STATUS_NEWER,
                            "%s: manifest version %" PRIu64 " is newer than this program knows",
                            path, version);
    if (version > 0 && version < MANIFEST_VERSION)
        return merels_error(err, STATUS_OLDER, "%s: manifest version %" PRIu64, path, version);
    skip(cursor, "\n");
    return STATUS_OK;
}

// Fingerprint of the rules and points of the board into every header; order of the entries.
static bool complete_entries(struct manifest *manifest, const uint8_t *digest, int n_points)
{
    for (size_t i = 0; i < manifest->n_entries; i++) {
        struct manifest_entry *entry = &manifest->entries[i];
        memcpy(entry->header.fingerprint, digest, FINGERPRINT_BYTES);
        entry->header.n_points = n_points;
        if (i > 0 && merels_subspace_compare(entry[-1].subspace, entry->subspace) >= 0)
            return false;
    }
    return true;
}

static bool complete(struct manifest *manifest, const char *rules_text)
{
    uint8_t digest[SHA256_BYTES];
    int n_points = 0;
    if (merels_sha256(rules_text, strlen(rules_text), digest, NULL) != STATUS_OK)
        return false;
    if (strncmp(rules_text, "points ", 7) == 0)
        n_points = (int)(strcspn(rules_text, "\n") - 6) / 3;
    for (struct manifest *at = manifest; at != NULL; at = at->beside) {
        bool in_order = at->beside == NULL || (at->edition < at->beside->edition &&
                                               at->n_entries > 0 && at->beside->n_entries > 0);
        if (!in_order || !complete_entries(at, digest, n_points))
            return false;
    }
    return true;
}

// The number of the line in which a place stands, from 1.
static size_t line_of(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

// The line in which two texts begin to differ.
static size_t first_difference(const char *x, size_t n_x, const char *y, size_t n_y)
{
    size_t n = 0;
    while (n < n_x && n < n_y && x[n] == y[n])
        n++;
    return line_of(x, x + n);
}

// Takes all fields; a cursor that failed has met something else.
static enum status take_all(struct cursor *cursor, struct manifest *manifest, char *rules_text,
                            struct error *err)
{
    skip(cursor, "# fingerprint ");
    take_line(cursor);
    take_rules(cursor, rules_text);
    enum status status = take_editions(cursor, manifest, err);
    return status == STATUS_OK ? take_notes(cursor, manifest, err) : status;
}

enum status merels_manifest_read_text(const char *text, size_t n_bytes, const char *path,
                                      struct manifest *manifest, char *rules_text,
                                      struct error *err)
{
    struct cursor cursor = {text, false};
    *manifest = (struct manifest){.edition = EDITION_DTM};
    rules_text[0] = '\0';
    enum status status = check_version(&cursor, path, err);
    if (status == STATUS_OK)
        status = take_all(&cursor, manifest, rules_text, err);
    if (status != STATUS_OK)
        return status;
    char *again = NULL;
    size_t n_again = 0;
    if (cursor.failed || !complete(manifest, rules_text))
        return merels_error(err, STATUS_CORRUPT, "%s: damaged in or near line %zu", path,
                            line_of(text, cursor.at));
    status = merels_manifest_write_text(manifest, rules_text, &again, &n_again, err);
    if (status == STATUS_OK && (n_again != n_bytes || memcmp(again, text, n_bytes) != 0))
        status = merels_error(err, STATUS_CORRUPT,
                              "%s: damaged: line %zu does not agree with the others", path,
                              first_difference(text, n_bytes, again, n_again));
    free(again);
    return status;
}
