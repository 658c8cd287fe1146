// test_ranking.c: the ranking of plies: against the successors one by one, by symmetry, with
// tables missing or damaged, from many threads, and on a small stack.

#include <pthread.h>

#include "query/ranking.h"
#include "tests/query/feed.h"

enum { N_POSITIONS = 600, N_TABLES = 6, N_THREADS = 32, STACK_BYTES = 128 << 10 };

static const struct subspace subspaces[N_TABLES] = {{3, 3, 0, 0}, {3, 4, 0, 0}, {4, 3, 0, 0},
                                                    {3, 5, 0, 0}, {5, 3, 0, 0}, {4, 4, 0, 0}};

static struct rules rules;
static struct ranking ranking, other_ranking;

static uint64_t random_state = 20;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % n;
}

static struct tablebase *open_base(const char *dir)
{
    struct error err;
    struct tablebase *base;
    cr_assert_eq(merels_rules_parse("nine", &rules, NULL, &err), STATUS_OK);
    cr_assert_eq(merels_tablebase_open(dir, &rules, 64 << 20, &base, &err), STATUS_OK, "%s",
                 err.text);
    return base;
}

static point_set random_set(int n, point_set taken)
{
    point_set set = 0;
    while (bit_count(set) < n)
        set |= ((point_set)1 << random_below(24)) & ~taken;
    return set;
}

// A position of one of the subspaces; now and then in the middle of a turn.
static struct position random_position(struct subspace s)
{
    struct position pos = {.own = random_set(s.a, 0), .mover = (uint8_t)random_below(2)};
    pos.other = random_set(s.b, pos.own);
    pos.due = merels_board_mill_men(&rules.board, pos.own) != 0 && s.b > 3 && random_below(2);
    return pos;
}

static enum status rank(struct tablebase *base, const struct position *pos,
                        struct ranking *result, struct error *err)
{
    return merels_rank_plies(base, &rules, pos, result, err);
}

static void rank_ok(struct tablebase *base, const struct position *pos, struct ranking *result)
{
    struct error err;
    cr_assert_eq(rank(base, pos, result, &err), STATUS_OK, "%s", err.text);
}

// ---- values and order ----------------------------------------------------------------------

// Order written down once more, as a number: larger is better for the mover.
static int worth(const struct ranked_ply *entry)
{
    if (entry->value == VALUE_WIN)
        return 2000 - entry->plies;
    return entry->value == VALUE_LOSS ? entry->plies - 2000 : 0;
}

static void check_entry(struct tablebase *base, const struct position *pos,
                        const struct ranked_ply *entry)
{
    struct error err;
    struct answer theirs;
    struct ply read;
    struct position after = merels_play(&rules, pos, entry->ply);
    cr_assert_eq(merels_tablebase_probe(base, &after, &theirs, &err), STATUS_OK);
    cr_assert_eq((int)entry->value, -(int)theirs.value, "%s: a sign slipped", entry->text);
    cr_assert_eq(entry->plies, theirs.plies < 0 ? -1 : theirs.plies + 1, "%s", entry->text);
    cr_assert_eq(merels_ply_parse(&rules, pos, entry->text, &read, &err), STATUS_OK, "%s",
                 err.text);
    cr_assert_eq(entry->value == VALUE_WIN, entry->plies % 2 == 1 && entry->plies > 0);
}

static void check_order(void)
{
    for (int i = 1; i < ranking.n_plies; i++) {
        const struct ranked_ply *x = &ranking.plies[i - 1], *y = &ranking.plies[i];
        cr_assert(worth(x) > worth(y) || (worth(x) == worth(y) && strcmp(x->text, y->text) < 0),
                  "%s before %s", x->text, y->text);
    }
}

static void check_position(struct tablebase *base, const struct position *pos)
{
    struct error err;
    struct answer own;
    rank_ok(base, pos, &ranking);
    cr_assert_eq(ranking.n_plies, merels_count_plies(&rules, pos));
    for (int i = 0; i < ranking.n_plies; i++)
        check_entry(base, pos, &ranking.plies[i]);
    check_order();
    cr_assert_eq(merels_tablebase_probe(base, pos, &own, &err), STATUS_OK);
    cr_assert_eq(ranking.answer.value, own.value);
    cr_assert_eq(ranking.answer.plies, own.plies);
    if (ranking.n_plies > 0)
        cr_assert_eq(ranking.plies[0].plies, own.plies);
}

