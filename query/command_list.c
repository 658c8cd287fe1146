// command_list.c: merels list: the files of a tablebase as its manifest has them, and what
// differs.

#include <stdlib.h>
#include <string.h>

#include "db/manifest.h"
#include "query/command.h"
#include "query/compact_facts.h"
#include "query/listing.h"

enum { HASH_TEXT_BYTES = 2 * SHA256_BYTES + 1 };

// The tables of one edition in the manifest beside the files in the directory. A file has one
// of three states.
struct inventory {
    const struct manifest *manifest;
    struct subspace *present; // files in the directory, in listing order
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
    return merels_manifest_find(inventory->manifest, s) != NULL;
}

static void count_differences(struct inventory *inventory)
{
    const struct manifest *manifest = inventory->manifest;
    for (size_t i = 0; i < manifest->n_entries; i++)
        inventory->n_missing += !manifest->entries[i].dropped &&
                                !is_present(inventory, manifest->entries[i].subspace);
    for (size_t i = 0; i < inventory->n_present; i++)
        inventory->n_extra += !is_listed(inventory, inventory->present[i]);
}

static enum status take_stock(const struct context *context, const struct manifest *manifest,
                              struct inventory *inventory, struct error *err)
{
    *inventory = (struct inventory){.manifest = manifest};
    merels_tablebase_choose(context->base, manifest->edition);
    enum status status =
        merels_tablebase_list(context->base, &inventory->present, &inventory->n_present, err);
    if (status == STATUS_OK)
        count_differences(inventory);
    return status;
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

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static enum status add_entry(struct listing *listing, const struct manifest_entry *entry,
                             bool present, struct error *err)
{
    char file[TABLE_NAME_BYTES], name[SUBSPACE_NAME_BYTES];
    char values[HASH_TEXT_BYTES], bytes[HASH_TEXT_BYTES];
    merels_subspace_name(entry->subspace, name);
    merels_table_name(entry->subspace, entry->header.edition, file);
    merels_hex(entry->header.value_hash, SHA256_BYTES, values);
    merels_hex(entry->file_hash, SHA256_BYTES, bytes);
    const char *state = entry->dropped ? "not kept" : present ? "there" : "missing";
    const struct cell cells[N_COLUMNS] = {cell_text(file),
                                          cell_text(name),
                                          cell_text(merels_edition_name(entry->header.edition)),
                                          cell_number(entry->file_bytes),
                                          cell_text(values),
                                          cell_text(entry->dropped ? NULL : bytes),
                                          cell_text(state),
                                          cell_flag(present)};
    return merels_listing_add(listing, cells, err);
}

// A file that the manifest does not have.
static enum status add_extra(struct listing *listing, struct subspace s, enum edition edition,
                             struct error *err)
{
    char file[TABLE_NAME_BYTES], name[SUBSPACE_NAME_BYTES];
    const struct cell none = cell_text(NULL);
    merels_subspace_name(s, name);
    merels_table_name(s, edition, file);
    const struct cell cells[N_COLUMNS] = {cell_text(file),
                                          cell_text(name),
                                          none,
                                          none,
                                          none,
                                          none,
                                          cell_text("not in the manifest"),
                                          cell_flag(true)};
    return merels_listing_add(listing, cells, err);
}

// What is listed; and in text, what is not.
static enum status add_files(struct listing *listing, const struct inventory *inventory,
                             bool with_extra, struct error *err)
{
    enum status status = STATUS_OK;
    const struct manifest *manifest = inventory->manifest;
    for (size_t i = 0; status == STATUS_OK && i < manifest->n_entries; i++)
        status = add_entry(listing, &manifest->entries[i],
                           is_present(inventory, manifest->entries[i].subspace), err);
    for (size_t i = 0; with_extra && status == STATUS_OK && i < inventory->n_present; i++)
        if (!is_listed(inventory, inventory->present[i]))
            status = add_extra(listing, inventory->present[i], manifest->edition, err);
    return status;
}

static void print_roots(const struct manifest *manifest, struct output *out)
{
    char root[HASH_TEXT_BYTES];
    for (const struct manifest *at = manifest; at != NULL; at = at->beside) {
        merels_hex(at->root_hash, SHA256_BYTES, root);
        merels_print(out, "root hash %s%s%s\n", root, at == manifest ? "" : " edition ",
                     at == manifest ? "" : merels_edition_name(at->edition));
    }
}

static enum status append_extra(json_t *list, const struct inventory *inventory,
                                struct error *err)
{
    for (size_t i = 0; i < inventory->n_present; i++) {
        char file[TABLE_NAME_BYTES];
        if (is_listed(inventory, inventory->present[i]))
            continue;
        merels_table_name(inventory->present[i], inventory->manifest->edition, file);
        if (json_array_append_new(list, json_string(file)) != 0)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for the list");
    }
    return STATUS_OK;
}

static json_t *roots_json(const struct manifest *manifest)
{
    char root[HASH_TEXT_BYTES];
    json_t *roots = json_object();
    for (const struct manifest *at = manifest; at != NULL; at = at->beside) {
        merels_hex(at->root_hash, SHA256_BYTES, root);
        if (json_object_set_new(roots, merels_edition_name(at->edition), json_string(root))) {
            json_decref(roots);
            return NULL;
        }
    }
    return roots;
}

static enum status print_json(const struct context *context, const struct listing *listing,
                              const struct manifest *manifest, json_t *extra, struct error *err)
{
    char root[HASH_TEXT_BYTES];
    merels_hex(manifest->root_hash, SHA256_BYTES, root);
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:o, s:O, s:s, s:o}", "rules", context->variant.text, "fingerprint",
        context->variant.fingerprint, "directory", merels_json_text(context->dir), "files",
        merels_listing_json(listing), "not_in_manifest", extra, "root_hash", root,
        "root_hashes", roots_json(manifest));
    return merels_print_json(context->out, object, false, err);
}

