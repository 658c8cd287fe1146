// test_export.c: the edition wdl: the same answers without depths, the same bytes however they
// came about, and directories that must not be mixed.

#include "export/export_wdl.h"
#include "tests/db/wide.h"
#include "tests/solver/support.h"

// Both phases of three men a side on the board of 16 points: 16 tables; 3-3 has one block of
// either edition.
static const struct start three_men = {3, 3};

static char *solved_dir(const struct rules *rules)
{
    char *dir = make_dir("merels-dtm");
    const struct solve_options options = {.dir = dir, .n_threads = 1};
    solve(rules, three_men, &options);
    return dir;
}

static enum status export_with(const struct rules *rules, const char *dir, const char *out_dir,
                               int n_threads, const struct watch *watch)
{
    struct export_result result;
    const struct export_options options = {
        .dir = dir, .out_dir = out_dir, .n_threads = n_threads};
    return merels_export_wdl(rules, &options, watch, &result, &test_error);
}

static int code_of(uint8_t value)
{
    return value == DTM_DRAW ? WDL_DRAW : value % 2 == 1 ? WDL_WIN : WDL_LOSS;
}

// ---- the same answers ----------------------------------------------------------------------

static void compare_tables(struct tablebase *dtm, struct tablebase *wdl, struct subspace s)
{
    uint8_t *depths = read_values(dtm, s), *codes = read_values(wdl, s);
    struct table_header x = *merels_table_header(table_of(dtm, s));
    struct table_header y = *merels_table_header(table_of(wdl, s));
    cr_assert(y.edition == EDITION_WDL && y.value_bytes == 0 && y.block_slots == 262144);
    cr_assert(x.stats.win == y.stats.win && x.stats.draw == y.stats.draw &&
              x.stats.loss == y.stats.loss);
    cr_assert(y.stats.max_win == -1 && y.stats.max_loss == -1);
    for (uint64_t slot = 0; slot < x.n_slots; slot++)
        cr_assert_eq(codes[slot], code_of(depths[slot]), "slot %llu", (unsigned long long)slot);
    uint8_t part[7];
    for (uint64_t first = 0; first + sizeof part <= x.n_slots; first += x.n_slots / 9 + 1) {
        OK(merels_table_read(table_of(wdl, s), first, sizeof part, part, &test_error));
        cr_assert(memcmp(part, codes + first, sizeof part) == 0);
    }
    free(depths);
    free(codes);
}

// A position of the table and, if it can be, one with a removal due.
static void compare_answers(struct tablebase *dtm, struct tablebase *wdl,
                            const struct rules *rules, struct position pos)
{
    struct answer x, y;
    for (int due = 0; due <= 1; due++) {
        pos.due = (uint8_t)due;
        if (merels_position_check(rules, &pos, NULL) != STATUS_OK)
            continue;
        OK(merels_tablebase_probe(dtm, &pos, &x, &test_error));
        OK(merels_tablebase_probe(wdl, &pos, &y, &test_error));
        cr_assert_eq(x.value, y.value);
        cr_assert(y.plies == -1 || y.plies == x.plies, "%d %d", x.plies, y.plies);
    }
}

static void compare_positions(struct tablebase *dtm, struct tablebase *wdl,
                              const struct rules *rules, struct subspace s)
{
    uint64_t random = 7, n_slots = merels_subspace_slots(&rules->board, s);
    for (int i = 0; i < 300; i++) {
        struct position pos;
        OK(merels_index_unrank(merels_tablebase_index(dtm), s, next_random(&random) % n_slots,
                               &pos, &test_error));
        compare_answers(dtm, wdl, rules, pos);
    }
}

Test(exporting, same_answers_without_depths)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *out_dir = make_dir("merels-wdl");
    struct subspace *list;
    size_t n;
    OK(export_with(rules, dir, out_dir, 2, NULL));
    struct tablebase *dtm = open_base(dir, rules), *wdl = open_base(out_dir, rules);
    cr_assert_eq(merels_tablebase_edition(dtm), EDITION_DTM);
    cr_assert_eq(merels_tablebase_edition(wdl), EDITION_WDL);
    OK(merels_tablebase_list(dtm, &list, &n, &test_error));
    cr_assert_eq(count_files(dir), count_files(out_dir));
    for (size_t i = 0; i < n; i++) {
        compare_tables(dtm, wdl, list[i]);
        compare_positions(dtm, wdl, rules, list[i]);
    }
    free(list);
    merels_tablebase_close(dtm);
    merels_tablebase_close(wdl);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

