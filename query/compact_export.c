// compact_export.c: the export of a whole game into one file, as a command shows it.

#include "query/compact_export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compact/export_compact.h"
#include "db/file.h"
#include "query/merels.h"
#include "query/new_text.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "work/memory.h"

enum { USUAL_PLIES = 2 };

static const char *name_of_parts(uint8_t stored)
{
    switch (stored) {
    case COMPACT_EVEN:
        return "even half";
    case COMPACT_ODD:
        return "odd half";
    default:
        return "all";
    }
}

static void print_line(struct subspace s, uint8_t stored, uint64_t n_slots, uint64_t n_bytes,
                       void *context)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(s, name);
    merels_print(context, "%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%.4f\n", name,
                 name_of_parts(stored), n_slots, n_bytes,
                 8 * (double)n_bytes / (double)n_slots);
}

static void print_subspace(struct subspace s, uint8_t stored, uint64_t n_slots,
                           uint64_t n_bytes, void *context)
{
    char name[SUBSPACE_NAME_BYTES], slots[QUANTITY_TEXT_BYTES], bytes[QUANTITY_TEXT_BYTES];
    merels_subspace_name(s, name);
    merels_count_format(n_slots, slots);
    merels_bytes_format(n_bytes, bytes);
    merels_print(context, "%-10s %-9s %s slots, %s, %.4f bits a slot\n", name,
                 name_of_parts(stored), slots, bytes, 8 * (double)n_bytes / (double)n_slots);
}

static void print_result(const char *path, const struct compact_result *result,
                         struct output *out)
{
    char slots[QUANTITY_TEXT_BYTES], bytes[QUANTITY_TEXT_BYTES];
    merels_count_format(result->n_slots, slots);
    merels_bytes_format(result->file_bytes, bytes);
    merels_print(out,
                 "edition compact: %zu subspaces of %s slots (%zu stored at least in part, %d "
                 "plies of derivation at most) in %s: %s, %.4f bits a slot\n",
                 result->n_subspaces, slots, result->n_stored, result->most_depth, path, bytes,
                 8 * (double)result->file_bytes / (double)result->n_slots);
}

// The same for machines, as the last line of a list.
static void print_total(const struct compact_result *result, struct output *out)
{
    merels_print(out, "all\t%zu of %zu\t%" PRIu64 "\t%" PRIu64 "\t%.4f\n", result->n_stored,
                 result->n_subspaces, result->n_slots, result->file_bytes,
                 8 * (double)result->file_bytes / (double)result->n_slots);
}

static enum status export_to(const struct context *context,
                             const struct compact_options *options, const char *path,
                             struct error *err)
{
    struct compact_result result;
    struct error reason = {.status = STATUS_OK};
    struct progress_display display = merels_display_start(stderr, "subspace");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    fprintf(stderr,
            "merels %s exports %s in %s to %s, rules %s, --edition compact --plies %d "
            "--threads %d\n",
            merels_version(), context->variant.text, options->dir, path,
            context->variant.fingerprint, options->n_plies, options->n_threads);
    if (context->args->tsv)
        merels_print(context->out, "subspace\tstored\tslots\tbytes\tbits a slot\n");
    enum status status =
        merels_export_compact(context->rules, options, &watch, &result, &reason);
    merels_display_end(&display);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", reason.text);
    if (context->args->tsv)
        print_total(&result, context->out);
    else
        print_result(path, &result, context->out);
    return STATUS_OK;
}

// --out, else the directory of the tables with ".mce" behind its name.
static char *name_file(const struct context *context)
{
    size_t length = strlen(context->dir);
    while (length > 1 && context->dir[length - 1] == '/')
        length--;
    return context->args->out ? strdup(context->args->out)
                              : merels_new_text("%.*s.mce", (int)length, context->dir);
}

enum status merels_run_compact_export(const struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    char *path = name_file(context), *out_dir = path != NULL ? strdup(path) : NULL;
    if (out_dir == NULL) {
        free(path);
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the file");
    }
    char *slash = strrchr(out_dir, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    if (slash != NULL)
        *slash = '\0';
    const struct compact_options options = {
        .dir = context->dir,
        .out_dir = slash == NULL      ? "."
                   : slash == out_dir ? "/"
                                      : out_dir,
        .out_name = name,
        .n_plies = args->max_plies > 0 ? (int)args->max_plies : USUAL_PLIES,
        .n_threads = merels_threads(args->n_threads),
        .report = args->tsv ? print_line : print_subspace,
        .context = context->out};
    struct error ignored;
    enum status status;
    if (*name == '\0' || merels_dir_check(path, &ignored) == STATUS_OK)
        status = merels_error(err, STATUS_BAD_INPUT, "export: '%s' names no file", path);
    else
        status = export_to(context, &options, path, err);
    free(path);
    free(out_dir);
    return status;
}
