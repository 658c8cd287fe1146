// manifest.c: DIR/MANIFEST: reading and checking it, and adding a finished table.

#include "db/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "db/block_index.h"
#include "db/directory_source.h"
#include "db/file.h"
#include "db/manifest_text.h"
#include "db/reader.h"
#include "db/refusal.h"
#include "db/starts.h"
#include "game/rules_text.h"

enum { MAX_MANIFEST_BYTES = 64 << 20, HASH_BYTES = 1 << 18 };

static const char manifest_name[] = "MANIFEST";

void merels_manifest_free(struct manifest *manifest)
{
    for (struct manifest *at = manifest->beside, *next; at != NULL; at = next) {
        next = at->beside;
        free(at->entries);
        free(at->starts);
        free(at);
    }
    free(manifest->entries);
    free(manifest->starts);
    free(manifest->notes);
    *manifest = (struct manifest){.edition = EDITION_DTM};
}

const struct manifest *merels_manifest_of(const struct manifest *manifest, enum edition edition)
{
    while (manifest != NULL && manifest->edition != edition)
        manifest = manifest->beside;
    return manifest;
}

size_t merels_manifest_dropped(const struct manifest *manifest)
{
    size_t n = 0;
    for (size_t k = 0; k < manifest->n_entries; k++)
        n += manifest->entries[k].dropped;
    return n;
}

const struct manifest *merels_manifest_preferred(const struct manifest *manifest)
{
    for (const struct manifest *at = manifest; at != NULL; at = at->beside)
        if (merels_manifest_dropped(at) == 0)
            return at;
    return manifest;
}

// ---- reading -------------------------------------------------------------------------------

// Length, depths and slots that are no position as a header of these rules may have them.
static bool facts_fit(const struct rules *rules, const struct manifest_entry *entry)
{
    const struct table_header *header = &entry->header;
    uint64_t n_blocks = merels_block_count(header), data = merels_block_index(n_blocks).data;
    uint64_t plain = header->value_bytes == 0 ? header->n_slots / 4 + 1
                                              : header->n_slots * (uint64_t)header->value_bytes;
    int deepest = header->value_bytes == 2 ? WIDE_MAX_DEPTH : MAX_DEPTH;
    return entry->file_bytes >= data + n_blocks && entry->file_bytes <= data + plain &&
           header->stats.max_win <= deepest && header->stats.max_loss <= deepest &&
           (header->stats.none == 0 || rules == NULL || rules->mill == MILL_WINS);
}

static enum status check_entry(const struct rules *rules, const struct manifest_entry *entry,
                               const char *path, struct error *err)
{
    const struct table_layout layout = {.n_blocks = merels_block_count(&entry->header)};
    struct error cause;
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(entry->subspace, name);
    enum status status = merels_header_check(
        &entry->header, &layout, rules != NULL ? &rules->board : NULL, path, &cause);
    if (status == STATUS_OK && entry->header.version == TABLE_VERSION &&
        merels_edition_has_width(entry->header.edition, entry->header.value_bytes) &&
        facts_fit(rules, entry))
        return STATUS_OK;
    status = STATUS_CORRUPT;
    return merels_error(err, status, "%s: table %s: impossible numbers", path, name);
}

static bool same_starts(const struct manifest *x, const struct manifest *y)
{
    bool same = x->n_starts == y->n_starts;
    for (size_t i = 0; i < x->n_starts && same; i++)
        same = x->starts[i].first_men == y->starts[i].first_men &&
               x->starts[i].second_men == y->starts[i].second_men;
    return same;
}

// The tables of one edition: plausible numbers, and the starts that follow from them.
static enum status check_edition(const struct rules *rules, const struct manifest *manifest,
                                 const char *path, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < manifest->n_entries; i++)
        status = check_entry(rules, &manifest->entries[i], path, err);
    if (status != STATUS_OK || rules == NULL)
        return status;
    struct manifest found = *manifest;
    found.starts = NULL;
    status = merels_manifest_find_starts(&found, rules, err);
    if (status == STATUS_OK && !same_starts(manifest, &found))
        status = merels_error(err, STATUS_CORRUPT,
                              "%s: complete for other starts than its tables are", path);
    free(found.starts);
    return status;
}

static enum status parse(const char *text, size_t n_bytes, const struct rules *rules,
                         const char *path, struct manifest *manifest, struct error *err)
{
    char found[RULES_TEXT_BYTES], wanted[RULES_TEXT_BYTES];
    enum status status = merels_manifest_read_text(text, n_bytes, path, manifest, found, err);
    if (status == STATUS_OLDER)
        status = merels_refuse_older(path, rules, err);
    if (status == STATUS_OK && rules != NULL) {
        merels_rules_text(rules, wanted);
        if (strcmp(found, wanted) != 0)
            status = merels_refuse_rules(path, found, rules, err);
    }
    for (const struct manifest *at = manifest; status == STATUS_OK && at != NULL;
         at = at->beside)
        status = check_edition(rules, at, path, err);
    if (status != STATUS_OK)
        merels_manifest_free(manifest);
    return status;
}

