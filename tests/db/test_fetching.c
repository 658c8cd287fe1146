// test_fetching.c: a source that has nothing at first and fetches what it is told to: the same
// values in a few rounds.

#include "game/moves.h"
#include "tests/db/place.h"

// ---- a source that fetches -----------------------------------------------------------------

enum { MAX_PIECES = 4, MAX_WANTED = 64 };

struct wanted {
    char name[32];
    struct byte_range range;
};

// What there is, what of it is here, and what was asked for since the last delivery.
struct remote {
    struct shelf *shelf; // all of it
    char names[MAX_PIECES][32];
    uint8_t *here[MAX_PIECES]; // one a byte; NULL: not even the size is known
    int n_pieces;
    struct wanted wanted[MAX_WANTED];
    int n_wanted, n_rounds;
    uint64_t seed; // not 0: answers "not yet" now and then without a reason
};

static int number_of(struct remote *remote, const char *name)
{
    for (int i = 0; i < remote->n_pieces; i++)
        if (strcmp(remote->names[i], name) == 0)
            return i;
    cr_assert_lt(remote->n_pieces, MAX_PIECES);
    snprintf(remote->names[remote->n_pieces], 32, "%s", name);
    return remote->n_pieces++;
}

static enum status not_yet(const char *name, struct error *err)
{
    return merels_error(err, STATUS_NOT_YET, "remote/%s: not here yet", name);
}

static bool is_out(struct remote *remote)
{
    return remote->seed != 0 && next_random(&remote->seed) % 3 == 0;
}

static enum status remote_size(void *context, const char *name, uint64_t *n_bytes,
                               struct error *err)
{
    struct remote *remote = context;
    if (remote->here[number_of(remote, name)] == NULL || is_out(remote))
        return not_yet(name, err);
    return remote->shelf->source.size(remote->shelf->source.context, name, n_bytes, err);
}

static enum status remote_read(void *context, const char *name, uint64_t offset, void *to,
                               size_t n_bytes, struct error *err)
{
    struct remote *remote = context;
    const uint8_t *here = remote->here[number_of(remote, name)];
    for (size_t i = 0; i < n_bytes; i++)
        if (here == NULL || !here[offset + i])
            return not_yet(name, err);
    if (is_out(remote))
        return not_yet(name, err);
    return remote->shelf->source.read(remote->shelf->source.context, name, offset, to, n_bytes,
                                      err);
}

static void remote_want(void *context, const char *name, const struct byte_range *ranges,
                        size_t n)
{
    struct remote *remote = context;
    for (size_t i = 0; i < n; i++) {
        cr_assert_lt(remote->n_wanted, MAX_WANTED);
        struct wanted *wanted = &remote->wanted[remote->n_wanted++];
        snprintf(wanted->name, sizeof wanted->name, "%s", name);
        wanted->range = ranges[i];
    }
}

// Fetches everything that was asked for: one round.
static void deliver(struct remote *remote)
{
    const struct byte_source *all = &remote->shelf->source;
    for (int i = 0; i < remote->n_wanted; i++) {
        const struct wanted *wanted = &remote->wanted[i];
        int k = number_of(remote, wanted->name);
        uint64_t size = 0, n = wanted->range.n_bytes;
        (void)all->size(all->context, wanted->name, &size, NULL); // 0: there is no such piece
        if (remote->here[k] == NULL)
            remote->here[k] = calloc(1, (size_t)size + 1);
        if (n == TO_THE_END)
            n = size - wanted->range.offset;
        cr_assert(size == 0 || wanted->range.offset + n <= size);
        if (size > 0)
            memset(remote->here[k] + wanted->range.offset, 1, (size_t)n);
    }
    remote->n_wanted = 0;
    remote->n_rounds++;
}

static bool was_wanted(const struct remote *remote, const char *name, uint64_t offset,
                       uint64_t n_bytes)
{
    for (int i = 0; i < remote->n_wanted; i++)
        if (strcmp(remote->wanted[i].name, name) == 0 &&
            remote->wanted[i].range.offset == offset &&
            remote->wanted[i].range.n_bytes == n_bytes)
            return true;
    return false;
}

// ---- a tablebase behind it -----------------------------------------------------------------

static const struct subspace s33 = {3, 3, 0, 0};
enum { SEED = 3300 };

struct setting {
    struct rules *rules;
    char *dir;
    struct remote remote;
    struct byte_source source;
    uint8_t *file; // 3-3.mtb
    size_t n_file;
};

