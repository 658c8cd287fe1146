// test_table_output.c: all threads write the file that one thread writes block by block.

#include "tests/db/support.h"
#include "work/table_output.h"

// 4-4 has 3.6 million slots: two batches for one thread, four pieces.
static const struct subspace s44 = {4, 4, 0, 0};

struct kind {
    enum edition edition;
    int value_bytes;
};

static const struct kind kinds[] = {{EDITION_DTM, 1}, {EDITION_DTM, 2}, {EDITION_WDL, 0}};

static struct table_stats stats_of_kind(const struct rules *rules, struct kind kind)
{
    struct table_stats stats = {.win = 1, .loss = 1, .max_win = 25, .max_loss = 26};
    stats.draw = merels_subspace_orbits(&rules->board, s44) - 2;
    if (kind.edition == EDITION_WDL)
        stats.max_win = stats.max_loss = -1;
    return stats;
}

// Bytes with some order in them: runs of one value.
static uint8_t *make_values(size_t n_bytes)
{
    uint8_t *values = malloc(n_bytes);
    cr_assert_not_null(values);
    for (size_t i = 0; i < n_bytes; i++)
        values[i] = (uint8_t)(mix(i / 9) % 27);
    return values;
}

// The file as one thread writes it.
static uint8_t *write_plainly(const char *dir, const struct rules *rules, struct kind kind,
                              const uint8_t *values, size_t n_bytes, size_t *n_file)
{
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES];
    struct table_stats stats = stats_of_kind(rules, kind);
    size_t block = merels_edition_bytes(kind.edition, kind.value_bytes,
                                        merels_edition_block_slots(kind.edition));
    OK(merels_value_hash(kind.edition, kind.value_bytes, values,
                         merels_subspace_slots(&rules->board, s44), hash, &test_error));
    OK(merels_table_create(dir, rules, s44, kind.edition, kind.value_bytes, &writer,
                           &test_error));
    append_blocks(writer, kind.edition, values, n_bytes, block);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
    return load_bytes(dir, kind.edition == EDITION_WDL ? "4-4.wdl" : "4-4.mtb", n_file);
}

// Writes by so many threads, `step` slots an append, and compares.
static void check_output(const char *dir, const struct rules *rules, struct kind kind,
                         const uint8_t *values, int n_threads, uint64_t step,
                         const uint8_t *expected, size_t n_expected)
{
    struct table_output *output;
    struct table_stats stats = stats_of_kind(rules, kind);
    uint64_t n_slots = merels_subspace_slots(&rules->board, s44);
    OK(merels_table_output_create(dir, rules, s44, kind.edition, kind.value_bytes, n_threads,
                                  &output, &test_error));
    if (step == 0)
        step = merels_table_output_batch(output);
    for (uint64_t at = 0; at < n_slots; at += step) {
        uint64_t n = n_slots - at < step ? n_slots - at : step;
        size_t skip = merels_edition_bytes(kind.edition, kind.value_bytes, (size_t)at);
        OK(merels_table_output_append(output, values + skip, n, &test_error));
    }
    OK(merels_table_output_finish(output, &stats, &test_error));
    cr_assert_eq(count_files(dir), 1);
    size_t n;
    uint8_t *bytes = load_bytes(dir, kind.edition == EDITION_WDL ? "4-4.wdl" : "4-4.mtb", &n);
    cr_assert(n == n_expected && memcmp(bytes, expected, n) == 0, "edition %d, %d threads",
              (int)kind.edition, n_threads);
    free(bytes);
}