enum status merels_manifest_load(const struct byte_source *source, const struct rules *rules,
                                 struct manifest *manifest, struct error *err)
{
    char *path = NULL, *text = NULL;
    size_t n_bytes;
    enum status status = merels_path_join(source->place, manifest_name, "", &path, err);
    if (status == STATUS_OK)
        status =
            merels_source_load(source, manifest_name, MAX_MANIFEST_BYTES, &text, &n_bytes, err);
    if (status == STATUS_OK)
        status = parse(text, n_bytes, rules, path, manifest, err);
    free(text);
    free(path);
    return status;
}

enum status merels_manifest_read(const char *dir, const struct rules *rules,
                                 struct manifest *manifest, struct error *err)
{
    struct directory *directory;
    enum status status = merels_directory_create(dir, 1, &directory, err);
    if (status != STATUS_OK)
        return status;
    status = merels_manifest_load(merels_directory_source(directory), rules, manifest, err);
    merels_directory_destroy(directory);
    return status;
}

// ---- adding --------------------------------------------------------------------------------

static enum status hash_contents(const struct file *file, uint64_t n_bytes, uint8_t *buffer,
                                 uint8_t digest[SHA256_BYTES], struct error *err)
{
    struct sha256 *hash;
    enum status status = merels_sha256_create(&hash, err);
    if (status != STATUS_OK)
        return status;
    for (uint64_t at = 0; status == STATUS_OK && at < n_bytes;) {
        size_t n = n_bytes - at < HASH_BYTES ? (size_t)(n_bytes - at) : HASH_BYTES;
        status = merels_file_read_at(file, at, buffer, n, err);
        if (status == STATUS_OK)
            status = merels_sha256_update(hash, buffer, n, err);
        at += n;
    }
    if (status == STATUS_OK)
        status = merels_sha256_finish(hash, digest, err);
    merels_sha256_destroy(hash);
    return status;
}

