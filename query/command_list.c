// command_list.c: merels list: the files of a tablebase as its manifest has them, and what
// differs.

#include <stdlib.h>
#include <string.h>

#include "db/manifest.h"
#include "query/command.h"
#include "query/listing.h"

enum { HASH_TEXT_BYTES = 2 * SHA256_BYTES + 1 };

// The manifest beside what is in the directory. A file has one of three states.
struct inventory {
    struct manifest manifest;
    struct subspace *present; // files in the directory, in inventory order
    size_t n_present;
    size_t n_missing; // in the manifest, not in the directory
    size_t n_extra;   // in the directory, not in the manifest
};

static bool is_present(const struct inventory *inventory, struct subspace s)
{
    return merels_subspace_among(inventory->present, inventory->n_present, s);
}

static bool is_listed(const struct inventory *inventory, struct subspace s)
{
    return merels_manifest_find(&inventory->manifest, s) != NULL;
}

static void count_differences(struct inventory *inventory)
{
    for (size_t i = 0; i < inventory->manifest.n_entries; i++)
        inventory->n_missing += !is_present(inventory, inventory->manifest.entries[i].subspace);
    for (size_t i = 0; i < inventory->n_present; i++)
        inventory->n_extra += !is_listed(inventory, inventory->present[i]);
}

static enum status read_inventory(const struct context *context, struct inventory *inventory,
                                  struct error *err)
{
    enum status status =
        merels_tablebase_list(context->base, &inventory->present, &inventory->n_present, err);
    if (status == STATUS_OK)
        status = merels_manifest_read(context->dir, context->rules, &inventory->manifest, err);
    if (status == STATUS_OK)
        count_differences(inventory);
    return status;
}

static void free_inventory(struct inventory *inventory)
{
    merels_manifest_free(&inventory->manifest);
    free(inventory->present);
}

// ---- printing ------------------------------------------------------------------------------

static const struct column columns[] = {
    {"file", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"subspace", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"edition", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"bytes", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"value_hash", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"file_hash", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"state", .kind = COLUMN_TEXT, .forms = IN_TEXT | IN_TSV},
    {"present", .kind = COLUMN_FLAG, .forms = IN_JSON},
};

enum {
    FILE_NAME_BYTES = SUBSPACE_NAME_BYTES + 4,
    N_COLUMNS = sizeof columns / sizeof *columns
};

static const char *file_name(struct subspace s, char out[FILE_NAME_BYTES])
{
    strcpy(out + merels_subspace_name(s, out), ".mtb");
    return out;
}

static enum status add_entry(struct listing *listing, const struct manifest_entry *entry,
                             bool present, struct error *err)
{
    char file[FILE_NAME_BYTES], name[SUBSPACE_NAME_BYTES];
    char values[HASH_TEXT_BYTES], bytes[HASH_TEXT_BYTES];
    merels_subspace_name(entry->subspace, name);
    merels_hex(entry->header.value_hash, SHA256_BYTES, values);
    merels_hex(entry->file_hash, SHA256_BYTES, bytes);
    const struct cell cells[N_COLUMNS] = {cell_text(file_name(entry->subspace, file)),
                                          cell_text(name),
                                          cell_text(merels_edition_name(entry->header.edition)),
                                          cell_number(entry->file_bytes),
                                          cell_text(values),
                                          cell_text(bytes),
                                          cell_text(present ? "there" : "missing"),
                                          cell_flag(present)};
    return merels_listing_add(listing, cells, err);
}

// A file that the manifest does not have.
static enum status add_extra(struct listing *listing, struct subspace s, struct error *err)
{
    char file[FILE_NAME_BYTES], name[SUBSPACE_NAME_BYTES];
    const struct cell none = cell_text(NULL);
    merels_subspace_name(s, name);
    const struct cell cells[N_COLUMNS] = {
        cell_text(file_name(s, file)),    cell_text(name), none, none, none, none,
        cell_text("not in the manifest"), cell_flag(true)};
    return merels_listing_add(listing, cells, err);
}