// Depths of two bytes have the same outcomes.
Test(exporting, values_of_two_bytes)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels-dtm"), *out_dir = make_dir("merels-wdl");
    struct subspace s = {3, 3, 0, 0};
    uint8_t *values = wide_values_of(rules, s, 6);
    write_wide_table(dir, rules, s, values);
    OK(export_with(rules, dir, out_dir, 2, NULL));
    struct tablebase *dtm = open_base(dir, rules), *wdl = open_base(out_dir, rules);
    uint8_t *codes = read_values(wdl, s);
    for (uint64_t slot = 0; slot < merels_subspace_slots(&rules->board, s); slot++) {
        uint64_t depth = get_le(values + 2 * slot, 2);
        int code = depth == 65535 ? WDL_DRAW : depth % 2 == 1 ? WDL_WIN : WDL_LOSS;
        cr_assert_eq(codes[slot], code, "slot %llu", (unsigned long long)slot);
    }
    compare_positions(dtm, wdl, rules, s);
    merels_tablebase_close(dtm);
    merels_tablebase_close(wdl);
    free(codes);
    free(values);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

Test(exporting, packing)
{
    const uint8_t narrow[] = {255, 0, 1, 254, 253, 255};
    const uint8_t wide[] = {0xFF, 0xFF, 0, 0, 1, 0, 0xFE, 0x01, 0xFF, 0x00, 0xFF, 0xFF};
    uint8_t packed[2] = {0xAA, 0xAA};
    merels_wdl_pack(narrow, 1, 6, packed);
    cr_assert(packed[0] == 0x98 && packed[1] == 0x01, "%02x %02x", packed[0], packed[1]);
    merels_wdl_pack(wide, 2, 6, packed);
    cr_assert(packed[0] == 0x98 && packed[1] == 0x01, "%02x %02x", packed[0], packed[1]);
    cr_assert(wdl_unpack(packed, 3) == WDL_LOSS && wdl_unpack(packed, 4) == WDL_WIN);
}

// ---- the same bytes ------------------------------------------------------------------------

struct stopper {
    atomic_int stop;
    uint64_t done;
    int n, at;
};

static void count_report(const struct progress *progress, void *context)
{
    struct stopper *stopper = context;
    cr_assert(progress->done >= stopper->done && progress->done <= progress->total);
    stopper->done = progress->done;
    stopper->stop = ++stopper->n == stopper->at;
}

Test(exporting, stops_threads_and_a_lost_manifest_make_the_same_bytes)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *expected = make_dir("merels-wdl");
    char *out_dir = make_dir("merels-wdl");
    OK(export_with(rules, dir, expected, 1, NULL));
    enum status status = STATUS_INTERRUPTED;
    for (int runs = 0; status == STATUS_INTERRUPTED && runs < 60; runs++) {
        struct stopper stopper = {.at = 2 + runs % 4};
        const struct watch watch = {
            .report = count_report, .context = &stopper, .stop = &stopper.stop};
        char manifest[512];
        file_path(manifest, out_dir, "MANIFEST");
        if (runs == 5)
            cr_assert_eq(remove(manifest), 0);
        status = export_with(rules, dir, out_dir, 1 + runs % 3, &watch);
        assert_part_of(out_dir, expected);
    }
    OK(status);
    assert_same_dirs(expected, out_dir);
    OK(export_with(rules, dir, out_dir, 1, NULL));
    assert_same_dirs(expected, out_dir);
    remove_dir(dir);
    remove_dir(out_dir);
    remove_dir(expected);
    free(rules);
}

// ---- what must not be ----------------------------------------------------------------------

