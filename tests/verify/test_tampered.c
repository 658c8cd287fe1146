// test_tampered.c: the checker is checked: wrong values of every kind, at random places of
// tables in which hashes, counts and manifest have been made right again. Each must be found
// and named.

#include "tests/verify/tamper.h"

enum { TRIALS = 6, TRIES = 100000 };

// What a tamperer may change; it says whether it found something to change at this slot.
typedef bool change_fn(const struct base *base, struct values *v, uint64_t slot);

static bool wrong_value(const struct base *base, struct values *v, uint64_t slot)
{
    uint8_t old = v->bytes[slot];
    uint8_t value = old == DTM_DRAW ? 2 : old & 1 ? old + 1 : old + 1;
    if (value > 252)
        return false;
    set_position(base, v, slot, value);
    return true;
}

static bool two_deeper(const struct base *base, struct values *v, uint64_t slot)
{
    if (v->bytes[slot] > 240)
        return false;
    set_position(base, v, slot, v->bytes[slot] + 2);
    return true;
}

static bool two_shallower(const struct base *base, struct values *v, uint64_t slot)
{
    if (v->bytes[slot] < 2 || v->bytes[slot] == DTM_DRAW)
        return false;
    set_position(base, v, slot, v->bytes[slot] - 2);
    return true;
}

static bool draw_is_win(const struct base *base, struct values *v, uint64_t slot)
{
    if (v->bytes[slot] != DTM_DRAW)
        return false;
    set_position(base, v, slot, (uint8_t)(1 + 2 * (slot % 20)));
    return true;
}

static bool win_is_draw(const struct base *base, struct values *v, uint64_t slot)
{
    if (!(v->bytes[slot] & 1) || v->bytes[slot] == DTM_DRAW)
        return false;
    set_position(base, v, slot, DTM_DRAW);
    return true;
}

static bool loss_is_draw(const struct base *base, struct values *v, uint64_t slot)
{
    if (v->bytes[slot] & 1)
        return false;
    set_position(base, v, slot, DTM_DRAW);
    return true;
}

static bool one_twin(const struct base *base, struct values *v, uint64_t slot)
{
    uint16_t maps = stabilizer_of(base, v, slot);
    for (int s = 1; s < base->rules->board.n_symmetries; s++)
        if (maps >> s & 1 && twin_of(base, v, slot, s) != slot) {
            v->bytes[slot] = v->bytes[slot] == DTM_DRAW ? 3 : DTM_DRAW;
            return true;
        }
    return false;
}

// Exchanges the slot's row with the next one, if they differ.
static bool swap_rows(const struct base *base, struct values *v, uint64_t slot)
{
    (void)base;
    uint64_t n = v->n_columns, row = slot / n;
    uint8_t *here = v->bytes + row * n;
    if ((row + 2) * n > v->n_slots || memcmp(here, here + n, n) == 0)
        return false;
    for (uint64_t k = 0; k < n; k++) {
        uint8_t value = here[k];
        here[k] = here[n + k];
        here[n + k] = value;
    }
    return true;
}

// ---- trials --------------------------------------------------------------------------------

// Random tables and slots until something could be changed.
static struct values change_somewhere(const struct base *base, const struct manifest *manifest,
                                      change_fn *change, uint64_t *random)
{
    for (int k = 0; k < TRIES; k++) {
        size_t number = next_random(random) % manifest->n_entries;
        struct values v = load_values(base, manifest->entries[number].subspace);
        for (int i = 0; i < 50; i++)
            if (change(base, &v, next_random(random) % v.n_slots))
                return v;
        free(v.bytes);
    }
    cr_assert_fail("nothing to change");
    return (struct values){.bytes = NULL};
}

static void run_trials(const struct base *base, const char *name, change_fn *change)
{
    uint64_t random = 20 + (uint64_t)name[0];
    struct manifest manifest = read_manifest(base);
    for (int k = 0; k < TRIALS; k++) {
        struct values v = change_somewhere(base, &manifest, change, &random);
        struct values good = load_values(base, v.subspace);
        store_values(base, &v);
        assert_accused(base, v.subspace);
        store_values(base, &good);
        free(v.bytes);
        free(good.bytes);
    }
    merels_manifest_free(&manifest);
    OK(verify(base));
}

