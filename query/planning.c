// planning.c: options of a solve, the making of its plan, and the plan as text.

#include "query/planning.h"

#include <sched.h>
#include <string.h>

#include "query/quantity.h"

static int usable_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return CPU_COUNT(&set);
}

struct solve_options merels_planning_options(const struct context *context)
{
    const struct arguments *args = context->args;
    return (struct solve_options){
        .dir = context->dir,
        .n_threads = args->n_threads > 0 ? (int)args->n_threads : usable_processors(),
        .memory_bytes = args->memory_bytes,
        .max_men = (int)args->max_men,
        .moving_only = args->phase && strcmp(args->phase, "moving") == 0,
        .cpu_level = args->cpu,
    };
}

enum status merels_planning_make(const struct context *context,
                                 const struct solve_options *options, struct plan *plan,
                                 struct error *err)
{
    const struct variant *variant = &context->variant;
    enum status status = merels_plan_make(&variant->rules, &variant->start, options, plan, err);
    if (status != STATUS_OK || plan->n_units > 0)
        return status;
    merels_plan_free(plan);
    return merels_error(err, STATUS_BAD_INPUT, "%s with these options: nothing to solve",
                        variant->text);
}

const char *merels_planning_advice(const struct context *context,
                                   char out[PLANNING_ADVICE_BYTES])
{
    struct plan plan;
    struct error reason;
    const char *db = context->args->db, *rules = context->variant.text;
    const struct solve_options options = {.dir = context->dir,
                                          .n_threads = usable_processors()};
    enum status status = merels_planning_make(context, &options, &plan, &reason);
    out[0] = '\0';
    if (status == STATUS_UNSUPPORTED)
        snprintf(out, PLANNING_ADVICE_BYTES, " (these rules are not solved: %s)", reason.text);
    if (status != STATUS_OK)
        return out;
    if (merels_plan_check(&plan, &options, NULL) == STATUS_OK)
        snprintf(out, PLANNING_ADVICE_BYTES, " (merels solve %s%s%s makes tables)", rules,
                 db ? " --db " : "", db ? db : "");
    else
        snprintf(out, PLANNING_ADVICE_BYTES, " (merels plan %s tells what a solve takes)",
                 rules);
    merels_plan_free(&plan);
    return out;
}

size_t merels_planning_finished(const struct plan *plan)
{
    size_t n = 0;
    for (size_t i = 0; i < plan->n_units; i++)
        n += plan->units[i].finished;
    return n;
}

static void print_units(const struct plan *plan, struct output *out)
{
    merels_print(out, "\n%-5s %-16s %15s %10s %10s\n", "unit", "subspaces", "slots", "memory",
                 "disk");
    for (size_t i = 0; i < plan->n_units; i++) {
        const struct work_unit *unit = &plan->units[i];
        char name[UNIT_NAME_BYTES], slots[QUANTITY_TEXT_BYTES];
        char memory[QUANTITY_TEXT_BYTES], disk[QUANTITY_TEXT_BYTES];
        merels_print(out, "%-5zu %-16s %15s %10s %10s%s\n", i + 1, merels_unit_name(unit, name),
                     merels_count_format(unit->n_slots, slots),
                     merels_bytes_format(unit->memory_bytes, memory),
                     merels_bytes_format(unit->disk_bytes, disk),
                     unit->finished ? "  finished" : "");
    }
}

static void print_time(const struct plan *plan, int n_threads, struct output *out)
{
    char wall[QUANTITY_TEXT_BYTES], cpu[QUANTITY_TEXT_BYTES];
    merels_print(out, "time        about %s with %d thread%s (%s of processor time)\n",
                 merels_seconds_format(plan->cpu_seconds / n_threads, wall), n_threads,
                 n_threads == 1 ? "" : "s", merels_seconds_format(plan->cpu_seconds, cpu));
}

void merels_planning_print(const struct context *context, const struct solve_options *options,
                           const struct plan *plan, bool verbose, struct output *out)
{
    char text[QUANTITY_TEXT_BYTES];
    merels_print(out, "rules       %s (fingerprint %s)\n", context->variant.text,
                 context->variant.fingerprint);
    merels_print(out, "directory   %s\n", context->dir);
    merels_print(out, "work units  %zu (%zu finished)\n", plan->n_units,
                 merels_planning_finished(plan));
    merels_print(out, "subspaces   %zu\n", plan->n_subspaces);
    merels_print(out, "slots       %s\n", merels_count_format(plan->n_slots, text));
    merels_print(out, "memory      %s at the peak\n",
                 merels_bytes_format(plan->peak_memory_bytes, text));
    merels_print(out, "disk        %s\n", merels_bytes_format(plan->disk_bytes, text));
    print_time(plan, options->n_threads, out);
    if (verbose)
        print_units(plan, out);
}