// Whichever comes first: the manifest of a directory with both is the same, and what is looked
// up there has depths.
Test(exporting, editions_stand_side_by_side)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *out_dir = make_dir("merels-wdl");
    const struct solve_options options = {.dir = out_dir, .n_threads = 1};
    struct manifest alone, both;
    OK(export_with(rules, dir, out_dir, 1, NULL));
    OK(merels_manifest_read(out_dir, rules, &alone, &test_error));
    FAILS(export_with(rules, out_dir, dir, 1, NULL), STATUS_BAD_INPUT); // no depths to read
    OK(export_with(rules, dir, dir, 1, NULL));
    OK(solve_with(rules, three_men, &options, NULL));
    assert_same_dirs(dir, out_dir);
    OK(merels_manifest_read(dir, rules, &both, &test_error));
    const struct manifest *wdl = merels_manifest_of(&both, EDITION_WDL);
    cr_assert(both.edition == EDITION_DTM && wdl != NULL && wdl == both.beside);
    cr_assert_eq(both.n_entries, wdl->n_entries);
    cr_assert_eq(memcmp(wdl->root_hash, alone.root_hash, SHA256_BYTES), 0);
    cr_assert_neq(memcmp(wdl->root_hash, both.root_hash, SHA256_BYTES), 0);
    cr_assert(both.n_starts == 1 && wdl->n_starts == 1 && both.starts[0].first_men == 3);
    struct tablebase *base = open_base(dir, rules);
    cr_assert_eq(merels_tablebase_edition(base), EDITION_DTM);
    merels_tablebase_close(base);
    merels_manifest_free(&alone);
    merels_manifest_free(&both);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

Test(exporting, a_table_under_the_name_of_another_edition_is_refused)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *out_dir = make_dir("merels-wdl");
    OK(export_with(rules, dir, out_dir, 1, NULL));
    size_t n;
    uint8_t *bytes = load_bytes(dir, "3-3.mtb", &n);
    store_bytes(out_dir, "3-3.wdl", bytes, n);
    free(bytes);
    const struct table *table;
    struct tablebase *base = open_base(out_dir, rules);
    FAILS(merels_tablebase_table(base, (struct subspace){3, 3, 0, 0}, &table, &test_error),
          STATUS_CORRUPT);
    merels_tablebase_close(base);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

// Values that are not those of the header's hash, though every checksum is right.
Test(exporting, a_wrong_source_gives_no_table)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = make_dir("merels-dtm"), *out_dir = make_dir("merels-wdl");
    make_table(dir, rules, (struct subspace){3, 3, 0, 0}, 1);
    size_t n;
    uint8_t *bytes = load_bytes(dir, "3-3.mtb", &n);
    bytes[160] ^= 1;
    fix_header(bytes);
    store_bytes(dir, "3-3.mtb", bytes, n);
    free(bytes);
    FAILS(export_with(rules, dir, out_dir, 1, NULL), STATUS_CORRUPT);
    cr_assert_eq(count_files(out_dir), 0);
    FAILS(export_with(rules, out_dir, dir, 1, NULL), STATUS_MISSING);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

// A table that the manifest lists is missing: the others are exported, and it is named.
Test(exporting, a_missing_table_is_named)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *out_dir = make_dir("merels-wdl"), path[512];
    file_path(path, dir, "3-3.mtb");
    cr_assert_eq(unlink(path), 0);
    FAILS(export_with(rules, dir, out_dir, 1, NULL), STATUS_MISSING);
    cr_expect_not_null(strstr(test_error.text, "3-3.mtb is missing"), "%s", test_error.text);
    cr_expect_eq(count_files(out_dir), count_files(dir));
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

// Every byte of a table of codes changed in turn: an error or the right value, never another.
Test(exporting, damaged_codes_give_no_value, .timeout = 300)
{
    struct rules *rules = make_rules("three");
    const struct subspace s = {3, 3, 0, 0};
    char *dir = make_dir("merels-dtm"), *out_dir = make_dir("merels-wdl");
    make_table(dir, rules, s, 5);
    OK(export_with(rules, dir, out_dir, 1, NULL));
    struct table *table;
    OK(merels_table_open(out_dir, rules, s, EDITION_WDL, &table, &test_error));
    uint64_t n_slots = merels_table_header(table)->n_slots;
    uint8_t *right = malloc(n_slots), *read = malloc(n_slots);
    OK(merels_table_read(table, 0, n_slots, right, &test_error));
    merels_table_close(table);
    size_t n;
    uint8_t *bytes = load_bytes(out_dir, "3-3.wdl", &n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (uint8_t)(1 + i % 255);
        store_bytes(out_dir, "3-3.wdl", bytes, n);
        bytes[i] ^= (uint8_t)(1 + i % 255);
        enum status status = merels_table_open(out_dir, rules, s, EDITION_WDL, &table, NULL);
        if (status == STATUS_OK) {
            status = merels_table_read(table, 0, n_slots, read, NULL);
            merels_table_close(table);
        }
        cr_assert_neq(status, STATUS_OK, "byte %zu", i);
    }
    free(bytes);
    free(right);
    free(read);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}

