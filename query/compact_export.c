// compact_export.c: the export of a whole game into one file, as a command shows it.

#include "query/compact_export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compact/compact_pieces.h"
#include "compact/export_compact.h"
#include "db/compact_base.h"
#include "db/file.h"
#include "query/compact_place.h"
#include "query/merels.h"
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
    merels_print(
        out,
        "edition compact: %zu subspaces of %s slots (%zu stored at least in part; "
        "derived by at most %d plies with men in hand, %d moving) in %s: %s, %.4f bits "
        "a slot\n",
        result->n_subspaces, slots, result->n_stored, result->most_placing, result->most_moving,
        path, bytes, 8 * (double)result->file_bytes / (double)result->n_slots);
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

// Where the file is written: its path, and that cut into directory and name.
struct target {
    char *path, *dir;
    const char *name;
};

static enum status split(struct target *target, struct error *err)
{
    char *slash = strrchr(target->path, '/');
    target->name = slash != NULL ? slash + 1 : target->path;
    target->dir = slash == NULL ? strdup(".")
                  : slash == target->path
                      ? strdup("/")
                      : strndup(target->path, (size_t)(slash - target->path));
    if (target->dir == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the file");
    if (*target->name == '\0' || merels_dir_check(target->path, NULL) == STATUS_OK)
        return merels_error(err, STATUS_BAD_INPUT, "export: '%s' names no file", target->path);
    return STATUS_OK;
}

// --out, else the file itself that is to be cut, else the directory of the tables with ".mce"
// behind its name.
static enum status find_target(const struct context *context, struct target *target,
                               struct error *err)
{
    const char *out = context->args->out;
    enum status status = STATUS_OK;
    *target = (struct target){0};
    if (out == NULL && merels_compact_path(context->dir))
        out = context->dir;
    if (out == NULL)
        status = merels_compact_beside(context->dir, &target->path, err);
    else if ((target->path = strdup(out)) == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the file");
    return status == STATUS_OK ? split(target, err) : status;
}

static enum status write_file(const struct context *context, const struct target *target,
                              struct error *err)
{
    const struct arguments *args = context->args;
    const struct compact_options options = {
        .dir = context->dir,
        .out_dir = target->dir,
        .out_name = target->name,
        .n_plies = args->max_plies > 0 ? (int)args->max_plies : USUAL_PLIES,
        .n_threads = merels_threads(args->n_threads),
        .report = args->tsv ? print_line : print_subspace,
        .context = context->out};
    return export_to(context, &options, target->path, err);
}

// Cuts the file that was just written, or one that --db names.
static enum status write_pieces(const struct context *context, const char *path,
                                const struct target *target, struct error *err)
{
    size_t n = 0;
    uint64_t bytes = context->args->piece_bytes;
    enum status status =
        merels_compact_cut(context->rules, path, target->dir, target->name, bytes, &n, err);
    if (status == STATUS_OK && !context->args->tsv)
        merels_print(context->out,
                     "pieces: %zu of %llu bytes, the last one shorter: %s.%0*d to %s.%0*zu\n",
                     n, (unsigned long long)bytes, target->path, (int)COMPACT_PIECE_DIGITS, 0,
                     target->path, (int)COMPACT_PIECE_DIGITS, n - 1);
    return status;
}

// --plies is refused before anything is opened.
static enum status check_options(const struct context *context, bool cuts, struct error *err)
{
    const struct arguments *args = context->args;
    if (args->max_plies > COMPACT_MOST_PLIES)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "export: --plies %llu: at most %d plies of derivation while men are placed; each "
            "further one takes some three times the time of an answer, and saves less than the "
            "one before (docs/PERFORMANCE.md): for example --plies 3",
            (unsigned long long)args->max_plies, (int)COMPACT_MOST_PLIES);
    if (args->piece_bytes > 0 && args->piece_bytes < COMPACT_LEAST_PIECE)
        return merels_error(err, STATUS_BAD_INPUT,
                            "export: --pieces: at least %d bytes, as --pieces 50M",
                            (int)COMPACT_LEAST_PIECE);
    if (cuts && args->piece_bytes == 0)
        return merels_compact_refuse(context, "export", err);
    return STATUS_OK;
}

enum status merels_run_compact_export(const struct context *context, struct error *err)
{
    struct target target = {0};
    bool cuts = merels_compact_path(context->dir);
    enum status status = check_options(context, cuts, err);
    if (status == STATUS_OK)
        status = find_target(context, &target, err);
    if (status == STATUS_OK && !cuts)
        status = write_file(context, &target, err);
    if (status == STATUS_OK && context->args->piece_bytes > 0)
        status = write_pieces(context, cuts ? context->dir : target.path, &target, err);
    free(target.path);
    free(target.dir);
    return status;
}
