// planning.c: options of a solve, the making of its plan, and the plan as text.

#include "query/planning.h"

#include <string.h>

#include "db/compact_base.h"
#include "db/edition.h"
#include "db/file.h"
#include "query/listing.h"
#include "query/quantity.h"
#include "query/solve_upkeep.h"
#include "solver/schedule.h"
#include "verify/verify.h"
#include "work/memory.h"
#include "work/processor.h"

static const char *const keep_names[N_KEEPS] = {"all", "wdl", "none"};

static enum keep keep_of(const char *name)
{
    int keep = N_KEEPS - 1;
    while (keep > KEEP_ALL && (name == NULL || strcmp(keep_names[keep], name) != 0))
        keep--;
    return (enum keep)keep;
}

const char *merels_keep_name(enum keep keep)
{
    return keep_names[keep];
}

struct solve_options merels_planning_options(const struct context *context)
{
    const struct arguments *args = context->args;
    return (struct solve_options){
        .dir = context->dir,
        .n_threads = merels_threads(args->n_cores > 0 ? args->n_cores : args->n_threads),
        .n_ranks = (int)args->n_ranks,
        .group = (int)args->group,
        .memory_bytes = args->memory_bytes,
        .max_men = (int)args->max_men,
        .moving_only = args->phase && strcmp(args->phase, "moving") == 0,
        .cpu_level = args->cpu,
        .keep = keep_of(args->keep),
        .verifier = args->verify ? VERIFY_VERSION : 0,
    };
}

enum status merels_planning_make(const struct context *context,
                                 const struct solve_options *options, struct plan *plan,
                                 struct error *err)
{
    const struct variant *variant = &context->variant;
    enum status status = merels_plan_make(&variant->rules, &variant->start, options, plan, err);
    if (status == STATUS_OK && options->keep == KEEP_WDL && variant->rules.metric != METRIC_DTM)
        status =
            merels_error(err, STATUS_UNSUPPORTED,
                         "--keep wdl is for depths to the end of the game: the results are "
                         "the same without metric=dtc");
    if (status == STATUS_OK && plan->n_units > 0 && options->verifier > 0)
        status = merels_solve_upkeep_plan(context, options, plan, err);
    if (status == STATUS_OK && plan->n_units > 0)
        return STATUS_OK;
    merels_plan_free(plan);
    if (status != STATUS_OK)
        return status;
    return merels_error(err, STATUS_BAD_INPUT, "%s with these options: nothing to solve",
                        variant->text);
}

enum status merels_planning_measure(const struct context *context,
                                    const struct solve_options *options, struct plan *plan,
                                    struct error *err)
{
    enum status status = merels_planning_make(context, options, plan, err);
    if (status != STATUS_OK)
        return status;
    status = merels_plan_measure(&context->variant.rules, options, plan, err);
    if (status != STATUS_OK)
        merels_plan_free(plan);
    return status;
}

static void append(char out[PLANNING_ADVICE_BYTES], const char *before, const char *text)
{
    size_t n = strlen(out);
    snprintf(out + n, PLANNING_ADVICE_BYTES - n, "%s%s", before, text);
}

// An option that was given, its value as a shell reads it back.
static void append_option(char out[PLANNING_ADVICE_BYTES], const char *name, const char *value)
{
    if (!value)
        return;
    append(out, name, "");
    if (!strpbrk(value, " \t\"'$&;()<>|*?[]#~`\\!{}")) {
        append(out, value, "");
        return;
    }
    append(out, "'", "");
    for (; *value; value++) {
        const char letter[2] = {*value, '\0'};
        append(out, *value == '\'' ? "'\\''" : letter, "");
    }
    append(out, "'", "");
}

const char *merels_planning_command(const struct context *context, const char *name,
                                    char out[PLANNING_ADVICE_BYTES])
{
    out[0] = '\0';
    append(out, "merels ", name);
    if (context->variant.from_file)
        append_option(out, " --rules ", context->variant.text);
    else
        append(out, " ", context->variant.text);
    append_option(out, " --metric ", context->args->metric);
    append_option(out, " --db ", context->args->db);
    append_option(out, " --record ", context->args->record);
    return out;
}

