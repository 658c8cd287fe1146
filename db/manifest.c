// manifest.c: DIR/MANIFEST: reading and checking it, and adding a finished table.

#include "db/manifest.h"

#include <stdlib.h>
#include <string.h>

#include "db/directory_source.h"
#include "db/file.h"
#include "db/manifest_text.h"
#include "db/reader.h"
#include "game/rules_text.h"

enum { MAX_MANIFEST_BYTES = 64 << 20, HASH_BYTES = 1 << 18 };

static const char manifest_name[] = "MANIFEST";

void merels_manifest_free(struct manifest *manifest)
{
    free(manifest->entries);
    *manifest = (struct manifest){0};
}

// ---- reading -------------------------------------------------------------------------------

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
        merels_edition_has_width(entry->header.edition, entry->header.value_bytes))
        return STATUS_OK;
    status = STATUS_CORRUPT;
    return merels_error(err, status, "%s: table %s: impossible numbers", path, name);
}

static enum status parse(const char *text, size_t n_bytes, const struct rules *rules,
                         const char *path, struct manifest *manifest, struct error *err)
{
    char found[RULES_TEXT_BYTES], wanted[RULES_TEXT_BYTES];
    enum status status = merels_manifest_read_text(text, n_bytes, path, manifest, found, err);
    if (status == STATUS_OK && rules != NULL) {
        merels_rules_text(rules, wanted);
        if (strcmp(found, wanted) != 0)
            status = merels_error(err, STATUS_OTHER_RULES, "%s: made for other rules", path);
    }
    for (size_t i = 0; status == STATUS_OK && i < manifest->n_entries; i++)
        status = check_entry(rules, &manifest->entries[i], path, err);
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
                            struct manifest_entry *entry, struct error *err)
{
    struct table *table;
    char *path = NULL, name[SUBSPACE_NAME_BYTES];
    enum status status = merels_table_open(dir, rules, s, &table, err);
    if (status != STATUS_OK)
        return status;
    *entry = (struct manifest_entry){.subspace = s,
                                     .file_bytes = merels_table_file_bytes(table),
                                     .header = *merels_table_header(table)};
    merels_table_close(table);
    merels_subspace_name(s, name);
    status = merels_path_join(dir, name, ".mtb", &path, err);
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

enum status merels_manifest_check(const char *dir, const struct rules *rules,
                                  const struct manifest *manifest, struct error *err)
{
    for (size_t k = 0; k < manifest->n_entries; k++) {
        const struct manifest_entry *listed = &manifest->entries[k];
        struct manifest_entry found;
        char name[SUBSPACE_NAME_BYTES];
        merels_subspace_name(listed->subspace, name);
        enum status status = describe(dir, rules, listed->subspace, &found, err);
        if (status == STATUS_MISSING)
            return merels_error(err, status, "missing: %s/%s.mtb, which MANIFEST lists", dir,
                                name);
        if (status != STATUS_OK)
            return status;
        if (found.file_bytes != listed->file_bytes ||
            memcmp(found.file_hash, listed->file_hash, SHA256_BYTES) != 0)
            return merels_error(err, STATUS_CORRUPT,
                                "%s/%s.mtb: not the file that MANIFEST lists", dir, name);
    }
    return STATUS_OK;
}

// A tablebase is of one edition; the first table decides.
static enum status check_mixing(const char *dir, struct manifest *manifest,
                                const struct manifest_entry *entry, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    enum edition edition = entry->header.edition;
    if (manifest->n_entries == 0)
        manifest->edition = edition;
    if (manifest->edition == edition)
        return STATUS_OK;
    merels_subspace_name(entry->subspace, name);
    return merels_error(
        err, STATUS_BAD_INPUT, "%s: table %s is of edition %s, the others are of edition %s",
        dir, name, merels_edition_name(edition), merels_edition_name(manifest->edition));
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

static enum status write_manifest(const char *dir, const struct rules *rules,
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

enum status merels_manifest_add(const char *dir, const struct rules *rules,
                                struct subspace subspace, struct error *err)
{
    struct manifest manifest = {.edition = EDITION_DTM};
    struct manifest_entry entry;
    struct error cause;
    enum status status = merels_manifest_read(dir, rules, &manifest, &cause);
    if (status != STATUS_OK && status != STATUS_MISSING)
        return merels_error(err, status, "%s", cause.text);
    status = describe(dir, rules, subspace, &entry, err);
    if (status == STATUS_OK)
        status = check_mixing(dir, &manifest, &entry, err);
    if (status == STATUS_OK)
        status = insert(&manifest, &entry, err);
    if (status == STATUS_OK)
        status = write_manifest(dir, rules, &manifest, err);
    merels_manifest_free(&manifest);
    return status;
}