static void run_all_trials(struct base *base)
{
    OK(verify(base));
    run_trials(base, "wrong value", wrong_value);
    run_trials(base, "two plies deeper", two_deeper);
    run_trials(base, "less deep by two", two_shallower);
    run_trials(base, "draw is win", draw_is_win);
    run_trials(base, "game won is drawn", win_is_draw);
    run_trials(base, "loss is drawn", loss_is_draw);
    run_trials(base, "one twin", one_twin);
    run_trials(base, "rows swapped", swap_rows);
    drop_base(base);
}

Test(tampered, placing_and_moving, .timeout = 600)
{
    struct base base = solve_base("four", 0, false);
    run_all_trials(&base);
}

// By rows, and slot by slot.
Test(tampered, depths_to_a_conversion, .timeout = 600)
{
    struct base base = solve_base("four,metric=dtc", 0, false);
    run_all_trials(&base);
    base = solve_base("three,mill=removes,removals=each,metric=dtc,men=4", 0, false);
    run_all_trials(&base);
    base = solve_base("six,n-move=6,men=4-3", 0, false);
    run_all_trials(&base);
}

Test(tampered, flying, .timeout = 600)
{
    struct base base = solve_base("nine", 6, true);
    run_all_trials(&base);
}

// ---- changes that agree with each other -----------------------------------------------------

// Every table's values through a function.
static void change_all(const struct base *base, uint8_t (*change)(uint8_t value))
{
    struct manifest manifest = read_manifest(base);
    for (size_t k = 0; k < manifest.n_entries; k++) {
        struct values v = load_values(base, manifest.entries[k].subspace);
        for (uint64_t slot = 0; slot < v.n_slots; slot++)
            v.bytes[slot] = change(v.bytes[slot]);
        store_values(base, &v);
        free(v.bytes);
    }
    merels_manifest_free(&manifest);
}

// All that is decided later than a horizon a draw: wrong only at the horizon itself.
static uint8_t beyond_horizon(uint8_t value)
{
    return value > 12 ? DTM_DRAW : value;
}

// No draws: whole cycles of positions that are all said to be won, none of which gets nearer.
static uint8_t won_in_a_circle(uint8_t value)
{
    return value == DTM_DRAW ? 251 : value;
}

Test(tampered, whole_cycles, .timeout = 300)
{
    uint8_t (*const changes[])(uint8_t) = {beyond_horizon, won_in_a_circle};
    for (int k = 0; k < 2; k++) {
        struct base base = solve_base("nine", 7, true);
        OK(verify(&base));
        change_all(&base, changes[k]);
        FAILS(verify(&base), STATUS_MISMATCH);
        cr_expect_not_null(strstr(test_error.text, ": stored "), "%s", test_error.text);
        drop_base(&base);
    }
}

// ---- headers -------------------------------------------------------------------------------

static void assert_header_found(const struct base *base, const struct values *v,
                                const struct table_stats *stats, const char *what)
{
    store_with(base, v, stats);
    FAILS(verify(base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, what), "%s", test_error.text);
    cr_expect_not_null(strstr(test_error.text, "3-3.mtb"), "%s", test_error.text);
}

Test(tampered, header_counts, .timeout = 300)
{
    struct base base = solve_base("nine", 6, true);
    struct values v = load_values(&base, (struct subspace){3, 3, 0, 0});
    struct table_stats good = true_stats(&base, &v), stats = good;
    stats.win++;
    stats.draw--;
    assert_header_found(&base, &v, &stats, "won orbits");
    stats = good;
    stats.max_loss -= 2;
    assert_header_found(&base, &v, &stats, "longest loss");
    stats = good;
    stats.max_win_slot += 1;
    assert_header_found(&base, &v, &stats, "longest win");
    store_with(&base, &v, &good);
    OK(verify(&base));
    free(v.bytes);
    drop_base(&base);
}
