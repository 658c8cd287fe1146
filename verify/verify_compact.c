// verify_compact.c: the run over a file of edition compact, with tables to compare with or
// without.

#include "verify/verify_compact.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "verify/check_table.h"
#include "verify/compact_block.h"
#include "verify/compact_strands.h"
#include "verify/compact_sums.h"
#include "verify/derive_table.h"
#include "verify/small_files.h"
#include "verify/table_counts.h"
#include "verify/verify_manifest.h"
#include "verify/verify_outcome.h"

struct check {
    const struct verify_options *options;
    struct compact_check *result;
    struct verify_run run;
    struct compact_file file;
    struct compact_strand *strands;
    int n_strands;
    size_t n_pieces;
    void (*report)(void *context, const struct compact_tally *tally); // NULL: nobody asks
    void *context;
};

static struct checked_table *table_of(struct check *check, const struct compact_subspace *s)
{
    return (struct checked_table *)merels_verify_find(&check->run.files, s->counts);
}

// ---- decoding
// --------------------------------------------------------------------------------

// A stored subspace while all threads decode it.
struct decoding {
    struct check *check;
    const struct compact_decoder *decoder;
    struct checked_table *table;
    bool compares; // with the table; else fills it
    uint32_t group_rows, groups_done;
    uint64_t n_decoded, bad_slot; // the lowest that differs; n_slots: none
    int bad_value, bad_stored;
    struct outcome outcome;
};

static uint8_t result_of(int value)
{
    return value == DRAW ? BYTE_DRAW : (uint8_t)(value & 1);
}

static const char *result_text(int value)
{
    return value == BYTE_DRAW ? "draw" : value == WIN ? "win" : "loss";
}

static void blame(struct decoding *job, uint64_t slot, uint8_t value, uint8_t stored)
{
#pragma omp critical(verify_compact_blame)
    if (slot < job->bad_slot) {
        job->bad_slot = slot;
        job->bad_value = value;
        job->bad_stored = stored;
    }
}

static enum status compare(struct decoding *job, uint64_t first, uint64_t n,
                           const uint8_t *values, uint16_t *stored, struct error *err)
{
    enum status status = merels_verify_read_wide(job->table, first, n, stored, err);
    for (uint64_t k = 0; k < n && status == STATUS_OK; k++)
        if (values[k] != NOT_STORED && values[k] != result_of(stored[k])) {
            blame(job, first + k, values[k], result_of(stored[k]));
            break;
        }
    return status;
}

static enum status decode_one(struct decoding *job, struct compact_room *room, uint32_t group,
                              uint8_t *values, uint16_t *stored, struct error *err)
{
    uint32_t first_row, done,
        n_rows = merels_verify_group_rows(job->decoder, group, &first_row);
    uint64_t first = first_row * job->table->n_columns, n = n_rows * job->table->n_columns;
    uint64_t n_values = 0;
    enum status status = merels_verify_decode_group(job->decoder, room, group, values, err);
    if (status == STATUS_OK && job->compares)
        status = compare(job, first, n, values, stored, err);
    if (status != STATUS_OK)
        return status;
    if (!job->compares)
        merels_verify_put(job->table, first, n, values);
    for (uint64_t k = 0; k < n; k++)
        n_values += values[k] != NOT_STORED;
#pragma omp atomic
    job->n_decoded += n_values;
#pragma omp atomic capture
    done = ++job->groups_done;
    return merels_verify_tick(&job->check->run,
                              (double)done / merels_verify_groups(job->decoder), err);
}

// Of a sample so many groups of each subspace, evenly spread; else all.
static bool is_sampled(const struct decoding *job, uint32_t group)
{
    uint64_t n = job->check->options->n_samples, n_groups = merels_verify_groups(job->decoder);
    if (n == 0 || n >= n_groups)
        return true;
    return (group + 1) * n / n_groups > group * n / n_groups;
}

