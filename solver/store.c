// store.c: a unit with turns inside, solved in less memory than its codes take.

#include "solver/store.h"

#include <assert.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_CODES = 256,
    FLUSH_BYTES = 1 << 20 // of the lists of a source that wait for being written
};

// A thread's place of work.
struct desk {
    struct side views[MAX_UNIT_SUBSPACES]; // one row long
    uint64_t occurs[MAX_EFFECTS][4];       // codes of that row, as source.codes has them
    uint8_t *value;                        // what a kernel writes into
    uint8_t *codes[MAX_EFFECTS];           // DTM_DRAW between rows
    uint32_t *columns;
    struct log_piece news[MAX_EFFECTS], decided;
    struct log_cursor cursors[MAX_EFFECTS];
    struct log_piece by_code[N_CODES]; // of a source
};

struct store {
    struct log_file file;
    struct row_log sides[MAX_UNIT_SUBSPACES];
    struct row_log sources[MAX_UNIT_SUBSPACES][MAX_EFFECTS];
    struct desk *desks; // one per thread
    int n_desks;
    enum status status; // the first failure of a thread
    struct error error;
};

// ---- how much ------------------------------------------------------------------------------

static uint64_t desk_bytes(const struct workspace_sizes *sizes, uint64_t bucket_rows)
{
    uint64_t n = (uint64_t)sizes->n_sources + 1, columns = sizes->max_columns;
    uint64_t piece = merels_log_piece_bytes((uint32_t)bucket_rows, sizes->max_columns);
    return sizeof(struct desk) + n * columns + 4 * columns + n * (piece + piece / 2) +
           2 * (uint64_t)FLUSH_BYTES + 8 * columns;
}

uint64_t merels_store_bytes(const struct rules *rules, const struct work_unit *work,
                            int n_threads)
{
    uint64_t bytes = sizeof(struct store), bucket_rows = 0;
    struct workspace_sizes sizes = {0};
    for (int k = 0; k < work->n_subspaces; k++) {
        struct effect effects[MAX_EFFECTS];
        struct subspace s = work->subspaces[k];
        uint32_t rows = (uint32_t)merels_subspace_rows(&rules->board, s);
        int bits =
            merels_turn_row_bits(rows, (uint32_t)merels_subspace_columns(&rules->board, s), 1);
        uint64_t n_logs = 1 + (uint64_t)merels_effects(rules, s, effects);
        bytes += n_logs * merels_row_log_bytes((rows >> bits) + 1, N_CODES);
        bucket_rows = bucket_rows > UINT64_C(1) << bits ? bucket_rows : UINT64_C(1) << bits;
        merels_workspace_foresee(rules, s, false, &sizes);
    }
    return bytes + (uint64_t)n_threads * desk_bytes(&sizes, bucket_rows);
}

// A window's codes: of the side, and of each way out of the unit.
static uint64_t side_disk(const struct rules *rules, const struct work_unit *work,
                          struct subspace s)
{
    struct effect effects[MAX_EFFECTS];
    int n = merels_effects(rules, s, effects), free_points = rules->board.n_points - s.b;
    uint64_t rows = merels_subspace_rows(&rules->board, s);
    uint32_t columns = (uint32_t)merels_subspace_columns(&rules->board, s);
    uint32_t bucket_rows = UINT32_C(1) << merels_turn_row_bits((uint32_t)rows, columns, 1);
    uint64_t bytes = merels_row_log_row_bytes(bucket_rows, columns, N_CODES);
    for (int k = 0; k < n; k++) {
        bool places = effects[k].kind == PLY_PLACES;
        uint32_t arrived = places ? (uint32_t)merels_choose(free_points, s.a + 1) : columns;
        if (effects[k].ends ||
            !merels_subspace_among(work->subspaces, (size_t)work->n_subspaces,
                                   effects[k].after))
            bytes += merels_row_log_row_bytes(bucket_rows, arrived, N_CODES);
    }
    return rows * bytes;
}

uint64_t merels_store_disk(const struct rules *rules, const struct work_unit *work)
{
    uint64_t bytes = 0;
    for (int k = 0; k < work->n_subspaces; k++)
        bytes += side_disk(rules, work, work->subspaces[k]);
    return bytes;
}