static void check_kind(struct kind kind)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    uint64_t n_slots = merels_subspace_slots(&rules->board, s44);
    size_t n_bytes = merels_edition_bytes(kind.edition, kind.value_bytes, (size_t)n_slots);
    size_t n_expected;
    uint8_t *values = make_values(n_bytes);
    uint8_t *expected = write_plainly(dir, rules, kind, values, n_bytes, &n_expected);
    uint32_t block = merels_edition_block_slots(kind.edition);
    check_output(dir, rules, kind, values, 1, 0, expected, n_expected);
    check_output(dir, rules, kind, values, 2, 5 * block, expected, n_expected);
    check_output(dir, rules, kind, values, 7, n_slots, expected, n_expected);
    // Parts of pieces: less than one, more than one, and every fourth slot.
    check_output(dir, rules, kind, values, 2, 20004, expected, n_expected);
    check_output(dir, rules, kind, values, 2, 3 * block + 8, expected, n_expected);
    check_output(dir, rules, kind, values, 2, HASH_PIECE_SLOTS + 12, expected, n_expected);
    free(expected);
    free(values);
    remove_dir(dir);
    free(rules);
}

Test(table_output, one_byte_a_value)
{
    check_kind(kinds[0]);
}

Test(table_output, two_bytes_a_value)
{
    check_kind(kinds[1]);
}

Test(table_output, packed_codes, .timeout = 120)
{
    check_kind(kinds[2]);
}

Test(table_output, what_it_refuses_and_leaves)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_output *output;
    struct table_stats stats = stats_of_kind(rules, kinds[0]);
    uint64_t n_slots = merels_subspace_slots(&rules->board, s44);
    uint8_t *values = make_values(n_slots + 1);
    FAILS(merels_table_output_create(dir, rules, s44, EDITION_WDL, 1, 2, &output, &test_error),
          STATUS_BAD_INPUT);
    FAILS(merels_table_output_create("/nonexistent/dir", rules, s44, EDITION_DTM, 1, 2, &output,
                                     &test_error),
          STATUS_IO);
    merels_table_output_abort(NULL);
    // More than there are slots, at once or in the end.
    OK(merels_table_output_create(dir, rules, s44, EDITION_DTM, 1, 2, &output, &test_error));
    FAILS(merels_table_output_append(output, values, n_slots + 1, &test_error),
          STATUS_BAD_INPUT);
    OK(merels_table_output_append(output, values, DTM_BLOCK_SLOTS - 1, &test_error));
    FAILS(merels_table_output_append(output, values, n_slots, &test_error), STATUS_BAD_INPUT);
    merels_table_output_abort(output);
    cr_assert_eq(count_files(dir), 0);
    // A byte of packed codes holds four slots.
    OK(merels_table_output_create(dir, rules, s44, EDITION_WDL, 0, 2, &output, &test_error));
    FAILS(merels_table_output_append(output, values, 3, &test_error), STATUS_BAD_INPUT);
    merels_table_output_abort(output);
    cr_assert_eq(count_files(dir), 0);
    // Fewer blocks than the table has.
    OK(merels_table_output_create(dir, rules, s44, EDITION_DTM, 1, 2, &output, &test_error));
    OK(merels_table_output_append(output, values, DTM_BLOCK_SLOTS, &test_error));
    FAILS(merels_table_output_finish(output, &stats, &test_error), STATUS_BAD_INPUT);
    cr_assert_eq(count_files(dir), 0);
    free(values);
    remove_dir(dir);
    free(rules);
}

// What it keeps follows from the number of threads.
Test(table_output, bytes_and_batches)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    for (int n_threads = 1; n_threads <= 8; n_threads *= 2) {
        struct table_output *output;
        OK(merels_table_output_create(dir, rules, s44, EDITION_DTM, 1, n_threads, &output,
                                      &test_error));
        uint64_t batch = merels_table_output_batch(output);
        cr_assert(batch >= (uint64_t)n_threads * HASH_PIECE_SLOTS &&
                  batch % HASH_PIECE_SLOTS == 0);
        cr_assert_geq(merels_table_output_bytes(EDITION_DTM, n_threads), batch);
        cr_assert_leq(merels_table_output_bytes(EDITION_DTM, n_threads), 2 * batch);
        merels_table_output_abort(output);
    }
    remove_dir(dir);
    free(rules);
}