// ---- all editions --------------------------------------------------------------------------

// The files of all editions, and how many differ.
struct stock {
    struct listing *listing;
    json_t *extra; // names of files that are not in the manifest
    size_t n_missing, n_extra;
};

static enum status add_edition(const struct context *context, const struct manifest *manifest,
                               struct stock *stock, struct error *err)
{
    struct inventory inventory;
    enum status status = take_stock(context, manifest, &inventory, err);
    if (status == STATUS_OK)
        status = add_files(stock->listing, &inventory, !context->args->json, err);
    if (status == STATUS_OK)
        status = append_extra(stock->extra, &inventory, err);
    stock->n_missing += inventory.n_missing;
    stock->n_extra += inventory.n_extra;
    free(inventory.present);
    return status;
}

static enum status print_stock(const struct context *context, const struct manifest *manifest,
                               const struct stock *stock, struct error *err)
{
    if (context->args->json)
        return print_json(context, stock->listing, manifest, stock->extra, err);
    merels_listing_print_tsv(stock->listing, true, context->out);
    print_roots(manifest, context->out);
    return STATUS_OK;
}

static enum status list_editions(const struct context *context, const struct manifest *manifest,
                                 struct stock *stock, struct error *err)
{
    enum status status = STATUS_OK;
    for (const struct manifest *at = manifest; status == STATUS_OK && at != NULL;
         at = at->beside)
        status = add_edition(context, at, stock, err);
    if (status == STATUS_OK)
        status = print_stock(context, manifest, stock, err);
    if (status != STATUS_OK || stock->n_missing + stock->n_extra == 0)
        return status;
    return merels_error(
        err, STATUS_MISMATCH,
        "%s: files of the manifest that are missing: %zu; files that are not in "
        "the manifest: %zu",
        context->dir, stock->n_missing, stock->n_extra);
}

// Of edition compact there is one file, without a manifest: one line, for which it is read.
static enum status add_compact(struct listing *listing, const struct compact_facts *facts,
                               struct error *err)
{
    char words[64], hash[HASH_TEXT_BYTES];
    const struct cell none = cell_text(NULL);
    snprintf(words, sizeof words, "%zu subspaces", facts->n_subspaces);
    merels_hex(facts->file_hash, SHA256_BYTES, hash);
    const struct cell cells[N_COLUMNS] = {
        cell_text(facts->path),
        cell_text(words),
        cell_text("compact"),
        cell_number(facts->n_bytes),
        none,
        cell_text(hash),
        cell_text(facts->damage.status == STATUS_OK ? "there" : "damaged"),
        cell_flag(true)};
    return merels_listing_add(listing, cells, err);
}

static enum status print_compact(const struct context *context,
                                 const struct compact_facts *facts, struct error *err)
{
    struct listing *listing;
    enum status status = merels_listing_create(columns, N_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = add_compact(listing, facts, err);
    if (status == STATUS_OK && context->args->json)
        status = merels_print_json(context->out,
                                   json_pack("{s:s, s:s, s:o}", "rules", context->variant.text,
                                             "fingerprint", context->variant.fingerprint,
                                             "files", merels_listing_json(listing)),
                                   false, err);
    else if (status == STATUS_OK)
        merels_listing_print_tsv(listing, true, context->out);
    merels_listing_destroy(listing);
    return status;
}

static enum status list_compact(const struct context *context, struct error *err)
{
    struct compact_facts facts;
    enum status status = merels_compact_look(context, &facts, err);
    if (status != STATUS_OK)
        return status;
    status = print_compact(context, &facts, err);
    if (status == STATUS_OK && facts.damage.status != STATUS_OK)
        status = merels_error(err, facts.damage.status, "%s", facts.damage.text);
    free(facts.path);
    return status;
}

static enum status run_list(struct context *context, struct error *err)
{
    struct manifest manifest;
    if (merels_tablebase_edition(context->base) == EDITION_COMPACT)
        return list_compact(context, err);
    struct stock stock = {.extra = json_array()};
    enum status status = merels_manifest_read(context->dir, context->rules, &manifest, err);
    if (status != STATUS_OK) {
        json_decref(stock.extra);
        return status;
    }
    status = merels_listing_create(columns, N_COLUMNS, &stock.listing, err);
    if (status == STATUS_OK)
        status = list_editions(context, &manifest, &stock, err);
    merels_listing_destroy(stock.listing);
    json_decref(stock.extra);
    merels_manifest_free(&manifest);
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
        "the root hash of each edition, the identity of its tables. Exit status 1 if files of\n"
        "the manifest are missing or other tables lie beside them. The files are not\n"
        "read; but a file of edition compact is, as a whole: its hash is that of its bytes, "
        "and\n"
        "where a checksum in it is wrong it is damaged, with exit status 1.",
    .example = "  merels list nine\n"
               "  merels list nine --db /data/nine --json",
    .run = run_list,
};
