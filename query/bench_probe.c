// bench_probe.c: times of opening a tablebase and of looking up random positions in it.
//
// The positions are the same in every run: the same number from each table, slots from a fixed
// seed, those left out in which the game is over. A first pass brings the files into the page
// cache and builds the lists of rows; what is timed is the pass after it. One thread.
//
//   uncached   a cache of no bytes: every look-up reads and decompresses a block
//   cached     a cache in which all blocks fit
//   ranked     every ply of a position looked up and sorted, blocks in the cache
//
// A file of edition compact keeps what it has decoded whatever the cache: of fewer positions
// the first look-up after opening is uncached, the next one of the same position cached, and so
// are the rankings that are timed.

#include "query/bench_probe.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "query/listing.h"

enum { PER_TABLE = 20, RANKED_PER_TABLE = 2, ROUNDS = 9, BENCH_CACHE_BYTES = 512 << 20 };
enum { COMPACT_PER_SUBSPACE = 1, COMPACT_RANKED_EACH = 4 };

struct figures {
    size_t n_tables, n_positions, n_ranked, n_plies;
    double open_ms, open_mb;
    double cached_us, cached_p99_us;
    double uncached_us, uncached_p99_us;
    double ranked_per_second;
};

struct bench {
    struct context *context;
    size_t per_table; // positions
    struct position *positions;
    double *times; // of one pass
    struct ranking *ranking;
    struct figures figures;
};

static double now_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Resident memory of this process in MB; 0 where the system does not say.
static double resident_mb(void)
{
    long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (!statm)
        return 0;
    if (fscanf(statm, "%*s %ld", &pages) != 1)
        pages = 0;
    fclose(statm);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1e6;
}

