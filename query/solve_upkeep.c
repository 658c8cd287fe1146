// solve_upkeep.c: the verifier's words and the solver's, one turned into the other.

#include "query/solve_upkeep.h"

#include <stdlib.h>
#include <string.h>

#include "export/export_table.h"
#include "game/rules_text.h"
#include "verify/verify_unit.h"

struct solve_upkeep {
    struct upkeep upkeep;
    const struct rules *rules;
    const struct solve_options *options;
    const atomic_int *stop;
    struct unit_verifier *verifier; // NULL if the run does not check
    char rules_text[RULES_TEXT_BYTES];
};

// ---- checking ------------------------------------------------------------------------------

// Where the progress of a check goes on: table number `number` of `n`.
struct relay {
    struct meter *meter;
    int number, n;
};

static void relay_report(const struct progress *now, void *context)
{
    struct relay *relay = context;
    double done = now->total > 0 ? (double)now->done / (double)now->total : 0;
    (void)merels_meter_tick(relay->meter, (relay->number + done) / relay->n); // the verifier
                                                                              // sees the flag
}

static enum status take_read(const struct read_tables *read, struct evidence *evidence,
                             struct error *err)
{
    enum status status = STATUS_OK;
    evidence->n = 0;
    for (int k = 0; k < read->n && k < 1 + MAX_SUCCESSORS && status == STATUS_OK; k++) {
        struct seen_table *seen = &evidence->tables[evidence->n++];
        memcpy(seen->value_hash, read->tables[k].values, SHA256_BYTES);
        status = merels_subspace_parse(read->tables[k].name, &seen->subspace, err);
    }
    return status;
}

static enum status verify(void *context, const struct work_unit *work, struct meter *meter,
                          struct evidence evidence[MAX_UNIT_SUBSPACES], struct error *err)
{
    const struct solve_upkeep *self = context;
    enum status status = STATUS_OK;
    for (int k = 0; k < work->n_subspaces && status == STATUS_OK; k++) {
        char name[SUBSPACE_NAME_BYTES];
        struct read_tables read;
        struct relay relay = {meter, k, work->n_subspaces};
        const struct watch watch = {
            .report = relay_report, .context = &relay, .stop = self->stop};
        merels_subspace_name(work->subspaces[k], name);
        status = merels_verify_one(self->verifier, name, &watch, &read, err);
        if (status == STATUS_OK)
            status = take_read(&read, &evidence[k], err);
    }
    return status;
}

// ---- converting ----------------------------------------------------------------------------

static enum status convert(void *context, const struct table *table, struct meter *meter,
                           struct error *err)
{
    const struct solve_upkeep *self = context;
    const char *dir = self->options->dir;
    const struct table_header *header = merels_table_header(table);
    const struct watch quiet = {.stop = self->stop};
    char name[SUBSPACE_NAME_BYTES], stage[PROGRESS_TEXT_BYTES];
    struct meter own;
    merels_subspace_name(header->subspace, name);
    snprintf(stage, sizeof stage, "wdl %s", name);
    merels_meter_rename(meter, stage);
    merels_meter_start(&own, &quiet, "slots", header->n_slots, 1);
    merels_meter_piece(&own, 0, name, header->n_slots);
    return merels_export_table(self->rules, table, dir, dir,
                               merels_solve_threads(self->options), &own, err);
}

// ---- making --------------------------------------------------------------------------------

static enum status make_verifier(const struct context *context,
                                 const struct solve_options *options, const char *rules_text,
                                 struct unit_verifier **verifier, struct error *err)
{
    const struct verify_options checks = {.dir = options->dir,
                                          .n_threads = merels_solve_threads(options),
                                          .memory_bytes = merels_solve_memory_limit(options),
                                          .any_board = context->rules->board.kind == BOARD_OWN};
    return merels_unit_verifier_create(rules_text, &checks, verifier, err);
}

enum status merels_solve_upkeep_create(const struct context *context,
                                       const struct solve_options *options,
                                       const atomic_int *stop, struct solve_upkeep **made,
                                       struct error *err)
{
    struct solve_upkeep *self = calloc(1, sizeof *self);
    if (self == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the tools of a run");
    self->upkeep = (struct upkeep){.context = self, .verify = verify, .convert = convert};
    self->rules = context->rules;
    self->options = options;
    self->stop = stop;
    merels_rules_text(context->rules, self->rules_text);
    enum status status = STATUS_OK;
    if (options->verifier > 0)
        status = make_verifier(context, options, self->rules_text, &self->verifier, err);
    if (status != STATUS_OK) {
        merels_solve_upkeep_destroy(self);
        return status;
    }
    *made = self;
    return STATUS_OK;
}

void merels_solve_upkeep_destroy(struct solve_upkeep *upkeep)
{
    if (upkeep == NULL)
        return;
    merels_unit_verifier_destroy(upkeep->verifier);
    free(upkeep);
}

const struct upkeep *merels_solve_upkeep(const struct solve_upkeep *upkeep)
{
    return &upkeep->upkeep;
}

// ---- the plan ------------------------------------------------------------------------------

// Beside the tables: the program, and the verifier's look-up tables.
enum { MIB = 1 << 20 };
static const uint64_t BESIDE_BYTES = 64 * MIB;

enum status merels_solve_upkeep_plan(const struct context *context,
                                     const struct solve_options *options, struct plan *plan,
                                     struct error *err)
{
    struct unit_verifier *verifier;
    char rules_text[RULES_TEXT_BYTES], name[SUBSPACE_NAME_BYTES];
    uint64_t most = 0;
    merels_rules_text(context->rules, rules_text);
    enum status status = make_verifier(context, options, rules_text, &verifier, err);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < plan->n_units; k++)
        for (int i = 0; i < plan->units[k].n_subspaces && !plan->units[k].finished; i++) {
            merels_subspace_name(plan->units[k].subspaces[i], name);
            uint64_t bytes = BESIDE_BYTES + merels_unit_verifier_bytes(verifier, name);
            most = bytes > most ? bytes : most;
        }
    merels_unit_verifier_destroy(verifier);
    uint64_t least = (most + MIB - 1) / MIB * MIB;
    if (plan->peak_memory_bytes < most)
        plan->peak_memory_bytes = most;
    if (plan->least_memory_bytes < least)
        plan->least_memory_bytes = least;
    return STATUS_OK;
}