uint64_t merels_store_used(const struct engine *engine)
{
    return merels_log_file_most(&engine->store->file);
}

// ---- making and freeing --------------------------------------------------------------------

static void destroy_desk(struct desk *desk)
{
    free(desk->value);
    free(desk->columns);
    merels_log_piece_free(&desk->decided);
    for (int k = 0; k < MAX_EFFECTS; k++) {
        free(desk->codes[k]);
        merels_log_piece_free(&desk->news[k]);
    }
    for (int code = 0; code < N_CODES; code++)
        merels_log_piece_free(&desk->by_code[code]);
}

// Kernels read and write whole vectors: a margin behind.
static enum status create_desk(const struct unit *unit, struct desk *desk, struct error *err)
{
    struct workspace_sizes sizes = merels_unit_workspace(unit);
    size_t n = sizes.max_columns;
    bool good = (desk->value = malloc(n + BYTES_MARGIN)) != NULL;
    good &= (desk->columns = calloc(n, sizeof *desk->columns)) != NULL;
    for (int k = 0; k < sizes.n_sources; k++) {
        good &= (desk->codes[k] = malloc(n + BYTES_MARGIN)) != NULL;
        if (desk->codes[k] != NULL)
            memset(desk->codes[k], DTM_DRAW, n + BYTES_MARGIN);
    }
    return good ? STATUS_OK
                : merels_error(err, STATUS_NO_MEMORY, "out of memory for a thread's rows");
}

static enum status create_logs(const struct unit *unit, struct store *store, struct error *err)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < unit->n_sides && status == STATUS_OK; k++) {
        const struct side *side = &unit->sides[k];
        status = merels_row_log_create(&store->file, side->n_columns, side_buckets(side),
                                       &store->sides[k], err);
        for (int i = 0; i < side->n_sources && status == STATUS_OK; i++)
            status = merels_row_log_create(&store->file, side->sources[i].n_columns,
                                           side_buckets(side), &store->sources[k][i], err);
    }
    return status;
}