static void decode_thread(struct decoding *job)
{
    struct error error = {STATUS_NO_MEMORY, "out of memory for a group"};
    struct compact_room *room = NULL;
    size_t n = job->group_rows * job->table->n_columns;
    uint8_t *values = malloc(n + 1);
    uint16_t *stored = malloc(2 * n + 2);
    enum status status = merels_verify_compact_room(job->decoder, &room, &error);
    if (values == NULL || stored == NULL)
        status = STATUS_NO_MEMORY;
    merels_verify_note(&job->outcome, status, &error);
#pragma omp for schedule(dynamic, 1)
    for (uint32_t group = 0; group < merels_verify_groups(job->decoder); group++)
        if (is_sampled(job, group) && !merels_verify_failed(&job->outcome) &&
            job->bad_slot == job->table->n_slots)
            merels_verify_note(&job->outcome,
                               decode_one(job, room, group, values, stored, &error), &error);
    merels_verify_compact_room_destroy(room);
    free(values);
    free(stored);
}

static enum status end_decoding(struct decoding *job, struct error *err)
{
    if (job->bad_slot < job->table->n_slots)
        return merels_error(err, STATUS_MISMATCH,
                            "edition compact: %s slot %" PRIu64 ": %s, the table has %s",
                            job->table->name, job->bad_slot, result_text(job->bad_value),
                            result_text(job->bad_stored));
    job->check->result->n_stored_slots += job->n_decoded;
    return merels_verify_outcome(&job->outcome, err);
}

static enum status decode(struct check *check, const struct compact_subspace *s, bool compares,
                          struct error *err)
{
    struct compact_decoder *decoder;
    enum status status = merels_verify_decoder_create(
        &check->file, s, &check->run.classes[s->counts.b], &decoder, err);
    if (status != STATUS_OK)
        return status;
    struct decoding *job = calloc(1, sizeof *job);
    if (job == NULL) {
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory");
    } else {
        *job = (struct decoding){.check = check,
                                 .decoder = decoder,
                                 .table = table_of(check, s),
                                 .compares = compares};
        uint32_t first;
        job->group_rows = merels_verify_group_rows(decoder, 0, &first);
        job->bad_slot = job->table->n_slots;
        merels_meter_stage(&check->run.meter, "decode", 1);
#pragma omp parallel num_threads(check->run.n_threads)
        decode_thread(job);
        status = end_decoding(job, err);
    }
    free(job);
    merels_verify_decoder_destroy(decoder);
    return status;
}

// ---- pieces
// ----------------------------------------------------------------------------------

// What a piece of the progress does with a subspace.
typedef enum status piece_fn(struct check *check, const struct compact_strand *strand,
                             struct error *err);

static enum status do_piece(struct check *check, const struct compact_strand *strand,
                            piece_fn *piece, struct error *err)
{
    const struct checked_table *table = table_of(check, strand->subspace);
    merels_meter_piece(&check->run.meter, check->n_pieces++, table->name, table->n_slots);
    enum status status = merels_verify_learn(&check->run, strand->subspace->counts, err);
    if (status == STATUS_OK)
        status = piece(check, strand, err);
    if (status == STATUS_OK && merels_meter_finish(&check->run.meter))
        status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    return status;
}

static bool is_stored(const struct compact_strand *strand)
{
    return (strand->subspace->strands & strand->strands) != 0;
}

// The first strand of the list that is derived of its subspace.
static bool is_first_derived(const struct check *check, int k)
{
    const struct compact_strand *strand = &check->strands[k];
    for (int j = 0; j < k; j++)
        if (check->strands[j].subspace == strand->subspace && !is_stored(&check->strands[j]))
            return false;
    return !is_stored(strand);
}

static bool is_first(const struct check *check, int k)
{
    for (int j = 0; j < k; j++)
        if (check->strands[j].subspace == check->strands[k].subspace)
            return false;
    return true;
}

