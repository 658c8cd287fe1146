// command_solve.c: merels solve: plans, checks and solves, with progress and a clean stop on
// Ctrl-C.

#include <stdlib.h>

#include "kernels/kernels.h"
#include "query/command.h"
#include "query/merels.h"
#include "query/planning.h"
#include "query/progress_display.h"
#include "query/quantity.h"
#include "query/solve_upkeep.h"
#include "query/stop.h"
#include "query/together.h"
#include "solver/worker.h"

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
    if (merels_ranks_count(options->ranks) > 1)
        merels_print(log, " ranks %d --group %d", merels_ranks_count(options->ranks),
                     options->group);
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

// ---- ranks ---------------------------------------------------------------------------------

// The options of a rank; the memory is that of the rank that has least.
static enum status options_of(const struct context *context, struct ranks *world,
                              struct solve_options *options, struct error *err)
{
    *options = merels_planning_options(context);
    if (world == NULL)
        return STATUS_OK;
    options->ranks = world;
    options->n_threads = merels_together_threads(context, world);
    options->memory_bytes = merels_together_memory(context, world);
    size_t n = (size_t)merels_ranks_count(world);
    uint64_t *all = calloc(n, sizeof *all);
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for %zu ranks", n);
    enum status status =
        merels_ranks_share(world, &options->memory_bytes, sizeof *all, all, err);
    for (size_t r = 0; r < n && status == STATUS_OK; r++)
        options->memory_bytes = all[r] < options->memory_bytes ? all[r] : options->memory_bytes;
    free(all);
    return status;
}

// The tables are the data.
static enum status lead(struct context *context, struct ranks *world, struct error *err)
{
    struct plan plan;
    struct solve_options options;
    enum status status = options_of(context, world, &options, err);
    if (status == STATUS_OK)
        status = make_plan(context, &options, &plan, err);
    if (status != STATUS_OK)
        return status;
    status = solve_plan(context, &options, &plan, err);
    merels_plan_free(&plan);
    return status;
}

// Another rank than the first: it has neither plan nor manifest.
static enum status follow(struct context *context, struct ranks *world, struct error *err)
{
    struct solve_options options;
    struct solve_upkeep *upkeep;
    const atomic_int *stop = merels_stop_on_signals();
    enum status status = options_of(context, world, &options, err);
    if (status == STATUS_OK)
        status = merels_solve_upkeep_create(context, &options, stop, &upkeep, err);
    if (status != STATUS_OK)
        return status;
    struct solve_options complete = options;
    complete.upkeep = merels_solve_upkeep(upkeep);
    status = merels_worker_run(context->rules, &complete, stop, err);
    merels_solve_upkeep_destroy(upkeep);
    return status;
}

static enum status run_solve(struct context *context, struct error *err)
{
    return merels_together(context, lead, follow, err);
}

const struct command merels_command_solve = {
    .name = "solve",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes = PLANNING_OPTIONS | TAKES(OPTION_GROUP),
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
        "Zen 3), portable. Started by mpirun, in a build with MPI, all processes work on\n"
        "one directory, which they share; --threads and --memory are of each\n"
        "(docs/SCALING.md).",
    .example = "  merels solve nine --phase moving --db /data/nine --memory 6G\n"
               "  mpirun -n 16 merels solve twelve --db /shared/twelve",
    .run = run_solve,
};
