// command_plan.c: merels plan: what a solve would take, without doing it.

#include "query/command.h"
#include "query/planning.h"

static json_t *unit_json(const struct work_unit *unit)
{
    json_t *names = json_array();
    for (int i = 0; i < unit->n_subspaces; i++) {
        char name[SUBSPACE_NAME_BYTES];
        merels_subspace_name(unit->subspaces[i], name);
        if (json_array_append_new(names, json_string(name)) != 0) {
            json_decref(names);
            return NULL;
        }
    }
    return json_pack("{s:o, s:I, s:I, s:I, s:b}", "subspaces", names, "slots",
                     (json_int_t)unit->n_slots, "memory_bytes", (json_int_t)unit->memory_bytes,
                     "disk_bytes", (json_int_t)unit->disk_bytes, "finished",
                     (int)unit->finished);
}

static json_t *units_json(const struct plan *plan)
{
    json_t *units = json_array();
    for (size_t i = 0; i < plan->n_units; i++)
        if (json_array_append_new(units, unit_json(&plan->units[i])) != 0) {
            json_decref(units);
            return NULL;
        }
    return units;
}

static enum status print_json(const struct context *context,
                              const struct solve_options *options, const struct plan *plan,
                              struct output *out, struct error *err)
{
    json_t *object = json_pack(
        "{s:s, s:s, s:o, s:i, s:I, s:I, s:I, s:I, s:I, s:f, s:o}", "rules",
        context->variant.text, "fingerprint", context->variant.fingerprint, "directory",
        merels_json_text(context->dir), "threads", options->n_threads, "subspaces",
        (json_int_t)plan->n_subspaces, "slots", (json_int_t)plan->n_slots, "peak_memory_bytes",
        (json_int_t)plan->peak_memory_bytes, "disk_bytes", (json_int_t)plan->disk_bytes,
        "units_finished", (json_int_t)merels_planning_finished(plan), "cpu_seconds",
        plan->cpu_seconds, "units", units_json(plan));
    return merels_print_json(out, object, false, err);
}

static enum status run_plan(struct context *context, struct error *err)
{
    struct plan plan;
    const struct arguments *args = context->args;
    const struct solve_options options = merels_planning_options(context);
    enum status status = merels_planning_make(context, &options, &plan, err);
    if (status != STATUS_OK)
        return status;
    if (args->json)
        status = print_json(context, &options, &plan, context->out, err);
    else
        merels_planning_print(context, &options, &plan, args->verbose, context->out);
    if (status == STATUS_OK)
        status = merels_plan_check(&plan, &options, err);
    merels_plan_free(&plan);
    return status;
}

const struct command merels_command_plan = {
    .name = "plan",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_DIRECTORY,
    .takes = PLANNING_OPTIONS | TAKES(OPTION_VERBOSE) | TAKES(OPTION_JSON),
    .summary = "tell what a solve needs: memory, disk, time",
    .details = "Finds the subspaces that can arise and the work units, and says what solving\n"
               "them takes. Nothing is written. --verbose adds a line for each unit. Exit\n"
               "status 1 if the machine or the given limit has too little memory or disk.",
    .example = "  merels plan nine --phase moving --memory 4G",
    .run = run_plan,
};