// Whether the plies of the subspace are checked where there are no tables: where all of it is
// derived they are what it was made from.
static bool has_plies_checked(const struct check *check, int k)
{
    return check->report != NULL ? is_first(check, k) : is_stored(&check->strands[k]);
}

static void start_meter(struct check *check, const struct watch *watch)
{
    uint64_t total = 0;
    size_t n_pieces = 0;
    for (int k = 0; k < check->n_strands; k++) {
        const struct compact_strand *strand = &check->strands[k];
        uint64_t n_slots = table_of(check, strand->subspace)->n_slots;
        bool whole = check->options->n_samples == 0;
        int n = check->result->with_tables
                    ? is_stored(strand) || (whole && is_first_derived(check, k))
                    : 1 + has_plies_checked(check, k);
        total += (uint64_t)n * n_slots;
        n_pieces += (size_t)n;
        check->result->n_stored += is_stored(strand);
        check->result->n_derived += is_first_derived(check, k);
    }
    merels_meter_start(&check->run.meter, watch, "slots", total, n_pieces);
}

// ---- with tables
// -----------------------------------------------------------------------------

static enum status compare_stored(struct check *check, const struct compact_strand *strand,
                                  struct error *err)
{
    return decode(check, strand->subspace, true, err);
}

static enum status check_plies(struct check *check, const struct compact_strand *strand,
                               struct error *err)
{
    return merels_verify_table(&check->run, table_of(check, strand->subspace), err);
}

// All that is stored is what the tables hold. What is derived follows from positions whose
// values are those of the tables, so it is what the tables hold if these agree with their
// plies.
static enum status check_with_tables(struct check *check, struct error *err)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < check->n_strands && status == STATUS_OK; k++)
        if (is_stored(&check->strands[k]))
            status = do_piece(check, &check->strands[k], compare_stored, err);
    for (int k = 0; k < check->n_strands && status == STATUS_OK; k++)
        if (is_first_derived(check, k) && check->options->n_samples == 0)
            status = do_piece(check, &check->strands[k], check_plies, err);
    return status;
}

// ---- without tables
// --------------------------------------------------------------------------

static enum status fill(struct check *check, const struct compact_strand *strand,
                        struct error *err)
{
    struct checked_table *table = table_of(check, strand->subspace);
    if (table->codes == NULL)
        table->codes = calloc(table->n_slots / 4 + 1, 1);
    if (table->codes == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the values of %s",
                            table->name);
    if (is_stored(strand))
        return decode(check, strand->subspace, false, err);
    struct derived derived = {.dark = check->file.dark,
                              .even = strand->strands != STRAND_ODD,
                              .odd = strand->strands != STRAND_EVEN};
    return merels_verify_derive(&check->run, table, derived, err);
}

static enum status count(struct check *check, const struct compact_strand *strand,
                         struct error *err)
{
    struct table_counts found = merels_verify_counts_start();
    struct checked_table *table = table_of(check, strand->subspace);
    table->counted = &found;
    enum status status = check_plies(check, strand, err);
    table->counted = NULL;
    if (status != STATUS_OK)
        return status;
    const struct compact_tally tally = {.counts = table->counts,
                                        .n_slots = table->n_slots,
                                        .n_orbits = table->n_orbits,
                                        .win = found.win,
                                        .draw = found.draw,
                                        .loss = found.loss,
                                        .none = found.none};
    check->report(check->context, &tally);
    return STATUS_OK;
}

static int hand_of(const struct compact_strand *strand)
{
    return strand->subspace->counts.ha + strand->subspace->counts.hb;
}

static bool same_level(const struct compact_strand *x, const struct compact_strand *y)
{
    struct counts a = x->subspace->counts, b = y->subspace->counts;
    return a.ha + a.hb == b.ha + b.hb && a.a + a.b == b.a + b.b;
}

