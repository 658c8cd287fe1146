// fuzz_manifest.c: fuzz target: any text as a manifest. What is read is what the writer writes
// for it, to the byte, and its numbers are possible.
//
// The first byte of an input says whether fingerprint, root hashes and checksum are made right
// before: they would hide everything else.

#include "db/manifest_text.h"
#include "db/memory_source.h"
#include "game/rules_text.h"
#include "tests/fuzz/fuzz_tables.h"

enum { STAMPED = 1 };

// ---- seeds ---------------------------------------------------------------------------------

static struct manifest_entry entry_of(const struct rules *rules, struct subspace s,
                                      enum edition edition, int value_bytes)
{
    const struct board *board = &rules->board;
    struct manifest_entry entry = {
        .subspace = s,
        .header = {.version = TABLE_VERSION,
                   .edition = edition,
                   .value_bytes = value_bytes,
                   .n_points = board->n_points,
                   .subspace = s,
                   .block_slots = merels_edition_block_slots(edition),
                   .n_slots = merels_subspace_slots(board, s),
                   .n_rows = merels_subspace_rows(board, s),
                   .n_columns = merels_subspace_columns(board, s),
                   .n_orbits = merels_subspace_orbits(board, s),
                   .stats = {.draw = merels_subspace_orbits(board, s),
                             .max_win = -1,
                             .max_loss = -1}}};
    const struct block_index index = merels_block_index(merels_block_count(&entry.header));
    entry.file_bytes = index.data + index.n_blocks;
    return entry;
}

static struct seed write_seed(uint8_t flags, const char *name, struct manifest *manifest)
{
    char text[RULES_TEXT_BYTES], *out;
    size_t n;
    merels_rules_text(rules_called(name), text);
    demand(merels_manifest_write_text(manifest, text, &out, &n, NULL) == STATUS_OK);
    char *all = malloc(n + 1);
    demand(all != NULL);
    all[0] = (char)flags;
    memcpy(all + 1, out, n);
    free(out);
    return (struct seed){all, n + 1};
}

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    const struct rules *three = rules_called("three"), *nine = rules_called("nine");
    struct manifest_entry entries[3] = {
        entry_of(three, (struct subspace){2, 3, 0, 0}, EDITION_DTM, 1),
        entry_of(three, (struct subspace){3, 2, 0, 0}, EDITION_DTM, 2),
        entry_of(three, (struct subspace){3, 3, 0, 0}, EDITION_DTM, 1)};
    struct manifest_entry wdl = entry_of(three, (struct subspace){3, 3, 0, 0}, EDITION_WDL, 0);
    struct manifest_entry large = entry_of(nine, (struct subspace){9, 9, 0, 0}, EDITION_DTM, 1);
    struct manifest beside = {.edition = EDITION_WDL, .n_entries = 1, .entries = &wdl};
    struct manifest both = {
        .edition = EDITION_DTM, .n_entries = 3, .entries = entries, .beside = &beside};
    struct manifest one = {.edition = EDITION_DTM, .n_entries = 1, .entries = &large};
    struct manifest none = {.edition = EDITION_DTM};
    entries[1].dropped = true;
    demand(room >= 6);
    for (size_t flags = 0; flags < 2; flags++) {
        seeds[3 * flags] = write_seed((uint8_t)flags, "three", &both);
        seeds[3 * flags + 1] = write_seed((uint8_t)flags, "nine", &one);
        seeds[3 * flags + 2] = write_seed((uint8_t)flags, "three", &none);
    }
    return 6;
}

// ---- making hashes right -------------------------------------------------------------------

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void put_hash(char *line, size_t skip, const void *bytes, size_t n, size_t n_hash)
{
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    demand(merels_sha256(n > 0 ? bytes : "", n, digest, NULL) == STATUS_OK);
    merels_hex(digest, n_hash, hex);
    if (strcspn(line, "\n") == skip + 2 * n_hash)
        memcpy(line + skip, hex, 2 * n_hash);
}

