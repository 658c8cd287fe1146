// test_verify_wide.c: tables with values of two bytes: small games written so, wrong values in
// them, and made-up depths that one byte cannot hold; by rows and slot by slot.

#include "tests/verify/tamper.h"
#include "verify/check_slots.h"
#include "verify/check_table.h"
#include "verify/load_table.h"
#include "verify/verify_manifest.h"
#include "verify/verify_value.h"

// ---- writing -------------------------------------------------------------------------------

// A value of one byte as it stands in two.
typedef int widen_fn(int value);

static int same_depth(int value)
{
    return value;
}

static uint8_t *wide_bytes(const struct values *v, widen_fn *widen)
{
    uint8_t *bytes = malloc(2 * v->n_slots);
    cr_assert_not_null(bytes);
    for (uint64_t slot = 0; slot < v->n_slots; slot++)
        put_le(bytes + 2 * slot, 2,
               v->bytes[slot] == DTM_DRAW ? DRAW : (uint64_t)widen(v->bytes[slot]));
    return bytes;
}

static void store_wide_with(const struct base *base, const struct values *v,
                            const struct table_stats *stats, widen_fn *widen)
{
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES], *bytes = wide_bytes(v, widen);
    size_t n_bytes = 2 * v->n_slots;
    const enum edition edition = edition_of_rules(base->rules);
    OK(merels_value_hash(edition, 2, bytes, v->n_slots, hash, &test_error));
    OK(merels_table_create(base->dir, base->rules, v->subspace, edition, 2, &writer,
                           &test_error));
    append_blocks(writer, edition, bytes, n_bytes, 2 * DTM_BLOCK_SLOTS);
    OK(merels_table_finish(writer, stats, hash, &test_error));
    OK(merels_manifest_add(base->dir, base->rules, v->subspace, edition, &test_error));
    free(bytes);
}

static void store_wide(const struct base *base, const struct values *v)
{
    struct table_stats stats = true_stats(base, v);
    store_wide_with(base, v, &stats, same_depth);
}

// Every `step`-th table in two bytes.
static void widen_tables(const struct base *base, size_t step)
{
    struct manifest manifest = read_manifest(base);
    for (size_t k = 0; k < manifest.n_entries; k += step) {
        struct values v = load_values(base, manifest.entries[k].subspace);
        store_wide(base, &v);
        free(v.bytes);
    }
    merels_manifest_free(&manifest);
}

// ---- good tables ---------------------------------------------------------------------------

// The values are the same, so are the slots that were checked.
static void assert_good(const char *rules, int max_men, bool moving_only, size_t step)
{
    struct verify_result narrow, wide;
    struct base base = solve_base(rules, max_men, moving_only);
    OK(verify_with(&base, 0, NULL, &narrow));
    widen_tables(&base, step);
    OK(verify_with(&base, 0, NULL, &wide));
    cr_expect(wide.recorded && wide.n_checked > 1);
    cr_expect_eq(wide.n_slots, narrow.n_slots);
    OK(verify_with(&base, 30, NULL, &wide));
    drop_base(&base);
}

Test(verify_wide, whole_small_games, .timeout = 300)
{
    assert_good("four", 0, false, 1);
    assert_good("six,men=3", 0, false, 1);
    assert_good("four-fly,blocked=draws", 0, false, 2);
    assert_good("four,metric=dtc", 0, false, 1);
    assert_good("four,n-move=9", 0, false, 1);
}

Test(verify_wide, a_few_wide_tables_among_others, .timeout = 300)
{
    assert_good("seven", 8, true, 3);
    assert_good("five", 7, true, 3);
    assert_good("four,metric=dtc", 0, false, 2); // also before and behind wide ones
    assert_good("four,metric=dtc", 0, false, 3);
}

// ---- one table alone -----------------------------------------------------------------------

typedef enum status check_fn(struct verify_run *run, const struct checked_table *table,
                             struct error *err);

