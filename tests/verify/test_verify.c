// test_verify.c: good tablebases of many rules, missing and damaged files, resuming, the
// record, and the verifier's own geometry against published numbers.

#include "game/rules_text.h"
#include "tests/support/variants.h"
#include "tests/verify/tamper.h"

// ---- geometry ------------------------------------------------------------------------------

static struct verify_index *index_of(const char *rules)
{
    char text[RULES_TEXT_BYTES];
    struct verify_index *index;
    struct rules *parsed = make_rules(rules);
    merels_rules_text(parsed, text);
    OK(merels_verify_index_create(text, true, &index, &test_error));
    free(parsed);
    return index;
}

Test(verify, symmetries)
{
    static const struct {
        const char *rules;
        int n_maps;
    } boards[] = {{"nine", 16}, {"eleven", 16}, {"six", 16}, {"seven", 8}};
    for (size_t k = 0; k < sizeof boards / sizeof boards[0]; k++) {
        struct verify_index *index = index_of(boards[k].rules);
        cr_expect_eq(index->n_maps, boards[k].n_maps, "%s", boards[k].rules);
        free(index);
    }
}

Test(verify, counts_of_the_moving_phase)
{
    static const uint64_t rows[] = {1,     4,     30,    158,    757,    2830,  8774,
                                    22188, 46879, 82880, 124124, 157668, 170854};
    struct verify_index *index = index_of("nine");
    uint64_t slots = 0, orbits = 0;
    for (int men = 0; men <= 12; men++)
        cr_expect_eq(merels_verify_orbits(index, 0, men), rows[men], "%d men", men);
    for (int a = 3; a <= 9; a++)
        for (int b = 3; b <= 9; b++) {
            slots += merels_verify_orbits(index, 0, b) * index->choose[24 - b][a];
            orbits += merels_verify_orbits(index, a, b);
        }
    cr_expect_eq(slots, 9193626407);
    cr_expect_eq(orbits, 8904593601);
    free(index);
}

// The values of docs/FORMAT.md, section 13.
Test(verify, canonical_sets)
{
    static const uint32_t first[] = {0x7, 0xb, 0xd, 0xe, 0x13, 0x15};
    struct verify_index *index = index_of("nine");
    struct classes classes;
    OK(merels_verify_classes(index, 3, &classes, &test_error));
    cr_expect_eq(classes.n_rows, 158);
    for (int k = 0; k < 6; k++)
        cr_expect_eq(classes.smallest[k], first[k]);
    cr_expect_eq(classes.entries[verify_rank(index, 3, 0x32)] >> 8, 6);
    cr_expect_eq(classes.entries[verify_rank(index, 3, 0x50001)] >> 8, 85);
    merels_verify_classes_free(&classes);
    free(index);
}

// A wrong edge or mill in the rules text is not believed.
Test(verify, board_is_its_own)
{
    char text[RULES_TEXT_BYTES];
    struct verify_rules own;
    struct rules *rules = make_rules("nine");
    merels_rules_text(rules, text);
    OK(merels_verify_rules_parse(text, false, &own, &test_error));
    memcpy(strstr(text, "d7-d6 "), "d7-f6 ", 6);
    FAILS(merels_verify_rules_parse(text, false, &own, &test_error), STATUS_UNSUPPORTED);
    merels_rules_text(rules, text);
    memcpy(strstr(text, "d7-d6-d5"), "d7-d6-e5", 8);
    FAILS(merels_verify_rules_parse(text, false, &own, &test_error), STATUS_UNSUPPORTED);
    free(rules);
}

// ---- good tablebases -----------------------------------------------------------------------

static void assert_good(const char *rules, int max_men, bool moving_only, const char *level)
{
    struct verify_result result;
    struct base base = solve_base(rules, max_men, moving_only);
    OK(verify_with(&base, 0, level, &result));
    cr_expect(result.recorded);
    cr_expect_eq(result.n_checked, result.n_tables, "%s", rules);
    OK(verify_with(&base, 30, NULL, &result));
    drop_base(&base);
}

Test(verify, moving_phase_of_many_rules, .timeout = 600)
{
    assert_good("nine", 7, true, NULL);
    assert_good("nine", 6, true, "portable");
    assert_good("nine-nofly", 7, true, NULL);
    assert_good("nine,mill-men=removable", 6, true, NULL);
    assert_good("nine,blocked=draws,fly=0", 6, true, NULL);
    assert_good("nine,fly=4", 6, true, NULL);
    assert_good("twelve", 7, true, NULL);
    assert_good("seven", 8, true, NULL);
}