enum status merels_store_create(struct engine *engine, struct error *err)
{
    const struct unit *unit = engine->unit;
    char name[2 * SUBSPACE_NAME_BYTES];
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a temporary file");
    engine->store = store;
    store->desks = calloc((size_t)engine->n_threads, sizeof *store->desks);
    if (store->desks == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the threads");
    store->n_desks = engine->n_threads;
    merels_subspace_name(unit->sides[0].subspace, name);
    enum status status = merels_log_file_create(engine->dir, name, &store->file, err);
    if (status == STATUS_OK)
        status = create_logs(unit, store, err);
    for (int k = 0; k < store->n_desks && status == STATUS_OK; k++)
        status = create_desk(unit, &store->desks[k], err);
    return status;
}

void merels_store_destroy(struct engine *engine)
{
    struct store *store = engine->store;
    engine->store = NULL;
    if (store == NULL)
        return;
    for (int k = 0; k < store->n_desks; k++)
        destroy_desk(&store->desks[k]);
    free(store->desks);
    for (int k = 0; k < MAX_UNIT_SUBSPACES; k++) {
        merels_row_log_destroy(&store->sides[k]);
        for (int i = 0; i < MAX_EFFECTS; i++)
            merels_row_log_destroy(&store->sources[k][i]);
    }
    merels_log_file_destroy(&store->file);
    free(store);
}

static void forget_all(struct store *store)
{
    for (int k = 0; k < MAX_UNIT_SUBSPACES; k++) {
        merels_row_log_clear(&store->sides[k]);
        for (int i = 0; i < MAX_EFFECTS; i++)
            merels_row_log_clear(&store->sources[k][i]);
    }
    merels_log_file_clear(&store->file);
}

// ---- failures of threads -------------------------------------------------------------------

static void note_failure(struct store *store, enum status status, const struct error *error)
{
    if (status == STATUS_OK)
        return;
#pragma omp critical(store)
    if (store->status == STATUS_OK) {
        store->status = status;
        store->error = *error;
    }
}

static bool has_failed(struct store *store)
{
    bool failed;
#pragma omp critical(store)
    failed = store->status != STATUS_OK;
    return failed;
}

enum status merels_store_status(const struct engine *engine, struct error *err)
{
    const struct store *store = engine->store;
    if (store == NULL || store->status == STATUS_OK)
        return STATUS_OK;
    return merels_error(err, store->status, "%s", store->error.text);
}

// ---- ranges --------------------------------------------------------------------------------

static uint32_t end_of_bucket(const struct side *side, uint32_t first, uint32_t n_rows)
{
    uint32_t last = first + (1u << side_bucket_bits(side));
    return last < n_rows ? last : n_rows;
}

void merels_store_range(const struct engine *engine, struct side *side, uint32_t n_columns,
                        uint32_t first)
{
    int bits = side_bucket_bits(side);
    uint64_t rows = engine->unit->room_bytes / n_columns >> bits << bits;
    uint32_t rest = side->n_rows - first;
    assert(rows > 0);
    side_set_range(side, first, rest < rows ? rest : (uint32_t)rows);
}

// ---- sources -------------------------------------------------------------------------------

// Where each code's columns begin when they are put in the order of their codes.
static void begin_codes(const uint8_t *codes, uint32_t n, uint32_t begins[N_CODES + 1])
{
    uint32_t counts[N_CODES] = {0}, sum = 0;
    for (uint32_t k = 0; k < n; k++)
        counts[codes[k]]++;
    for (int code = 0; code < N_CODES; code++) {
        begins[code] = sum;
        sum += counts[code];
    }
    begins[N_CODES] = sum;
}

// Puts the codes of a row into the lists of the desk.
static enum status cut_row(const uint8_t *codes, uint32_t n_columns, uint32_t row,
                           struct desk *desk, size_t *n_bytes, struct error *err)
{
    uint32_t begins[N_CODES + 1], next[N_CODES];
    enum status status = STATUS_OK;
    begin_codes(codes, n_columns, begins);
    if (begins[DTM_DRAW] == 0)
        return STATUS_OK; // nothing else
    memcpy(next, begins, sizeof next);
    for (uint32_t k = 0; k < n_columns; k++)
        desk->columns[next[codes[k]]++] = k;
    for (int code = 0; code <= MAX_DEPTH && status == STATUS_OK; code++) {
        struct log_piece *piece = &desk->by_code[code];
        uint32_t n = begins[code + 1] - begins[code];
        size_t before = piece->n_bytes;
        if (n > 0)
            status = merels_log_piece_add(piece, n_columns, row, desk->columns + begins[code],
                                          n, err);
        *n_bytes += piece->n_bytes - before;
    }
    return status;
}

// Writes the lists of the desk.
static enum status flush(struct row_log *log, uint32_t bucket, int base, struct desk *desk,
                         struct error *err)
{
    enum status status = STATUS_OK;
    for (int code = 0; code <= MAX_DEPTH; code++) {
        struct log_piece *piece = &desk->by_code[code];
        if (status == STATUS_OK)
            status = merels_row_log_append(log, bucket, base + code, piece, err);
        merels_log_piece_free(piece);
    }
    return status;
}

static enum status cut_bucket(const struct side *side, const struct source *source,
                              uint32_t first, struct row_log *log, struct desk *desk,
                              struct error *err)
{
    enum status status = STATUS_OK;
    uint32_t bucket = first >> side_bucket_bits(side);
    uint32_t last = end_of_bucket(side, first, side->range.first + side->range.n);
    size_t n_bytes = 0;
    for (uint32_t row = first; row < last && status == STATUS_OK; row++) {
        status = cut_row(source_values(side, source, row), source->n_columns, row - first, desk,
                         &n_bytes, err);
        if (status == STATUS_OK && n_bytes < FLUSH_BYTES && row + 1 < last)
            continue;
        enum status written = flush(log, bucket, side->source_base, desk, err);
        status = status == STATUS_OK ? written : status;
        n_bytes = 0;
    }
    return status;
}

enum status merels_store_source(struct engine *engine, const struct side *side,
                                const struct source *source, struct error *err)
{
    struct store *store = engine->store;
    struct row_log *log = &store->sources[side - engine->unit->sides][source - side->sources];
    uint32_t last = side->range.first + side->range.n;
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->n_threads)
    for (uint32_t first = side->range.first; first < last;
         first += 1u << side_bucket_bits(side)) {
        struct error error;
        if (!has_failed(store))
            note_failure(store,
                         cut_bucket(side, source, first, log,
                                    &store->desks[omp_get_thread_num()], &error),
                         &error);
    }
    return merels_store_status(engine, err);
}

