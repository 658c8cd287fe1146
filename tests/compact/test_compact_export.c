// test_compact_export.c: exports that are stopped and go on: the same bytes, whatever was
// finished, and nothing that is damaged is believed; a tablebase that changes in between.

#include "tests/compact/host.h"

struct stopping {
    atomic_int stop;
    int n_left; // subspaces until it stops
};

static void stop_after(struct subspace s, uint8_t stored, uint64_t n_slots, uint64_t n_bytes,
                       void *context)
{
    struct stopping *stopping = context;
    cr_assert(stored != 0 && n_slots > 0 && n_bytes > 0 && s.b <= MAX_POINTS);
    stopping->n_left--;
    if (stopping->n_left <= 0)
        atomic_store(&stopping->stop, 1);
}

// An export that stops after so many subspaces.
static enum status export_some(const struct rules *rules, const char *dir, int n)
{
    struct stopping stopping = {.n_left = n};
    struct compact_result result;
    const struct watch watch = {.stop = &stopping.stop};
    const struct compact_options options = {.dir = dir,
                                            .out_dir = dir,
                                            .out_name = "game.mce",
                                            .n_plies = 2,
                                            .n_threads = 2,
                                            .report = stop_after,
                                            .context = &stopping};
    return merels_export_compact(rules, &options, &watch, &result, &test_error);
}

static struct rules *solve_small(char **dir)
{
    struct rules *rules = calloc(1, sizeof *rules);
    struct start start;
    OK(merels_rules_parse("six-fly,men=4", rules, &start, &test_error));
    *dir = solved(rules, start, false);
    return rules;
}

static int n_kept(void)
{
    int n = -1, n_all = -1;
    cr_assert_eq(sscanf(test_error.text, "stopped, %d of %d models", &n, &n_all), 2, "%s",
                 test_error.text);
    cr_assert(n >= 0 && n < n_all);
    return n;
}

// An export that stops when something is finished; how many models.
static int stop_with_some(const struct rules *rules, const char *dir)
{
    int kept = 0;
    for (int n = 2; kept == 0 && n < 100; n++) {
        cr_assert_eq(export_some(rules, dir, n), STATUS_INTERRUPTED);
        kept = n_kept();
    }
    cr_assert_gt(kept, 0);
    return kept;
}

static bool same_bytes(const char *dir, const char *name, const char *other)
{
    size_t n, n_other;
    uint8_t *bytes = load_bytes(dir, name, &n), *others = load_bytes(dir, other, &n_other);
    bool same = n == n_other && memcmp(bytes, others, n) == 0;
    free(bytes);
    free(others);
    return same;
}

static void finish(const struct rules *rules, const char *dir)
{
    struct compact_result result;
    OK(export_with(rules, dir, "game.mce", 2, 1, &result));
    OK(export_with(rules, dir, "whole.mce", 2, 2, &result));
    cr_assert(same_bytes(dir, "game.mce", "whole.mce"));
    cr_assert(!has_file(dir, "game.mce.part"));
    cr_assert(!has_file(dir, "game.mce.progress"));
}

Test(compact_export, goes_on_with_what_is_finished)
{
    char *dir;
    struct rules *rules = solve_small(&dir);
    cr_assert_eq(export_some(rules, dir, 1), STATUS_INTERRUPTED);
    cr_assert_eq(n_kept(), 0);
    cr_assert(!has_file(dir, "game.mce.part"));
    int most = stop_with_some(rules, dir);
    cr_assert(has_file(dir, "game.mce.part") && has_file(dir, "game.mce.progress"));
    cr_assert_eq(export_some(rules, dir, 1), STATUS_INTERRUPTED); // in what is there already
    cr_assert_eq(n_kept(), most);
    finish(rules, dir);
    remove_dir(dir);
    free(rules);
}

struct told {
    struct progress last;
    char note[200];
};

static void keep_report(const struct progress *now, void *context)
{
    struct told *told = context;
    told->last = *now;
}

static void keep_note(const char *text, void *context)
{
    struct told *told = context;
    snprintf(told->note, sizeof told->note, "%s", text);
}

static struct told export_told(const struct rules *rules, const char *dir, const char *name)
{
    struct told told = {.note = ""};
    struct compact_result result;
    const struct watch watch = {.report = keep_report, .note = keep_note, .context = &told};
    const struct compact_options options = {
        .dir = dir, .out_dir = dir, .out_name = name, .n_plies = 2, .n_threads = 2};
    OK(merels_export_compact(rules, &options, &watch, &result, &test_error));
    cr_assert(told.last.finished && told.last.done == told.last.total);
    cr_assert_eq(told.last.number + 1, told.last.n_pieces);
    return told;
}

// Speed and time left are those of what the run itself does.
Test(compact_export, what_is_finished_is_no_part_of_the_run)
{
    char *dir;
    struct rules *rules = solve_small(&dir);
    struct told whole = export_told(rules, dir, "whole.mce");
    cr_assert_str_empty(whole.note);
    stop_with_some(rules, dir);
    struct told rest = export_told(rules, dir, "game.mce");
    cr_assert(rest.last.total > 0 && rest.last.total < whole.last.total);
    size_t n_there = 0, n_all = 0;
    cr_assert_eq(sscanf(rest.note, "goes on: %zu of %zu subspaces", &n_there, &n_all), 2, "%s",
                 rest.note);
    cr_assert_eq(n_all, whole.last.n_pieces);
    cr_assert(n_there > 0 && n_there + rest.last.n_pieces == n_all);
    cr_assert(same_bytes(dir, "game.mce", "whole.mce"));
    remove_dir(dir);
    free(rules);
}

static void flip(const char *dir, const char *name, size_t at)
{
    size_t n;
    uint8_t *bytes = load_bytes(dir, name, &n);
    cr_assert_lt(at, n);
    bytes[at] ^= 1;
    OK(merels_file_replace(dir, name, bytes, n, &test_error));
    free(bytes);
}

Test(compact_export, believes_nothing_that_is_damaged)
{
    char *dir;
    struct rules *rules = solve_small(&dir);
    stop_with_some(rules, dir);
    size_t n;
    free(load_bytes(dir, "game.mce.progress", &n));
    flip(dir, "game.mce.progress", n / 2);
    cr_assert_eq(export_some(rules, dir, 1), STATUS_INTERRUPTED);
    cr_assert_eq(n_kept(), 0);

    stop_with_some(rules, dir);
    free(load_bytes(dir, "game.mce.part", &n));
    for (size_t at = n / 2; at < n; at += n / 8 + 1) // in what is finished, and behind it
        flip(dir, "game.mce.part", at);
    cr_assert_eq(export_some(rules, dir, 1), STATUS_INTERRUPTED);
    cr_assert_eq(n_kept(), 0);
    stop_with_some(rules, dir);
    flip(dir, "game.mce.part", n / 2);
    finish(rules, dir);
    remove_dir(dir);
    free(rules);
}

Test(compact_export, other_plies_begin_anew)
{
    char *dir;
    struct rules *rules = solve_small(&dir);
    struct compact_result result;
    stop_with_some(rules, dir);
    OK(export_with(rules, dir, "game.mce", 1, 2, &result));
    OK(export_with(rules, dir, "whole.mce", 1, 2, &result));
    cr_assert(same_bytes(dir, "game.mce", "whole.mce"));
    remove_dir(dir);
    free(rules);
}