static void open_run(const struct base *base, struct verify_run *run)
{
    OK(merels_verify_run_start(run, base->text, true, NULL, 2, &test_error));
    OK(merels_verify_manifest_open(base->dir, base->text, run->index, false, &run->files,
                                   &test_error));
    merels_meter_start(&run->meter, NULL, "slots", 0, 1);
}

static enum status verify_one_by(const struct base *base, struct subspace s, check_fn *check)
{
    struct verify_run run = {0};
    const struct counts counts = {s.a, s.b, s.ha, s.hb};
    open_run(base, &run);
    OK(merels_verify_learn(&run, counts, &test_error));
    enum status status = check(&run, merels_verify_find(&run.files, counts), &test_error);
    merels_verify_run_free(&run);
    return status;
}

// Both ways, which must say the same.
static enum status verify_one(const struct base *base, struct subspace s)
{
    struct error by_rows = {0};
    enum status status = verify_one_by(base, s, merels_verify_table);
    if (status != STATUS_OK)
        by_rows = test_error;
    enum status slots_status = verify_one_by(base, s, merels_verify_slots);
    cr_assert_eq(slots_status, status, "%d-%d-%d-%d", s.a, s.b, s.ha, s.hb);
    cr_expect(status == STATUS_OK || strcmp(test_error.text, by_rows.text) == 0, "%s\n%s",
              by_rows.text, test_error.text);
    return status;
}

// ---- by rows and slot by slot --------------------------------------------------------------

// Tables whose plies are plain go by rows, in marks of two bytes where they need them.
static void assert_by_rows(const struct base *base)
{
    struct verify_run run = {0};
    int n_narrow = 0, n_wide = 0;
    open_run(base, &run);
    for (size_t k = 0; k < run.files.n_tables; k++) {
        const struct checked_table *t = &run.files.tables[k];
        OK(merels_verify_learn(&run, t->counts, &test_error));
        uint64_t bytes = merels_verify_table_bytes(&run, t);
        n_narrow += bytes == merels_verify_load_bytes(&run, t, 1);
        n_wide += bytes == merels_verify_load_bytes(&run, t, 2);
        cr_expect(t->value_bytes == 1 || bytes == merels_verify_load_bytes(&run, t, 2), "%s",
                  t->name);
    }
    cr_expect_eq((size_t)n_narrow + (size_t)n_wide, run.files.n_tables);
    cr_expect(n_narrow > 0 && n_wide > 0);
    merels_verify_run_free(&run);
}

// Of all tables; returns how many are wrong.
static int n_wrong(const struct base *base)
{
    struct manifest manifest = read_manifest(base);
    int n = 0;
    for (size_t k = 0; k < manifest.n_entries; k++)
        n += verify_one(base, manifest.entries[k].subspace) != STATUS_OK;
    merels_manifest_free(&manifest);
    return n;
}

// Every second table is wide, and one of them gets wrong values.
static void compare_ways(const char *rules, struct subspace s)
{
    struct base base = solve_base(rules, 0, false);
    struct values v = load_values(&base, s);
    uint64_t random = 17;
    widen_tables(&base, 2);
    assert_by_rows(&base);
    cr_expect_eq(n_wrong(&base), 0);
    for (int k = 0; k < 4; k++) {
        uint64_t slot = next_random(&random) % v.n_slots;
        uint8_t old = v.bytes[slot];
        set_position(&base, &v, slot, k % 2 == 0 || old == DTM_DRAW ? old ^ 1 : DTM_DRAW);
        store_wide(&base, &v);
        cr_expect_gt(n_wrong(&base), 0);
        set_position(&base, &v, slot, old);
    }
    free(v.bytes);
    drop_base(&base);
}

Test(verify_wide, by_rows_and_slot_by_slot, .timeout = 300)
{
    compare_ways("four", (struct subspace){3, 4, 0, 0});
    compare_ways("four,metric=dtc", (struct subspace){3, 4, 0, 0});
    compare_ways("four,metric=dtc", (struct subspace){2, 2, 2, 2});
    compare_ways("four,n-move=7", (struct subspace){4, 3, 0, 0});
}