static enum status hash_file(const char *path, uint64_t n_bytes, uint8_t digest[SHA256_BYTES],
                             struct error *err)
{
    struct file file;
    uint8_t *buffer = malloc(HASH_BYTES);
    if (buffer == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    enum status status = merels_file_open(path, &file, err);
    if (status == STATUS_OK) {
        status = hash_contents(&file, n_bytes, buffer, digest, err);
        merels_file_drop(&file);
    }
    free(buffer);
    return status;
}

// Everything the manifest says about the finished table of a subspace.
static enum status describe(const char *dir, const struct rules *rules, struct subspace s,
                            enum edition edition, struct manifest_entry *entry,
                            struct error *err)
{
    struct table *table;
    char *path = NULL, name[TABLE_NAME_BYTES];
    enum status status = merels_table_open(dir, rules, s, edition, &table, err);
    if (status != STATUS_OK)
        return status;
    *entry = (struct manifest_entry){.subspace = s,
                                     .file_bytes = merels_table_file_bytes(table),
                                     .header = *merels_table_header(table)};
    merels_table_close(table);
    merels_table_name(s, edition, name);
    status = merels_path_join(dir, name, "", &path, err);
    if (status == STATUS_OK)
        status = hash_file(path, entry->file_bytes, entry->file_hash, err);
    free(path);
    return status;
}

const struct manifest_entry *merels_manifest_find(const struct manifest *manifest,
                                                  struct subspace s)
{
    for (size_t k = 0; k < manifest->n_entries; k++)
        if (merels_subspace_equal(manifest->entries[k].subspace, s))
            return &manifest->entries[k];
    return NULL;
}

enum status merels_manifest_check_table(const char *dir, const struct rules *rules,
                                        const struct manifest_entry *listed, struct error *err)
{
    struct manifest_entry found;
    char name[TABLE_NAME_BYTES];
    enum edition edition = listed->header.edition;
    merels_table_name(listed->subspace, edition, name);
    enum status status = describe(dir, rules, listed->subspace, edition, &found, err);
    if (status == STATUS_MISSING)
        return merels_error(err, status, "missing: %s/%s, which MANIFEST lists", dir, name);
    if (status != STATUS_OK)
        return status;
    if (found.file_bytes != listed->file_bytes ||
        memcmp(found.file_hash, listed->file_hash, SHA256_BYTES) != 0)
        return merels_error(err, STATUS_CORRUPT, "%s/%s: not the file that MANIFEST lists", dir,
                            name);
    return STATUS_OK;
}

enum status merels_manifest_check(const char *dir, const struct rules *rules,
                                  const struct manifest *manifest, struct error *err)
{
    enum status status = STATUS_OK;
    for (size_t k = 0; k < manifest->n_entries && status == STATUS_OK; k++)
        if (!manifest->entries[k].dropped)
            status = merels_manifest_check_table(dir, rules, &manifest->entries[k], err);
    return status;
}

// The tables of an edition, which are put in their place if there were none.
static struct manifest *edition_of(struct manifest *manifest, enum edition edition)
{
    if (manifest->n_entries == 0 && manifest->beside == NULL)
        manifest->edition = edition;
    struct manifest **at = &manifest->beside;
    if (manifest->edition == edition)
        return manifest;
    while (*at != NULL && (*at)->edition < edition)
        at = &(*at)->beside;
    if (*at != NULL && (*at)->edition == edition)
        return *at;
    struct manifest *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    if (manifest->edition < edition) {
        *made = (struct manifest){.edition = edition, .beside = *at};
        *at = made;
        return made;
    }
    *made = *manifest; // the first one gives up its place
    made->notes = NULL;
    *manifest = (struct manifest){.edition = edition, .beside = made, .notes = manifest->notes};
    return manifest;
}

// Puts an entry in its place in listing order, over the one of the same subspace if there is
// one.
static enum status insert(struct manifest *manifest, const struct manifest_entry *entry,
                          struct error *err)
{
    size_t n = manifest->n_entries, at = 0;
    while (at < n &&
           merels_subspace_compare(manifest->entries[at].subspace, entry->subspace) < 0)
        at++;
    if (at == n || !merels_subspace_equal(manifest->entries[at].subspace, entry->subspace)) {
        struct manifest_entry *grown = realloc(manifest->entries, (n + 1) * sizeof *grown);
        if (grown == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
        memmove(&grown[at + 1], &grown[at], (n - at) * sizeof *grown);
        manifest->entries = grown;
        manifest->n_entries = n + 1;
    }
    manifest->entries[at] = *entry;
    return STATUS_OK;
}

enum status merels_manifest_write(const char *dir, const struct rules *rules,
                                  struct manifest *manifest, struct error *err)
{
    char rules_text[RULES_TEXT_BYTES], *text = NULL;
    size_t n_bytes;
    merels_rules_text(rules, rules_text);
    enum status status = merels_manifest_write_text(manifest, rules_text, &text, &n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_replace(dir, manifest_name, text, n_bytes, err);
    free(text);
    return status;
}

enum status merels_manifest_enter(const char *dir, const struct rules *rules,
                                  struct subspace subspace, enum edition edition,
                                  struct manifest *manifest, struct error *err)
{
    struct manifest_entry entry;
    enum status status = describe(dir, rules, subspace, edition, &entry, err);
    if (status != STATUS_OK)
        return status;
    struct manifest *place = edition_of(manifest, edition);
    if (place == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    status = insert(place, &entry, err);
    return status == STATUS_OK ? merels_manifest_find_starts(place, rules, err) : status;
}

// The edition and the number of an entry; NULL if there is none.
static struct manifest *locate(struct manifest *manifest, struct subspace s,
                               enum edition edition, size_t *number)
{
    struct manifest *of = manifest;
    while (of != NULL && of->edition != edition)
        of = of->beside;
    for (size_t k = 0; of != NULL && k < of->n_entries; k++)
        if (merels_subspace_equal(of->entries[k].subspace, s)) {
            *number = k;
            return of;
        }
    return NULL;
}

static enum status not_listed(struct error *err)
{
    return merels_error(err, STATUS_MISSING, "a table that no manifest lists");
}

enum status merels_manifest_drop(const struct rules *rules, struct subspace subspace,
                                 enum edition edition, struct manifest *manifest,
                                 struct error *err)
{
    size_t number;
    struct manifest *of = locate(manifest, subspace, edition, &number);
    if (of == NULL)
        return not_listed(err);
    of->entries[number].dropped = true;
    return merels_manifest_find_starts(of, rules, err);
}

enum status merels_manifest_remove(const struct rules *rules, struct subspace subspace,
                                   enum edition edition, struct manifest *manifest,
                                   struct error *err)
{
    size_t number;
    struct manifest *of = locate(manifest, subspace, edition, &number);
    if (of == NULL)
        return not_listed(err);
    if (of->n_entries == 1 && (of != manifest || of->beside != NULL))
        return merels_error(err, STATUS_UNSUPPORTED,
                            "the only table of an edition beside another one");
    of->n_entries--;
    memmove(&of->entries[number], &of->entries[number + 1],
            (of->n_entries - number) * sizeof *of->entries);
    return merels_manifest_find_starts(of, rules, err);
}

enum status merels_manifest_add(const char *dir, const struct rules *rules,
                                struct subspace subspace, enum edition edition,
                                struct error *err)
{
    struct manifest manifest = {.edition = edition};
    struct error cause;
    enum status status = merels_manifest_read(dir, rules, &manifest, &cause);
    if (status != STATUS_OK && status != STATUS_MISSING)
        return merels_error(err, status, "%s", cause.text);
    status = merels_manifest_enter(dir, rules, subspace, edition, &manifest, err);
    if (status == STATUS_OK)
        status = merels_manifest_write(dir, rules, &manifest, err);
    merels_manifest_free(&manifest);
    return status;
}
