// command_bench.c: merels bench: the benches by name, and the one that solves fixed small
// subspaces, checks them, and says how fast that was.
//
// Each bench is a function in the table below. A bench fails if a result is wrong, so its
// figures are those of a program that works. The signature depends on the values only, not on
// the machine, the threads or the compiler.

#include <string.h>
#include <time.h>

#include "db/manifest.h"
#include "query/bench_probe.h"
#include "query/command.h"
#include "query/listing.h"
#include "query/planning.h"
#include "query/scratch.h"
#include "query/stop.h"

struct bench {
    const char *name;
    enum status (*run)(struct context *context, struct error *err);
};

// Win, draw, loss in orbits and the deepest result in plies of nine men's morris, moving phase.
struct known_counts {
    struct subspace subspace;
    uint64_t win, draw, loss;
    int deepest;
};

static const struct known_counts known[] = {
    {{3, 3, 0, 0}, 140621, 269, 28736, 26},  {{3, 4, 0, 0}, 102281, 658117, 0, 33},
    {{4, 3, 0, 0}, 75397, 681906, 3095, 32}, {{3, 5, 0, 0}, 6301, 2564412, 9677, 31},
    {{4, 4, 0, 0}, 159, 3225409, 29, 9},     {{5, 3, 0, 0}, 580660, 1999730, 0, 3},
};

static const char known_signature[] = "c5b6f8fbfac101d9";

enum { N_KNOWN = sizeof known / sizeof known[0], BENCH_MEN = 8 };

enum { SIGNATURE_BYTES = 8, SIGNATURE_TEXT_BYTES = 2 * SIGNATURE_BYTES + 1 };

// ---- bench solve ---------------------------------------------------------------------------

struct figures {
    uint64_t n_slots;
    double cpu_seconds, wall_seconds;
    char signature[SIGNATURE_TEXT_BYTES];
};

static enum status check_counts(const struct known_counts *expected,
                                const struct manifest_entry *entry, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    const struct table_stats *s = &entry->header.stats;
    int deepest = s->max_win > s->max_loss ? s->max_win : s->max_loss;
    merels_subspace_name(expected->subspace, name);
    if (merels_subspace_equal(entry->subspace, expected->subspace) && s->win == expected->win &&
        s->draw == expected->draw && s->loss == expected->loss && deepest == expected->deepest)
        return STATUS_OK;
    return merels_error(err, STATUS_MISMATCH,
                        "bench: subspace %s has %llu wins, %llu draws, %llu losses, depth %d; "
                        "right are %llu, %llu, %llu, %d",
                        name, (unsigned long long)s->win, (unsigned long long)s->draw,
                        (unsigned long long)s->loss, deepest, (unsigned long long)expected->win,
                        (unsigned long long)expected->draw, (unsigned long long)expected->loss,
                        expected->deepest);
}

static enum status check_manifest(const struct manifest *manifest, struct error *err)
{
    if (manifest->n_entries != N_KNOWN)
        return merels_error(err, STATUS_MISMATCH, "bench: %zu tables instead of %d",
                            manifest->n_entries, N_KNOWN);
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < N_KNOWN; i++)
        status = check_counts(&known[i], &manifest->entries[i], err);
    return status;
}

static enum status hash_entries(const struct manifest *manifest, struct sha256 *hash,
                                char signature[SIGNATURE_TEXT_BYTES], struct error *err)
{
    uint8_t digest[SHA256_BYTES];
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < manifest->n_entries; i++)
        status = merels_sha256_update(hash, manifest->entries[i].header.value_hash,
                                      SHA256_BYTES, err);
    if (status == STATUS_OK)
        status = merels_sha256_finish(hash, digest, err);
    if (status == STATUS_OK)
        merels_hex(digest, SIGNATURE_BYTES, signature);
    return status;
}

static enum status check_signature(const struct manifest *manifest,
                                   char signature[SIGNATURE_TEXT_BYTES], struct error *err)
{
    struct sha256 *hash;
    enum status status = merels_sha256_create(&hash, err);
    if (status != STATUS_OK)
        return status;
    status = hash_entries(manifest, hash, signature, err);
    merels_sha256_destroy(hash);
    if (status == STATUS_OK && strcmp(signature, known_signature) != 0)
        status = merels_error(err, STATUS_MISMATCH, "bench: the signature is %s; right is %s",
                              signature, known_signature);
    return status;
}

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static enum status time_solve(const struct context *context, struct figures *figures,
                              struct error *err)
{
    struct plan plan;
    struct solve_options options = merels_planning_options(context);
    options.max_men = BENCH_MEN;
    options.moving_only = true;
    enum status status = merels_planning_make(context, &options, &plan, err);
    if (status != STATUS_OK)
        return status;
    const struct watch watch = {.stop = merels_stop_on_signals()};
    double wall = wall_clock();
    clock_t cpu = clock();
    status = merels_solve(context->rules, &plan, &options, &watch, err);
    figures->cpu_seconds = (double)(clock() - cpu) / CLOCKS_PER_SEC;
    figures->wall_seconds = wall_clock() - wall;
    figures->n_slots = plan.n_slots;
    merels_plan_free(&plan);
    return status;
}

