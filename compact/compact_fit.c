// compact_fit.c: a model is a sum of table entries for each of two decisions; the entries are
// found by stochastic gradient descent with a rate of its own for each.
//
// Numbers: weights and sums are in units of 2^-16, probabilities and errors by 2^16. A weight
// that has seen errors e1, e2, ... moves by error * RATE / sqrt(1 + e1^2 + e2^2 + ...); the
// root comes from a table over 1 + e1^2 + ..., kept in units of 2^-16.

#include "compact/compact_fit.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 3, MOST_ROWS = 1600, SIXTEENTH = 4096 };

// ---- samples -------------------------------------------------------------------------------

static uint64_t next_random(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15;
    uint64_t x = *state;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

static void grow(struct compact_samples *s)
{
    size_t room = 2 * s->room + 4096;
    uint16_t *entries = realloc(s->entries, room * COMPACT_FEATURES * sizeof *entries);
    if (entries != NULL)
        s->entries = entries;
    uint8_t *values = realloc(s->values, room);
    if (values != NULL)
        s->values = values;
    s->failed = entries == NULL || values == NULL;
    s->room = s->failed ? s->room : room;
}

static int wants(void *context, uint32_t column)
{
    struct compact_samples *s = context;
    (void)column;
    if (s->gap-- > 0)
        return 0;
    s->gap = (uint32_t)(next_random(&s->random) % (2 * s->keep - 1));
    return !s->failed;
}

static void take(void *context, uint32_t column, const uint32_t *entries, int n)
{
    struct compact_samples *s = context;
    if (s->n == s->room)
        grow(s);
    if (s->failed)
        return;
    s->n_features = n;
    uint16_t *to = s->entries + s->n * (size_t)n;
    for (int k = 0; k < n; k++)
        to[k] = (uint16_t)entries[k];
    s->values[s->n++] = s->row_values[column];
}

enum status merels_compact_sample(struct compact_rows *rows, size_t n_wanted,
                                  struct compact_samples *samples, struct error *err)
{
    uint32_t n_rows = rows->sets->n_rows;
    uint64_t n_slots = n_rows * rows->n_columns;
    uint32_t n_sampled = n_slots <= n_wanted || n_rows <= MOST_ROWS ? n_rows : MOST_ROWS;
    uint64_t walked = n_sampled * rows->n_columns;
    if (rows->stored == COMPACT_EVEN || rows->stored == COMPACT_ODD)
        walked /= 2;
    samples->keep = (uint32_t)(walked / n_wanted + 1);
    samples->game = rows->game;
    for (uint32_t k = 0; k < n_sampled; k++) {
        uint32_t row = (uint32_t)((uint64_t)k * n_rows / n_sampled);
        enum status status = merels_compact_rows_read(rows, row, err);
        if (status != STATUS_OK)
            return status;
        const struct compact_walker walker = {
            .context = samples, .values = rows->values, .wants = wants, .take = take};
        samples->row_values = rows->values;
        for (uint32_t i = 0; i < rows->n_pieces; i++) {
            struct compact_block block = merels_compact_rows_block(rows, row, i);
            merels_compact_walk(rows->game, &block, &rows->room, &walker);
        }
        if (samples->failed)
            return merels_error(err, STATUS_NO_MEMORY, "out of memory for samples");
    }
    return STATUS_OK;
}

void merels_compact_samples_free(struct compact_samples *samples)
{
    free(samples->entries);
    free(samples->values);
    *samples = (struct compact_samples){0};
}

// ---- the descent ---------------------------------------------------------------------------

enum { RATE = 3277, RATE_SHIFT = 8, ROOT_STEPS = 8, ROOT_OCTAVES = 48 };

struct entry {
    int32_t weight;
    uint64_t errors; // sum of squares
};

struct descent {
    const struct compact_samples *samples;
    struct entry *entries;
    uint32_t rates[ROOT_OCTAVES][ROOT_STEPS];
};

static uint64_t whole_root(uint64_t x)
{
    uint64_t root = 0;
    for (int k = 31; k >= 0; k--) {
        uint64_t larger = root | (uint64_t)1 << k;
        if (larger * larger <= x)
            root = larger;
    }
    return root;
}

// rates[k][i] = RATE / sqrt(x) by 2^RATE_SHIFT for x = (8 + i) 2^(k - 3) sixteenths.
static void fill_rates(struct descent *d)
{
    for (int k = 4; k < ROOT_OCTAVES; k++)
        for (int i = 0; i < ROOT_STEPS; i++) {
            uint64_t x = (uint64_t)(ROOT_STEPS + i) << (k - 3);
            uint64_t root = whole_root(x << 12); // 64 sqrt(x)
            d->rates[k][i] = (uint32_t)(((uint64_t)RATE << RATE_SHIFT) * 4 * 64 / root);
        }
}

static int64_t rate_of(const struct descent *d, uint64_t errors)
{
    uint64_t x = (errors >> 12) + 16;
    int k = 63 - __builtin_clzll(x);
    return d->rates[k < ROOT_OCTAVES ? k : ROOT_OCTAVES - 1][x >> (k - 3) & 7];
}

// The probability by 65536 of a sum of weights: between two places of the squash table.
static int64_t probability(int64_t sum)
{
    const int64_t most = 176 * SIXTEENTH;
    if (sum > most || sum < -most)
        sum = sum > 0 ? most : -most;
    int64_t shifted = sum + most, place = shifted / SIXTEENTH, rest = shifted % SIXTEENTH;
    int64_t low = merels_compact_squash((int)place - 176);
    int64_t high = merels_compact_squash((int)place - 175);
    return low + (high - low) * rest / SIXTEENTH;
}

static void learn(struct descent *d, size_t sample, bool yes)
{
    const struct compact_samples *s = d->samples;
    const uint16_t *entries = s->entries + sample * (size_t)s->n_features;
    int64_t sum = 0;
    for (int k = 0; k < s->n_features; k++)
        sum += d->entries[entries[k]].weight;
    int64_t error = (yes ? 65536 : 0) - probability(sum);
    if (error < 256 && error > -256)
        return;
    uint64_t square = (uint64_t)(error * error) >> 16;
    for (int k = 0; k < s->n_features; k++) {
        struct entry *entry = &d->entries[entries[k]];
        entry->errors += square;
        entry->weight +=
            (int32_t)(error * rate_of(d, entry->errors) / ((int64_t)1 << (16 + RATE_SHIFT)));
    }
}

static size_t common_divisor(size_t x, size_t y)
{
    while (y != 0) {
        size_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

static int8_t rounded(int32_t weight)
{
    int32_t half = weight >= 0 ? SIXTEENTH / 2 : -SIXTEENTH / 2;
    int32_t x = (weight + half) / SIXTEENTH;
    return (int8_t)(x > 127 ? 127 : x < -127 ? -127 : x);
}

// One decision: 0 "won?", 1 "lost?" where it is not won. Samples come in a scattered order.
static void descend(struct descent *d, int decision, int8_t *model)
{
    const struct compact_samples *s = d->samples;
    uint32_t n_entries = s->game->n_entries;
    memset(d->entries, 0, n_entries * sizeof *d->entries);
    size_t step = s->n * 618 / 1000 + 1, at = 0;
    while (common_divisor(step, s->n) != 1)
        step++;
    for (size_t k = 0; k < PASSES * s->n; k++) {
        at = (at + step) % s->n;
        if (decision == 0)
            learn(d, at, s->values[at] == 2);
        else if (s->values[at] != 2)
            learn(d, at, s->values[at] == 0);
    }
    for (uint32_t k = 0; k < n_entries; k++)
        model[2 * k + (uint32_t)decision] = rounded(d->entries[k].weight);
}

enum status merels_compact_fit(const struct compact_samples *samples, int n_threads,
                               int8_t *model, struct error *err)
{
    uint32_t n_entries = samples->game->n_entries;
    struct descent *d = calloc(2, sizeof *d);
    enum status status = STATUS_OK;
    for (int k = 0; d != NULL && k < 2; k++) {
        d[k].samples = samples;
        d[k].entries = malloc(n_entries * sizeof *d[k].entries);
        fill_rates(&d[k]);
    }
    if (d == NULL || d[0].entries == NULL || d[1].entries == NULL) {
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a model");
    } else {
#pragma omp parallel for num_threads(n_threads < 2 ? 1 : 2)
        for (int decision = 0; decision < 2; decision++)
            descend(&d[decision], decision, model);
    }
    for (int k = 0; d != NULL && k < 2; k++)
        free(d[k].entries);
    free(d);
    return status;
}