// How what another edition holds is made that is not there: a file, or tables in a directory.
static const char *advise_export(const struct context *context, const char *edition,
                                 char out[PLANNING_ADVICE_BYTES])
{
    out[0] = '\0';
    append(out, " (", "merels export");
    if (context->variant.from_file)
        append_option(out, " --rules ", context->variant.text);
    else
        append(out, " ", context->variant.text);
    append(out, " --edition ", edition);
    append_option(out, " --out ", context->dir);
    append(out, " makes it", ", of tables)");
    return out;
}

// Where values are searched, down to the tables of the moving phase of other rules.
static const char *advise_moving(const struct context *context, char out[PLANNING_ADVICE_BYTES])
{
    char name[RULES_NAME_BYTES], men[32];
    struct error reason;
    const struct variant *variant = &context->variant;
    out[0] = '\0';
    if (variant->from_file || merels_variant_tables_name(variant, name, &reason) != STATUS_OK) {
        append(out, " (its tables are those of the same rules without", " closed-points)");
        return out;
    }
    snprintf(men, sizeof men, ",men=%d-%d", variant->start.first_men,
             variant->start.second_men);
    append(out, " (merels solve ", name);
    append(out, men, " --phase moving");
    append_option(out, " --db ", context->args->db);
    append(out, " makes tables", ")");
    return out;
}

const char *merels_planning_advice(const struct context *context,
                                   char out[PLANNING_ADVICE_BYTES])
{
    struct plan plan;
    const char *edition = context->args->edition;
    struct error reason;
    char command[PLANNING_ADVICE_BYTES];
    if (merels_compact_path(context->dir))
        return advise_export(context, "compact", out);
    if (context->rules->closed_points == CLOSED_POINTS_YES)
        return advise_moving(context, out);
    if (edition != NULL && !edition_has_depths(merels_edition_named(edition, strlen(edition))))
        return advise_export(context, edition, out);
    const struct solve_options options = {.dir = context->dir, .n_threads = merels_threads(0)};
    enum status status = merels_planning_make(context, &options, &plan, &reason);
    out[0] = '\0';
    if (status == STATUS_UNSUPPORTED)
        snprintf(out, PLANNING_ADVICE_BYTES, " (these rules are not solved: %s)", reason.text);
    if (status != STATUS_OK)
        return out;
    bool accepted = merels_plan_check(&plan, &options, NULL) == STATUS_OK;
    merels_plan_free(&plan);
    if (accepted && !merels_dir_takes_files(context->dir)) {
        append(out, " (merels solve makes tables, in a directory that can be written",
               ": --db DIR)");
        return out;
    }
    merels_planning_command(context, accepted ? "solve" : "plan", command);
    snprintf(out, PLANNING_ADVICE_BYTES, " (%.*s %s)", ERROR_TEXT_BYTES, command,
             accepted ? "makes tables" : "tells what a solve takes");
    return out;
}

size_t merels_planning_finished(const struct plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_units; i++)
        n += plan->units[i].finished;
    return n;
}

// ---- the plan in all forms -----------------------------------------------------------------

static const struct column fact_columns[] = {
    {"rules", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"fingerprint", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"directory", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"threads", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"work units", .kind = COLUMN_NUMBER, .forms = IN_TEXT},
    {"units_finished", "finished", COLUMN_NUMBER, .forms = IN_ALL},
    {"units_again", "made again", COLUMN_NUMBER, .forms = IN_ALL},
    {"subspaces", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"slots", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"peak_memory_bytes", "memory", COLUMN_BYTES, .forms = IN_ALL},
    {"least_memory_bytes", "at least", COLUMN_BYTES, .forms = IN_ALL},
    {"disk_bytes", "disk", COLUMN_BYTES, .forms = IN_ALL},
    {"peak_disk_all_bytes", .kind = COLUMN_BYTES, .forms = IN_JSON},
    {"peak_disk_wdl_bytes", .kind = COLUMN_BYTES, .forms = IN_JSON},
    {"peak_disk_none_bytes", .kind = COLUMN_BYTES, .forms = IN_JSON},
    {"at the peak", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"temporary_bytes", "temporary", COLUMN_BYTES, .forms = IN_ALL},
    {"spill_bytes", "deep wins", COLUMN_BYTES, .forms = IN_JSON},
    {"deep wins", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"cpu_seconds", .kind = COLUMN_REAL, .forms = IN_JSON},
    {"processor", .kind = COLUMN_TEXT, .forms = IN_JSON},
    {"level", .kind = COLUMN_TEXT, .forms = IN_JSON},
    {"measured", .kind = COLUMN_FLAG, .forms = IN_JSON},
    {"time", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"processor", .kind = COLUMN_TEXT, .forms = IN_TEXT},
};