// Plies place one man at most: values of games with two more men in hand are not needed.
static void forget_below(struct check *check, int hand)
{
    for (int k = 0; k < check->n_strands; k++)
        if (hand_of(&check->strands[k]) < hand - 1) {
            struct checked_table *table = table_of(check, check->strands[k].subspace);
            free(table->codes);
            table->codes = NULL;
        }
}

// Subspaces with as many men on the board and in hand: plies lead from one to another, or to
// levels before.
static enum status check_level(struct check *check, int first, int end, struct error *err)
{
    enum status status = STATUS_OK;
    forget_below(check, hand_of(&check->strands[first]));
    for (int k = first; k < end && status == STATUS_OK; k++)
        status = do_piece(check, &check->strands[k], fill, err);
    for (int k = first; k < end && status == STATUS_OK; k++)
        if (has_plies_checked(check, k))
            status = do_piece(check, &check->strands[k],
                              check->report != NULL ? count : check_plies, err);
    return status;
}

static enum status check_alone(struct check *check, struct error *err)
{
    enum status status = STATUS_OK;
    for (int first = 0, end; first < check->n_strands && status == STATUS_OK; first = end) {
        for (end = first; end < check->n_strands &&
                          same_level(&check->strands[first], &check->strands[end]);)
            end++;
        status = check_level(check, first, end, err);
    }
    return status;
}

// ---- the run
// ---------------------------------------------------------------------------------