static bool same_rankings(const struct ranking *x, const struct ranking *y, bool texts)
{
    bool same = x->n_plies == y->n_plies && x->answer.value == y->answer.value &&
                x->answer.plies == y->answer.plies;
    for (int i = 0; same && i < x->n_plies; i++)
        same = x->plies[i].value == y->plies[i].value &&
               x->plies[i].plies == y->plies[i].plies &&
               (!texts || strcmp(x->plies[i].text, y->plies[i].text) == 0);
    return same;
}

// The same position seen through every symmetry has the same values in the same order; with the
// colours swapped the texts too.
static void check_images(struct tablebase *base, struct position pos)
{
    rank_ok(base, &pos, &ranking);
    for (int s = 0; s < rules.board.n_symmetries; s++) {
        struct position image = pos;
        image.own = board_image(&rules.board, s, pos.own);
        image.other = board_image(&rules.board, s, pos.other);
        rank_ok(base, &image, &other_ranking);
        cr_assert(same_rankings(&ranking, &other_ranking, false), "symmetry %d", s);
    }
    pos.mover = !pos.mover;
    rank_ok(base, &pos, &other_ranking);
    cr_assert(same_rankings(&ranking, &other_ranking, true), "colours swapped");
}

Test(ranking, plies_against_their_successors, .timeout = 240)
{
    char *dir = solved_dir("8");
    struct tablebase *base = open_base(dir);
    for (int i = 0; i < N_POSITIONS; i++) {
        struct position pos = random_position(subspaces[i % N_TABLES]);
        check_position(base, &pos);
        if (i % 10 == 0)
            check_images(base, pos);
    }
    merels_tablebase_close(base);
    remove_dir(dir);
}

// ---- replies -------------------------------------------------------------------------------

static void check_replies(struct tablebase *base, const struct position *pos)
{
    int first, n;
    struct error err;
    rank_ok(base, pos, &ranking);
    n = merels_rank_draws(&ranking, &first);
    for (int i = 0; i < ranking.n_plies; i++)
        cr_assert_eq(ranking.plies[i].value == VALUE_DRAW, i >= first && i < first + n);
    for (int i = first; i < first + n; i++) {
        struct replies replies;
        struct position after = merels_play(&rules, pos, ranking.plies[i].ply);
        cr_assert_eq(merels_count_replies(base, &rules, pos, ranking.plies[i].ply, ranking.list,
                                          &replies, &err),
                     STATUS_OK, "%s", err.text);
        rank_ok(base, &after, &other_ranking);
        int unused, n_draws = merels_rank_draws(&other_ranking, &unused);
        cr_assert_eq(replies.n, other_ranking.n_plies);
        cr_assert_eq(replies.hold, n_draws);
    }
}

Test(ranking, replies_that_hold_a_draw, .timeout = 240)
{
    char *dir = solved_dir("8");
    struct tablebase *base = open_base(dir);
    for (int i = 0; i < 60; i++) {
        struct position pos = random_position(subspaces[i % N_TABLES]);
        check_replies(base, &pos);
    }
    merels_tablebase_close(base);
    remove_dir(dir);
}

// ---- some tables only ----------------------------------------------------------------------

// A directory with the tables whose bits are set, and the manifest of all if with_manifest.
static char *subset_dir(const char *full, unsigned subset, bool with_manifest)
{
    char *dir = make_dir(), from[128], to[128], name[SUBSPACE_NAME_BYTES];
    for (int i = 0; i < N_TABLES; i++) {
        merels_subspace_name(subspaces[i], name);
        snprintf(from, sizeof from, "%s/%s.mtb", full, name);
        snprintf(to, sizeof to, "%s/%s.mtb", dir, name);
        if (subset >> i & 1)
            cr_assert_eq(symlink(from, to), 0);
    }
    snprintf(from, sizeof from, "%s/MANIFEST", full);
    snprintf(to, sizeof to, "%s/MANIFEST", dir);
    if (with_manifest)
        cr_assert_eq(symlink(from, to), 0);
    return dir;
}

// True if the message names a table that is missing.
static bool names_missing(const char *text, unsigned subset)
{
    char name[SUBSPACE_NAME_BYTES], part[32];
    for (int i = 0; i < N_TABLES; i++) {
        merels_subspace_name(subspaces[i], name);
        snprintf(part, sizeof part, "subspace %s", name);
        if (!(subset >> i & 1) && strstr(text, part))
            return true;
    }
    return false;
}