// The first position of a subspace in which the game goes on.
static struct position open_position(struct tablebase *base, const struct rules *rules,
                                     struct subspace s)
{
    struct position pos;
    int value;
    uint64_t slot = 0;
    do
        OK(merels_index_unrank(merels_tablebase_index(base), s, slot++, &pos, &test_error));
    while (merels_position_check(rules, &pos, NULL) != STATUS_OK ||
           merels_position_over(rules, &pos, &value));
    return pos;
}

// A table whose checksums are right but whose codes do not occur: the writer does not look at
// values.
Test(exporting, codes_that_do_not_occur_are_no_value)
{
    struct rules *rules = make_rules("three");
    const struct subspace s = {3, 3, 0, 0};
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    uint64_t n_orbits = merels_subspace_orbits(&rules->board, s);
    const struct table_stats all_drawn = {.draw = n_orbits, .max_win = -1, .max_loss = -1};
    static uint8_t packed[4096];
    const uint8_t codes[] = {0x00, 0x55, 0xAA, 0xFF}; // draws, wins, losses, nothing
    cr_assert_leq((n_slots + 3) / 4, sizeof packed);
    for (int i = 0; i < 4; i++) {
        char *dir = make_dir("merels-codes");
        struct table_writer *writer;
        struct position pos;
        struct answer answer = {VALUE_WIN, 77, EDITION_DTM};
        uint8_t hash[SHA256_BYTES] = {0};
        memset(packed, codes[i], sizeof packed);
        OK(merels_table_create(dir, rules, s, EDITION_WDL, 0, &writer, &test_error));
        OK(merels_table_append(writer, packed, (size_t)(n_slots + 3) / 4, &test_error));
        OK(merels_table_finish(writer, &all_drawn, hash, &test_error));
        struct tablebase *base = open_base(dir, rules);
        pos = open_position(base, rules, s);
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        cr_assert_eq(status, i == 0 ? STATUS_OK : STATUS_CORRUPT, "%d", i);
        cr_assert(answer.plies == (i == 0 ? -1 : 77), "a failure changes no output");
        merels_tablebase_close(base);
        remove_dir(dir);
    }
    free(rules);
}

// A table there whose bytes are not those that the manifest lists is refused, and made anew
// once it is gone.
Test(exporting, a_damaged_table_is_not_taken_for_done)
{
    struct rules *rules = make_rules("six-fly");
    char *dir = solved_dir(rules), *out_dir = make_dir("merels-wdl"), path[512];
    size_t n;
    OK(export_with(rules, dir, out_dir, 2, NULL));
    uint8_t *bytes = load_bytes(out_dir, "3-3.wdl", &n);
    bytes[n - 1] ^= 1;
    store_bytes(out_dir, "3-3.wdl", bytes, n);
    FAILS(export_with(rules, dir, out_dir, 2, NULL), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "3-3.wdl"), "%s", test_error.text);
    cr_expect_not_null(strstr(test_error.text, "remove it"), "%s", test_error.text);
    file_path(path, out_dir, "3-3.wdl");
    cr_assert_eq(remove(path), 0);
    OK(export_with(rules, dir, out_dir, 2, NULL));
    uint8_t *again = load_bytes(out_dir, "3-3.wdl", &n);
    bytes[n - 1] ^= 1;
    cr_expect_eq(memcmp(again, bytes, n), 0);
    free(again);
    free(bytes);
    remove_dir(dir);
    remove_dir(out_dir);
    free(rules);
}