// ---- wrong ones ----------------------------------------------------------------------------

static const struct subspace s34 = {3, 4, 0, 0}, s43 = {4, 3, 0, 0};

// A base of which all tables are wide, and the values of one of them.
static struct base wide_base(struct subspace s, struct values *v)
{
    struct base base = solve_base("four", 0, false);
    *v = load_values(&base, s);
    widen_tables(&base, 1);
    return base;
}

Test(verify_wide, wrong_values, .timeout = 300)
{
    struct values v;
    struct base base = wide_base(s43, &v);
    uint64_t random = 91;
    for (int k = 0; k < 8; k++) {
        uint64_t slot = next_random(&random) % v.n_slots;
        uint8_t old = v.bytes[slot];
        set_position(&base, &v, slot, k % 2 == 0 || old == DTM_DRAW ? old ^ 1 : DTM_DRAW);
        store_wide(&base, &v);
        assert_accused(&base, s43);
        set_position(&base, &v, slot, old);
    }
    store_wide(&base, &v);
    OK(verify(&base));
    free(v.bytes);
    drop_base(&base);
}

Test(verify_wide, slots_of_one_position_differ, .timeout = 300)
{
    struct values v;
    struct base base = wide_base(s43, &v);
    uint64_t slot = 0;
    while (is_first_twin(&base, &v, slot))
        slot++;
    v.bytes[slot] = v.bytes[slot] == DTM_DRAW ? 3 : DTM_DRAW;
    store_wide(&base, &v);
    assert_accused(&base, s43);
    free(v.bytes);
    drop_base(&base);
}

static void assert_header_found(const struct base *base, const struct values *v,
                                const struct table_stats *stats, const char *what)
{
    store_wide_with(base, v, stats, same_depth);
    FAILS(verify(base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, what), "%s", test_error.text);
    cr_expect_not_null(strstr(test_error.text, "3-4.mtb"), "%s", test_error.text);
}

Test(verify_wide, header_is_wrong, .timeout = 300)
{
    struct values v;
    struct base base = wide_base(s34, &v);
    struct table_stats good = true_stats(&base, &v), stats = good;
    stats.loss++;
    stats.win--;
    assert_header_found(&base, &v, &stats, "won orbits");
    stats = good;
    stats.max_loss += 2;
    assert_header_found(&base, &v, &stats, "longest loss");
    stats = good;
    stats.max_loss_slot += 1;
    assert_header_found(&base, &v, &stats, "first slot of the longest loss");
    store_wide_with(&base, &v, &good, same_depth);
    OK(verify(&base));
    free(v.bytes);
    drop_base(&base);
}

Test(verify_wide, value_hash_is_wrong, .timeout = 300)
{
    size_t n;
    struct values v;
    struct base base = wide_base(s34, &v);
    uint8_t *bytes = load_bytes(base.dir, "3-4.mtb", &n);
    bytes[160] ^= 1;
    fix_header(bytes);
    store_bytes(base.dir, "3-4.mtb", bytes, n);
    OK(merels_manifest_add(base.dir, base.rules, s34, EDITION_DTM, &test_error));
    FAILS(verify(&base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "hash of the values"), "%s", test_error.text);
    free(bytes);
    free(v.bytes);
    drop_base(&base);
}

// ---- depths that need two bytes ------------------------------------------------------------
// Under 3-4 and 4-3 stands a made-up 3-3, in which every position is lost in LOST_IN plies.
// What is decided there is decided later than everything else in these tables, so a later 3-3
// moves it by as much as 3-3 itself, and nothing else.

enum { LOST_IN = 100, LATER = 500 };

static int later(int value)
{
    return value >= LOST_IN ? value + LATER : value;
}

