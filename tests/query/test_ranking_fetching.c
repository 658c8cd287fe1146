// test_ranking_fetching.c: a ranking over a source that has to fetch takes as many rounds as
// one look-up: what all plies need is asked for together.

#include "db/directory_source.h"
#include "query/ranking.h"
#include "tests/query/feed.h"

enum { MAX_RANGES = 4096, N_POSITIONS = 100, MOST_ROUNDS = 3 };

struct range {
    char name[32];
    uint64_t offset, end;
};

// The files of a directory, of which only what was fetched is here.
struct far {
    const struct byte_source *files;
    struct range here[MAX_RANGES], wanted[MAX_RANGES];
    int n_here, n_wanted;
};

static struct far far;
static struct rules rules;
static struct ranking ranking, expected;

static enum status far_size(void *context, const char *name, uint64_t *n_bytes,
                            struct error *err)
{
    (void)context;
    return far.files->size(far.files->context, name, n_bytes, err);
}

static enum status far_read(void *context, const char *name, uint64_t offset, void *to,
                            size_t n_bytes, struct error *err)
{
    (void)context;
    for (int i = 0; i < far.n_here; i++)
        if (strcmp(far.here[i].name, name) == 0 && offset >= far.here[i].offset &&
            offset + n_bytes <= far.here[i].end)
            return far.files->read(far.files->context, name, offset, to, n_bytes, err);
    return merels_error(err, STATUS_NOT_YET, "%s: not here yet", name);
}

static void far_want(void *context, const char *name, const struct byte_range *ranges, size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++) {
        uint64_t end = ranges[i].offset + ranges[i].n_bytes;
        cr_assert_lt(far.n_wanted, MAX_RANGES);
        struct range *range = &far.wanted[far.n_wanted++];
        *range = (struct range){.offset = ranges[i].offset,
                                .end = ranges[i].n_bytes == TO_THE_END ? TO_THE_END : end};
        snprintf(range->name, sizeof range->name, "%s", name);
    }
}

static void fetch(void)
{
    for (int i = 0; i < far.n_wanted; i++) {
        cr_assert_lt(far.n_here, MAX_RANGES);
        far.here[far.n_here++] = far.wanted[i];
    }
    far.n_wanted = 0;
}

static int rank_in_rounds(struct tablebase *base, const struct position *pos)
{
    struct error err;
    enum status status;
    int n_rounds = 0;
    while ((status = merels_rank_known_plies(base, &rules, pos, &ranking, &err)) ==
           STATUS_NOT_YET) {
        fetch();
        n_rounds++;
    }
    cr_assert_eq(status, STATUS_OK, "%s", err.text);
    far.n_here = 0; // nothing stays but what the tablebase keeps
    return n_rounds;
}

static void check_same(struct tablebase *plain, const struct position *pos)
{
    struct error err;
    cr_assert_eq(merels_rank_known_plies(plain, &rules, pos, &expected, &err), STATUS_OK);
    cr_assert(ranking.n_plies == expected.n_plies && ranking.n_ranked == expected.n_ranked);
    cr_assert_eq(ranking.answer.plies, expected.answer.plies);
    for (int i = 0; i < ranking.n_plies; i++)
        cr_assert(strcmp(ranking.plies[i].text, expected.plies[i].text) == 0 &&
                  ranking.plies[i].value == expected.plies[i].value &&
                  ranking.plies[i].plies == expected.plies[i].plies);
}

Test(ranking, fetches_for_all_plies_at_once, .timeout = 240)
{
    struct error err;
    struct start start;
    struct directory *directory;
    struct tablebase *base, *plain;
    char *dir = make_dir();
    struct run run = RUN("solve", "five", "--db", dir, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    cr_assert_eq(merels_rules_parse("five", &rules, &start, &err), STATUS_OK);
    cr_assert_eq(merels_directory_create(dir, 4, &directory, &err), STATUS_OK);
    far.files = merels_directory_source(directory);
    const struct byte_source source = {
        .place = "far", .size = far_size, .read = far_read, .want = far_want};
    cr_assert_eq(merels_tablebase_open_source(&source, &rules, 0, &base, &err), STATUS_NOT_YET);
    fetch();
    cr_assert_eq(merels_tablebase_open_source(&source, &rules, 0, &base, &err), STATUS_OK);
    cr_assert_eq(merels_tablebase_open(dir, &rules, 1 << 20, &plain, &err), STATUS_OK);
    struct position pos = merels_position_start(&start);
    int n_cold = 0;
    for (int i = 0; i < N_POSITIONS; i++) {
        int n_rounds = rank_in_rounds(base, &pos);
        cr_assert_leq(n_rounds, MOST_ROUNDS, "%d rounds", n_rounds);
        n_cold += n_rounds == MOST_ROUNDS;
        check_same(plain, &pos);
        pos = ranking.n_plies == 0
                  ? merels_position_start(&start)
                  : merels_play(&rules, &pos, ranking.plies[7 * i % ranking.n_plies].ply);
    }
    cr_assert_gt(n_cold, 5);
    merels_tablebase_close(plain);
    merels_tablebase_close(base);
    merels_directory_destroy(directory);
    remove_dir(dir);
}