// What comes first is known to be as good as the position, or is not known while no known ply
// is; the unknown ones stand together.
static void check_first(const struct ranking *known, int n_known)
{
    const struct ranked_ply *first = &known->plies[0];
    int n_changes = 0;
    for (int i = 1; i < known->n_plies; i++)
        n_changes += known->plies[i].known != known->plies[i - 1].known;
    cr_assert_leq(n_changes, 1);
    if (known->n_plies == 0)
        return;
    if (first->known) {
        cr_assert_eq(first->value, known->answer.value);
        cr_assert_eq(first->plies, known->answer.plies);
        return;
    }
    for (int i = known->n_plies - n_known; i < known->n_plies; i++)
        cr_assert(known->plies[i].value < known->answer.value ||
                  known->plies[i].plies != known->answer.plies);
}

// What is known of a position is the part of the whole ranking whose tables are there.
static void check_known(struct tablebase *some, const struct position *pos,
                        const struct ranking *whole, unsigned subset)
{
    static struct ranking known;
    struct error err;
    struct answer answer;
    bool own = pos->due > 0 || merels_tablebase_probe(some, pos, &answer, &err) == STATUS_OK;
    enum status status = merels_rank_known_plies(some, &rules, pos, &known, &err);
    if (status != STATUS_OK) {
        cr_assert(status == STATUS_NOT_COVERED && names_missing(err.text, subset));
        cr_assert(!own || pos->due > 0);
        return;
    }
    cr_assert(own && known.n_plies == whole->n_plies);
    cr_assert_eq(known.answer.value, whole->answer.value);
    cr_assert_eq(known.answer.plies, whole->answer.plies);
    int n_known = 0, first = 0;
    while (first < known.n_plies && !known.plies[first].known)
        first++;
    int begin = first == known.n_plies ? 0 : first;
    for (int i = 0; i < whole->n_plies; i++) {
        struct position after = merels_play(&rules, pos, whole->plies[i].ply);
        if (merels_tablebase_probe(some, &after, &answer, &err) != STATUS_OK)
            continue;
        const struct ranked_ply *x = &known.plies[begin + n_known++], *y = &whole->plies[i];
        cr_assert(x->value == y->value && x->plies == y->plies &&
                  strcmp(x->text, y->text) == 0);
    }
    cr_assert_eq(known.n_ranked, n_known);
    cr_assert(n_known == known.n_plies || names_missing(known.lacking.text, subset));
    for (int i = 1; i < known.n_plies; i++)
        if (!known.plies[i - 1].known && !known.plies[i].known)
            cr_assert_lt(strcmp(known.plies[i - 1].text, known.plies[i].text), 0);
    check_first(&known, n_known);
}

static int count_answers(struct tablebase *full, struct tablebase *some, unsigned subset)
{
    int n_answers = 0;
    for (int i = 0; i < 60; i++) {
        struct error err;
        struct position pos = random_position(subspaces[i % N_TABLES]);
        rank_ok(full, &pos, &other_ranking);
        enum status status = rank(some, &pos, &ranking, &err);
        check_known(some, &pos, &other_ranking, subset);
        n_answers += status == STATUS_OK;
        if (status == STATUS_OK)
            cr_assert(same_rankings(&ranking, &other_ranking, true));
        else
            cr_assert(status == STATUS_NOT_COVERED && names_missing(err.text, subset), "%s",
                      err.text);
    }
    return n_answers;
}

Test(ranking, with_some_tables_an_answer_is_whole_or_not_covered, .timeout = 240)
{
    char *dir = solved_dir("8");
    struct tablebase *full = open_base(dir);
    for (unsigned subset = 0; subset < 1u << N_TABLES; subset++) {
        char *some_dir = subset_dir(dir, subset, subset % 2 == 0);
        struct tablebase *some = open_base(some_dir);
        int n = count_answers(full, some, subset);
        cr_expect(subset != 0 || n < 60);
        cr_expect(subset != (1u << N_TABLES) - 1 || n == 60, "all tables, %d answers", n);
        merels_tablebase_close(some);
        remove_dir(some_dir);
    }
    merels_tablebase_close(full);
    remove_dir(dir);
}

// ---- a damaged table -----------------------------------------------------------------------