// ---- a step --------------------------------------------------------------------------------

// The view of a side, before the rows in memory.
static struct side *open_view(const struct engine *engine, const struct side *side,
                              struct desk *desk)
{
    struct side *view = &desk->views[side - engine->unit->sides];
    *view = *side;
    view->value = desk->value;
    for (int k = 0; k < side->n_sources; k++) {
        view->sources[k].value = desk->codes[k];
        view->sources[k].codes = &desk->occurs[k];
    }
    return view;
}

// Moves it to a row.
static void show_row(const struct side *side, uint32_t row, struct side *view)
{
    size_t place = row - side->range.first, bits = place * side->row_words;
    view->range = (struct row_range){row, 1};
    view->undecided = side->undecided + bits;
    view->left = side->left + place;
    if (side->passes != NULL)
        view->passes = side->passes + bits;
    view->won = side->won + bits;
    for (int k = 0; k < side->n_fresh; k++) {
        view->fresh[k] = side->fresh[k] + bits;
        view->touched[k] = side->touched[k] + place;
    }
    for (int k = 0; k < side->n_sources; k++)
        view->sources[k].won = side->sources[k].won + place * side->sources[k].row_words;
}

static enum status read_news(const struct engine *engine, const struct side *side, int step,
                             uint32_t bucket, struct desk *desk, struct error *err)
{
    const struct row_log *logs = engine->store->sources[side - engine->unit->sides];
    enum status status = STATUS_OK;
    for (int k = 0; k < side->n_sources && status == STATUS_OK; k++) {
        status = merels_row_log_read(&logs[k], bucket, step, &desk->news[k], err);
        desk->cursors[k] = merels_log_cursor(&desk->news[k]);
    }
    return status;
}

// The codes of a row of the bucket, as far as they are news; returns if there are any.
static bool put_codes(const struct side *side, uint32_t row, int code, struct desk *desk)
{
    bool any = false;
    for (int k = 0; k < side->n_sources; k++) {
        uint32_t n_columns = side->sources[k].n_columns, n = desk->cursors[k].n;
        if (desk->cursors[k].row != row)
            continue;
        merels_log_cursor_take(&desk->cursors[k], n_columns, desk->columns);
        for (uint32_t i = 0; i < n; i++)
            desk->codes[k][desk->columns[i]] = (uint8_t)code;
        desk->occurs[k][code / 64] |= (uint64_t)1 << (code % 64);
        any = true;
    }
    return any;
}

static void take_codes_away(const struct side *side, int code, struct desk *desk)
{
    for (int k = 0; k < side->n_sources; k++)
        if (desk->occurs[k][code / 64] != 0) {
            memset(desk->codes[k], DTM_DRAW, side->sources[k].n_columns);
            desk->occurs[k][code / 64] = 0;
        }
}

static uint32_t columns_of(const uint64_t *bits, size_t n_words, uint32_t *columns)
{
    uint32_t n = 0;
    for (size_t w = 0; w < n_words; w++)
        for (uint64_t rest = bits[w]; rest != 0; rest &= rest - 1)
            columns[n++] = (uint32_t)(w * 64) + (uint32_t)bit_lowest(rest);
    return n;
}

static enum status decide_rows(const struct engine *engine, const struct side *side, int step,
                               uint32_t bucket, uint32_t *n_decided, struct error *err)
{
    struct desk *desk = &engine->store->desks[omp_get_thread_num()];
    struct workspace *work = &engine->work[omp_get_thread_num()];
    struct side *view = open_view(engine, side, desk);
    uint32_t first = bucket << side_bucket_bits(side);
    uint32_t last = end_of_bucket(side, first, side->n_rows);
    enum status status = read_news(engine, side, step, bucket, desk, err);
    for (uint32_t row = first; row < last && status == STATUS_OK; row++) {
        int code = step - side->source_base;
        bool news = put_codes(side, row - first, code, desk);
        show_row(side, row, view);
        uint32_t n = engine->kernels->decide_row(view, row, step, work);
        *n_decided += n;
        if (news)
            take_codes_away(side, code, desk);
        if (n == 0)
            continue;
        n = columns_of(work->bits[0], side->row_words, desk->columns);
        status = merels_log_piece_add(&desk->decided, side->n_columns, row - first,
                                      desk->columns, n, err);
    }
    return status;
}

