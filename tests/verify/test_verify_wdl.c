// test_verify_wdl.c: tablebases without depths: good ones, wrong values in tables whose hashes
// and counts are right, damage, and what cannot be found there.

#include "export/export_wdl.h"
#include "tests/verify/tamper.h"

enum { N_TRIALS = 6, N_TRIES = 20000 };

static const uint8_t no_value = 3; // stands for the code that does not occur

// ---- tablebases ----------------------------------------------------------------------------

// The small game with depths in `dtm` and without them.
static struct base export_base(const char *rules, int max_men, bool moving_only)
{
    struct base dtm = solve_base(rules, max_men, moving_only), base = new_base(rules);
    struct export_result result;
    const struct export_options options = {.dir = dtm.dir, .out_dir = base.dir, .n_threads = 1};
    OK(merels_export_wdl(base.rules, &options, NULL, &result, &test_error));
    drop_base(&dtm);
    return base;
}

// As the verifier holds them: 1 a win, 0 a loss, 255 a draw.
static struct values load_wdl(const struct base *base, struct subspace s)
{
    static const uint8_t of_code[] = {DTM_DRAW, 1, 0, no_value};
    struct values v = load_values_of(base, s, EDITION_WDL);
    for (uint64_t slot = 0; slot < v.n_slots; slot++)
        v.bytes[slot] = of_code[v.bytes[slot] & 3];
    return v;
}

// ---- writing with everything right ---------------------------------------------------------

static uint8_t *pack(const struct values *v)
{
    uint8_t *packed = malloc((v->n_slots + 3) / 4);
    merels_wdl_pack(v->bytes, 1, v->n_slots, packed);
    for (uint64_t slot = 0; slot < v->n_slots; slot++)
        if (v->bytes[slot] == no_value)
            packed[slot / 4] |= (uint8_t)(3 << 2 * (slot % 4));
    return packed;
}

static struct table_stats wdl_stats(const struct base *base, const struct values *v)
{
    struct table_stats stats = true_stats(base, v);
    stats.max_win = stats.max_loss = -1;
    stats.max_win_slot = stats.max_loss_slot = 0;
    return stats;
}

static void store_wdl_with(const struct base *base, const struct values *v,
                           const struct table_stats *stats)
{
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES], *packed = pack(v);
    size_t n_bytes = (size_t)(v->n_slots + 3) / 4;
    OK(merels_value_hash(EDITION_WDL, 0, packed, v->n_slots, hash, &test_error));
    OK(merels_table_create(base->dir, base->rules, v->subspace, EDITION_WDL, 0, &writer,
                           &test_error));
    append_blocks(writer, EDITION_WDL, packed, n_bytes, WDL_BLOCK_SLOTS / 4);
    OK(merels_table_finish(writer, stats, hash, &test_error));
    OK(merels_manifest_add(base->dir, base->rules, v->subspace, EDITION_WDL, &test_error));
    free(packed);
}

static void store_wdl(const struct base *base, const struct values *v)
{
    struct table_stats stats = wdl_stats(base, v);
    store_wdl_with(base, v, &stats);
}

// ---- good tablebases -----------------------------------------------------------------------

static bool has_file(const struct base *base, const char *name)
{
    char path[512];
    file_path(path, base->dir, name);
    return access(path, F_OK) == 0;
}

static void assert_good_export(const char *rules, int max_men, bool moving_only,
                               const char *level)
{
    struct verify_result result;
    struct base base = export_base(rules, max_men, moving_only);
    OK(verify_with(&base, 0, level, &result));
    cr_expect(result.wdl && result.recorded);
    cr_expect_eq(result.n_checked, result.n_tables, "%s", rules);
    cr_expect(has_file(&base, "CONSISTENT") && !has_file(&base, "VERIFIED"));
    OK(verify_with(&base, 30, NULL, &result));
    drop_base(&base);
}

Test(verify_wdl, good, .timeout = 300)
{
    assert_good_export("four", 0, false, NULL);
    assert_good_export("four-fly,blocked=draws", 0, false, "portable");
    assert_good_export("nine", 6, true, NULL);
}