static int compare_times(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

// The time at a part (0..1) of the sorted times, in microseconds.
static double time_at(double *times, size_t n, double part)
{
    qsort(times, n, sizeof *times, compare_times);
    return 1e6 * times[(size_t)(part * (double)(n - 1))];
}

// ---- positions -----------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

static bool is_open(const struct rules *rules, const struct position *pos)
{
    int value;
    return merels_position_check(rules, pos, NULL) == STATUS_OK &&
           !merels_position_over(rules, pos, &value);
}

// Up to per_table positions of a subspace, behind those that are there.
static enum status draw_positions(struct bench *bench, struct tablebase *base,
                                  struct subspace s, uint64_t *random, struct error *err)
{
    const struct rules *rules = bench->context->rules;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    size_t n = 0;
    for (size_t tries = 0; n < bench->per_table && tries < 20 * bench->per_table; tries++) {
        struct position *pos = &bench->positions[bench->figures.n_positions];
        enum status status = merels_index_unrank(merels_tablebase_index(base), s,
                                                 next_random(random) % n_slots, pos, err);
        if (status != STATUS_OK)
            return status;
        bool take = is_open(rules, pos);
        n += take;
        bench->figures.n_positions += take;
    }
    return STATUS_OK;
}

static enum status collect_positions(struct bench *bench, struct tablebase *base,
                                     struct error *err)
{
    struct subspace *list;
    uint64_t random = 1;
    enum status status = merels_tablebase_list(base, &list, &bench->figures.n_tables, err);
    if (status != STATUS_OK)
        return status;
    size_t room = bench->figures.n_tables * bench->per_table + 1;
    bench->positions = calloc(room, sizeof *bench->positions);
    bench->times = calloc(room * ROUNDS, sizeof *bench->times);
    bench->ranking = malloc(sizeof *bench->ranking);
    if (!bench->positions || !bench->times || !bench->ranking)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the positions");
    for (size_t i = 0; status == STATUS_OK && i < bench->figures.n_tables; i++)
        status = draw_positions(bench, base, list[i], &random, err);
    if (status == STATUS_OK && bench->figures.n_positions == 0)
        status = merels_error(err, STATUS_MISSING, "%s: there is no table with open positions",
                              bench->context->dir);
    free(list);
    return status;
}

// ---- passes --------------------------------------------------------------------------------

// Looks up every position n_rounds times; bench->times has one time for each look-up.
static enum status look_up_all(struct bench *bench, struct tablebase *base, int n_rounds,
                               struct error *err)
{
    size_t n = bench->figures.n_positions;
    for (size_t i = 0; i < n * (size_t)n_rounds; i++) {
        struct answer answer;
        double start = now_seconds();
        enum status status =
            merels_tablebase_probe(base, &bench->positions[i % n], &answer, err);
        bench->times[i] = now_seconds() - start;
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

// A first pass, then the timed ones.
static enum status time_look_ups(struct bench *bench, struct tablebase *base, double *median_us,
                                 double *p99_us, struct error *err)
{
    enum status status = look_up_all(bench, base, 1, err);
    if (status == STATUS_OK)
        status = look_up_all(bench, base, ROUNDS, err);
    size_t n = bench->figures.n_positions * ROUNDS;
    *median_us = time_at(bench->times, n, 0.5);
    *p99_us = time_at(bench->times, n, 0.99);
    return status;
}

// Ranks some positions of each table; those whose successors are not all there are left out.
static enum status rank_all(struct bench *bench, struct tablebase *base, double *seconds,
                            struct error *err)
{
    struct figures *figures = &bench->figures;
    double start = now_seconds();
    figures->n_ranked = figures->n_plies = 0;
    for (size_t i = 0; i < figures->n_positions; i += PER_TABLE / RANKED_PER_TABLE) {
        enum status status = merels_rank_plies(base, bench->context->rules,
                                               &bench->positions[i], bench->ranking, err);
        if (status != STATUS_OK && status != STATUS_NOT_COVERED)
            return status;
        if (status == STATUS_NOT_COVERED)
            continue;
        figures->n_ranked++;
        figures->n_plies += (size_t)bench->ranking->n_plies;
    }
    *seconds = now_seconds() - start;
    return STATUS_OK;
}

static enum status time_ranking(struct bench *bench, struct tablebase *base, struct error *err)
{
    double seconds = 0, best = 0;
    enum status status = STATUS_OK;
    for (int round = 0; status == STATUS_OK && round <= ROUNDS; round++) {
        status = rank_all(bench, base, &seconds, err);
        if (round == 1 || (round > 1 && seconds < best))
            best = seconds;
    }
    bench->figures.ranked_per_second = best > 0 ? (double)bench->figures.n_ranked / best : 0;
    return status;
}

// ---- the bench -----------------------------------------------------------------------------

static enum status open_base(const struct bench *bench, size_t cache_bytes,
                             struct tablebase **base, struct error *err)
{
    return merels_tablebase_open(bench->context->dir, bench->context->rules, cache_bytes, base,
                                 err);
}

static enum status run_uncached(struct bench *bench, struct error *err)
{
    struct tablebase *base;
    struct figures *figures = &bench->figures;
    enum status status = open_base(bench, 0, &base, err);
    if (status != STATUS_OK)
        return status;
    status = collect_positions(bench, base, err);
    if (status == STATUS_OK)
        status =
            time_look_ups(bench, base, &figures->uncached_us, &figures->uncached_p99_us, err);
    merels_tablebase_close(base);
    return status;
}

static enum status run_cached(struct bench *bench, struct error *err)
{
    struct tablebase *base;
    struct figures *figures = &bench->figures;
    enum status status = open_base(bench, BENCH_CACHE_BYTES, &base, err);
    if (status != STATUS_OK)
        return status;
    status = time_look_ups(bench, base, &figures->cached_us, &figures->cached_p99_us, err);
    if (status == STATUS_OK)
        status = time_ranking(bench, base, err);
    merels_tablebase_close(base);
    return status;
}

// ---- edition compact -----------------------------------------------------------------------

static enum status time_one(struct bench *bench, struct tablebase *base, size_t i,
                            double *seconds, struct error *err)
{
    struct answer answer;
    double start = now_seconds();
    enum status status = merels_tablebase_probe(base, &bench->positions[i], &answer, err);
    *seconds = now_seconds() - start;
    return status;
}

// Every position with a file that was just opened, and once more.
static enum status time_compact_look_ups(struct bench *bench, struct error *err)
{
    struct figures *figures = &bench->figures;
    size_t n = figures->n_positions;
    double *first = bench->times, *again = bench->times + n;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < n && status == STATUS_OK; i++) {
        struct tablebase *base;
        status = open_base(bench, 0, &base, err);
        if (status != STATUS_OK)
            return status;
        status = time_one(bench, base, i, &first[i], err);
        if (status == STATUS_OK)
            status = time_one(bench, base, i, &again[i], err);
        merels_tablebase_close(base);
    }
    figures->uncached_us = time_at(first, n, 0.5);
    figures->uncached_p99_us = time_at(first, n, 0.99);
    figures->cached_us = time_at(again, n, 0.5);
    figures->cached_p99_us = time_at(again, n, 0.99);
    return status;
}

static enum status rank_compact(struct bench *bench, struct tablebase *base, double *seconds,
                                struct error *err)
{
    struct figures *figures = &bench->figures;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < figures->n_positions; i += COMPACT_RANKED_EACH)
        for (int again = 0; again < 2; again++) {
            double start = now_seconds();
            status = merels_rank_plies(base, bench->context->rules, &bench->positions[i],
                                       bench->ranking, err);
            if (status != STATUS_OK && status != STATUS_NOT_COVERED)
                return status;
            if (status == STATUS_NOT_COVERED || !again)
                continue;
            *seconds += now_seconds() - start;
            figures->n_ranked++;
            figures->n_plies += (size_t)bench->ranking->n_plies;
        }
    return STATUS_OK;
}

static enum status run_compact(struct bench *bench, struct error *err)
{
    struct tablebase *base;
    double seconds = 0;
    enum status status = open_base(bench, 0, &base, err);
    if (status != STATUS_OK)
        return status;
    status = collect_positions(bench, base, err);
    if (status == STATUS_OK)
        status = time_compact_look_ups(bench, err);
    if (status == STATUS_OK)
        status = rank_compact(bench, base, &seconds, err);
    bench->figures.ranked_per_second =
        seconds > 0 ? (double)bench->figures.n_ranked / seconds : 0;
    merels_tablebase_close(base);
    return status;
}

// ---- figures -------------------------------------------------------------------------------

static enum status print_figures(const struct figures *f, bool json, struct output *out,
                                 struct error *err)
{
    static const struct column columns[] = {
        {"bench", .kind = COLUMN_TEXT, .forms = IN_JSON},
        {"tables", .kind = COLUMN_NUMBER, .forms = IN_ALL},
        {"positions", .kind = COLUMN_NUMBER, .forms = IN_ALL},
        {"open_ms", "opening, ms", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
        {"open_mb", "opening, MB resident", COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
        {"cached_us", "cached, us median", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
        {"cached_p99_us", "cached, us 99 %", COLUMN_REAL, .forms = IN_ALL, .decimals = 2},
        {"uncached_us", "uncached, us median", COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
        {"uncached_p99_us", "uncached, us 99 %", COLUMN_REAL, .forms = IN_ALL, .decimals = 1},
        {"ranked_positions", "ranked positions", COLUMN_NUMBER, .forms = IN_ALL},
        {"ranked_plies", "ranked plies", COLUMN_NUMBER, .forms = IN_ALL},
        {"ranked_per_second", "ranked, cached, positions/s", COLUMN_REAL, .forms = IN_ALL},
    };
    const struct cell cells[] = {cell_text("probe"),
                                 cell_number(f->n_tables),
                                 cell_number(f->n_positions),
                                 cell_real(f->open_ms),
                                 cell_real(f->open_mb),
                                 cell_real(f->cached_us),
                                 cell_real(f->cached_p99_us),
                                 cell_real(f->uncached_us),
                                 cell_real(f->uncached_p99_us),
                                 cell_number(f->n_ranked),
                                 cell_number(f->n_plies),
                                 cell_real(f->ranked_per_second)};
    enum { N = sizeof columns / sizeof *columns };
    if (json)
        return merels_print_json(out, merels_facts_json(columns, N, cells), false, err);
    return merels_facts_print(columns, N, cells, out, err);
}

// Rules and tablebase, as a program that wants one answer opens them.
static enum status time_opening(struct bench *bench, bool *is_compact, struct error *err)
{
    struct context *context = bench->context;
    const struct arguments *args = context->args;
    double memory = resident_mb(), start = now_seconds();
    enum status status =
        merels_context_rules(context, args->n_operands > 1 ? args->operands[1] : "nine", err);
    if (status == STATUS_OK)
        status = merels_context_tables(context, NEEDS_TABLES, err);
    *is_compact =
        status == STATUS_OK && merels_tablebase_edition(context->base) == EDITION_COMPACT;
    bench->figures.open_ms = 1e3 * (now_seconds() - start);
    bench->figures.open_mb = resident_mb() - memory;
    merels_tablebase_close(context->base);
    context->base = NULL;
    return status;
}

enum status merels_bench_probe(struct context *context, struct error *err)
{
    bool is_compact = false;
    struct bench bench = {.context = context};
    enum status status = time_opening(&bench, &is_compact, err);
    bench.per_table = is_compact ? COMPACT_PER_SUBSPACE : PER_TABLE;
    if (status == STATUS_OK && is_compact)
        status = run_compact(&bench, err);
    if (status == STATUS_OK && !is_compact)
        status = run_uncached(&bench, err);
    if (status == STATUS_OK && !is_compact)
        status = run_cached(&bench, err);
    if (status == STATUS_OK)
        status = print_figures(&bench.figures, context->args->json, context->out, err);
    free(bench.positions);
    free(bench.times);
    free(bench.ranking);
    return status;
}
