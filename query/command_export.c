// command_export.c: merels export: the small editions, win/draw/loss without depths, from the
// tables.

#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "export/export_table.h"
#include "export/export_wdl.h"
#include "query/command.h"
#include "query/compact_export.h"
#include "query/compact_place.h"
#include "query/merels.h"
#include "query/new_text.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/stop.h"
#include "query/together.h"
#include "solver/crew.h"

static void print_result(const struct export_options *options,
                         const struct export_result *result, struct output *out)
{
    char slots[QUANTITY_TEXT_BYTES], bytes[QUANTITY_TEXT_BYTES], root[2 * SHA256_BYTES + 1];
    merels_count_format(result->n_slots, slots);
    merels_bytes_format(result->file_bytes, bytes);
    merels_hex(result->root_hash, SHA256_BYTES, root);
    merels_print(out, "edition wdl: %zu tables (%zu written now) of %s slots in %s: %s, ",
                 result->n_tables, result->n_written, slots, options->out_dir, bytes);
    merels_print(out, "%.3f bits a slot\nroot hash %s\n",
                 8 * (double)result->file_bytes / (double)result->n_slots, root);
}

static enum status export_to(const struct context *context,
                             const struct export_options *options, struct error *err)
{
    struct export_result result;
    struct error reason = {.status = STATUS_OK};
    struct progress_display display = merels_display_start(stderr, "table");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    fprintf(stderr, "merels %s exports %s in %s to %s, rules %s, --edition wdl --threads %d\n",
            merels_version(), context->variant.text, options->dir, options->out_dir,
            context->variant.fingerprint, options->n_threads);
    enum status status = merels_export_wdl(context->rules, options, &watch, &result, &reason);
    merels_display_end(&display);
    if (status == STATUS_INTERRUPTED)
        return merels_error(err, status,
                            "%s; the tables finished are kept, the same command goes on from "
                            "there",
                            reason.text);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", reason.text);
    print_result(options, &result, context->out);
    return STATUS_OK;
}

// ---- ranks ---------------------------------------------------------------------------------

// A rank that writes single tables.
struct exporter {
    const struct context *context;
    const struct export_options *options;
    struct tablebase *base;
    struct table_work work;
};

static enum status write_table(void *context, const char *name, void *result, size_t *n_bytes,
                               struct error *err)
{
    const struct exporter *self = context;
    const struct rules *rules = self->context->rules;
    const struct table *source;
    struct subspace s;
    struct meter meter;
    (void)result, (void)n_bytes;
    enum status status = merels_subspace_parse(name, &s, err);
    if (status == STATUS_OK)
        status = merels_tablebase_table(self->base, s, &source, err);
    if (status != STATUS_OK)
        return status;
    uint64_t n_slots = merels_table_header(source)->n_slots;
    merels_meter_start(&meter, &self->work.watch, "slots", n_slots, 1);
    merels_meter_piece(&meter, 0, name, n_slots);
    return merels_export_table(rules, source, self->options->dir, self->options->out_dir,
                               self->options->n_threads, &meter, err);
}

// All ranks, once the new directory is there.
static enum status open_exporter(const struct context *context, struct ranks *world,
                                 const struct export_options *options,
                                 struct exporter *exporter, struct error *err)
{
    *exporter = (struct exporter){.context = context, .options = options};
    merels_together_work(world, write_table, exporter, merels_stop_on_signals(),
                         &exporter->work);
    enum status status = merels_crew_share_dir(world, options->out_dir, err);
    if (status == STATUS_OK)
        status = merels_tablebase_open(options->dir, context->rules, 0, &exporter->base, err);
    return status;
}

// ---- the command ---------------------------------------------------------------------------

// --out, else the directory of the tables with the edition behind its name.
static enum status name_out_dir(const struct context *context, char **out_dir,
                                struct error *err)
{
    const struct arguments *args = context->args;
    size_t length = strlen(context->dir);
    while (length > 1 && context->dir[length - 1] == '/')
        length--;
    size_t n_last = 0; // of the last name in the path
    while (n_last < length && context->dir[length - n_last - 1] != '/')
        n_last++;
    if (!args->out && strspn(context->dir + length - n_last, "./") >= n_last)
        return merels_error(err, STATUS_BAD_INPUT,
                            "export: '%s' gives no name for the new directory; say it with "
                            "--out, as --out nine-wdl",
                            context->dir);
    *out_dir = args->out ? strdup(args->out)
                         : merels_new_text("%.*s-%s", (int)length, context->dir, args->edition);
    if (!*out_dir)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the name of the directory");
    return STATUS_OK;
}

static struct export_options options_of(const struct context *context, struct ranks *world,
                                        const char *out_dir)
{
    return (struct export_options){.dir = context->dir,
                                   .out_dir = out_dir,
                                   .n_threads = merels_together_threads(context, world)};
}