static const struct column unit_columns[] = {
    {"unit", .kind = COLUMN_NUMBER, .forms = IN_TEXT},
    {"subspaces", .kind = COLUMN_WORDS, .forms = IN_ALL},
    {"slots", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"memory_bytes", "memory", COLUMN_BYTES, .forms = IN_ALL},
    {"disk_bytes", "disk", COLUMN_BYTES, .forms = IN_ALL},
    {"temporary_bytes", "temporary", COLUMN_BYTES, .forms = IN_ALL},
    {"cpu_seconds", .kind = COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
    {"finished", .kind = COLUMN_FLAG, .forms = IN_ALL},
    {"again", .kind = COLUMN_FLAG, .forms = IN_ALL},
};

// What the time is made of.
static const struct column work_columns[] = {
    {"work", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"pieces", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"ns_per_piece", "ns per piece", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
    {"cpu_seconds", "CPU seconds", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
};

enum {
    N_WORK_COLUMNS = sizeof work_columns / sizeof *work_columns,
    N_FACTS = sizeof fact_columns / sizeof *fact_columns,
    N_UNIT_COLUMNS = sizeof unit_columns / sizeof *unit_columns
};

struct plan_facts {
    struct cell cells[N_FACTS];
    char time[128], deep[128], peak[160], processor[PROCESSOR_NAME_BYTES], measured[128];
};

static void state_peak(const struct plan *plan, struct plan_facts *facts)
{
    char text[N_KEEPS][QUANTITY_TEXT_BYTES];
    for (int k = 0; k < N_KEEPS; k++)
        merels_bytes_format(plan->peak_disk_bytes[k], text[k]);
    snprintf(facts->peak, sizeof facts->peak, "%s with --keep all, %s with wdl, %s with none",
             text[KEEP_ALL], text[KEEP_WDL], text[KEEP_NONE]);
}

// Depths that need two bytes, and what they cost; where plies are counted results end before.
static void state_deep(const struct rules *rules, const struct plan *plan,
                       struct plan_facts *facts)
{
    char spill[QUANTITY_TEXT_BYTES];
    enum edition edition = rules->metric == METRIC_DTC ? EDITION_DTC : EDITION_DTM;
    int most = value_plies(edition, MAX_DEPTH), next = value_plies(edition, 2 * MAX_DEPTH + 1);
    if (rules->n_move > 0 && rules->n_move <= most)
        snprintf(facts->deep, sizeof facts->deep, "none: what takes over %d plies is a draw",
                 rules->n_move);
    else
        snprintf(facts->deep, sizeof facts->deep,
                 "of over %d plies: two bytes a value, and %s of disk beside (to %d plies)",
                 most, merels_bytes_format(plan->spill_bytes, spill), next);
}

static void state_facts(const struct context *context, const struct solve_options *options,
                        const struct plan *plan, struct plan_facts *facts)
{
    int n_threads = options->n_threads; // of another machine, if cores are told
    int at_once = context->args->n_cores > 0 ? n_threads : merels_threads_at_once(n_threads);
    char wall[QUANTITY_TEXT_BYTES], cpu[QUANTITY_TEXT_BYTES];
    snprintf(facts->time, sizeof facts->time,
             "about %s with %d thread%s (%s of processor time)",
             merels_seconds_format(plan->cpu_seconds / at_once, wall), n_threads,
             n_threads == 1 ? "" : "s", merels_seconds_format(plan->cpu_seconds, cpu));
    state_deep(context->rules, plan, facts);
    const char *level = plan->rates.level ? plan->rates.level : merels_kernels(NULL)->level;
    snprintf(facts->measured, sizeof facts->measured, "%s, level %s, %s",
             merels_processor_name(facts->processor), level,
             plan->rates.measured ? "measured" : "not measured: too little to do");
    state_peak(plan, facts);
    const struct cell cells[N_FACTS] = {cell_text(context->variant.text),
                                        cell_text(context->variant.fingerprint),
                                        cell_text(context->dir),
                                        cell_number((uint64_t)n_threads),
                                        cell_number(plan->n_units),
                                        cell_number(merels_planning_finished(plan)),
                                        cell_number(plan->n_again),
                                        cell_number(plan->n_subspaces),
                                        cell_number(plan->n_slots),
                                        cell_number(plan->peak_memory_bytes),
                                        cell_number(plan->least_memory_bytes),
                                        cell_number(plan->disk_bytes),
                                        cell_number(plan->peak_disk_bytes[KEEP_ALL]),
                                        cell_number(plan->peak_disk_bytes[KEEP_WDL]),
                                        cell_number(plan->peak_disk_bytes[KEEP_NONE]),
                                        cell_text(facts->peak),
                                        cell_number(plan->temporary_bytes),
                                        cell_number(plan->spill_bytes),
                                        cell_text(facts->deep),
                                        cell_real(plan->cpu_seconds),
                                        cell_text(facts->processor),
                                        cell_text(level),
                                        cell_flag(plan->rates.measured),
                                        cell_text(facts->time),
                                        cell_text(facts->measured)};
    memcpy(facts->cells, cells, sizeof cells);
}

// ---- many ranks ----------------------------------------------------------------------------

// A run by ranks: what it would be like.
static const struct column rank_columns[] = {
    {"ranks", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"cores", "cores of each", COLUMN_NUMBER, .forms = IN_ALL},
    {"largest_group", "largest group", COLUMN_NUMBER, .forms = IN_ALL},
    {"rank_memory_bytes", "memory of each", COLUMN_BYTES, .forms = IN_ALL},
    {"wall_seconds", .kind = COLUMN_REAL, .forms = IN_JSON},
    {"chain_seconds", .kind = COLUMN_REAL, .forms = IN_JSON},
    {"chain_units", .kind = COLUMN_NUMBER, .forms = IN_JSON},
    {"time together", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"longest chain", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"traffic_bytes", "traffic", COLUMN_BYTES, .forms = IN_ALL},
    {"rank_traffic_bytes", "of a rank in a unit", COLUMN_BYTES, .forms = IN_ALL},
};

enum { N_RANK_FACTS = sizeof rank_columns / sizeof *rank_columns };

struct rank_facts {
    struct cell cells[N_RANK_FACTS];
    char time[128], chain[128];
};

static enum status state_ranks(const struct context *context,
                               const struct solve_options *options, const struct plan *plan,
                               struct rank_facts *facts, struct error *err)
{
    struct forecast f;
    char wall[QUANTITY_TEXT_BYTES];
    enum status status = merels_schedule_foresee(context->rules, plan, options->n_ranks,
                                                 options->group, options->n_threads, &f, err);
    if (status != STATUS_OK)
        return status;
    double alone = plan->cpu_seconds / options->n_threads;
    snprintf(facts->time, sizeof facts->time, "about %s, %.1f times as fast as one rank",
             merels_seconds_format(f.seconds, wall), f.seconds > 0 ? alone / f.seconds : 1);
    snprintf(facts->chain, sizeof facts->chain, "%zu units, about %s", f.path_units,
             merels_seconds_format(f.path_seconds, wall));
    const struct cell cells[N_RANK_FACTS] = {cell_number((uint64_t)options->n_ranks),
                                             cell_number((uint64_t)options->n_threads),
                                             cell_number((uint64_t)f.largest_group),
                                             cell_number(f.memory_bytes),
                                             cell_real(f.seconds),
                                             cell_real(f.path_seconds),
                                             cell_number(f.path_units),
                                             cell_text(facts->time),
                                             cell_text(facts->chain),
                                             cell_number((uint64_t)f.traffic_bytes),
                                             cell_number((uint64_t)f.rank_bytes)};
    memcpy(facts->cells, cells, sizeof cells);
    return STATUS_OK;
}

static enum status print_ranks(const struct context *context,
                               const struct solve_options *options, const struct plan *plan,
                               struct output *out, struct error *err)
{
    struct rank_facts facts;
    if (options->n_ranks == 0)
        return STATUS_OK;
    enum status status = state_ranks(context, options, plan, &facts, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out, "\n");
    return merels_facts_print(rank_columns, N_RANK_FACTS, facts.cells, out, err);
}

// ---- all of it -----------------------------------------------------------------------------

// The work units; to be destroyed whatever the outcome.
static enum status list_units(const struct plan *plan, struct listing **units,
                              struct error *err)
{
    *units = NULL;
    enum status status = merels_listing_create(unit_columns, N_UNIT_COLUMNS, units, err);
    for (size_t i = 0; status == STATUS_OK && i < plan->n_units; i++) {
        char name[UNIT_NAME_BYTES];
        const struct work_unit *unit = &plan->units[i];
        const struct cell cells[N_UNIT_COLUMNS] = {cell_number(i + 1),
                                                   cell_text(merels_unit_name(unit, name)),
                                                   cell_number(unit->n_slots),
                                                   cell_number(unit->memory_bytes),
                                                   cell_number(unit->disk_bytes),
                                                   cell_number(unit->temporary_bytes),
                                                   cell_real(unit->cpu_seconds),
                                                   cell_flag(unit->finished),
                                                   cell_flag(unit->again)};
        status = merels_listing_add(*units, cells, err);
    }
    return status;
}

static enum status list_work(const struct plan *plan, struct listing **work, struct error *err)
{
    *work = NULL;
    enum status status = merels_listing_create(work_columns, N_WORK_COLUMNS, work, err);
    for (int k = 0; status == STATUS_OK && k < N_WORK_KINDS; k++) {
        double n = plan->effort.n[k], ns = plan->rates.ns[k];
        const struct cell cells[N_WORK_COLUMNS] = {
            cell_text(merels_work_name((enum work_kind)k)), cell_number((uint64_t)n),
            cell_real(ns), cell_real(1e-9 * n * ns)};
        status = merels_listing_add(*work, cells, err);
    }
    return status;
}

// The listings of a plan, to be destroyed whatever the outcome.
struct plan_lists {
    struct listing *work, *units;
};

static enum status list_plan(const struct plan *plan, struct plan_lists *lists,
                             struct error *err)
{
    lists->units = NULL;
    enum status status = list_work(plan, &lists->work, err);
    return status == STATUS_OK ? list_units(plan, &lists->units, err) : status;
}

static void destroy_lists(struct plan_lists *lists)
{
    merels_listing_destroy(lists->work);
    merels_listing_destroy(lists->units);
}

enum status merels_planning_print(const struct context *context,
                                  const struct solve_options *options, const struct plan *plan,
                                  bool verbose, struct output *out, struct error *err)
{
    struct plan_facts facts;
    struct plan_lists lists;
    state_facts(context, options, plan, &facts);
    enum status status = merels_facts_print(fact_columns, N_FACTS, facts.cells, out, err);
    if (status == STATUS_OK)
        status = print_ranks(context, options, plan, out, err);
    if (status != STATUS_OK || !verbose)
        return status;
    status = list_plan(plan, &lists, err);
    if (status == STATUS_OK) {
        merels_print(out, "\n");
        status = merels_listing_print(lists.work, out, err);
    }
    if (status == STATUS_OK) {
        merels_print(out, "\n");
        status = merels_listing_print(lists.units, out, err);
    }
    destroy_lists(&lists);
    return status;
}

// `ranks` may be NULL.
static json_t *plan_json(const struct plan_facts *facts, const struct rank_facts *ranks,
                         const struct plan_lists *lists)
{
    json_t *object = merels_facts_json(fact_columns, N_FACTS, facts->cells);
    if ((ranks == NULL || json_object_set_new(object, "together",
                                              merels_facts_json(rank_columns, N_RANK_FACTS,
                                                                ranks->cells)) == 0) &&
        json_object_set_new(object, "work", merels_listing_json(lists->work)) == 0 &&
        json_object_set_new(object, "units", merels_listing_json(lists->units)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

enum status merels_planning_print_json(const struct context *context,
                                       const struct solve_options *options,
                                       const struct plan *plan, struct output *out,
                                       struct error *err)
{
    struct plan_facts facts;
    struct rank_facts ranks;
    struct plan_lists lists;
    state_facts(context, options, plan, &facts);
    enum status status = list_plan(plan, &lists, err);
    if (status == STATUS_OK && options->n_ranks > 0)
        status = state_ranks(context, options, plan, &ranks, err);
    if (status == STATUS_OK)
        status = merels_print_json(
            out, plan_json(&facts, options->n_ranks > 0 ? &ranks : NULL, &lists), false, err);
    destroy_lists(&lists);
    return status;
}