static struct values lost_table(const struct base *base)
{
    static const struct subspace s = {3, 3, 0, 0};
    struct values v = {.subspace = s,
                       .n_slots = merels_subspace_slots(&base->rules->board, s),
                       .n_columns = (uint32_t)merels_subspace_columns(&base->rules->board, s)};
    v.bytes = malloc(v.n_slots);
    memset(v.bytes, LOST_IN, v.n_slots);
    return v;
}

static void store_later(const struct base *base, const struct values *v)
{
    struct table_stats stats = true_stats(base, v);
    stats.max_win = stats.max_win < 0 ? -1 : later(stats.max_win);
    stats.max_loss = stats.max_loss < 0 ? -1 : later(stats.max_loss);
    store_wide_with(base, v, &stats, later);
}

// 3-3 as above, 3-4 and 4-3 solved over it, then all made later; *v has 3-4 as it was before.
static struct base deep_base(struct values *v)
{
    struct base base = new_base("six");
    struct values lost = lost_table(&base);
    store_values(&base, &lost);
    solve_into(&base, "six", 7, true);
    struct values other = load_values(&base, s43);
    *v = load_values(&base, s34);
    store_later(&base, &lost);
    store_later(&base, &other);
    store_later(&base, v);
    free(lost.bytes);
    free(other.bytes);
    return base;
}

Test(verify_wide, depths_beyond_one_byte, .timeout = 300)
{
    struct values v;
    struct base base = deep_base(&v);
    char stored[32];
    uint64_t slot = 0;
    OK(verify_one(&base, s34));
    OK(verify_one(&base, s43));
    FAILS(verify_one(&base, (struct subspace){3, 3, 0, 0}), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "stored loss in 600"), "%s", test_error.text);
    while (v.bytes[slot] <= LOST_IN || v.bytes[slot] % 2 == 0)
        slot++;
    set_position(&base, &v, slot, (uint8_t)(v.bytes[slot] + 2));
    snprintf(stored, sizeof stored, "stored win in %d", v.bytes[slot] + LATER);
    store_later(&base, &v);
    FAILS(verify_one(&base, s34), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, stored), "%s", test_error.text);
    free(v.bytes);
    drop_base(&base);
}

// The order of values for the side that has just moved, and the value one ply before.
Test(verify_wide, worth_of_values)
{
    static const int ascending[] = {1, 3, 253, 255, 65531, 65533, DRAW, 65532, 254, 252, 2, 0};
    enum { N = sizeof ascending / sizeof ascending[0] };
    for (int k = 1; k < N; k++)
        cr_expect_lt(merels_verify_worth(ascending[k - 1]), merels_verify_worth(ascending[k]),
                     "%d %d", ascending[k - 1], ascending[k]);
    cr_expect_eq(merels_verify_value_before(254, MEASURE_END, false), 255);
    cr_expect_eq(merels_verify_value_before(65532, MEASURE_END, false), 65533);
    cr_expect_eq(merels_verify_value_before(DRAW, MEASURE_END, false), DRAW);
    cr_expect_eq(merels_verify_value_before(LOSS, MEASURE_NONE, false), WIN);
    cr_expect_eq(merels_verify_value_before(WIN, MEASURE_NONE, false), LOSS);
}

// Where depths count to a ply that converts: won in d is 2d - 1, lost in d is 2d.
Test(verify_wide, values_before_a_conversion)
{
    const enum measure measure = MEASURE_CONVERSION;
    cr_expect_eq(merels_verify_value_before(0, measure, false), 1);
    cr_expect_eq(merels_verify_value_before(2, measure, false), 3);  // lost in 1: won in 2
    cr_expect_eq(merels_verify_value_before(1, measure, false), 4);  // won in 1: lost in 2
    cr_expect_eq(merels_verify_value_before(9, measure, false), 12); // won in 5: lost in 6
    cr_expect_eq(merels_verify_value_before(200, measure, true), 1);
    cr_expect_eq(merels_verify_value_before(9, measure, true), 2);
    cr_expect_eq(merels_verify_value_before(DRAW, measure, true), DRAW);
}
