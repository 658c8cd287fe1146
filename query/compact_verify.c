// compact_verify.c: the check of a file of edition compact, as a command shows it.

#include "query/compact_verify.h"

#include <stdlib.h>
#include <string.h>

#include "db/compact_base.h"
#include "db/file.h"
#include "game/rules_text.h"
#include "query/compact_place.h"
#include "query/merels.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "verify/verify_compact.h"
#include "work/memory.h"

static void print_sampled(const struct compact_check *result, uint64_t n_samples,
                          const char *path, struct output *out)
{
    char decoded[QUANTITY_TEXT_BYTES];
    merels_count_format(result->n_stored_slots, decoded);
    merels_print(out,
                 "edition compact: %s: sampled: %s stored slots, those of at most %llu group%s "
                 "of rows of each of the %zu\nsubspaces that are stored, have the values of "
                 "the tables; no other value was looked at\n",
                 path, decoded, (unsigned long long)n_samples, n_samples == 1 ? "" : "s",
                 result->n_stored);
}

static void print_result(const struct compact_check *result, const char *path,
                         struct output *out)
{
    char slots[QUANTITY_TEXT_BYTES], stored[QUANTITY_TEXT_BYTES];
    merels_count_format(result->n_slots, slots);
    merels_count_format(result->n_stored_slots, stored);
    merels_print(out,
                 "edition compact: %s: %zu subspaces, %s slots, %s of them stored in %zu\n",
                 path, result->n_subspaces, slots, stored, result->n_stored);
    if (result->with_tables)
        merels_print(
            out,
            "every stored value is that of the tables; the tables of the %zu subspaces "
            "that are derived, as a whole\nor in part, agree with their plies: so every "
            "value that is derived is theirs, too\n",
            result->n_derived);
    else
        merels_print(
            out, "no tables to compare with: every value agrees with its plies, which proves "
                 "draws, but wins and losses\nonly not to be the opposite "
                 "(docs/VERIFY.md)\n");
}

static void log_start(const struct context *context, const char *path,
                      const struct verify_options *options)
{
    struct output log = {.stream = stderr};
    merels_print(&log, "merels %s verifies %s in %s", merels_version(), context->variant.text,
                 path);
    if (options->dir != NULL)
        merels_print(&log, ", with the tables of %s if they are there", options->dir);
    merels_print(&log, ", rules %s, --edition compact --threads %d",
                 context->variant.fingerprint, options->n_threads);
    if (options->n_samples > 0)
        merels_print(&log, " --sample %llu", (unsigned long long)options->n_samples);
    merels_print(&log, "\n");
}

// What the usual reader says of the head: of other rules, or damaged where the verifier does
// not look.
static enum status check_head(const struct context *context, const char *path,
                              struct error *err)
{
    struct tablebase *base;
    enum status status = merels_tablebase_open(path, context->rules, 0, &base, err);
    if (status == STATUS_OK)
        merels_tablebase_close(base);
    return status;
}

static enum status check_file(const struct context *context, const char *path,
                              const char *tables, struct error *err)
{
    const struct arguments *args = context->args;
    char rules_text[RULES_TEXT_BYTES];
    struct compact_check result;
    struct progress_display display = merels_display_start(stderr, "part");
    const struct verify_options options = {
        .dir = tables,
        .n_threads = merels_threads(args->n_threads),
        .memory_bytes = merels_memory_limit(args->memory_bytes),
        .n_samples = args->n_samples,
        .cpu_level = args->cpu,
        .any_board = context->rules->board.kind == BOARD_OWN};
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    merels_rules_text(context->rules, rules_text);
    log_start(context, path, &options);
    enum status status =
        merels_verify_compact(rules_text, path, &options, &watch, &result, err);
    merels_display_end(&display);
    if (status == STATUS_OK && options.n_samples > 0)
        print_sampled(&result, options.n_samples, path, context->out);
    else if (status == STATUS_OK)
        print_result(&result, path, context->out);
    return status;
}

// The directory whose tables the file is compared with: the one that was named, or the one
// that has the name of the file without its end, beside it; NULL if there is none. malloc'ed.
static enum status find_tables(const char *dir, char **tables, struct error *err)
{
    *tables = strdup(dir);
    if (*tables == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    if (merels_compact_path(dir)) {
        char *end = *tables + strlen(*tables) - strlen(COMPACT_SUFFIX);
        if (end > *tables && strcmp(end, COMPACT_SUFFIX) == 0)
            *end = '\0';
    }
    if (merels_dir_check(*tables, NULL) == STATUS_OK)
        return STATUS_OK;
    free(*tables);
    *tables = NULL;
    return STATUS_OK;
}

enum status merels_run_compact_verify(const struct context *context, struct error *err)
{
    char *path = NULL, *tables = NULL;
    if (context->args->record != NULL)
        return merels_error(err, STATUS_BAD_INPUT,
                            "verify: --record is not for --edition compact");
    enum status status = merels_compact_find(context->dir, &path, err);
    if (status == STATUS_OK)
        status = find_tables(context->dir, &tables, err);
    if (status == STATUS_OK)
        status = check_head(context, path, err);
    if (status == STATUS_OK)
        status = check_file(context, path, tables, err);
    free(path);
    free(tables);
    return status;
}
