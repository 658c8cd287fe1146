// command_solve.c: merels solve: plans, checks and solves, with progress and a clean stop on
// Ctrl-C.

#include "kernels/kernels.h"
#include "query/command.h"
#include "query/merels.h"
#include "query/planning.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/solve_upkeep.h"
#include "query/stop.h"

// Version and every parameter, so that the log alone tells what ran.
static enum status log_start(const struct context *context, const struct solve_options *options,
                             const struct plan *plan, struct output *log, struct error *err)
{
    char text[QUANTITY_TEXT_BYTES];
    merels_print(log, "merels %s solves:\n", merels_version());
    enum status status = merels_planning_print(context, options, plan, false, log, err);
    if (status != STATUS_OK)
        return status;
    merels_print(log, "parameters  --threads %d --memory ", options->n_threads);
    if (options->memory_bytes > 0)
        merels_print(log, "%s", merels_bytes_format(options->memory_bytes, text));
    else
        merels_print(log, "(three quarters of what is free)");
    if (options->max_men > 0)
        merels_print(log, " --max-men %d", options->max_men);
    merels_print(log, " --phase %s --cpu %s --keep %s%s\n",
                 options->moving_only ? "moving" : "all", plan->rates.level,
                 merels_keep_name(options->keep), options->verifier > 0 ? " --verify" : "");
    return STATUS_OK;
}

static enum status finished_units(const struct context *context,
                                  const struct solve_options *options, size_t *n_finished)
{
    struct plan plan;
    enum status status = merels_planning_make(context, options, &plan, NULL);
    if (status != STATUS_OK)
        return status;
    *n_finished = merels_planning_finished(&plan);
    merels_plan_free(&plan);
    return STATUS_OK;
}

// What to do after a failure or stop. Tables for other rules, or newer ones, are not ours to
// remove, and what was refused for lack of room would be refused again.
static const char *how_to_go_on(enum status status)
{
    if (status == STATUS_CORRUPT)
        return "; remove the damaged file, and the same command makes it anew";
    if (status == STATUS_MISMATCH)
        return "; the same command makes it anew";
    if (status == STATUS_OTHER_RULES || status == STATUS_NEWER || status == STATUS_OLDER ||
        status == STATUS_BAD_INPUT || status == STATUS_UNSUPPORTED ||
        status == STATUS_TOO_LITTLE)
        return "";
    return "; the same command goes on from there";
}

// Adds to the line of a failure or stop what is kept and how to go on.
static enum status add_how_to_go_on(const struct context *context,
                                    const struct solve_options *options, size_t n_units,
                                    enum status status, const struct error *reason,
                                    struct error *err)
{
    size_t n_finished;
    if (finished_units(context, options, &n_finished) != STATUS_OK)
        return merels_error(err, status, "%s%s", reason->text, how_to_go_on(status));
    return merels_error(err, status, "%s; %zu of %zu work units are finished and kept%s",
                        reason->text, n_finished, n_units, how_to_go_on(status));
}

// The plan, with its time; of a table that it cannot read it says what to do.
static enum status make_plan(const struct context *context, const struct solve_options *options,
                             struct plan *plan, struct error *err)
{
    struct error reason;
    enum status status = merels_planning_measure(context, options, plan, &reason);
    if (status == STATUS_OK)
        return status;
    return merels_error(err, status, "%s%s", reason.text,
                        status == STATUS_CORRUPT ? how_to_go_on(status) : "");
}

// With the tools that the options ask for.
static enum status solve_with_upkeep(const struct context *context,
                                     const struct solve_options *options,
                                     const struct plan *plan, struct error *err)
{
    struct progress_display display = merels_display_start(stderr, "unit");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    struct solve_options complete = *options;
    struct solve_upkeep *upkeep;
    enum status status = merels_solve_upkeep_create(context, options, watch.stop, &upkeep, err);
    if (status != STATUS_OK)
        return status;
    complete.upkeep = merels_solve_upkeep(upkeep);
    status = merels_solve(context->rules, plan, &complete, &watch, err);
    merels_solve_upkeep_destroy(upkeep);
    merels_display_end(&display);
    return status;
}

static enum status solve_plan(const struct context *context,
                              const struct solve_options *options, const struct plan *plan,
                              struct error *err)
{
    struct output log = {.stream = stderr};
    struct error reason = {.status = STATUS_OK};
    enum status status = log_start(context, options, plan, &log, err);
    if (status == STATUS_OK)
        status = merels_plan_check(plan, options, err);
    if (status != STATUS_OK)
        return status;
    status = solve_with_upkeep(context, options, plan, &reason);
    if (status != STATUS_OK)
        return add_how_to_go_on(context, options, plan->n_units, status, &reason, err);
    merels_print(&log, "finished    all %zu subspaces are %s %s\n", plan->n_subspaces,
                 options->keep == KEEP_ALL ? "in" : "solved, and what is kept of them is in",
                 context->dir);
    return STATUS_OK;
}

// The tables are the data.
static enum status run_solve(struct context *context, struct error *err)
{
    struct plan plan;
    const struct solve_options options = merels_planning_options(context);
    enum status status = make_plan(context, &options, &plan, err);
    if (status != STATUS_OK)
        return status;
    status = solve_plan(context, &options, &plan, err);
    merels_plan_free(&plan);
    return status;
}

const struct command merels_command_solve = {
    .name = "solve",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes = PLANNING_OPTIONS,
    .summary = "solve and write the tables",
    .details =
        "Solves every subspace that can arise, smallest first, and writes a file for\n"
        "each with the exact number of plies of every position. Ctrl-C stops it and\n"
        "keeps what is finished; the same command goes on from there. Progress is shown\n"
        "on standard error. What does not fit --memory waits in a temporary file beside\n"
        "the tables, gone when the run ends. With --keep wdl or none a table that this run\n"
        "has made goes as soon as nothing that is still to be made reads it: in edition\n"
        "wdl, or as a whole. What is known of it stays in the manifest, and the tables of\n"
        "the start, of first placements and of replies stay, as those that another whole\n"
        "game in the directory needs. With --verify every table is checked as merels verify\n"
        "does, while its successors are there, and only then listed in the manifest; a\n"
        "wrong one is put aside and ends the run. Levels of --cpu: v4 with AVX-512, v3 with\n"
        "AVX2 and BMI2, v3-slow-pext with AVX2 where pext and pdep are slow (AMD before\n"
        "Zen 3), portable.",
    .example = "  merels solve nine --phase moving --db /data/nine --memory 6G",
    .run = run_solve,
};