Test(verify, whole_small_games, .timeout = 600)
{
    assert_good("four", 0, false, "portable");
    assert_good("four-fly,blocked=draws", 0, false, NULL);
    assert_good("five,mill-men=removable", 0, false, NULL);
}

// Plies that are checked slot by slot.
Test(verify, a_removal_for_each_mill, .timeout = 300)
{
    assert_good("three,mill=removes,removals=each,men=5-4", 0, false, NULL);
    assert_good("three,mill=removes,removals=each,mill-men=safe,least=2,men=4", 0, false, NULL);
    assert_good("three,mill=removes,removals=each,mill-men=removable,least=2,men=5-4", 0, false,
                NULL);
}

Test(verify, a_mill_wins, .timeout = 300)
{
    assert_good("three", 0, false, NULL);
    assert_good("three,men=5-4,full-board=mover-loses", 0, false, NULL);
    assert_good("six,mill=wins,men=3", 0, false, NULL);
}

Test(verify, place_or_move, .timeout = 300)
{
    assert_good("three,mill=removes,turn=place-or-move", 0, false, NULL);
    assert_good("three,mill=removes,turn=place-or-move,fly=3,men=4", 0, false, NULL);
    assert_good("three,mill=removes,turn=place-or-move,fly=3,fly-count=total,men=4", 0, false,
                NULL);
}

Test(verify, the_other_side_chooses, .timeout = 300)
{
    assert_good("three,mill=removes,chooser=opponent,men=4", 0, false, NULL);
    assert_good("three,mill=removes,chooser=opponent,removals=each,men=5-4", 0, false, NULL);
}

Test(verify, the_blocked_pass, .timeout = 300)
{
    assert_good("three,mill=removes,blocked=passes,men=4", 0, false, NULL);
    assert_good("three,mill=removes,blocked=passes,least=0,men=2-5", 0, false, NULL);
    assert_good("three,blocked=passes,men=4", 0, false, NULL);
}

// Every two values of options together, and boards of one's own.
Test(verify, all_pairs_of_options, .timeout = 600)
{
    char text[2048];
    for (int k = 0; k < N_VARIANTS; k++)
        if (!MERELS_SHORT_TESTS || variants[k].board == THREE)
            assert_good(text_of(k, text), 0, false, NULL);
    assert_good(own_rules(BOARD_CUBE "men 4\n", "fly=0", text), 0, false, NULL);
}

Test(verify, unequal_starts, .timeout = 300)
{
    assert_good("three,mill=removes,men=3-5", 0, false, NULL);
    assert_good("three,mill=removes,mill-men=safe,men=5-3", 0, false, NULL);
}

// ---- faults of files -----------------------------------------------------------------------

Test(verify, file_is_missing, .timeout = 300)
{
    char path[512];
    struct base base = solve_base("four", 0, false);
    OK(verify(&base));
    file_path(path, base.dir, "3-4.mtb");
    remove(path);
    FAILS(verify(&base), STATUS_MISSING);
    cr_expect(!has_record(&base));
    cr_expect_not_null(strstr(test_error.text, "3-4.mtb"), "%s", test_error.text);
    file_path(path, base.dir, "MANIFEST");
    remove(path);
    FAILS(verify(&base), STATUS_MISSING);
    cr_expect_not_null(strstr(test_error.text, "MANIFEST"), "%s", test_error.text);
    drop_base(&base);
}

// Damage in a block: the file's hash tells, and where the manifest was made new, the block's
// checksum.
Test(verify, file_is_damaged, .timeout = 300)
{
    size_t n;
    struct base base = solve_base("four", 0, false);
    OK(verify(&base));
    uint8_t *bytes = load_bytes(base.dir, "3-4.mtb", &n);
    bytes[300] ^= 1;
    store_bytes(base.dir, "3-4.mtb", bytes, n);
    FAILS(verify(&base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "3-4.mtb"), "%s", test_error.text);
    cr_expect(!has_record(&base));
    OK(merels_manifest_add(base.dir, base.rules, (struct subspace){3, 4, 0, 0}, EDITION_DTM,
                           &test_error));
    FAILS(verify(&base), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "3-4.mtb"), "%s", test_error.text);
    free(bytes);
    drop_base(&base);
}