uint32_t merels_store_decide(struct engine *engine, const struct side *side, int step,
                             uint32_t bucket)
{
    struct store *store = engine->store;
    struct desk *desk = &store->desks[omp_get_thread_num()];
    struct row_log *log = &store->sides[side - engine->unit->sides];
    struct error error;
    uint32_t n = 0;
    if (has_failed(store))
        return 0;
    enum status status = decide_rows(engine, side, step, bucket, &n, &error);
    if (status == STATUS_OK)
        status = merels_row_log_append(log, bucket, step_before(step), &desk->decided, &error);
    note_failure(store, status, &error);
    return n;
}

// ---- the end of a window -------------------------------------------------------------------

// The codes of a bucket from its log; counts those of rows without symmetries.
static enum status put_values(const struct side *side, const struct row_log *log,
                              uint32_t first, struct desk *desk, uint64_t counts[N_CODES],
                              struct error *err)
{
    uint32_t bucket = first >> side_bucket_bits(side), n_columns = side->n_columns;
    uint32_t last = end_of_bucket(side, first, side->range.first + side->range.n);
    enum status status = STATUS_OK;
    memset(side_values(side, first), DTM_DRAW, (size_t)(last - first) * n_columns);
    for (uint32_t k = 0; k < merels_row_log_pieces(log, bucket) && status == STATUS_OK; k++) {
        int step = 0;
        status = merels_row_log_piece(log, bucket, k, &desk->decided, &step, err);
        int code = step - side->value_base;
        struct log_cursor cursor = merels_log_cursor(&desk->decided);
        while (status == STATUS_OK && cursor.row != NO_ROW) {
            uint32_t row = first + cursor.row, n = cursor.n;
            uint8_t *value = side_values(side, row);
            merels_log_cursor_take(&cursor, n_columns, desk->columns);
            for (uint32_t i = 0; i < n; i++)
                value[desk->columns[i]] = (uint8_t)code;
            counts[code] += row_is_plain(side->rows->rows, row) ? n : 0;
        }
    }
    desk->decided.n_bytes = 0;
    return status;
}

// The rows in range.
static enum status put_range(struct engine *engine, const struct side *side,
                             struct side_output *output, struct error *err)
{
    struct store *store = engine->store;
    const struct row_log *log = &store->sides[side - engine->unit->sides];
    uint32_t last = side->range.first + side->range.n;
    uint64_t counts[N_CODES] = {0};
#pragma omp parallel for schedule(dynamic, 1) num_threads(engine->n_threads)                       \
    reduction(+ : counts)
    for (uint32_t first = side->range.first; first < last;
         first += 1u << side_bucket_bits(side)) {
        struct error error;
        if (!has_failed(store))
            note_failure(store,
                         put_values(side, log, first, &store->desks[omp_get_thread_num()],
                                    counts, &error),
                         &error);
    }
    for (int code = 0; code <= MAX_DEPTH; code++)
        merels_side_output_count(output, side->value_base + code, counts[code]);
    return merels_store_status(engine, err);
}

static enum status hand_over_side(struct engine *engine, struct side *side,
                                  struct side_output *output, bool more, struct error *err)
{
    enum status status = STATUS_OK;
    side->value = engine->unit->room;
    for (uint32_t first = 0; first < side->n_rows && status == STATUS_OK;
         first += side->range.n) {
        merels_store_range(engine, side, side->n_columns, first);
        status = put_range(engine, side, output, err);
        if (status == STATUS_OK)
            status = merels_side_output_take(output, more, err);
    }
    side->value = NULL;
    side_set_range(side, 0, side->n_rows);
    return status;
}

enum status merels_store_hand_over(struct engine *engine, struct side_output *outputs,
                                   bool more, struct error *err)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < engine->unit->n_sides && status == STATUS_OK; k++)
        status = hand_over_side(engine, &engine->unit->sides[k], &outputs[k], more, err);
    forget_all(engine->store);
    return status;
}