static void write_packed_table(const char *dir, const struct rules *rules)
{
    struct table_writer *writer;
    uint64_t n_slots = merels_subspace_slots(&rules->board, s33);
    uint8_t hash[SHA256_BYTES], *values = values_of(rules, s33, SEED);
    uint8_t *packed = malloc((n_slots + 3) / 4);
    struct table_stats stats = stats_for(rules, s33, values);
    stats.max_win = stats.max_loss = -1;
    merels_wdl_pack(values, 1, n_slots, packed);
    OK(merels_value_hash(EDITION_WDL, 0, packed, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, s33, EDITION_WDL, 0, &writer, &test_error));
    append_blocks(writer, EDITION_WDL, packed, (n_slots + 3) / 4, WDL_BLOCK_SLOTS / 4);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
    free(values);
    free(packed);
}

// A source of what is in a new directory, once `write` has put a table there.
static struct setting *
make_setting_of(void (*write)(const char *dir, const struct rules *rules),
                struct subspace subspace, enum edition edition, bool with_manifest)
{
    char name[TABLE_NAME_BYTES];
    struct setting *s = calloc(1, sizeof *s);
    s->rules = make_rules("nine");
    s->dir = make_dir("merels");
    write(s->dir, s->rules);
    if (with_manifest)
        OK(merels_manifest_add(s->dir, s->rules, subspace, edition, &test_error));
    merels_table_name(subspace, edition, name);
    s->file = load_bytes(s->dir, name, &s->n_file);
    s->remote.shelf = open_shelf(IN_MEMORY, s->dir);
    s->source = (struct byte_source){.context = &s->remote,
                                     .place = "remote",
                                     .size = remote_size,
                                     .read = remote_read,
                                     .want = remote_want};
    return s;
}

static void write_dtm_table(const char *dir, const struct rules *rules)
{
    make_table(dir, rules, s33, SEED);
}

static struct setting *make_setting(enum edition edition, bool with_manifest)
{
    return make_setting_of(edition == EDITION_WDL ? write_packed_table : write_dtm_table, s33,
                           edition, with_manifest);
}

static void free_setting(struct setting *s)
{
    for (int i = 0; i < s->remote.n_pieces; i++)
        free(s->remote.here[i]);
    close_shelf(s->remote.shelf);
    free(s->file);
    remove_dir(s->dir);
    free(s->rules);
    free(s);
}

// Opens in as many rounds as it takes.
static struct tablebase *open_remote(struct setting *s)
{
    struct tablebase *base;
    enum status status;
    while ((status = merels_tablebase_open_source(&s->source, s->rules, 1 << 20, &base,
                                                  &test_error)) == STATUS_NOT_YET)
        deliver(&s->remote);
    OK(status);
    return base;
}

// Looks a position up in as many rounds as it takes.
static struct answer probe(struct setting *s, struct tablebase *base,
                           const struct position *pos)
{
    struct answer answer = {VALUE_WIN, 77, EDITION_DTM};
    enum status status;
    while ((status = merels_tablebase_probe(base, pos, &answer, &test_error)) ==
           STATUS_NOT_YET) {
        cr_assert_eq(answer.plies, 77);
        deliver(&s->remote);
    }
    OK(status);
    return answer;
}

// A position of a slot from `slot` on in which the game goes on.
static struct position position_at(struct setting *s, struct tablebase *base, uint64_t slot)
{
    struct position pos;
    int value;
    do
        OK(merels_index_unrank(merels_tablebase_index(base), s33, slot++, &pos, &test_error));
    while (merels_position_over(s->rules, &pos, &value));
    return pos;
}

static void check_answer(struct setting *s, const struct position *pos, struct answer answer)
{
    int depth = value_of(&s->rules->board, pos, SEED);
    if (depth == DTM_DRAW)
        depth = -1;
    cr_assert_eq(answer.value, depth < 0        ? VALUE_DRAW
                               : depth % 2 == 1 ? VALUE_WIN
                                                : VALUE_LOSS);
    cr_assert_eq(answer.plies, answer.edition == EDITION_DTM ? depth : -1);
}

// Where block k begins.
static uint64_t block_start(const struct setting *s, uint64_t k)
{
    return start_of_block(s->file, k);
}

// ---- rounds --------------------------------------------------------------------------------

