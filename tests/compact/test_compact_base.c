// test_compact_base.c: a tablebase that is a file of edition compact: found in its directory,
// named by its path or chosen beside tables; the same answers as those of the tables, but for
// depths.

#include "query/ranking.h"
#include "tests/compact/host.h"

// A directory with the file alone.
static char *alone(const struct exported *game)
{
    char *dir = make_dir("merels-compact"), command[600];
    snprintf(command, sizeof command, "cp %s/game.mce %s/", game->dir, dir);
    cr_assert_eq(system(command), 0);
    return dir;
}

static void flip_byte(const char *dir, const char *name, size_t at)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
    int byte = fgetc(file);
    cr_assert_eq(fseek(file, (long)at, SEEK_SET), 0);
    cr_assert_eq(fputc(byte ^ 16, file), byte ^ 16);
    cr_assert_eq(fclose(file), 0);
}

static struct tablebase *open_at(const struct exported *game, const char *path)
{
    struct tablebase *base;
    OK(merels_tablebase_open(path, game->rules, 0, &base, &test_error));
    merels_tablebase_begin_from(base, game->start);
    return base;
}

// Every position, with one that has a removal due, has the value of the tables, and its ranking
// is whole.
static void compare_bases(const struct exported *game, struct tablebase *tables,
                          struct tablebase *compact)
{
    static struct ranking ranking;
    struct subspace *list;
    size_t n, n_due = 0;
    OK(merels_tablebase_list(compact, &list, &n, &test_error));
    for (size_t k = 0; k < n; k++)
        for (uint64_t slot = 0; slot < merels_subspace_slots(&game->rules->board, list[k]);
             slot++) {
            struct position pos;
            struct answer expected, answer;
            OK(merels_index_unrank(merels_tablebase_index(tables), list[k], slot, &pos,
                                   &test_error));
            for (pos.due = 0; pos.due < 2; pos.due++) {
                if (merels_position_check(game->rules, &pos, NULL) != STATUS_OK)
                    continue;
                enum status status =
                    merels_tablebase_probe(tables, &pos, &expected, &test_error);
                if (status == STATUS_NOT_COVERED && pos.due > 0)
                    continue;
                OK(status);
                OK(merels_tablebase_probe(compact, &pos, &answer, &test_error));
                cr_assert_eq(answer.value, expected.value);
                cr_assert(answer.plies <= 1);
                n_due += pos.due;
            }
            pos.due = 0;
            if (slot % 5 == 0 && merels_position_check(game->rules, &pos, NULL) == STATUS_OK)
                OK(merels_rank_plies(compact, game->rules, &pos, &ranking, &test_error));
        }
    cr_assert(n > 5 && n_due > 0);
    free(list);
}

static bool same_lists(struct tablebase *x, struct tablebase *y)
{
    struct subspace *of_x, *of_y;
    size_t n_x, n_y;
    OK(merels_tablebase_list(x, &of_x, &n_x, &test_error));
    OK(merels_tablebase_list(y, &of_y, &n_y, &test_error));
    bool same = n_x == n_y && memcmp(of_x, of_y, n_x * sizeof *of_x) == 0;
    free(of_x);
    free(of_y);
    return same;
}

Test(compact_base, alone_named_and_beside_tables)
{
    struct exported game = exported("six-fly,men=3");
    char *dir = alone(&game), path[300];
    struct tablebase *tables = open_at(&game, game.dir), *compact = open_at(&game, dir);
    cr_assert_eq(merels_tablebase_edition(tables), EDITION_DTM);
    cr_assert_eq(merels_tablebase_edition(compact), EDITION_COMPACT);
    cr_assert(same_lists(tables, compact));
    compare_bases(&game, tables, compact);
    merels_tablebase_close(compact);
    snprintf(path, sizeof path, "%s/game.mce", dir);
    compact = open_at(&game, path);
    cr_assert_eq(merels_tablebase_edition(compact), EDITION_COMPACT);
    merels_tablebase_close(compact);
    compact = open_at(&game, game.dir);
    merels_tablebase_choose(compact, EDITION_COMPACT);
    compare_bases(&game, tables, compact);
    merels_tablebase_close(compact);
    merels_tablebase_close(tables);
    remove_dir(dir);
    drop(&game);
}

