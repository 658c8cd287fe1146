// test_table.c: writing a table and reading it back; what a writer refuses and leaves behind.

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "tests/db/place.h"

static const struct subspace s33 = {3, 3, 0, 0};

// Values that hardly compress: blocks are stored raw.
static uint8_t *noise(uint64_t n_slots)
{
    uint8_t *values = malloc(n_slots);
    uint64_t seed = 4;
    for (uint64_t i = 0; i < n_slots; i++)
        values[i] = (uint8_t)next_random(&seed);
    return values;
}

static void check_reads(const struct table *table, const uint8_t *values, uint64_t n_slots)
{
    uint8_t *read = malloc(n_slots);
    uint64_t seed = 8;
    OK(merels_table_read(table, 0, n_slots, read, &test_error));
    cr_assert_eq(memcmp(read, values, n_slots), 0);
    for (int i = 0; i < 300; i++) {
        uint64_t first = next_random(&seed) % (n_slots + 1);
        uint64_t n = next_random(&seed) % (n_slots - first + 1);
        n = i % 2 == 0 ? n % 5 : n;
        memset(read, 0, n);
        OK(merels_table_read(table, first, n, read, &test_error));
        cr_assert_eq(memcmp(read, values + first, n), 0);
    }
    FAILS(merels_table_read(table, n_slots, 1, read, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_table_read(table, 1, n_slots, read, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_table_read(table, 2, UINT64_MAX, read, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_table_read(table, UINT64_MAX, 2, read, &test_error), STATUS_BAD_INPUT);
    free(read);
}

static struct table *load_table(struct table_reader *reader, const struct rules *rules)
{
    struct table *table;
    OK(merels_reader_load_table(reader, rules, s33, EDITION_DTM, 0, &table, &test_error));
    return table;
}

static void check_loaded(struct table_reader *reader, const struct rules *rules,
                         const uint8_t *values, uint64_t n_slots, size_t n_bytes)
{
    struct table *table = load_table(reader, rules);
    const struct table_header *header = merels_table_header(table);
    cr_assert(header->version == 2 && header->edition == EDITION_DTM &&
              header->value_bytes == 1);
    cr_assert(header->n_slots == 210140 && header->n_rows == 158 && header->n_columns == 1330);
    cr_assert(header->n_orbits == 169626 && header->stats.draw == 169624);
    cr_assert(header->stats.max_win == 25 && header->stats.max_loss == 26);
    check_reads(table, values, n_slots);
    cr_assert_eq(merels_table_file_bytes(table), n_bytes);
    merels_table_close(table);
}

static void check_round_trip(enum place place, const char *dir_name,
                             uint8_t *(*make)(uint64_t n_slots))
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir(dir_name);
    uint64_t n_slots = merels_subspace_slots(&rules->board, s33);
    uint8_t *values = make == NULL ? values_of(rules, s33, 1) : make(n_slots);
    struct table_reader *reader;
    size_t n_bytes;
    write_table(dir, rules, s33, values);
    cr_assert_eq(count_files(dir), 1);
    free(load_bytes(dir, "3-3.mtb", &n_bytes));
    if (make != NULL)
        cr_assert_eq(n_bytes, 256 + 16 + n_slots + 13 * 16);
    struct shelf *shelf = open_shelf(place, dir);
    OK(merels_reader_create(&shelf->source, &reader, &test_error));
    check_loaded(reader, rules, values, n_slots, n_bytes);
    check_loaded(reader, NULL, values, n_slots, n_bytes);
    merels_reader_destroy(reader);
    close_shelf(shelf);
    free(values);
    remove_dir(dir);
    free(rules);
}

IN_EVERY_PLACE(table, round_trip)
{
    check_round_trip(*place, "merels", NULL);
}

IN_EVERY_PLACE(table, round_trip_of_raw_blocks_in_a_path_with_spaces_and_accents)
{
    check_round_trip(*place, "mühle à neuf, двор", noise);
}

Test(table, the_same_values_give_the_same_bytes)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    size_t n_first, n_second;
    make_table(dir, rules, s33, 3);
    uint8_t *first = load_bytes(dir, "3-3.mtb", &n_first);
    make_table(dir, rules, s33, 3);
    uint8_t *second = load_bytes(dir, "3-3.mtb", &n_second);
    cr_assert_eq(n_first, n_second);
    cr_assert_eq(memcmp(first, second, n_first), 0);
    free(first);
    free(second);
    remove_dir(dir);
    free(rules);
}

Test(table, abort_leaves_nothing)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_writer *writer;
    uint8_t *values = noise(DTM_BLOCK_SLOTS);
    OK(merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, &test_error));
    OK(merels_table_append(writer, values, DTM_BLOCK_SLOTS, &test_error));
    cr_assert_eq(count_files(dir), 1);
    merels_table_abort(writer);
    merels_table_abort(NULL);
    cr_assert_eq(count_files(dir), 0);
    free(values);
    remove_dir(dir);
    free(rules);
}