// Opening: the manifest. A cold look-up: header and groups, the entries of a group, the block.
static void check_rounds(enum edition edition)
{
    struct setting *s = make_setting(edition, true);
    struct remote *remote = &s->remote;
    struct tablebase *base = open_remote(s);
    struct answer answer;
    const char *name = edition == EDITION_WDL ? "3-3.wdl" : "3-3.mtb";
    cr_assert_eq(remote->n_rounds, 1);
    struct position pos = position_at(s, base, 2 * DTM_BLOCK_SLOTS + 100);
    uint64_t block = edition == EDITION_WDL ? 0 : 2;
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    cr_assert(remote->n_wanted == 1 && was_wanted(remote, name, 0, 256 + 16));
    deliver(remote);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    cr_assert(remote->n_wanted == 1 &&
              was_wanted(remote, name, 256 + 16, 16 * blocks_of(s->file)));
    deliver(remote);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    cr_assert(remote->n_wanted == 1 &&
              was_wanted(remote, name, block_start(s, block),
                         block_start(s, block + 1) - block_start(s, block)));
    deliver(remote);
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    check_answer(s, &pos, answer);
    cr_assert(remote->n_rounds == 4 && remote->n_wanted == 0);
    pos = position_at(s, base, 2 * DTM_BLOCK_SLOTS + 9999); // the same block
    check_answer(s, &pos, probe(s, base, &pos));
    cr_assert_eq(remote->n_rounds, 4);
    pos = position_at(s, base, 100); // another one, but for wdl, which has only one
    check_answer(s, &pos, probe(s, base, &pos));
    cr_assert_eq(remote->n_rounds, edition == EDITION_WDL ? 4 : 5);
    merels_tablebase_close(base);
    free_setting(s);
}

Test(fetching, a_cold_look_up_takes_three_rounds)
{
    check_rounds(EDITION_DTM);
}

Test(fetching, a_cold_look_up_takes_three_rounds_without_depths)
{
    check_rounds(EDITION_WDL);
}

// Without a manifest as well: the rules say how much of a table to ask for.
Test(fetching, without_a_manifest_as_many)
{
    struct setting *s = make_setting(EDITION_DTM, false);
    struct tablebase *base = open_remote(s);
    cr_assert_eq(s->remote.n_rounds, 1);
    struct position pos = position_at(s, base, 5000);
    check_answer(s, &pos, probe(s, base, &pos));
    cr_assert_eq(s->remote.n_rounds, 4);
    merels_tablebase_close(base);
    free_setting(s);
}

static const struct subspace s44 = {4, 4, 0, 0};

// 221 blocks of values that differ from slot to slot.
static void write_large_table(const char *dir, const struct rules *rules)
{
    uint64_t n_slots = merels_subspace_slots(&rules->board, s44);
    uint8_t *values = malloc(n_slots);
    for (uint64_t slot = 0; slot < n_slots; slot++)
        values[slot] = (uint8_t)(mix(slot) % 27);
    write_table(dir, rules, s44, values);
    free(values);
}

enum { N_BLOCKS = 221 };

// Marks the blocks of the positions that removals lead to; returns how many they are.
static int blocks_of_removals(struct tablebase *base, const struct rules *rules,
                              const struct position *pos, bool blocks[N_BLOCKS])
{
    struct ply plies[MAX_PLIES];
    uint64_t slot;
    int n_blocks = 0;
    memset(blocks, 0, N_BLOCKS * sizeof *blocks);
    for (int i = 0, n = merels_plies(rules, pos, plies); i < n; i++) {
        struct position after = merels_play(rules, pos, plies[i]);
        OK(merels_index_rank(merels_tablebase_index(base), &after, &slot, &test_error));
        n_blocks += !blocks[slot / DTM_BLOCK_SLOTS];
        blocks[slot / DTM_BLOCK_SLOTS] = true;
    }
    return n_blocks;
}

// A mill closed, five men to choose from, in a row that goes from one block into the next.
static struct position removal_from_two_blocks(struct tablebase *base,
                                               const struct rules *rules)
{
    struct position pos;
    bool blocks[N_BLOCKS];
    uint64_t seed = 1;
    int n_tries = 0;
    do {
        cr_assert_lt(n_tries, 100000);
        pos = (struct position){.own = rules->board.mills[n_tries++ % 16], .due = 1};
        while (bit_count(pos.own) < 4)
            pos.own |= (point_set)1 << next_random(&seed) % 24;
        while (bit_count(pos.other) < 5)
            pos.other |= ((point_set)1 << next_random(&seed) % 24) & ~pos.own;
    } while (blocks_of_removals(base, rules, &pos, blocks) != 2);
    return pos;
}