Test(verify_wdl, record, .timeout = 300)
{
    size_t n;
    char expected[256];
    struct verify_result result;
    struct base base = export_base("four", 0, false);
    store_bytes(base.dir, "VERIFIED", "old", 3);
    OK(verify_with(&base, 0, NULL, &result));
    cr_expect(has_file(&base, "VERIFIED")); // that of the other edition
    char *text = (char *)load_bytes(base.dir, "CONSISTENT", &n);
    snprintf(expected, sizeof expected,
             "Merels record of consistent values without depths\nroot %s\nverifier-version %d\n"
             "tables %zu\nslots %llu\n",
             result.root, VERIFY_VERSION, result.n_tables, (unsigned long long)result.n_slots);
    cr_expect_str_eq(text, expected);
    free(text);
    drop_base(&base);
}

// ---- wrong values --------------------------------------------------------------------------

// Makes one value of a kind another: of all slots of a position, or of one of several slots.
struct change {
    uint8_t from, to;
    bool one_slot;
};

static bool has_twin(const struct base *base, const struct values *v, uint64_t slot)
{
    uint16_t maps = stabilizer_of(base, v, slot);
    for (int s = 1; maps != 1 && s < base->rules->board.n_symmetries; s++)
        if (maps >> s & 1 && twin_of(base, v, slot, s) != slot)
            return true;
    return false;
}

static bool apply(const struct base *base, struct values *v, uint64_t slot,
                  const struct change *change)
{
    if (v->bytes[slot] != change->from || (change->one_slot && !has_twin(base, v, slot)))
        return false;
    if (change->one_slot)
        v->bytes[slot] = change->to;
    else
        set_position(base, v, slot, change->to);
    return true;
}

static struct values change_one(const struct base *base, const struct manifest *manifest,
                                const struct change *change, uint64_t *random)
{
    for (int k = 0; k < N_TRIES; k++) {
        size_t number = next_random(random) % manifest->n_entries;
        struct values v = load_wdl(base, manifest->entries[number].subspace);
        for (int i = 0; i < 50; i++)
            if (apply(base, &v, next_random(random) % v.n_slots, change))
                return v;
        free(v.bytes);
    }
    cr_assert_fail("nothing to change");
    return (struct values){.bytes = NULL};
}

static void try_change(const struct base *base, const struct change *change)
{
    uint64_t random = 30 + (uint64_t)change->from + 2 * (uint64_t)change->to;
    struct manifest manifest = read_manifest(base);
    for (int k = 0; k < N_TRIALS; k++) {
        struct values v = change_one(base, &manifest, change, &random);
        struct values good = load_wdl(base, v.subspace);
        store_wdl(base, &v);
        assert_accused(base, v.subspace);
        cr_expect(!has_file(base, "CONSISTENT"));
        cr_expect_null(strstr(test_error.text, " in "), "a depth: %s", test_error.text);
        store_wdl(base, &good);
        free(v.bytes);
        free(good.bytes);
    }
    merels_manifest_free(&manifest);
    OK(verify(base));
}

Test(verify_wdl, wrong_values_are_found, .timeout = 300)
{
    static const struct change changes[] = {
        {1, DTM_DRAW, false}, {1, 0, false},        {0, 1, false},       {0, DTM_DRAW, false},
        {DTM_DRAW, 0, false}, {DTM_DRAW, 1, false}, {DTM_DRAW, 1, true}, {1, 0, true},
    };
    struct base base = export_base("four", 0, false);
    for (size_t k = 0; k < sizeof changes / sizeof changes[0]; k++)
        try_change(&base, &changes[k]);
    drop_base(&base);
}

// Every sampled slot of a table of won positions that are called draws.
Test(verify_wdl, samples_find_wrong_values, .timeout = 300)
{
    struct verify_result result;
    struct base base = export_base("four", 0, false);
    struct values v = load_wdl(&base, (struct subspace){4, 3, 0, 0});
    for (uint64_t slot = 0; slot < v.n_slots; slot++)
        v.bytes[slot] = DTM_DRAW;
    store_wdl(&base, &v);
    FAILS(verify_with(&base, 50, NULL, &result), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "stored "), "%s", test_error.text);
    free(v.bytes);
    drop_base(&base);
}

// ---- what cannot be found ------------------------------------------------------------------