// A process that is killed while it writes leaves no table, and does not disturb the next one.
Test(table, a_kill_leaves_no_table)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table *table;
    pid_t child = fork();
    if (child == 0) {
        struct table_writer *writer;
        uint8_t *values = noise(DTM_BLOCK_SLOTS);
        if (merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, NULL) == STATUS_OK &&
            merels_table_append(writer, values, DTM_BLOCK_SLOTS, NULL) == STATUS_OK)
            kill(getpid(), SIGKILL);
        _exit(1);
    }
    int result;
    waitpid(child, &result, 0);
    cr_assert(WIFSIGNALED(result));
    cr_assert_eq(count_files(dir), 1); // the .part
    FAILS(merels_table_open(dir, rules, s33, EDITION_DTM, &table, &test_error), STATUS_MISSING);
    make_table(dir, rules, s33, 3);
    cr_assert_eq(count_files(dir), 1);
    OK(merels_table_open(dir, rules, s33, EDITION_DTM, &table, &test_error));
    merels_table_close(table);
    remove_dir(dir);
    free(rules);
}

Test(table, what_a_writer_refuses)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_writer *writer;
    uint8_t *values = values_of(rules, s33, 1), hash[SHA256_BYTES] = {0};
    struct table_stats stats = stats_for(rules, s33, values);
    FAILS(merels_table_create(dir, rules, (struct subspace){20, 20, 0, 0}, EDITION_DTM, 1,
                              &writer, &test_error),
          STATUS_BAD_INPUT);
    // A block too few, an empty one, one too long, one too many.
    OK(merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, &test_error));
    FAILS(merels_table_append(writer, values, 0, &test_error), STATUS_BAD_INPUT);
    FAILS(merels_table_append(writer, values, DTM_BLOCK_SLOTS + 1, &test_error),
          STATUS_BAD_INPUT);
    OK(merels_table_append(writer, values, DTM_BLOCK_SLOTS, &test_error));
    FAILS(merels_table_finish(writer, &stats, hash, &test_error), STATUS_BAD_INPUT);
    OK(merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, &test_error));
    append_values(writer, values, 210140);
    FAILS(merels_table_append(writer, values, 1, &test_error), STATUS_BAD_INPUT);
    // Statistics that contradict each other.
    stats.win++;
    FAILS(merels_table_finish(writer, &stats, hash, &test_error), STATUS_BAD_INPUT);
    cr_assert_eq(count_files(dir), 0);
    free(values);
    remove_dir(dir);
    free(rules);
}

