// depth_counts.c: how many positions of a table have each depth.
//
// In a row whose set has symmetries of its own a position may stand in several slots: each slot
// of a position that k of them keep counts k / (their number), which adds up to one. Sums are
// kept in parts of the board's number of symmetries, which all of these numbers divide.

#include "query/depth_counts.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_SLOTS = 64 * DTM_BLOCK_SLOTS };

struct counting {
    const struct board *board;
    const struct row_sets *rows;
    const struct table_header *header;
    uint8_t *values;                   // of a piece
    uint64_t parts[WIDE_DTM_DRAW + 1]; // by value as it is stored
};

static int value_at(const struct counting *c, size_t place)
{
    const uint8_t *at = c->values + place * (size_t)c->header->value_bytes;
    return c->header->value_bytes == 1 ? at[0] : at[0] | at[1] << 8;
}

static void count_plain(struct counting *c, size_t place, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->parts[value_at(c, place + i)] += (uint64_t)c->board->n_symmetries;
}

// The next set of as many points, in ascending order.
static point_set next_set(point_set set)
{
    if (set == 0)
        return 0;
    point_set low = set & -set, ripple = set + low;
    return ripple | ((set ^ ripple) >> 2) >> bit_lowest(low);
}

static void count_symmetric(struct counting *c, uint64_t row, uint64_t column, size_t place,
                            size_t n)
{
    uint64_t stabilizer = row_stabilizer(c->rows, (uint32_t)row);
    uint64_t share = (uint64_t)(c->board->n_symmetries / bit_count(stabilizer));
    point_set free = c->board->points & ~c->rows->sets[row];
    point_set set = merels_unrank_set(c->header->subspace.a, (uint32_t)column);
    for (size_t i = 0; i < n; i++, set = next_set(set)) {
        point_set own = (point_set)bit_deposit(set, free);
        uint64_t n_keep = 0;
        for (uint64_t s = stabilizer; s != 0; s &= s - 1)
            n_keep += board_image(c->board, bit_lowest(s), own) == own;
        c->parts[value_at(c, place + i)] += n_keep * share;
    }
}

// Counts the values of the slots from `first` on, row by row.
static void count_piece(struct counting *c, uint64_t first, size_t n)
{
    uint64_t n_columns = c->header->n_columns;
    for (size_t place = 0, part; place < n; place += part) {
        uint64_t row = (first + place) / n_columns, column = (first + place) % n_columns;
        part = n - place < n_columns - column ? n - place : (size_t)(n_columns - column);
        if (row_is_plain(c->rows, (uint32_t)row))
            count_plain(c, place, part);
        else
            count_symmetric(c, row, column, place, part);
    }
}

static enum status count_table(struct counting *c, const struct table *table,
                               struct meter *meter, struct error *err)
{
    uint64_t n_slots = c->header->n_slots;
    for (uint64_t first = 0; first < n_slots; first += PIECE_SLOTS) {
        size_t n = n_slots - first < PIECE_SLOTS ? (size_t)(n_slots - first) : PIECE_SLOTS;
        enum status status = merels_table_read(table, first, n, c->values, err);
        if (status != STATUS_OK)
            return status;
        count_piece(c, first, n);
        if (merels_meter_count(meter, first + n))
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    return STATUS_OK;
}

// ---- sums ----------------------------------------------------------------------------------

static enum status widen(struct depth_counts *counts, size_t n, struct error *err)
{
    if (n <= counts->n)
        return STATUS_OK;
    uint64_t *of = realloc(counts->of, n * sizeof *of);
    if (!of)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the counts");
    memset(of + counts->n, 0, (n - counts->n) * sizeof *of);
    counts->of = of;
    counts->n = n;
    return STATUS_OK;
}

static enum status take_sums(const struct counting *c, struct depth_counts *counts,
                             struct error *err)
{
    int draw = c->header->value_bytes == 1 ? DTM_DRAW : WIDE_DTM_DRAW;
    uint64_t unit = (uint64_t)c->board->n_symmetries;
    int n = draw;
    while (n > 0 && c->parts[n - 1] == 0)
        n--;
    enum status status = widen(counts, (size_t)n, err);
    for (int d = 0; d < n && status == STATUS_OK; d++)
        counts->of[d] += c->parts[d] / unit;
    counts->draw += c->parts[draw] / unit - c->header->stats.none;
    return status;
}

static enum status check(const struct counting *c, const struct table *table, struct error *err)
{
    const struct table_stats *stats = &c->header->stats;
    uint64_t of[2] = {0, 0}, unit = (uint64_t)c->board->n_symmetries;
    int draw = c->header->value_bytes == 1 ? DTM_DRAW : WIDE_DTM_DRAW;
    for (int d = 0; d < draw; d++)
        of[d % 2] += c->parts[d] / unit;
    if (of[1] == stats->win && of[0] == stats->loss &&
        c->parts[draw] / unit == stats->draw + stats->none)
        return STATUS_OK;
    return merels_error(err, STATUS_CORRUPT,
                        "%s: by its values %llu positions are won and %llu lost, by its header "
                        "%llu and %llu",
                        merels_table_path(table), (unsigned long long)of[1],
                        (unsigned long long)of[0], (unsigned long long)stats->win,
                        (unsigned long long)stats->loss);
}

enum status merels_depth_counts_add(const struct table *table, const struct board *board,
                                    struct index *index, struct meter *meter,
                                    struct depth_counts *counts, struct error *err)
{
    const struct table_header *header = merels_table_header(table);
    struct counting *c = calloc(1, sizeof *c);
    if (!c)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the counts");
    c->board = board;
    c->header = header;
    c->values = malloc((size_t)PIECE_SLOTS * MAX_VALUE_BYTES);
    enum status status = c->values
                             ? merels_index_rows(index, header->subspace.b, &c->rows, err)
                             : merels_error(err, STATUS_NO_MEMORY, "no memory for values");
    if (status == STATUS_OK)
        status = count_table(c, table, meter, err);
    if (status == STATUS_OK)
        status = check(c, table, err);
    if (status == STATUS_OK)
        status = take_sums(c, counts, err);
    free(c->values);
    free(c);
    return status;
}

enum status merels_depth_counts_sum(struct depth_counts *sum, const struct depth_counts *part,
                                    struct error *err)
{
    enum status status = widen(sum, part->n, err);
    for (size_t d = 0; d < part->n && status == STATUS_OK; d++)
        sum->of[d] += part->of[d];
    sum->draw += part->draw;
    return status;
}

void merels_depth_counts_free(struct depth_counts *counts)
{
    free(counts->of);
    *counts = (struct depth_counts){.of = NULL};
}