Test(verify, manifest_is_damaged, .timeout = 300)
{
    size_t n;
    struct base base = solve_base("four", 0, false);
    char *text = (char *)load_bytes(base.dir, "MANIFEST", &n);
    for (size_t at = 0; at < n; at += 97) {
        text[at] ^= 1;
        store_bytes(base.dir, "MANIFEST", text, n);
        cr_expect_neq(verify(&base), STATUS_OK, "byte %zu", at);
        text[at] ^= 1;
    }
    for (size_t n_left = 0; n_left < n; n_left += n_left < 100 ? 1 : 97) {
        store_bytes(base.dir, "MANIFEST", text, n_left);
        FAILS(verify(&base), STATUS_CORRUPT);
        cr_expect_not_null(strstr(test_error.text, base.dir), "%s", test_error.text);
    }
    strchr(text, '\n')[-1] = '3';
    store_bytes(base.dir, "MANIFEST", text, n);
    FAILS(verify(&base), STATUS_NEWER);
    strchr(text, '\n')[-1] = '2';
    store_bytes(base.dir, "MANIFEST", text, n);
    OK(verify(&base));
    free(text);
    drop_base(&base);
}

Test(verify, other_rules, .timeout = 300)
{
    struct base base = solve_base("four", 0, false), other = new_base("four,blocked=draws");
    memcpy(base.text, other.text, sizeof base.text);
    FAILS(verify(&base), STATUS_OTHER_RULES);
    drop_base(&base);
    drop_base(&other);
}

// Tables of another edition than the manifest's.
Test(verify, other_edition, .timeout = 300)
{
    size_t n;
    struct base base = solve_base("four", 0, false);
    char *text = (char *)load_bytes(base.dir, "MANIFEST", &n);
    memcpy(strstr(text, "# edition dtm") + 10, "wdl", 3);
    snprintf(text + n - 17, 17, "%016llx", (unsigned long long)merels_xxh64(text, n - 28));
    text[n - 1] = '\n';
    store_bytes(base.dir, "MANIFEST", text, n);
    FAILS(verify(&base), STATUS_MISSING);
    cr_expect_not_null(strstr(test_error.text, "3-3.wdl"), "%s", test_error.text);
    uint8_t *bytes = load_bytes(base.dir, "3-3.mtb", &n);
    store_bytes(base.dir, "3-3.wdl", bytes, n);
    FAILS(verify(&base), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "another edition"), "%s", test_error.text);
    free(bytes);
    free(text);
    drop_base(&base);
}

// A header whose value hash is another one.
Test(verify, value_hash_is_wrong, .timeout = 300)
{
    size_t n;
    struct base base = solve_base("four", 0, false);
    uint8_t *bytes = load_bytes(base.dir, "4-3.mtb", &n);
    bytes[160] ^= 1;
    fix_header(bytes);
    store_bytes(base.dir, "4-3.mtb", bytes, n);
    OK(merels_manifest_add(base.dir, base.rules, (struct subspace){4, 3, 0, 0}, EDITION_DTM,
                           &test_error));
    FAILS(verify(&base), STATUS_MISMATCH);
    cr_expect_not_null(strstr(test_error.text, "hash of the values"), "%s", test_error.text);
    free(bytes);
    drop_base(&base);
}

// ---- incomplete tablebases -----------------------------------------------------------------

static void copy_table(const struct base *from, const struct base *to, struct subspace s)
{
    struct values v = load_values(from, s);
    store_values(to, &v);
    free(v.bytes);
}

// Without 4-4 what does not need it is verified, and there is no record.
Test(verify, incomplete, .timeout = 300)
{
    struct verify_result result;
    struct base whole = solve_base("four", 0, false), part = new_base("four");
    struct manifest manifest = read_manifest(&whole);
    for (size_t k = 0; k < manifest.n_entries; k++)
        if (!merels_subspace_equal(manifest.entries[k].subspace, (struct subspace){4, 4, 0, 0}))
            copy_table(&whole, &part, manifest.entries[k].subspace);
    FAILS(verify_with(&part, 0, NULL, &result), STATUS_MISSING);
    cr_expect_not_null(strstr(test_error.text, "table 4-4 is not"), "%s", test_error.text);
    cr_expect_gt(result.n_left_out, 0);
    cr_expect_gt(result.n_checked, 2);
    cr_expect_eq(result.n_checked + result.n_left_out, result.n_tables);
    cr_expect(!has_record(&part));
    merels_manifest_free(&manifest);
    drop_base(&whole);
    drop_base(&part);
}

// ---- resuming and the record ---------------------------------------------------------------