// "# rules ..." lines without their beginning.
static size_t gather_rules(const char *text, char *out)
{
    size_t n = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t length = strcspn(line, "\n");
        if (!begins(line, "# rules "))
            continue;
        memcpy(out + n, line + 8, length - 8);
        n += length - 8;
        out[n++] = '\n';
    }
    return n;
}

static size_t add_table(const char *line, const char *fingerprint, char *out)
{
    const char *name = strchr(line + 2, ' ') + 1, *values = strstr(line, " values=");
    size_t n_name = strcspn(name, " \n"), n_line = strcspn(line, "\n");
    if (values == NULL || values > line + n_line)
        return 0;
    values += 8;
    int n = snprintf(out, 1024, "%s %.*s %.*s\n", fingerprint, (int)n_name, name,
                     (int)strcspn(values, "\n"), values);
    return n < 1024 ? (size_t)n : 0;
}

static void stamp_manifest(char *text, size_t n)
{
    char *lines = malloc(2 * n + 64), *line = text, fingerprint[2 * FINGERPRINT_BYTES + 1] = "";
    size_t n_rules, n_lines = 0;
    demand(lines != NULL);
    n_rules = gather_rules(text, lines);
    for (; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (begins(line, "# fingerprint ")) {
            put_hash(line, 14, lines, n_rules, FINGERPRINT_BYTES);
            memcpy(fingerprint, line + 14, strnlen(line + 14, 2 * FINGERPRINT_BYTES));
        } else if (begins(line, "# edition ")) {
            n_lines = 0;
        } else if ((begins(line, "# table ") || begins(line, "# dropped ")) && n > 1024 &&
                   n_lines < n - 1024) {
            n_lines += add_table(line, fingerprint, lines + n_lines);
        } else if (begins(line, "# root ")) {
            put_hash(line, 7, lines, n_lines, SHA256_BYTES);
        } else if (begins(line, "# checksum ") && strcspn(line, "\n") == 11 + 16) {
            char sum[17];
            snprintf(sum, sizeof sum, "%016llx",
                     (unsigned long long)merels_xxh64(text, (size_t)(line - text)));
            memcpy(line + 11, sum, 16);
        }
    }
    free(lines);
}

// ---- the target ----------------------------------------------------------------------------

static void read_text(const char *text, size_t n)
{
    char rules_text[RULES_TEXT_BYTES], *again = NULL;
    size_t n_again = 0;
    struct manifest manifest;
    struct error err = {.text = ""};
    enum status status =
        merels_manifest_read_text(text, n, "MANIFEST", &manifest, rules_text, &err);
    if (status == STATUS_OK) {
        fuzz_accepted++;
        demand(merels_manifest_write_text(&manifest, rules_text, &again, &n_again, NULL) ==
               STATUS_OK);
        demand(n_again == n && memcmp(again, text, n) == 0);
        free(again);
    } else {
        demand(strncmp(err.text, "MANIFEST", 8) == 0);
    }
    merels_manifest_free(&manifest);
}

// As a tablebase reads it: against rules.
static void load(const char *text, size_t n, const struct rules *rules)
{
    const struct memory_piece piece = {"MANIFEST", text, n};
    const struct memory_pieces pieces = {1, &piece};
    const struct byte_source source = merels_memory_source(&pieces);
    struct manifest manifest;
    struct error err = {.text = ""};
    if (merels_manifest_load(&source, rules, &manifest, &err) != STATUS_OK) {
        demand(err.text[0] != '\0');
        return;
    }
    for (const struct manifest *at = &manifest; at != NULL; at = at->beside)
        for (size_t k = 0; k < at->n_entries; k++) {
            const struct table_header *header = &at->entries[k].header;
            demand(header->n_slots == header->n_rows * header->n_columns);
            demand(header->stats.win + header->stats.draw + header->stats.loss +
                       header->stats.none ==
                   header->n_orbits);
        }
    merels_manifest_free(&manifest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    char *text = text_of_input(data + 1, size - 1);
    if (data[0] & STAMPED)
        stamp_manifest(text, size - 1);
    read_text(text, size - 1);
    load(text, size - 1, NULL);
    load(text, size - 1, rules_called("three"));
    load(text, size - 1, rules_called("nine"));
    free(text);
    return 0;
}