Test(table, nowhere_to_write)
{
    struct rules *rules = make_rules("nine");
    struct table_writer *writer;
    char *dir = make_dir("merels");
    char path[512];
    FAILS(merels_table_create("/nonexistent/dir", rules, s33, EDITION_DTM, 1, &writer,
                              &test_error),
          STATUS_IO);
    cr_assert(strstr(test_error.text, "/nonexistent/dir/3-3.mtb.part") != NULL);
    FAILS(merels_table_create("/proc", rules, s33, EDITION_DTM, 1, &writer, &test_error),
          STATUS_IO);
    cr_assert_eq(chmod(dir, 0555), 0);
    if (geteuid() != 0)
        FAILS(merels_table_create(dir, rules, s33, EDITION_DTM, 1, &writer, &test_error),
              STATUS_IO);
    cr_assert_eq(chmod(dir, 0755), 0);
    // The final name is taken by a directory: found out at the very end, and nothing is left.
    file_path(path, dir, "0-1.mtb");
    cr_assert_eq(mkdir(path, 0777), 0);
    struct subspace s = {0, 1, 0, 0};
    uint8_t hash[SHA256_BYTES] = {0};
    struct table_stats stats = stats_for(rules, s, NULL);
    OK(merels_table_create(dir, rules, s, EDITION_DTM, 1, &writer, &test_error));
    append_values(writer, (const uint8_t *)"\x19\x1a\xff\xff", 4);
    FAILS(merels_table_finish(writer, &stats, hash, &test_error), STATUS_IO);
    cr_assert_eq(count_files(dir), 1);
    remove_dir(dir);
    free(rules);
}

Test(table, missing_and_wrong_kinds)
{
    struct rules *rules = make_rules("nine"), *other = make_rules("nine-nofly");
    char *dir = make_dir("merels");
    char path[512], from[512];
    struct table *table;
    FAILS(merels_table_open(dir, rules, s33, EDITION_DTM, &table, &test_error), STATUS_MISSING);
    FAILS(merels_table_open("/nonexistent", rules, s33, EDITION_DTM, &table, &test_error),
          STATUS_MISSING);
    make_table(dir, rules, s33, 3);
    FAILS(merels_table_open(dir, other, s33, EDITION_DTM, &table, &test_error),
          STATUS_OTHER_RULES);
    // Under the name of another subspace.
    file_path(from, dir, "3-3.mtb");
    file_path(path, dir, "3-4.mtb");
    cr_assert_eq(rename(from, path), 0);
    FAILS(merels_table_open(dir, rules, (struct subspace){3, 4, 0, 0}, EDITION_DTM, &table,
                            &test_error),
          STATUS_CORRUPT);
    file_path(path, dir, "3-3.mtb");
    cr_assert_eq(mkdir(path, 0777), 0);
    FAILS(merels_table_open(dir, rules, s33, EDITION_DTM, &table, &test_error), STATUS_CORRUPT);
    merels_table_close(NULL);
    remove_dir(dir);
    free(rules);
    free(other);
}

// ---- threads -------------------------------------------------------------------------------

struct shared {
    const struct table *table;
    const uint8_t *values;
    atomic_int n_begun; // threads, each with a seed of its own
};

static void *read_all_over(void *context)
{
    struct shared *shared = context;
    uint64_t seed = mix((uint64_t)atomic_fetch_add(&shared->n_begun, 1));
    uint8_t read[3000];
    for (int i = 0; i < 200; i++) {
        uint64_t first = next_random(&seed) % (210140 - sizeof read);
        if (merels_table_read(shared->table, first, sizeof read, read, NULL) != STATUS_OK ||
            memcmp(read, shared->values + first, sizeof read) != 0)
            return context;
    }
    return NULL;
}

IN_EVERY_PLACE(table, many_threads_read_one_table)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct table_reader *reader;
    pthread_t threads[16];
    uint8_t *values = values_of(rules, s33, 1);
    write_table(dir, rules, s33, values);
    struct shelf *shelf = open_shelf(*place, dir);
    OK(merels_reader_create(&shelf->source, &reader, &test_error));
    struct table *table = load_table(reader, rules);
    struct shared shared = {table, values, 0};
    for (int i = 0; i < 16; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, read_all_over, &shared), 0);
    for (int i = 0; i < 16; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        cr_assert_null(failed);
    }
    merels_table_close(table);
    merels_reader_destroy(reader);
    close_shelf(shelf);
    free(values);
    remove_dir(dir);
    free(rules);
}
