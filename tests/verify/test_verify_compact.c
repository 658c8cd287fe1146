// test_verify_compact.c: files of edition compact, as the exporter makes them: good ones, with
// wrong values in them, damaged ones; with the tables to compare with and without.

#include "compact/export_compact.h"
#include "db/hash.h"
#include "tests/verify/tamper.h"
#include "verify/verify_compact.h"

// A file and a directory without tables.
struct game_file {
    struct base base;
    char *empty, path[512];
};

static void export_from(const struct base *base, const char *path, int n_plies)
{
    struct compact_result result;
    const char *name = strrchr(path, '/') + 1;
    char dir[512];
    snprintf(dir, sizeof dir, "%.*s", (int)(name - 1 - path), path);
    const struct compact_options options = {
        .dir = base->dir, .out_dir = dir, .out_name = name, .n_plies = n_plies, .n_threads = 2};
    OK(merels_export_compact(base->rules, &options, NULL, &result, &test_error));
}

static struct game_file make_edition(const char *rules, int max_men, bool moving_only,
                                     int n_plies)
{
    struct game_file e = {.base = solve_base(rules, max_men, moving_only),
                          .empty = make_dir("merels compact")};
    file_path(e.path, e.empty, "game.mce");
    export_from(&e.base, e.path, n_plies);
    return e;
}

static void drop_edition(struct game_file *e)
{
    drop_base(&e->base);
    remove_dir(e->empty);
}

static enum status verify_edition(const struct game_file *e, const char *dir,
                                  struct compact_check *check)
{
    const struct verify_options options = {.dir = dir, .n_threads = 2, .any_board = true};
    return merels_verify_compact(e->base.text, e->path, &options, NULL, check, &test_error);
}

// ---- good files ----------------------------------------------------------------------------

static void assert_good(const char *rules, int max_men, bool moving_only, int n_plies)
{
    struct compact_check check;
    struct game_file e = make_edition(rules, max_men, moving_only, n_plies);
    OK(verify_edition(&e, e.base.dir, &check));
    cr_expect(check.with_tables && check.n_stored > 0, "%s", rules);
    uint64_t n_stored = check.n_stored_slots;
    OK(verify_edition(&e, e.empty, &check));
    cr_expect(!check.with_tables && check.n_stored_slots == n_stored, "%s", rules);
    cr_expect(n_stored > 0 && n_stored < check.n_slots, "%s", rules);
    drop_edition(&e);
}

Test(verify_compact, small_games, .timeout = 300)
{
    for (int n_plies = 1; n_plies <= 3; n_plies++)
        assert_good("three", 0, false, n_plies);
    assert_good("six-fly,men=4", 0, false, 2);
}

Test(verify_compact, six, .timeout = 600)
{
    assert_good(MERELS_SHORT_TESTS ? "six,men=4" : "six", 0, false, 2);
}

// Its patterns have more images, and weights, than a model has indices.
Test(verify_compact, nine_with_few_men, .timeout = 300)
{
    assert_good("nine", 7, true, 1);
}

Test(verify_compact, odd_rules, .timeout = 600)
{
    assert_good("three,mill=removes,blocked=passes", 0, false, 2);
    assert_good("three,mill=removes,turn=place-or-move,fly=3,fly-count=total,men=4", 0, false,
                2);
    assert_good("three,mill=removes,removals=each,men=5-4", 0, false, 1);
    assert_good("six,men=4,chooser=opponent,removals=each", 0, false, 1);
    assert_good("six-fly,men=3,turn=place-or-move", 0, false, 2);
    assert_good("seven,men=4", 0, true, 2);
}

// ---- wrong values --------------------------------------------------------------------------

// The value of a slot of the table in all its slots, another result.
static void tamper(const struct base *base, struct subspace s, uint64_t slot)
{
    struct values v = load_values(base, s);
    uint8_t wrong = v.bytes[slot] == DTM_DRAW ? 1 : v.bytes[slot] & 1 ? 2 : DTM_DRAW;
    set_position(base, &v, slot, wrong);
    store_values(base, &v);
    free(v.bytes);
}