static enum status follow(struct context *context, struct ranks *world, struct error *err)
{
    struct exporter exporter = {.base = NULL};
    char *out_dir;
    enum status status = name_out_dir(context, &out_dir, err);
    if (status != STATUS_OK)
        return status;
    const struct export_options options = options_of(context, world, out_dir);
    status = open_exporter(context, world, &options, &exporter, err);
    if (status == STATUS_OK)
        status = merels_together_help(&exporter.work, err);
    merels_tablebase_close(exporter.base);
    free(out_dir);
    return status;
}

static enum status lead_others(const struct context *context, struct ranks *world,
                               struct export_options *options, struct error *err)
{
    struct exporter exporter = {.base = NULL};
    struct table_hands hands;
    enum status status = merels_dir_create(options->out_dir, err);
    if (status == STATUS_OK)
        status = open_exporter(context, world, options, &exporter, err);
    if (status == STATUS_OK) {
        merels_together_hands(&exporter.work, &hands);
        options->hands = &hands.hands;
        status = export_to(context, options, err);
    }
    if (status == STATUS_OK)
        status = merels_together_dismiss(&hands, err);
    merels_tablebase_close(exporter.base);
    return status;
}

static enum status lead(struct context *context, struct ranks *world, struct error *err)
{
    char *out_dir;
    enum status status = name_out_dir(context, &out_dir, err);
    if (status != STATUS_OK)
        return status;
    struct export_options options = options_of(context, world, out_dir);
    status = world == NULL ? export_to(context, &options, err)
                           : lead_others(context, world, &options, err);
    free(out_dir);
    return status;
}

static enum status run_export(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    if (!args->edition)
        return merels_error(err, STATUS_BAD_INPUT,
                            "export: --edition wdl or --edition compact is missing");
    if (strcmp(args->edition, "wdl") != 0 && strcmp(args->edition, "compact") != 0)
        return merels_error(err, STATUS_BAD_INPUT, "export: --edition must be wdl or compact");
    if (strcmp(args->edition, "compact") == 0) {
        enum status alone = merels_together_alone(err);
        return alone == STATUS_OK ? merels_run_compact_export(context, err) : alone;
    }
    if (args->piece_bytes > 0)
        return merels_error(err, STATUS_BAD_INPUT, "export: --pieces is for --edition compact");
    enum status named = merels_compact_refuse(context, "export", err);
    if (named != STATUS_OK)
        return named;
    if (args->max_plies > 0)
        return merels_error(err, STATUS_BAD_INPUT, "export: --plies is for --edition compact");
    if (args->tsv)
        return merels_error(err, STATUS_BAD_INPUT, "export: --tsv is for --edition compact");
    return merels_together(context, lead, follow, err);
}

const struct command merels_command_export = {
    .name = "export",
    .operands = "RULES --edition wdl|compact",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes_file = true,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_EDITION) | TAKES(OPTION_OUT) |
             TAKES(OPTION_THREADS) | TAKES(OPTION_PLIES) | TAKES(OPTION_TSV) |
             TAKES(OPTION_PIECES),
    .summary = "write a small tablebase of win, draw and loss without depths",
    .details =
        "Reads every table of the tablebase, checks its values against their hash, and writes\n"
        "the edition wdl of it into another directory (--out, else DIR-wdl): the same answers\n"
        "without the number of plies, in a fifth of the space. In the same directory both\n"
        "editions stand side by side, and answers have depths. Every command that looks up\n"
        "positions reads it with --db. Ctrl-C stops the export and keeps the finished tables;\n"
        "the same command goes on from there. Started by mpirun, in a build with MPI, the\n"
        "processes write tables side by side.\n"
        "\n"
        "The edition compact is one file for a whole game, smaller still, for programs that\n"
        "take embed/merels_compact.c along. A part of the values is stored, the rest follows\n"
        "by plies: --plies says by how many at most where men are in hand (1 to 4, else 2).\n"
        "With 1 the file is larger and answers come sooner, with 3 the other way round. --out\n"
        "is the file (else DIR.mce); what stands there is replaced only if it is such a file\n"
        "of these rules. What is finished is listed with its size (--tsv: by tabs) and kept "
        "in\n"
        "FILE.part and FILE.progress if the export is stopped; the same command goes on. With\n"
        "--pieces SIZE the file is also written as FILE.0000, FILE.0001, ... of so many bytes\n"
        "each, for hosts that limit the size of a file; with --db FILE.mce one that is there\n"
        "is only cut.",
    .example = "  merels export nine --edition wdl --db /data/nine --out /data/nine-wdl\n"
               "  merels probe nine --db /data/nine-wdl w a7,d7,g4,b6 a1,d1,g1 0/0\n"
               "  merels export nine --edition compact --db nine.mce --pieces 50M",
    .run = run_export,
};