static enum status add_entries(struct listing *listing, const struct inventory *inventory,
                               struct error *err)
{
    enum status status = STATUS_OK;
    const struct manifest *manifest = &inventory->manifest;
    for (size_t i = 0; status == STATUS_OK && i < manifest->n_entries; i++)
        status = add_entry(listing, &manifest->entries[i],
                           is_present(inventory, manifest->entries[i].subspace), err);
    return status;
}

static enum status print_tsv(struct listing *listing, const struct inventory *inventory,
                             struct output *out, struct error *err)
{
    char root[HASH_TEXT_BYTES];
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < inventory->n_present; i++)
        if (!is_listed(inventory, inventory->present[i]))
            status = add_extra(listing, inventory->present[i], err);
    if (status != STATUS_OK)
        return status;
    merels_listing_print_tsv(listing, true, out);
    merels_hex(inventory->manifest.root_hash, SHA256_BYTES, root);
    merels_print(out, "root hash %s\n", root);
    return STATUS_OK;
}

static json_t *extra_json(const struct inventory *inventory)
{
    json_t *list = json_array();
    for (size_t i = 0; i < inventory->n_present; i++) {
        char file[FILE_NAME_BYTES];
        if (is_listed(inventory, inventory->present[i]))
            continue;
        if (json_array_append_new(list, json_string(file_name(inventory->present[i], file)))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static enum status print_json(const struct context *context, const struct listing *listing,
                              const struct inventory *inventory, struct error *err)
{
    char root[HASH_TEXT_BYTES];
    merels_hex(inventory->manifest.root_hash, SHA256_BYTES, root);
    json_t *object =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:s}", "rules", context->variant.text,
                  "fingerprint", context->variant.fingerprint, "directory",
                  merels_json_text(context->dir), "files", merels_listing_json(listing),
                  "not_in_manifest", extra_json(inventory), "root_hash", root);
    return merels_print_json(context->out, object, false, err);
}

static enum status print_inventory(const struct context *context,
                                   const struct inventory *inventory, struct error *err)
{
    struct listing *listing;
    enum status status = merels_listing_create(columns, N_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = add_entries(listing, inventory, err);
    if (status == STATUS_OK)
        status = context->args->json ? print_json(context, listing, inventory, err)
                                     : print_tsv(listing, inventory, context->out, err);
    merels_listing_destroy(listing);
    return status;
}

static enum status print_and_judge(const struct context *context,
                                   const struct inventory *inventory, struct error *err)
{
    enum status status = print_inventory(context, inventory, err);
    if (status != STATUS_OK)
        return status;
    if (inventory->n_missing + inventory->n_extra == 0)
        return STATUS_OK;
    return merels_error(
        err, STATUS_MISMATCH,
        "%s: files of the manifest that are missing: %zu; files that are not in "
        "the manifest: %zu",
        context->dir, inventory->n_missing, inventory->n_extra);
}

static enum status run_list(struct context *context, struct error *err)
{
    struct inventory inventory = {0};
    enum status status = read_inventory(context, &inventory, err);
    if (status == STATUS_OK)
        status = print_and_judge(context, &inventory, err);
    free_inventory(&inventory);
    return status;
}

const struct command merels_command_list = {
    .name = "list",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_TABLES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_TSV) | TAKES(OPTION_JSON),
    .summary = "list the files of a tablebase with their hashes",
    .details =
        "Tab-separated lines from the manifest (also with --tsv): file, subspace, edition, "
        "bytes, hash of\n"
        "the uncompressed values, hash of the file, and whether the file is there; then\n"
        "the root hash, the identity of the whole tablebase. Exit status 1 if files of\n"
        "the manifest are missing or other tables lie beside them. The files are not\n"
        "read.",
    .example = "  merels list nine\n"
               "  merels list nine --db /data/nine --json",
    .run = run_list,
};