// A file made of tables with one wrong value.
static void assert_found(const char *rules, struct subspace s, uint64_t slot)
{
    struct compact_check check;
    struct game_file e = make_edition(rules, 0, false, 2);
    struct base wrong = solve_base(rules, 0, false);
    tamper(&wrong, s, slot);
    export_from(&wrong, e.path, 2);
    FAILS(verify_edition(&e, e.base.dir, &check), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "the table has"), "%s", test_error.text);
    FAILS(verify_edition(&e, e.empty, &check), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "recomputed"), "%s", test_error.text);
    drop_base(&wrong);
    drop_edition(&e);
}

// Stored strands: of a-b and b-a the one with more to move; of a-a one.
Test(verify_compact, one_wrong_value, .timeout = 300)
{
    assert_found("six,men=4", (struct subspace){4, 3, 0, 0}, 0);
    assert_found("six,men=4", (struct subspace){4, 3, 0, 0}, 4711);
    assert_found("six-fly,men=4", (struct subspace){4, 3, 0, 0}, 999);
}

// ---- damage --------------------------------------------------------------------------------

struct image {
    uint8_t *data;
    size_t n;
};

static void write_edition(const struct game_file *e, const struct image *bytes, size_t n)
{
    FILE *file = fopen(e->path, "wb");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes->data, 1, n, file), n);
    cr_assert_eq(fclose(file), 0);
}

// Every byte in turn: never a good result, whichever check finds it.
Test(verify_compact, damaged_bytes, .timeout = 300)
{
    struct compact_check check;
    struct game_file e = make_edition("three", 0, false, 2);
    struct image bytes;
    bytes.data = (uint8_t *)load_bytes(e.empty, "game.mce", &bytes.n);
    for (size_t k = 0; k < bytes.n; k++) {
        bytes.data[k] ^= 0x10;
        write_edition(&e, &bytes, bytes.n);
        bytes.data[k] ^= 0x10;
        enum status status = verify_edition(&e, e.empty, &check);
        cr_expect(status == STATUS_CORRUPT, "byte %zu: %d", k, (int)status);
    }
    for (size_t n = 0; n < bytes.n; n += 7) {
        write_edition(&e, &bytes, n);
        FAILS(verify_edition(&e, e.empty, &check), STATUS_CORRUPT);
    }
    free(bytes.data);
    drop_edition(&e);
}

static void put_number(uint8_t *at, uint64_t x, int n)
{
    for (int k = 0; k < n; k++)
        at[k] = (uint8_t)(x >> (8 * k));
}

static uint64_t number_at(const uint8_t *at, int n)
{
    uint64_t x = 0;
    while (n-- > 0)
        x = x << 8 | at[n];
    return x;
}

// Makes the checksums of the head right again.
static void seal(struct image *bytes)
{
    uint64_t n_head = number_at(bytes->data + 40, 4);
    put_number(bytes->data + 48, merels_xxh64(bytes->data + 64, n_head - 64), 8);
    put_number(bytes->data + 56, merels_xxh64(bytes->data, 56), 8);
}

// The head of a file of three: ten options, points (behind them dark points), edges, mills,
// symmetries, a pattern, and the most plies of derivation.
static size_t plies_at(const uint8_t *bytes)
{
    size_t at = 64 + 10, n = bytes[at];
    at += 1 + 4;
    at += 1 + 2 * (size_t)bytes[at];
    at += 1 + 3 * (size_t)bytes[at];
    at += 1 + n * bytes[at];
    size_t n_patterns = bytes[at++];
    while (n_patterns-- > 0)
        at += 1 + (size_t)bytes[at];
    return at;
}

// Heads whose checksums are right and that say something else than the rules.
Test(verify_compact, heads_that_lie, .timeout = 300)
{
    struct compact_check check;
    struct game_file e = make_edition("six,men=4", 0, false, 2);
    struct image bytes;
    bytes.data = (uint8_t *)load_bytes(e.empty, "game.mce", &bytes.n);
    size_t places[] = {64, 72, 75, 80, plies_at(bytes.data)};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        uint8_t was = bytes.data[places[k]];
        bytes.data[places[k]] = places[k] == plies_at(bytes.data) ? 0 : was ^ 1;
        seal(&bytes);
        write_edition(&e, &bytes, bytes.n);
        bytes.data[places[k]] = was;
        FAILS(verify_edition(&e, e.base.dir, &check), STATUS_MISMATCH);
    }
    put_number(bytes.data + 8, 2, 4);
    put_number(bytes.data + 12, merels_xxh64(bytes.data, 12) & UINT32_MAX, 4);
    write_edition(&e, &bytes, bytes.n);
    FAILS(verify_edition(&e, e.base.dir, &check), STATUS_NEWER);
    free(bytes.data);
    drop_edition(&e);
}

