// check_table.c: one table: all its slots, or random ones; its value hash; its counts.

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_run.h"

// What the threads share while rows are checked.
struct job {
    struct session *session;
    const struct source_table *table;
    const struct needs *needs;
    const struct view *view;
    uint32_t piece, bad_row; // bad_row: the lowest row with a mismatch; n_rows if there is none
    uint32_t bad_column;
    uint32_t twin_column; // the same as bad_column unless symmetric slots differ
    uint32_t rows_done;
    struct outcome outcome;
    struct tally tally;
};

static const uint8_t *row_values(const struct job *job, uint32_t row)
{
    return (const uint8_t *)job->session->values.data + row * job->table->n_columns;
}

// ---- rows ----------------------------------------------------------------------------------

static uint32_t check_ended(const struct job *job, const uint8_t *stored)
{
    uint32_t k = 0, n = (uint32_t)job->table->n_columns;
    while (k < n && stored[k] == job->needs->ended_value)
        k++;
    return k;
}

static void blame(struct job *job, uint32_t row, uint32_t column, uint32_t twin)
{
#pragma omp critical(verify_blame)
    if (row < job->bad_row) {
#pragma omp atomic write
        job->bad_row = row;
        job->bad_column = column;
        job->twin_column = twin;
    }
}

static void check_one(struct job *job, uint32_t row, struct room *room, struct tally *tally)
{
    const struct view *view = job->view;
    const struct verify_kernels *kernels = job->session->kernels;
    const uint8_t *stored = row_values(job, row);
    struct twins twins;
    uint32_t bad = job->needs->ended
                       ? check_ended(job, stored)
                       : kernels->check_row(view, view->rows->smallest[row], stored, room);
    if (bad < view->n_columns)
        blame(job, row, bad, bad);
    else if (!kernels->tally_row(view, row, stored, tally, &twins))
        blame(job, row, twins.column, twins.other);
}

static bool row_is_moot(struct job *job, uint32_t row)
{
    uint32_t bad_row;
#pragma omp atomic read
    bad_row = job->bad_row;
    return row > bad_row || merels_verify_failed(&job->outcome);
}

static void row_tick(struct job *job, uint32_t n)
{
    uint32_t done;
#pragma omp atomic capture
    done = job->rows_done += n;
    if (omp_get_thread_num() == 0 &&
        merels_verify_tick(job->session,
                           (uint64_t)((0.2 + 0.8 * done / (double)job->table->n_rows) *
                                      (double)job->table->n_slots),
                           false))
        merels_verify_fail(&job->outcome, STATUS_INTERRUPTED,
                           &(struct error){STATUS_INTERRUPTED, "stopped"});
}

// ---- threads -------------------------------------------------------------------------------

static void start_tally(struct tally *tally)
{
    memset(tally, 0, sizeof *tally);
    for (int v = 0; v < 256; v++)
        tally->first[v] = UINT64_MAX;
}

static void add_tally(struct tally *to, const struct tally *from)
{
    for (int v = 0; v < 256; v++) {
        to->orbits[v] += from->orbits[v];
        to->first[v] = from->first[v] < to->first[v] ? from->first[v] : to->first[v];
    }
}

static bool make_room(const struct view *view, struct room *room)
{
    size_t n = (size_t)1 << view->n_free;
    *room = (struct room){.best = malloc(n), .worth = malloc(2 * n)};
    return room->best != NULL && room->worth != NULL;
}

static void hash_values(struct job *job)
{
    struct error error;
    enum status status =
        merels_verify_value_hash(job->table, job->session->values.data, &error);
    if (status != STATUS_OK)
        merels_verify_fail(&job->outcome, status, &error);
}

static void check_thread(struct job *job)
{
    struct room room;
    struct tally tally;
    struct error error = {STATUS_NO_MEMORY, "out of memory for a row"};
    uint32_t n_rows = (uint32_t)job->table->n_rows, piece = job->piece;
    start_tally(&tally);
    if (!make_room(job->view, &room))
        merels_verify_fail(&job->outcome, STATUS_NO_MEMORY, &error);
#pragma omp single nowait
    hash_values(job);
#pragma omp for schedule(dynamic, 1)
    for (uint32_t first = 0; first < n_rows; first += piece) {
        uint32_t end = n_rows - first < piece ? n_rows : first + piece;
        for (uint32_t row = first; row < end && !row_is_moot(job, row); row++)
            check_one(job, row, &room, &tally);
        row_tick(job, end - first);
    }
#pragma omp critical(verify_tally)
    add_tally(&job->tally, &tally);
    free(room.best);
    free(room.worth);
}

// ---- outcome -------------------------------------------------------------------------------

static enum status report_bad(const struct job *job, struct error *err)
{
    char place[PLACE_TEXT_BYTES], left[24], right[24];
    const struct source_table *t = job->table;
    const uint8_t *stored = row_values(job, job->bad_row);
    uint64_t slot = job->bad_row * t->n_columns + job->bad_column;
    if (job->twin_column == job->bad_column)
        return merels_verify_accuse(job->session, t, slot, stored[job->bad_column], err);
    merels_verify_place(job->session, t, slot, place);
    return merels_error(
        err, STATUS_MISMATCH,
        "%s slots %llu and %llu hold the same position, '%s' and an image of "
        "it: stored %s and %s",
        t->name, (unsigned long long)slot,
        (unsigned long long)(job->bad_row * t->n_columns + job->twin_column), place,
        merels_verify_value_text(job->session, stored[job->bad_column], left),
        merels_verify_value_text(job->session, stored[job->twin_column], right));
}

