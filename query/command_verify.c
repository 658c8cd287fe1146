// command_verify.c: merels verify: every value and depth of a tablebase checked, with progress
// and a clean stop on Ctrl-C.

#include <string.h>

#include "db/compact_base.h"
#include "db/file.h"
#include "db/manifest.h"
#include "game/rules_text.h"
#include "query/command.h"
#include "query/compact_place.h"
#include "query/compact_verify.h"
#include "query/merels.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "query/together.h"
#include "verify/verify.h"
#include "verify/verify_unit.h"
#include "work/reservation.h"

// ---- outcome -------------------------------------------------------------------------------

static void print_limits(struct output *out)
{
    merels_print(out,
                 "edition wdl has no depths: draws are proved, wins and losses only not to be "
                 "the opposite, since\nwins that only lead to each other agree, too "
                 "(docs/VERIFY.md)\nfull proof: merels verify the edition dtm, then export "
                 "it into a new directory\n");
}

static void print_sampled(const struct verify_result *result, const char *count,
                          struct output *out)
{
    merels_print(out, "%s slots of %zu tables sampled: no mismatch%s\n", count,
                 result->n_tables,
                 result->wdl ? " (edition wdl: win, draw and loss without depths)" : "");
}

static void print_record(const struct context *context, const struct verify_options *options,
                         const struct verify_result *result, struct output *out)
{
    if (!result->recorded)
        merels_print(out, "no record is written\n");
    else if (options->record_file != NULL)
        merels_print(out, "record %s\n", options->record_file);
    else
        merels_print(out, "record %s/%s\n", context->dir,
                     result->wdl ? "CONSISTENT" : "VERIFIED");
}

static void print_result(const struct context *context, const struct verify_options *options,
                         const struct verify_result *result, struct output *out)
{
    char count[QUANTITY_TEXT_BYTES];
    merels_count_format(result->n_slots, count);
    if (options->n_samples > 0) {
        print_sampled(result, count, out);
        return;
    }
    merels_print(out, "%s %zu tables, %s slots: values, %shashes and counts agree\n",
                 result->wdl ? "checked" : "verified", result->n_checked + result->n_noted,
                 count, result->wdl ? "" : "depths, ");
    if (result->n_noted > 0)
        merels_print(out, "%zu of them by an earlier run, unchanged since\n", result->n_noted);
    if (result->wdl)
        print_limits(out);
    merels_print(out, "root hash %s\n", result->root);
    print_record(context, options, result, out);
}

static void log_start(const struct context *context, const struct verify_options *options)
{
    struct output log = {.stream = stderr};
    merels_print(&log,
                 "merels %s verifies %s in %s, rules %s, verifier version %d, --threads %d",
                 merels_version(), context->variant.text, context->dir,
                 context->variant.fingerprint, VERIFY_VERSION, options->n_threads);
    if (options->n_samples > 0)
        merels_print(&log, " --sample %llu", (unsigned long long)options->n_samples);
    merels_print(&log, "\n");
}

// A full check leaves a record and, while it runs, notes to go on by. Tables that stand where
// nothing can be written are checked all the same, without either.
static enum status choose_record(struct verify_options *options, struct error *err)
{
    struct error reason;
    struct output log = {.stream = stderr};
    if (options->n_samples > 0)
        return options->record_file == NULL
                   ? STATUS_OK
                   : merels_error(err, STATUS_BAD_INPUT,
                                  "verify: --sample leaves no record for --record");
    enum status status = merels_verify_may_write(options, &reason);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (status != STATUS_IO || options->record_file != NULL)
        return merels_error(err, status, "%s", reason.text);
    options->keeps_nothing = true;
    merels_print(&log, "no record and no notes for going on are written (--record FILE): %s\n",
                 reason.text);
    return STATUS_OK;
}

// What the usual reader says of the manifest: of other rules, of an older format, or damaged
// where the verifier does not look. One that is not there is left to the verifier.
static enum status check_manifest(const struct context *context, struct error *err)
{
    struct manifest manifest;
    enum status status = merels_manifest_read(context->dir, context->rules, &manifest, err);
    if (status == STATUS_OK)
        merels_manifest_free(&manifest);
    return status == STATUS_MISSING ? STATUS_OK : status;
}

static struct verify_options options_of(const struct context *context, struct ranks *world)
{
    const struct arguments *args = context->args;
    return (struct verify_options){.dir = context->dir,
                                   .wdl = args->edition != NULL &&
                                          strcmp(args->edition, "wdl") == 0,
                                   .n_threads = merels_together_threads(context, world),
                                   .memory_bytes = merels_together_memory(context, world),
                                   .n_samples = args->n_samples,
                                   .cpu_level = args->cpu,
                                   .record_file = args->record,
                                   .any_board = context->rules->board.kind == BOARD_OWN};
}

// ---- ranks ---------------------------------------------------------------------------------

// A rank that checks single tables.
struct checker {
    char rules_text[RULES_TEXT_BYTES];
    struct verify_options options;
    struct unit_verifier *verifier;
    struct table_work work;
};

static enum status check_table(void *context, const char *name, void *result, size_t *n_bytes,
                               struct error *err)
{
    _Static_assert(sizeof(struct read_tables) <= ERRAND_RESULT_BYTES, "room for what was read");
    struct checker *checker = context;
    *n_bytes = sizeof(struct read_tables);
    return merels_verify_one(checker->verifier, name, &checker->work.watch, result, err);
}