// Copies one table of `full` into `dir` with a byte of its header or of its middle changed.
static void damage_copy(const char *full, const char *dir, const char *name, bool header)
{
    char path[128];
    static char bytes[1 << 20];
    snprintf(path, sizeof path, "%s/%s.mtb", full, name);
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    bytes[header ? 20 : n / 2] ^= 0x10;
    snprintf(path, sizeof path, "%s/%s.mtb", dir, name);
    file = fopen(path, "wb");
    cr_assert_eq(fwrite(bytes, 1, n, file), n);
    fclose(file);
}

Test(ranking, a_damaged_table_gives_no_value_and_stops_no_other, .timeout = 240)
{
    int n_ok = 0, n_corrupt = 0;
    char *dir = solved_dir("8");
    char *bad_dir = subset_dir(dir, 0x3F & ~(1u << 2), true); // all but 4-3
    damage_copy(dir, bad_dir, "4-3", false);
    struct tablebase *full = open_base(dir), *bad = open_base(bad_dir);
    for (int i = 0; i < N_POSITIONS; i++) {
        struct error err;
        struct position pos = random_position(subspaces[i % N_TABLES]);
        rank_ok(full, &pos, &other_ranking);
        enum status status = rank(bad, &pos, &ranking, &err);
        n_ok += status == STATUS_OK;
        n_corrupt += status == STATUS_CORRUPT;
        if (status == STATUS_OK)
            cr_assert(same_rankings(&ranking, &other_ranking, true));
        else
            cr_assert(status == STATUS_CORRUPT && strstr(err.text, "4-3.mtb"), "%s", err.text);
        cr_assert(i % N_TABLES != 0 || status == STATUS_OK, "3-3 does not need 4-3");
    }
    cr_expect(n_ok > N_POSITIONS / 6 && n_corrupt > 0, "%d and %d", n_ok, n_corrupt);
    merels_tablebase_close(full);
    merels_tablebase_close(bad);
    remove_dir(dir);
    remove_dir(bad_dir);
}

// ---- threads and stacks --------------------------------------------------------------------

struct task {
    struct tablebase *base;
    struct position pos;
    struct ranking *ranking;
    enum status expected;
    bool passed;
};

static void *do_task(void *context)
{
    struct error err;
    struct replies replies;
    struct task *task = context;
    task->passed = rank(task->base, &task->pos, task->ranking, &err) == task->expected;
    if (task->passed && task->expected == STATUS_OK)
        task->passed =
            merels_count_replies(task->base, &rules, &task->pos, task->ranking->plies[0].ply,
                                 task->ranking->list, &replies, &err) == STATUS_OK;
    return NULL;
}

// Asks one question from many threads at once, each with a small stack.
static void ask_from_threads(struct tablebase *base, struct position pos, enum status expected)
{
    pthread_attr_t attributes;
    pthread_t threads[N_THREADS];
    static struct task tasks[N_THREADS];
    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, STACK_BYTES), 0);
    for (int i = 0; i < N_THREADS; i++) {
        tasks[i] = (struct task){base, pos, malloc(sizeof(struct ranking)), expected, false};
        cr_assert_eq(pthread_create(&threads[i], &attributes, do_task, &tasks[i]), 0);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(tasks[i].passed);
        if (expected == STATUS_OK)
            cr_expect(same_rankings(tasks[i].ranking, tasks[0].ranking, true));
    }
    for (int i = 0; i < N_THREADS; i++)
        free(tasks[i].ranking);
    pthread_attr_destroy(&attributes);
}

Test(ranking, many_threads_with_small_stacks, .timeout = 240)
{
    char *dir = solved_dir("8");
    char *missing_dir = subset_dir(dir, 0, false), *bad_dir = subset_dir(dir, 0, false);
    damage_copy(dir, bad_dir, "4-4", true);
    struct tablebase *base = open_base(dir), *missing = open_base(missing_dir);
    struct tablebase *bad = open_base(bad_dir);
    struct position pos;
    do
        pos = random_position(subspaces[5]);
    while (pos.due != 0);
    ask_from_threads(base, pos, STATUS_OK);
    ask_from_threads(missing, pos, STATUS_NOT_COVERED);
    ask_from_threads(bad, pos, STATUS_CORRUPT);
    merels_tablebase_close(base);
    merels_tablebase_close(missing);
    merels_tablebase_close(bad);
    remove_dir(dir);
    remove_dir(missing_dir);
    remove_dir(bad_dir);
}