// The tables of the directory, if it has all; else none but room for values in memory.
static enum status open_tables(struct check *check, const char *rules_text, struct error *err)
{
    struct table_files *files = &check->run.files;
    const struct compact_file *file = &check->file;
    const char *dir = check->options->dir;
    struct error reason;
    enum status status = STATUS_MISSING;
    if (dir != NULL)
        status =
            merels_verify_manifest_open(dir, rules_text, file->index, false, files, &reason);
    if (status != STATUS_OK && status != STATUS_MISSING)
        return merels_error(err, status, "%s", reason.text);
    bool all = status == STATUS_OK;
    for (int k = 0; k < file->n_subspaces && all; k++)
        all = merels_verify_find(files, file->subspaces[k].counts) != NULL;
    check->result->with_tables = all;
    if (all)
        return STATUS_OK;
    if (check->options->n_samples > 0)
        return merels_error(err, STATUS_MISSING,
                            "samples of edition compact need tables of all its subspaces to be "
                            "compared with%s%s",
                            dir != NULL ? ", in " : "", dir != NULL ? dir : "");
    merels_verify_files_close(files);
    files->index = file->index;
    files->wdl = true;
    files->measure = MEASURE_NONE;
    files->tables = calloc((size_t)file->n_subspaces + 1, sizeof *files->tables);
    if (files->tables == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the tables");
    for (int k = 0; k < file->n_subspaces; k++)
        files->tables[files->n_tables++] =
            merels_verify_memory_table(file->index, file->subspaces[k].counts);
    return STATUS_OK;
}

// Values of two numbers of men in hand, and what checking the largest table takes.
static enum status check_memory(struct check *check, struct error *err)
{
    uint64_t codes[2 * VERIFY_POINTS + 2] = {0}, most = 0, most_codes = 0;
    for (int k = 0; k < check->file.n_subspaces; k++) {
        const struct checked_table *t = table_of(check, &check->file.subspaces[k]);
        uint64_t bytes = merels_verify_table_bytes(&check->run, t);
        most = bytes > most ? bytes : most;
        if (!check->result->with_tables && t->counts.ha + t->counts.hb <= 2 * VERIFY_POINTS)
            codes[t->counts.ha + t->counts.hb] += t->n_slots / 4 + 1;
    }
    for (int hand = 0; hand <= 2 * VERIFY_POINTS; hand++)
        if (codes[hand] + codes[hand + 1] > most_codes)
            most_codes = codes[hand] + codes[hand + 1];
    most += most_codes + check->file.n_bytes;
    if (check->options->memory_bytes == 0 || most <= check->options->memory_bytes)
        return STATUS_OK;
    return merels_error(err, STATUS_TOO_LITTLE,
                        "checking edition compact takes %" PRIu64
                        " MiB of memory, more than the limit of %" PRIu64 " MiB",
                        most >> 20, check->options->memory_bytes >> 20);
}

static enum status check_opened(struct check *check, const char *rules_text,
                                const struct watch *watch, struct error *err)
{
    enum status status =
        merels_verify_compact_strands(&check->file, &check->strands, &check->n_strands, err);
    if (status == STATUS_OK)
        status = open_tables(check, rules_text, err);
    if (status == STATUS_OK)
        status = check_memory(check, err);
    if (status != STATUS_OK)
        return status;
    check->result->n_subspaces = (size_t)check->file.n_subspaces;
    for (int k = 0; k < check->file.n_subspaces; k++)
        check->result->n_slots += table_of(check, &check->file.subspaces[k])->n_slots;
    start_meter(check, watch);
    return check->result->with_tables ? check_with_tables(check, err) : check_alone(check, err);
}

static void close_check(struct check *check, uint8_t *bytes)
{
    for (size_t k = 0; k < check->run.files.n_tables; k++)
        free(check->run.files.tables[k].codes);
    free(check->strands);
    merels_verify_compact_close(&check->file);
    merels_verify_run_free(&check->run);
    free(bytes);
}

// What is said of the file names it.
static enum status name_file(enum status status, const char *path, const struct error *reason,
                             struct error *err)
{
    static const char of_file[] = "edition compact: ";
    if (status == STATUS_OK)
        return status;
    bool is_named = strncmp(reason->text, of_file, sizeof of_file - 1) != 0;
    return is_named ? merels_error(err, status, "%s", reason->text)
                    : merels_error(err, status, "%s: %s", path, reason->text);
}

// Opens the file, and judges what stands in it: all (watch may be NULL), or its checksums.
static enum status check_file(struct check *check, const char *rules_text, const char *path,
                              bool sums_alone, const struct watch *watch, struct error *err)
{
    const struct verify_options *options = check->options;
    uint8_t *bytes = NULL;
    size_t n_bytes;
    struct error reason;
    enum status status =
        merels_verify_run_start(&check->run, rules_text, options->any_board, options->cpu_level,
                                options->n_threads, &reason);
    if (status == STATUS_OK)
        status = merels_verify_load_file(path, &bytes, &n_bytes, &reason);
    if (status == STATUS_OK)
        status = merels_verify_compact_open(rules_text, check->run.index, bytes, n_bytes,
                                            &check->file, &reason);
    if (status == STATUS_OK)
        status = sums_alone ? merels_verify_compact_sums(&check->file, &reason)
                            : check_opened(check, rules_text, watch, &reason);
    close_check(check, bytes);
    return name_file(status, path, &reason, err);
}

enum status merels_verify_compact(const char *rules_text, const char *path,
                                  const struct verify_options *options,
                                  const struct watch *watch, struct compact_check *result,
                                  struct error *err)
{
    struct check check = {.options = options, .result = result};
    *result = (struct compact_check){0};
    return check_file(&check, rules_text, path, false, watch, err);
}

enum status
merels_verify_compact_count(const char *rules_text, const char *path,
                            const struct verify_options *options, const struct watch *watch,
                            void (*report)(void *context, const struct compact_tally *tally),
                            void *context, struct error *err)
{
    struct compact_check result = {0};
    struct verify_options alone = *options;
    alone.dir = NULL;
    alone.n_samples = 0;
    struct check check = {
        .options = &alone, .result = &result, .report = report, .context = context};
    return check_file(&check, rules_text, path, false, watch, err);
}

enum status merels_verify_compact_checksums(const char *rules_text, const char *path,
                                            bool any_board, struct error *err)
{
    const struct verify_options options = {.n_threads = 1, .any_board = any_board};
    struct check check = {.options = &options};
    return check_file(&check, rules_text, path, true, NULL, err);
}