// In the middle of a turn the blocks of all removals are asked for at once.
Test(fetching, removals_take_no_more, .timeout = 60)
{
    struct setting *s = make_setting_of(write_large_table, s44, EDITION_DTM, true);
    struct tablebase *base = open_remote(s), *plain;
    struct position pos = removal_from_two_blocks(base, s->rules);
    struct answer expected, answer;
    bool blocks[N_BLOCKS];
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    deliver(&s->remote);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    deliver(&s->remote);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    blocks_of_removals(base, s->rules, &pos, blocks);
    for (uint64_t k = 0; k < N_BLOCKS; k++) {
        uint64_t start = block_start(s, k), n = block_start(s, k + 1) - start;
        cr_assert_eq(was_wanted(&s->remote, "4-4.mtb", start, n), blocks[k]);
    }
    deliver(&s->remote);
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    OK(merels_tablebase_open(s->dir, s->rules, 0, &plain, &test_error));
    OK(merels_tablebase_probe(plain, &pos, &expected, &test_error));
    cr_assert(answer.value == expected.value && answer.plies == expected.plies);
    merels_tablebase_close(plain);
    merels_tablebase_close(base);
    free_setting(s);
}

// ---- one table -----------------------------------------------------------------------------

// A read of many slots asks for all of its blocks.
Test(fetching, a_read_of_a_whole_table)
{
    struct setting *s = make_setting(EDITION_DTM, false);
    struct table_reader *reader;
    struct table *table;
    uint64_t n_slots = merels_subspace_slots(&s->rules->board, s33);
    uint8_t *expected = values_of(s->rules, s33, SEED), *values = malloc(n_slots);
    OK(merels_reader_create(&s->source, &reader, &test_error));
    // Without rules: the header, then the groups, then entries, then blocks.
    FAILS(merels_reader_load_table(reader, NULL, s33, EDITION_DTM, 0, &table, &test_error),
          STATUS_NOT_YET);
    cr_assert(s->remote.n_wanted == 1 && was_wanted(&s->remote, "3-3.mtb", 0, 256));
    deliver(&s->remote);
    FAILS(merels_reader_load_table(reader, NULL, s33, EDITION_DTM, 0, &table, &test_error),
          STATUS_NOT_YET);
    cr_assert(s->remote.n_wanted == 1 && was_wanted(&s->remote, "3-3.mtb", 256, 16));
    deliver(&s->remote);
    OK(merels_reader_load_table(reader, NULL, s33, EDITION_DTM, 0, &table, &test_error));
    FAILS(merels_table_read(table, 10, n_slots - 10, values, &test_error), STATUS_NOT_YET);
    cr_assert(s->remote.n_wanted == 1 && was_wanted(&s->remote, "3-3.mtb", 272, 13 * 16));
    deliver(&s->remote);
    FAILS(merels_table_read(table, 10, n_slots - 10, values, &test_error), STATUS_NOT_YET);
    uint64_t data = data_of(s->file);
    cr_assert(s->remote.n_wanted == 1 &&
              was_wanted(&s->remote, "3-3.mtb", data, s->n_file - data));
    deliver(&s->remote);
    OK(merels_table_read(table, 10, n_slots - 10, values, &test_error));
    cr_assert_eq(memcmp(values, expected + 10, n_slots - 10), 0);
    merels_table_close(table);
    merels_reader_destroy(reader);
    free(values);
    free(expected);
    free_setting(s);
}

// ---- what goes wrong -----------------------------------------------------------------------

// Whatever is not here at whatever moment: the right value, or "not yet" and nothing else.
Test(fetching, a_source_that_comes_and_goes)
{
    struct setting *s = make_setting(EDITION_DTM, true);
    s->remote.seed = 11;
    struct tablebase *base = open_remote(s);
    uint64_t seed = 5, n_slots = merels_subspace_slots(&s->rules->board, s33);
    for (int i = 0; i < 500; i++) {
        struct position pos = position_at(s, base, next_random(&seed) % (n_slots - 1000));
        check_answer(s, &pos, probe(s, base, &pos));
    }
    cr_assert_gt(s->remote.n_rounds, 10);
    merels_tablebase_close(base);
    free_setting(s);
}

Test(fetching, a_table_that_is_not_there_at_all)
{
    struct setting *s = make_setting(EDITION_DTM, true);
    struct tablebase *base = open_remote(s);
    struct answer answer;
    struct position pos = {.own = set_of(&s->rules->board, "a7,d7,g4,b6"),
                           .other = set_of(&s->rules->board, "a1,d1,c5")};
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_YET);
    deliver(&s->remote);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert(strstr(test_error.text, "missing: subspace 4-3 is outside") != NULL);
    merels_tablebase_close(base);
    free_setting(s);
}

// A source that cannot list its pieces: the tables are those of the manifest.
Test(fetching, lists_the_manifest)
{
    struct setting *s = make_setting(EDITION_DTM, true);
    struct tablebase *base = open_remote(s);
    struct subspace *list;
    size_t n;
    OK(merels_tablebase_list(base, &list, &n, &test_error));
    cr_assert(n == 1 && merels_subspace_equal(list[0], s33));
    free(list);
    merels_tablebase_close(base);
    free_setting(s);
}