Test(compact_base, what_is_not_there)
{
    struct exported game = exported("three");
    char *dir = alone(&game), path[300];
    struct tablebase *base = open_at(&game, dir);
    const struct table *table;
    struct answer answer;
    const struct position too_many = {.own_hand = 4, .other_hand = 4};
    FAILS(merels_tablebase_probe(base, &too_many, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert_eq(strncmp(test_error.text, "not covered: cannot arise", 25), 0);
    FAILS(merels_tablebase_table(base, (struct subspace){.a = 3, .b = 3}, &table, &test_error),
          STATUS_UNSUPPORTED);
    merels_tablebase_close(base);
    snprintf(path, sizeof path, "%s/none.mce", dir);
    FAILS(merels_tablebase_open(path, game.rules, 0, &base, &test_error), STATUS_MISSING);
    snprintf(path, sizeof path, "%s/nowhere/none.mce", dir);
    FAILS(merels_tablebase_open(path, game.rules, 0, &base, &test_error), STATUS_MISSING);
    struct rules *others = calloc(1, sizeof *others);
    struct start start;
    OK(merels_rules_parse("six", others, &start, &test_error));
    FAILS(merels_tablebase_open(dir, others, 0, &base, &test_error), STATUS_OTHER_RULES);
    free(others);
    remove_dir(dir);
    drop(&game);
}

static void run_in(const char *dir, const char *command)
{
    char here[1000];
    snprintf(here, sizeof here, "cd %s && %s", dir, command);
    cr_assert_eq(system(here), 0);
}

static void expect_refused(const char *dir, const char *name, const struct rules *rules,
                           enum status expected, const char *part)
{
    char path[300];
    struct tablebase *base;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FAILS(merels_tablebase_open(path, rules, 0, &base, &test_error), expected);
    cr_assert(strstr(test_error.text, part) != NULL && strstr(test_error.text, name) != NULL,
              "no '%s' in: %s", part, test_error.text);
}

// A file is known by its first bytes, whatever its name.
Test(compact_base, of_another_name)
{
    struct exported game = exported("three");
    char *dir = alone(&game), path[300];
    struct answer answer;
    const struct position pos = merels_position_start(&game.start);
    run_in(dir, "cp game.mce three.bin; echo nothing > junk.bin; echo nothing > junk.mce");
    snprintf(path, sizeof path, "%s/three.bin", dir);
    struct tablebase *base = open_at(&game, path);
    cr_assert_eq(merels_tablebase_edition(base), EDITION_COMPACT);
    OK(merels_tablebase_probe(base, &pos, &answer, &test_error));
    cr_assert_eq(answer.value, 1);
    merels_tablebase_close(base);
    expect_refused(dir, "junk.bin", game.rules, STATUS_IO, "not a directory");
    expect_refused(dir, "junk.mce", game.rules, STATUS_CORRUPT, "damaged");
    remove_dir(dir);
    drop(&game);
}

// Bytes behind the end, and bytes that lack behind all that an answer needs.
Test(compact_base, another_length)
{
    struct exported game = exported("three");
    char *dir = alone(&game);
    run_in(dir, "cp game.mce long.mce; echo >> long.mce; head -c -1 game.mce > short.mce");
    expect_refused(dir, "long.mce", game.rules, STATUS_CORRUPT, "its head says");
    expect_refused(dir, "short.mce", game.rules, STATUS_CORRUPT, "its head says");
    remove_dir(dir);
    drop(&game);
}

// Both rules are named; of a metric it is said that there are no depths.
Test(compact_base, other_rules_are_named)
{
    struct exported game = exported("three");
    char *dir = alone(&game);
    struct rules *others = calloc(1, sizeof *others);
    struct start start;
    OK(merels_rules_parse("three-fly", others, &start, &test_error));
    expect_refused(dir, "game.mce", others, STATUS_OTHER_RULES,
                   "made for other rules: three, not three-fly (fly");
    OK(merels_rules_parse("three,metric=dtc", others, &start, &test_error));
    expect_refused(dir, "game.mce", others, STATUS_OTHER_RULES,
                   "the edition compact has no depths, so no metric dtc");
    free(others);
    remove_dir(dir);
    drop(&game);
}

// Two files, or tables beside one: not edition compact by itself, and two cannot be chosen
// from.
Test(compact_base, several_files)
{
    struct exported game = exported("three");
    char command[600];
    struct answer answer;
    const struct position pos = merels_position_start(&game.start);
    snprintf(command, sizeof command, "cp %s/game.mce %s/other.mce", game.dir, game.dir);
    cr_assert_eq(system(command), 0);
    struct tablebase *base = open_at(&game, game.dir);
    cr_assert_eq(merels_tablebase_edition(base), EDITION_DTM);
    merels_tablebase_choose(base, EDITION_COMPACT);
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_MISSING);
    merels_tablebase_close(base);
    drop(&game);
}

// A damaged byte in the head: the file cannot be opened; behind it: it is named when it is
// needed.
Test(compact_base, damage_is_named)
{
    struct exported game = exported("three");
    char *dir = alone(&game);
    struct tablebase *base;
    struct answer answer;
    size_t n_named = 0;
    flip_byte(dir, "game.mce", 100);
    FAILS(merels_tablebase_open(dir, game.rules, 0, &base, &test_error), STATUS_CORRUPT);
    cr_assert_not_null(strstr(test_error.text, "game.mce"));
    flip_byte(dir, "game.mce", 100);
    for (size_t at = (size_t)get_le(game.host.bytes + 40, 4); at < game.host.n_bytes; at++) {
        const struct position pos = merels_position_start(&game.start);
        flip_byte(dir, "game.mce", at);
        base = open_at(&game, dir);
        enum status status = merels_tablebase_probe(base, &pos, &answer, &test_error);
        cr_assert(status == STATUS_CORRUPT || (status == STATUS_OK && answer.value == 1));
        n_named += status == STATUS_CORRUPT;
        merels_tablebase_close(base);
        flip_byte(dir, "game.mce", at);
    }
    cr_assert_gt(n_named, 0);
    remove_dir(dir);
    drop(&game);
}

// ---- the starter set -----------------------------------------------------------------------

// The file in data/ is the one that the exporter makes.
static void expect_starter(const char *name)
{
    char file[64];
    size_t n_expected;
    struct exported game = exported(name);
    snprintf(file, sizeof file, "%s.mce", name);
    uint8_t *expected = load_bytes(MERELS_DATA_DIR, file, &n_expected);
    cr_assert_eq(game.host.n_bytes, n_expected);
    cr_assert_eq(memcmp(game.host.bytes, expected, n_expected), 0);
    free(expected);
    drop(&game);
}

Test(compact_base, starter_set_is_made_again)
{
    expect_starter("three");
    expect_starter("six");
}

// The values of the starts, and their rankings.
Test(compact_base, starter_set_knows_the_starts)
{
    static const struct {
        const char *name;
        enum value value;
    } games[] = {{"three", VALUE_WIN}, {"six", VALUE_DRAW}, {"seven", VALUE_WIN}};
    for (size_t k = 0; k < sizeof games / sizeof *games; k++) {
        static struct ranking ranking;
        char path[300];
        struct rules *rules = calloc(1, sizeof *rules);
        struct start start;
        struct tablebase *base;
        OK(merels_rules_parse(games[k].name, rules, &start, &test_error));
        snprintf(path, sizeof path, MERELS_DATA_DIR "/%s.mce", games[k].name);
        OK(merels_tablebase_open(path, rules, 0, &base, &test_error));
        const struct position pos = merels_position_start(&start);
        OK(merels_rank_plies(base, rules, &pos, &ranking, &test_error));
        cr_assert_eq(ranking.answer.value, games[k].value, "%s", games[k].name);
        cr_assert_eq(ranking.n_plies, rules->board.n_points);
        merels_tablebase_close(base);
        free(rules);
    }
}