static enum status solve_and_check(const struct context *context, struct figures *figures,
                                   struct error *err)
{
    struct manifest manifest;
    enum status status = time_solve(context, figures, err);
    if (status == STATUS_OK)
        status = merels_manifest_read(context->dir, context->rules, &manifest, err);
    if (status != STATUS_OK)
        return status;
    status = check_manifest(&manifest, err);
    if (status == STATUS_OK)
        status = check_signature(&manifest, figures->signature, err);
    merels_manifest_free(&manifest);
    return status;
}

static enum status print_figures(const struct figures *figures, bool json, struct output *out,
                                 struct error *err)
{
    static const struct column columns[] = {
        {"bench", .kind = COLUMN_TEXT, .forms = IN_JSON},
        {"signature", .kind = COLUMN_TEXT, .forms = IN_ALL},
        {"slots", "positions", COLUMN_NUMBER, .forms = IN_ALL},
        {"ns_per_position", "ns per position", COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
        {"cpu_seconds", "CPU seconds", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
        {"seconds", .kind = COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
    };
    const struct cell cells[] = {
        cell_text("solve"),
        cell_text(figures->signature),
        cell_number(figures->n_slots),
        cell_real(1e9 * figures->cpu_seconds / (double)figures->n_slots),
        cell_real(figures->cpu_seconds),
        cell_real(figures->wall_seconds)};
    enum { N = sizeof columns / sizeof *columns };
    if (json)
        return merels_print_json(out, merels_facts_json(columns, N, cells), false, err);
    return merels_facts_print(columns, N, cells, out, err);
}

static enum status bench_solve(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    if (args->n_operands > 1)
        return merels_error(err, STATUS_BAD_INPUT, "bench: unexpected argument '%s'",
                            args->operands[1]);
    struct figures figures = {0};
    enum status status = merels_context_rules(context, "nine", err);
    if (status == STATUS_OK)
        status = merels_scratch_create(context->args->db, &context->dir, err);
    if (status != STATUS_OK)
        return status;
    status = solve_and_check(context, &figures, err);
    if (status == STATUS_OK)
        status = print_figures(&figures, context->args->json, context->out, err);
    enum status removed = merels_scratch_remove(context->dir, status == STATUS_OK ? err : NULL);
    return status != STATUS_OK ? status : removed;
}

// ---- the benches ---------------------------------------------------------------------------

static const struct bench benches[] = {
    {"solve", bench_solve},
    {"probe", merels_bench_probe},
};

enum { N_BENCHES = sizeof benches / sizeof benches[0] };

static enum status run_bench(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    const char *name = args->n_operands > 0 ? args->operands[0] : benches[0].name;
    for (int i = 0; i < N_BENCHES; i++)
        if (strcmp(benches[i].name, name) == 0)
            return benches[i].run(context, err);
    return merels_error(err, STATUS_BAD_INPUT, "bench: there is no bench '%s'", name);
}

const struct command merels_command_bench = {
    .name = "bench",
    .operands = "[solve | probe [RULES]]",
    .min_operands = 0,
    .max_operands = 2,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_THREADS) | TAKES(OPTION_CPU) | TAKES(OPTION_JSON),
    .summary = "time solving fixed small subspaces, or looking up positions",
    .details = "solve: solves the subspaces of nine men's morris with at most 8 men in a\n"
               "temporary directory (in DIR of --db, else in $TMPDIR, else in /tmp), which it\n"
               "removes. The signature is a hash of all values: the same on every machine.\n"
               "Exit status 1 if a result is wrong.\n"
               "probe: opens the tablebase of RULES (else nine) and looks up the same random\n"
               "positions of all its tables, one thread: time and memory of opening, times of\n"
               "a look-up whose block is in the cache and of one whose block is read, fully\n"
               "ranked positions a second.",
    .example = "  merels bench --threads 1\n  merels bench probe nine --db /data/nine",
    .run = run_bench,
};