static enum status wrong_count(const struct job *job, const char *what, long long stored,
                               long long counted, struct error *err)
{
    return merels_error(err, STATUS_MISMATCH, "%s.mtb: %s: the header says %lld, counted %lld",
                        job->table->name, what, stored, counted);
}

static enum status check_depth(const struct job *job, const char *what, int parity, int stored,
                               uint64_t stored_slot, struct error *err)
{
    int deepest = NO_DEPTH;
    for (int v = parity; v < DRAW; v += 2)
        deepest = job->tally.orbits[v] > 0 ? v : deepest;
    if (deepest != stored)
        return wrong_count(job, what, stored, deepest, err);
    uint64_t first = deepest == NO_DEPTH ? 0 : job->tally.first[deepest];
    return first == stored_slot
               ? STATUS_OK
               : wrong_count(job, what, (long long)stored_slot, (long long)first, err);
}

static enum status check_counts(const struct job *job, struct error *err)
{
    const struct source_table *t = job->table;
    uint64_t win = 0, loss = 0, draw = job->tally.orbits[DRAW];
    for (int v = 0; v < DRAW; v++)
        *(v & 1 ? &win : &loss) += job->tally.orbits[v];
    if (win != t->win)
        return wrong_count(job, "won orbits", (long long)t->win, (long long)win, err);
    if (draw != t->draw)
        return wrong_count(job, "drawn orbits", (long long)t->draw, (long long)draw, err);
    if (loss != t->loss)
        return wrong_count(job, "lost orbits", (long long)t->loss, (long long)loss, err);
    if (win + draw + loss != t->n_orbits)
        return wrong_count(job, "orbits", (long long)t->n_orbits,
                           (long long)(win + draw + loss), err);
    if (t->wdl)
        return STATUS_OK;
    enum status status =
        check_depth(job, "longest win or its first slot", 1, t->max_win, t->max_win_slot, err);
    return status != STATUS_OK ? status
                               : check_depth(job, "longest loss or its first slot", 0,
                                             t->max_loss, t->max_loss_slot, err);
}

static enum status check_rows(struct job *job, struct error *err)
{
    uint32_t n_rows = (uint32_t)job->table->n_rows;
    uint32_t piece = n_rows / (uint32_t)(job->session->options->n_threads * 64);
    job->bad_row = n_rows;
    job->piece = piece < 1 ? 1 : piece > 256 ? 256 : piece;
    start_tally(&job->tally);
#pragma omp parallel num_threads(job->session->options->n_threads)
    check_thread(job);
    if (job->bad_row < n_rows)
        return report_bad(job, err);
    if (job->outcome.status != STATUS_OK)
        return merels_error(err, job->outcome.status, "%s", job->outcome.error.text);
    return check_counts(job, err);
}

enum status merels_verify_table(struct session *session, const struct source_table *table,
                                struct error *err)
{
    struct needs needs = merels_verify_needs(&session->ground->charter, table->counts);
    struct view view = {0};
    struct job *job = calloc(1, sizeof *job);
    if (job == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory");
    *job = (struct job){.session = session, .table = table, .needs = &needs, .view = &view};
    enum status status = merels_verify_load(session, table, &needs, &view, err);
    if (status == STATUS_OK)
        status = check_rows(job, err);
    merels_verify_unload(&view);
    free(job);
    return status;
}

uint64_t merels_verify_bytes(const struct session *session, const struct source_table *table)
{
    return merels_verify_load_bytes(session, table);
}

// ---- samples -------------------------------------------------------------------------------

// The n-th random number of a fixed sequence for each table (a mixer with full avalanche).
static uint64_t random_number(struct counts k, uint64_t n)
{
    uint64_t x = ((uint64_t)(k.a << 24 | k.b << 16 | k.ha << 8 | k.hb) << 32) + n;
    for (int round = 0; round < 3; round++) {
        x ^= x >> 31;
        x *= 0x9FB21C651E98DF25;
        x ^= x >> 28;
    }
    return x;
}

static enum status check_sample(struct session *session, const struct source_table *table,
                                uint64_t slot, struct error *err)
{
    struct verdict verdict;
    uint8_t stored;
    enum status status = merels_verify_read(table, slot, 1, &stored, err);
    if (status == STATUS_OK)
        status = merels_verify_judge(session, table, slot, &verdict, err);
    if (status == STATUS_OK && verdict.value != stored)
        return merels_verify_accuse(session, table, slot, stored, err);
    return status;
}

enum status merels_verify_samples(struct session *session, const struct source_table *table,
                                  struct error *err)
{
    struct outcome outcome = {.status = STATUS_OK};
    uint64_t n = session->options->n_samples, n_done = 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(session->options->n_threads)
    for (uint64_t k = 0; k < n; k++) {
        struct error error;
        uint64_t done;
        if (merels_verify_failed(&outcome))
            continue;
        enum status status = check_sample(
            session, table, random_number(table->counts, k) % table->n_slots, &error);
#pragma omp atomic capture
        done = ++n_done;
        if (status == STATUS_OK && omp_get_thread_num() == 0 &&
            merels_verify_tick(session, done, false))
            status = merels_error(&error, STATUS_INTERRUPTED, "stopped");
        if (status != STATUS_OK)
            merels_verify_fail(&outcome, status, &error);
    }
    return outcome.status == STATUS_OK
               ? STATUS_OK
               : merels_error(err, outcome.status, "%s", outcome.error.text);
}