// The files are piece 0.
static void stop_after_two(const struct progress *now, void *context)
{
    if (now->finished && now->number == 2)
        atomic_store((atomic_int *)context, 1);
}

Test(verify, resumes, .timeout = 300)
{
    atomic_int stop = 0;
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    const struct verify_options options = {.dir = base.dir, .n_threads = 2};
    const struct watch watch = {.report = stop_after_two, .context = &stop, .stop = &stop};
    FAILS(merels_verify(base.text, &options, &watch, &result, &test_error), STATUS_INTERRUPTED);
    cr_expect_eq(result.n_checked, 2);
    cr_expect(!has_record(&base));
    OK(verify_with(&base, 0, NULL, &result));
    cr_expect_eq(result.n_noted, 2);
    cr_expect_eq(result.n_checked + result.n_noted, result.n_tables);
    cr_expect(has_record(&base));
    drop_base(&base);
}

static void stop_at_the_end(const struct progress *now, void *context)
{
    if (now->finished && now->number + 1 == now->n_pieces)
        atomic_store((atomic_int *)context, 1);
}

// A stop that comes when all is done changes nothing.
Test(verify, stop_comes_too_late, .timeout = 300)
{
    atomic_int stop = 0;
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    const struct verify_options options = {.dir = base.dir, .n_threads = 2};
    const struct watch watch = {.report = stop_at_the_end, .context = &stop, .stop = &stop};
    OK(merels_verify(base.text, &options, &watch, &result, &test_error));
    cr_expect(atomic_load(&stop) == 1 && result.recorded && has_record(&base));
    drop_base(&base);
}

// ---- progress ------------------------------------------------------------------------------

struct seen {
    uint64_t done, total;
    size_t n_reports, n_finished;
};

static void see(const struct progress *now, void *context)
{
    struct seen *seen = context;
    cr_expect(now->done >= seen->done && now->done <= now->total, "%s %s", now->piece,
              now->stage);
    cr_expect(now->number < now->n_pieces);
    *seen = (struct seen){now->done, now->total, seen->n_reports + 1,
                          seen->n_finished + now->finished};
}

// The figure only rises, through files and tables, and comes to its end.
static void assert_rises(const struct base *base, uint64_t n_samples)
{
    struct seen seen = {.n_reports = 0};
    struct verify_result result;
    const struct verify_options options = {
        .dir = base->dir, .n_threads = 2, .n_samples = n_samples};
    const struct watch watch = {.report = see, .context = &seen};
    OK(merels_verify(base->text, &options, &watch, &result, &test_error));
    cr_expect_eq(seen.n_finished, result.n_checked + (n_samples == 0));
    cr_expect_eq(seen.done, seen.total);
    cr_expect_gt(seen.n_reports, seen.n_finished);
}

Test(verify, progress_only_rises, .timeout = 300)
{
    struct base base = solve_base("four", 0, false);
    assert_rises(&base, 0);
    assert_rises(&base, 20);
    drop_base(&base);
}

// ---- void notes and the record -------------------------------------------------------------

// A changed table voids the notes of itself and of what leads to it.
Test(verify, notes_become_void, .timeout = 300)
{
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    OK(verify_with(&base, 0, NULL, &result));
    struct values v = load_values(&base, (struct subspace){4, 3, 0, 0});
    uint64_t slot = v.n_slots / 2;
    set_position(&base, &v, slot, v.bytes[slot] == DTM_DRAW ? 7 : DTM_DRAW);
    store_values(&base, &v);
    assert_accused(&base, v.subspace);
    free(v.bytes);
    drop_base(&base);
}

Test(verify, record, .timeout = 300)
{
    size_t n;
    char expected[256];
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    OK(verify_with(&base, 0, NULL, &result));
    char *text = (char *)load_bytes(base.dir, "VERIFIED", &n);
    snprintf(expected, sizeof expected,
             "Merels record of a verified tablebase\nroot %s\nverifier-version %d\ntables %zu\n"
             "slots %llu\n",
             result.root, VERIFY_VERSION, result.n_tables, (unsigned long long)result.n_slots);
    cr_expect_str_eq(text, expected);
    free(text);
    drop_base(&base);
}

Test(verify, memory_limit, .timeout = 300)
{
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    const struct verify_options options = {
        .dir = base.dir, .n_threads = 1, .memory_bytes = 1 << 20};
    FAILS(merels_verify(base.text, &options, NULL, &result, &test_error), STATUS_TOO_LITTLE);
    drop_base(&base);
}
