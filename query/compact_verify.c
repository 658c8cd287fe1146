// compact_verify.c: the check of a file of edition compact, as a command shows it.

#include "query/compact_verify.h"

#include <stdlib.h>
#include <string.h>

#include "game/rules_text.h"
#include "query/merels.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "verify/verify_compact.h"
#include "work/memory.h"

static void print_sampled(const struct compact_check *result, const char *path,
                          struct output *out)
{
    char decoded[QUANTITY_TEXT_BYTES];
    merels_count_format(result->n_stored_slots, decoded);
    merels_print(out,
                 "edition compact: %s: %s stored slots of %zu subspaces sampled: all are "
                 "those of the tables\n",
                 path, decoded, result->n_stored);
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

static void log_start(const struct context *context, const char *path, int n_threads)
{
    struct output log = {.stream = stderr};
    merels_print(
        &log, "merels %s verifies %s in %s, rules %s, --edition compact --threads %d\n",
        merels_version(), context->variant.text, path, context->variant.fingerprint, n_threads);
}

static enum status check_file(const struct context *context, const char *path,
                              struct error *err)
{
    const struct arguments *args = context->args;
    char rules_text[RULES_TEXT_BYTES];
    struct compact_check result;
    struct progress_display display = merels_display_start(stderr, "part");
    const struct verify_options options = {
        .dir = context->dir,
        .n_threads = merels_threads(args->n_threads),
        .memory_bytes =
            args->memory_bytes > 0 ? args->memory_bytes : merels_memory_free() / 4 * 3,
        .n_samples = args->n_samples,
        .cpu_level = args->cpu,
        .any_board = context->rules->board.kind == BOARD_OWN};
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    merels_rules_text(context->rules, rules_text);
    log_start(context, path, options.n_threads);
    enum status status =
        merels_verify_compact(rules_text, path, &options, &watch, &result, err);
    merels_display_end(&display);
    if (status == STATUS_OK && options.n_samples > 0)
        print_sampled(&result, path, context->out);
    else if (status == STATUS_OK)
        print_result(&result, path, context->out);
    return status;
}

enum status merels_run_compact_verify(const struct context *context, struct error *err)
{
    size_t length = strlen(context->dir);
    if (context->args->record != NULL)
        return merels_error(err, STATUS_BAD_INPUT,
                            "verify: --record is not for --edition compact");
    char *path = malloc(length + sizeof ".mce");
    if (path == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    while (length > 1 && context->dir[length - 1] == '/')
        length--;
    memcpy(path, context->dir, length);
    strcpy(path + length, ".mce");
    enum status status = check_file(context, path, err);
    free(path);
    return status;
}
