// command_list.c: merels list: the files of a tablebase as its manifest has them, and what
// differs.

#include <stdlib.h>
#include <string.h>

#include "db/manifest.h"
#include "query/command.h"

enum { HASH_TEXT_BYTES = 2 * SHA256_BYTES + 1 };

// The manifest beside what is in the directory. A file has one of three states.
struct listing {
    struct manifest manifest;
    struct subspace *present; // files in the directory, in listing order
    size_t n_present;
    size_t n_missing; // in the manifest, not in the directory
    size_t n_extra;   // in the directory, not in the manifest
};

static bool is_present(const struct listing *listing, struct subspace s)
{
    return merels_subspace_among(listing->present, listing->n_present, s);
}

static bool is_listed(const struct listing *listing, struct subspace s)
{
    return merels_manifest_find(&listing->manifest, s) != NULL;
}

static void count_differences(struct listing *listing)
{
    for (size_t i = 0; i < listing->manifest.n_entries; i++)
        listing->n_missing += !is_present(listing, listing->manifest.entries[i].subspace);
    for (size_t i = 0; i < listing->n_present; i++)
        listing->n_extra += !is_listed(listing, listing->present[i]);
}

static enum status read_listing(const struct context *context, struct listing *listing,
                                struct error *err)
{
    enum status status =
        merels_tablebase_list(context->base, &listing->present, &listing->n_present, err);
    if (status == STATUS_OK)
        status = merels_manifest_read(context->dir, context->rules, &listing->manifest, err);
    if (status == STATUS_OK)
        count_differences(listing);
    return status;
}

static void free_listing(struct listing *listing)
{
    merels_manifest_free(&listing->manifest);
    free(listing->present);
}

// ---- printing ------------------------------------------------------------------------------

static void print_entry(const struct listing *listing, const struct manifest_entry *entry,
                        struct output *out)
{
    char name[SUBSPACE_NAME_BYTES], values[HASH_TEXT_BYTES], file[HASH_TEXT_BYTES];
    merels_subspace_name(entry->subspace, name);
    merels_hex(entry->header.value_hash, SHA256_BYTES, values);
    merels_hex(entry->file_hash, SHA256_BYTES, file);
    merels_print(out, "%s.mtb\t%s\t%s\t%llu\t%s\t%s\t%s\n", name, name,
                 merels_edition_name(entry->header.edition),
                 (unsigned long long)entry->file_bytes, values, file,
                 is_present(listing, entry->subspace) ? "there" : "missing");
}

static void print_listing(const struct listing *listing, struct output *out)
{
    char name[SUBSPACE_NAME_BYTES], root[HASH_TEXT_BYTES];
    merels_print(out, "file\tsubspace\tedition\tbytes\tvalue_hash\tfile_hash\tstate\n");
    for (size_t i = 0; i < listing->manifest.n_entries; i++)
        print_entry(listing, &listing->manifest.entries[i], out);
    for (size_t i = 0; i < listing->n_present; i++)
        if (!is_listed(listing, listing->present[i])) {
            merels_subspace_name(listing->present[i], name);
            merels_print(out, "%s.mtb\t%s\t-\t-\t-\t-\tnot in the manifest\n", name, name);
        }
    merels_hex(listing->manifest.root_hash, SHA256_BYTES, root);
    merels_print(out, "root hash %s\n", root);
}

static json_t *entry_json(const struct listing *listing, const struct manifest_entry *entry)
{
    char name[SUBSPACE_NAME_BYTES], values[HASH_TEXT_BYTES], file[HASH_TEXT_BYTES];
    char file_name[SUBSPACE_NAME_BYTES + 4];
    merels_subspace_name(entry->subspace, name);
    snprintf(file_name, sizeof file_name, "%s.mtb", name);
    merels_hex(entry->header.value_hash, SHA256_BYTES, values);
    merels_hex(entry->file_hash, SHA256_BYTES, file);
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:b}", "file", file_name, "subspace", name,
                     "edition", merels_edition_name(entry->header.edition), "bytes",
                     (json_int_t)entry->file_bytes, "value_hash", values, "file_hash", file,
                     "present", (int)is_present(listing, entry->subspace));
}

static json_t *entries_json(const struct listing *listing)
{
    json_t *list = json_array();
    for (size_t i = 0; i < listing->manifest.n_entries; i++)
        if (json_array_append_new(list, entry_json(listing, &listing->manifest.entries[i]))) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *extra_json(const struct listing *listing)
{
    json_t *list = json_array();
    for (size_t i = 0; i < listing->n_present; i++) {
        char file[SUBSPACE_NAME_BYTES + 4];
        if (is_listed(listing, listing->present[i]))
            continue;
        strcpy(file + merels_subspace_name(listing->present[i], file), ".mtb");
        if (json_array_append_new(list, json_string(file)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static enum status print_json(const struct context *context, const struct listing *listing,
                              struct output *out, struct error *err)
{
    char root[HASH_TEXT_BYTES];
    merels_hex(listing->manifest.root_hash, SHA256_BYTES, root);
    json_t *object = json_pack("{s:s, s:s, s:o, s:o, s:o, s:s}", "rules", context->variant.text,
                               "fingerprint", context->variant.fingerprint, "directory",
                               merels_json_text(context->dir), "files", entries_json(listing),
                               "not_in_manifest", extra_json(listing), "root_hash", root);
    return merels_print_json(out, object, false, err);
}

static enum status print_and_judge(const struct context *context, const struct listing *listing,
                                   struct error *err)
{
    if (!context->args->json)
        print_listing(listing, context->out);
    else if (print_json(context, listing, context->out, err) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (listing->n_missing + listing->n_extra == 0)
        return STATUS_OK;
    return merels_error(
        err, STATUS_MISMATCH,
        "%s: files of the manifest that are missing: %zu; files that are not in "
        "the manifest: %zu",
        context->dir, listing->n_missing, listing->n_extra);
}

static enum status run_list(struct context *context, struct error *err)
{
    struct listing listing = {0};
    enum status status = read_listing(context, &listing, err);
    if (status == STATUS_OK)
        status = print_and_judge(context, &listing, err);
    free_listing(&listing);
    return status;
}

const struct command merels_command_list = {
    .name = "list",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_TABLES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_JSON),
    .summary = "list the files of a tablebase with their hashes",
    .details =
        "Tab-separated lines from the manifest: file, subspace, edition, bytes, hash of\n"
        "the uncompressed values, hash of the file, and whether the file is there; then\n"
        "the root hash, the identity of the whole tablebase. Exit status 1 if files of\n"
        "the manifest are missing or other tables lie beside them. The files are not\n"
        "read.",
    .example = "  merels list nine\n"
               "  merels list nine --db /data/nine --json",
    .run = run_list,
};