// The entry of a subspace that is stored, in the list of the head.
static uint8_t *entry_of(const struct image *image, struct subspace s)
{
    const uint8_t entry[] = {s.a, s.b, s.ha, s.hb};
    for (size_t at = plies_at(image->data); at < number_at(image->data + 40, 4); at++)
        if (memcmp(image->data + at, entry, 4) == 0 && image->data[at + 4] - 1 < 4 &&
            image->data[at + 5] == 0)
            return image->data + at;
    cr_assert(false, "no such entry");
    return NULL;
}

static enum status verify_sealed(const struct game_file *e, struct image *image,
                                 const char *dir, struct compact_check *check)
{
    seal(image);
    write_edition(e, image, image->n);
    return verify_edition(e, dir, check);
}

// A strand that was stored and is said to be derived; a model that is not there.
Test(verify_compact, entries_that_lie, .timeout = 300)
{
    struct compact_check check;
    struct game_file e = make_edition("six,men=4", 0, false, 2);
    struct image image;
    image.data = load_bytes(e.empty, "game.mce", &image.n);
    uint8_t *entry = entry_of(&image, (struct subspace){4, 3, 0, 0}), strands = entry[4];
    entry[4] = strands & (uint8_t)(strands - 1);
    FAILS(verify_sealed(&e, &image, e.base.dir, &check), STATUS_MISMATCH);
    FAILS(verify_sealed(&e, &image, e.empty, &check), STATUS_MISMATCH);
    entry[4] = strands;
    put_number(entry + 6, 999, 2);
    FAILS(verify_sealed(&e, &image, e.base.dir, &check), STATUS_CORRUPT);
    free(image.data);
    drop_edition(&e);
}

// As many rows in a group as a number can say, where all stand in one: nothing is left out.
Test(verify_compact, most_rows_in_a_group, .timeout = 300)
{
    struct compact_check check;
    struct game_file e = make_edition("six,men=4", 0, false, 2);
    struct image image;
    image.data = load_bytes(e.empty, "game.mce", &image.n);
    OK(verify_edition(&e, e.base.dir, &check));
    uint64_t n_stored = check.n_stored_slots;
    put_number(entry_of(&image, (struct subspace){4, 3, 0, 0}) + 8, UINT32_MAX, 4);
    OK(verify_sealed(&e, &image, e.base.dir, &check));
    cr_expect_eq(check.n_stored_slots, n_stored);
    free(image.data);
    drop_edition(&e);
}

// A table that the file does not have, and that lacks what its plies lead to, does not matter.
Test(verify_compact, tables_beside, .timeout = 300)
{
    struct compact_check check;
    struct game_file e = make_edition("six-fly,men=4", 0, false, 2);
    struct base more = solve_base("six-fly,men=5", 0, true);
    struct values v = load_values(&more, (struct subspace){5, 5, 0, 0});
    store_values(&e.base, &v);
    OK(verify_edition(&e, e.base.dir, &check));
    cr_expect(check.with_tables);
    free(v.bytes);
    drop_base(&more);
    drop_edition(&e);
}

Test(verify_compact, other_rules)
{
    struct compact_check check;
    struct game_file e = make_edition("three", 0, false, 2);
    struct base other = new_base("three,men=3,mill=removes");
    struct game_file asked = e;
    asked.base = other;
    FAILS(verify_edition(&asked, e.empty, &check), STATUS_OTHER_RULES);
    remove(e.path);
    FAILS(verify_edition(&e, e.empty, &check), STATUS_MISSING);
    drop_base(&other);
    drop_edition(&e);
}