static void store_all(const struct base *base, struct subspace s, uint8_t value,
                      void (*store)(const struct base *base, const struct values *v))
{
    struct values v = {.subspace = s,
                       .n_slots = merels_subspace_slots(&base->rules->board, s),
                       .n_columns = (uint32_t)merels_subspace_columns(&base->rules->board, s)};
    v.bytes = malloc(v.n_slots);
    memset(v.bytes, value, v.n_slots);
    store(base, &v);
    free(v.bytes);
}

// Two men against one, which fly and never close a mill: nobody can win. Yet the side with two
// men may be said to win, as long as no depth must fall from ply to ply.
Test(verify_wdl, a_circle_of_wins_is_consistent, .timeout = 300)
{
    static const struct subspace strong = {2, 1, 0, 0}, weak = {1, 2, 0, 0};
    struct verify_result result;
    struct base base = new_base("six,least=1,fly=3"), dtm = new_base("six,least=1,fly=3");
    store_all(&base, strong, DTM_DRAW, store_wdl);
    store_all(&base, weak, DTM_DRAW, store_wdl);
    OK(verify(&base));
    store_all(&base, strong, 1, store_wdl);
    FAILS(verify(&base), STATUS_MISMATCH);
    store_all(&base, weak, 0, store_wdl);
    OK(verify_with(&base, 0, NULL, &result));
    cr_expect(result.wdl && !has_file(&base, "VERIFIED"));
    store_all(&dtm, strong, 251, store_values);
    store_all(&dtm, weak, 250, store_values);
    FAILS(verify(&dtm), STATUS_MISMATCH);
    drop_base(&base);
    drop_base(&dtm);
}

// ---- damage --------------------------------------------------------------------------------

Test(verify_wdl, header_and_codes, .timeout = 300)
{
    struct base base = export_base("four", 0, false);
    struct values v = load_wdl(&base, (struct subspace){3, 4, 0, 0});
    struct table_stats good = wdl_stats(&base, &v), stats = good;
    stats.win--;
    stats.loss++;
    store_wdl_with(&base, &v, &stats);
    FAILS(verify(&base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "3-4.wdl: won orbits"), "%s", test_error.text);
    v.bytes[77] = no_value;
    store_wdl_with(&base, &v, &good);
    FAILS(verify(&base), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "slot 77"), "%s", test_error.text);
    free(v.bytes);
    drop_base(&base);
}

Test(verify_wdl, value_hash_and_blocks, .timeout = 300)
{
    static const struct subspace s = {4, 3, 0, 0};
    static const struct {
        size_t at;
        enum status expected;
        const char *what;
    } faults[] = {{160, STATUS_MISMATCH, "hash of the values"},
                  {300, STATUS_CORRUPT, "4-3.wdl"}};
    size_t n;
    struct base base = export_base("four", 0, false);
    uint8_t *bytes = load_bytes(base.dir, "4-3.wdl", &n);
    for (size_t k = 0; k < 2; k++) {
        bytes[faults[k].at] ^= 1;
        fix_header(bytes);
        store_bytes(base.dir, "4-3.wdl", bytes, n);
        OK(merels_manifest_add(base.dir, base.rules, s, EDITION_WDL, &test_error));
        FAILS(verify(&base), faults[k].expected);
        cr_expect_not_null(strstr(test_error.text, faults[k].what), "%s", test_error.text);
        cr_expect(!has_file(&base, "CONSISTENT"));
        bytes[faults[k].at] ^= 1;
    }
    free(bytes);
    drop_base(&base);
}

Test(verify_wdl, manifest_and_missing_file, .timeout = 300)
{
    size_t n;
    char path[512];
    struct base base = export_base("four", 0, false);
    char *text = (char *)load_bytes(base.dir, "MANIFEST", &n);
    for (size_t at = 0; at < n; at += 211) {
        text[at] ^= 1;
        store_bytes(base.dir, "MANIFEST", text, n);
        cr_expect_neq(verify(&base), STATUS_OK, "byte %zu", at);
        text[at] ^= 1;
    }
    store_bytes(base.dir, "MANIFEST", text, n);
    OK(verify(&base));
    file_path(path, base.dir, "3-4.wdl");
    remove(path);
    FAILS(verify(&base), STATUS_MISSING);
    cr_expect_not_null(strstr(test_error.text, "3-4.wdl"), "%s", test_error.text);
    cr_expect(!has_file(&base, "CONSISTENT"));
    free(text);
    drop_base(&base);
}