static enum status open_checker(const struct context *context, struct ranks *world,
                                struct checker *checker, struct error *err)
{
    *checker = (struct checker){.options = options_of(context, world)};
    merels_rules_text(context->rules, checker->rules_text);
    merels_together_work(world, check_table, checker, merels_stop_on_signals(), &checker->work);
    return merels_unit_verifier_create(checker->rules_text, &checker->options,
                                       &checker->verifier, err);
}

static enum status follow(struct context *context, struct ranks *world, struct error *err)
{
    struct checker checker;
    enum status status = open_checker(context, world, &checker, err);
    if (status == STATUS_OK)
        status = merels_together_help(&checker.work, err);
    merels_unit_verifier_destroy(checker.verifier);
    return status;
}

// ---- the command ---------------------------------------------------------------------------

static enum status verify_reserved(struct context *context, struct verify_options *options,
                                   const struct watch *watch, struct verify_result *result,
                                   struct error *err)
{
    char rules_text[RULES_TEXT_BYTES];
    struct error damage;
    enum status status = STATUS_OK, read = check_manifest(context, &damage);
    merels_rules_text(context->rules, rules_text);
    if (read == STATUS_OK || read == STATUS_CORRUPT)
        log_start(context, options);
    else
        status = merels_error(err, read, "%s", damage.text);
    options->keeps_nothing = read == STATUS_CORRUPT;
    if (status == STATUS_OK && read == STATUS_OK)
        status = choose_record(options, err);
    if (status == STATUS_OK)
        status = merels_verify(rules_text, options, watch, result, err);
    if (status == STATUS_OK && read == STATUS_CORRUPT) // what the verifier does not judge
        status = merels_error(err, read, "%s", damage.text);
    return status;
}

static enum status verify(struct context *context, struct verify_options *options,
                          struct error *err)
{
    struct verify_result result;
    struct progress_display display = merels_display_start(stderr, "part");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    struct file lock;
    enum status status = merels_reserve_dir(context->dir, &watch, &lock, err);
    if (status != STATUS_OK)
        return status;
    status = verify_reserved(context, options, &watch, &result, err);
    merels_file_drop(&lock);
    merels_display_end(&display);
    if (status == STATUS_OK)
        print_result(context, options, &result, context->out);
    return status;
}

static enum status lead(struct context *context, struct ranks *world, struct error *err)
{
    struct verify_options options = options_of(context, world);
    struct checker checker;
    struct table_hands hands;
    if (world == NULL)
        return verify(context, &options, err);
    enum status status = open_checker(context, world, &checker, err);
    if (status == STATUS_OK) {
        merels_together_hands(&checker.work, &hands);
        options.hands = &hands.hands;
        status = verify(context, &options, err);
    }
    if (status == STATUS_OK)
        status = merels_together_dismiss(&hands, err);
    merels_unit_verifier_destroy(checker.verifier);
    return status;
}

static enum status run_verify(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    bool is_file = merels_compact_path(context->dir);
    if (is_file && args->edition != NULL && strcmp(args->edition, "compact") != 0)
        return merels_compact_settle(context, err);
    if (is_file || (args->edition != NULL && strcmp(args->edition, "compact") == 0)) {
        enum status alone = merels_together_alone(err);
        return alone == STATUS_OK ? merels_run_compact_verify(context, err) : alone;
    }
    return merels_together(context, lead, follow, err);
}

const struct command merels_command_verify = {
    .name = "verify",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes_file = true,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_EDITION) |
             TAKES(OPTION_SAMPLE) | TAKES(OPTION_THREADS) | TAKES(OPTION_MEMORY) |
             TAKES(OPTION_CPU) | TAKES(OPTION_RECORD),
    .summary = "check every value, depth, hash and count of a tablebase",
    .details =
        "Recomputes value and depth of every slot from the stored values of its\n"
        "successors, with rules, moves and index of its own; also all hashes and\n"
        "checksums, the counts in the headers, and that all slots of a position agree.\n"
        "The first mismatch is named: the position, what is stored, what follows, and\n"
        "the ply that decides. Stopped or killed, the same command goes on with the\n"
        "next table. After a full success the file VERIFIED in the directory holds the\n"
        "root hash. Tables without depths (edition wdl) are checked the same way, which\n"
        "proves less; their record is CONSISTENT. With --record record and notes stand\n"
        "in FILE and FILE.notes and nothing in the directory is written; where nothing\n"
        "can be written there are none. The edition compact, the file DIR.mce or --db "
        "FILE.mce,\n"
        "is decoded and compared with the tables of the directory DIR or FILE, or without\n"
        "these checked against its plies; of it --sample N takes N groups of rows of each\n"
        "stored subspace. Started by mpirun, in a build with MPI, the processes check the\n"
        "tables side by side. See docs/VERIFY.md for what this proves.",
    .example = "  merels verify nine\n  merels verify nine --sample 1000\n"
               "  merels verify nine --db /mnt/read-only/nine --record nine.verified\n"
               "  merels verify nine --edition compact\n"
               "  merels verify six --db data/six.mce",
    .run = run_verify,
};
