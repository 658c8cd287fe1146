// test_whole_game.c: the questions from the empty board on, with all tables of a small game.

#include "query/ranking.h"
#include "tests/query/feed.h"

enum { N_GAMES = 40, GAME_PLIES = 40 };

static struct rules rules;
static struct start start;
static struct ranking ranking;
static uint64_t random_state = 31;

static int random_below(int n)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)n);
}

static char *solved_small_game(struct tablebase **base)
{
    struct error err;
    char *dir = make_dir();
    struct run run = RUN("solve", "four", "--db", dir, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    cr_assert_eq(merels_rules_parse("four", &rules, &start, &err), STATUS_OK);
    cr_assert_eq(merels_tablebase_open(dir, &rules, 16 << 20, base, &err), STATUS_OK);
    return dir;
}

static void rank(struct tablebase *base, const struct position *pos)
{
    struct error err;
    char text[POSITION_TEXT_BYTES];
    merels_position_format(&rules, pos, text);
    cr_assert_eq(merels_rank_plies(base, &rules, pos, &ranking, &err), STATUS_OK, "%s: %s",
                 text, err.text);
}

// A ply with a removal in two steps: the value in the middle of the turn is that of the best of
// its removals, which is the value of the best ply with this step.
static void check_middle(struct tablebase *base, const struct position *pos,
                         const struct ranked_ply *entry)
{
    static struct ranking whole;
    struct ranked_ply best = *entry;
    struct position middle = merels_step(&rules, pos, entry->ply.from, entry->ply.to);
    memcpy(&whole, &ranking, sizeof whole);
    for (int i = 0; i < whole.n_plies; i++)
        if (whole.plies[i].ply.from == entry->ply.from &&
            whole.plies[i].ply.to == entry->ply.to) {
            best = whole.plies[i];
            break;
        }
    rank(base, &middle);
    cr_assert_eq(ranking.answer.value, best.value);
    cr_assert_eq(ranking.answer.plies, best.plies);
    cr_assert_eq(ranking.plies[0].plies, best.plies);
    memcpy(&ranking, &whole, sizeof whole);
}

// Walks through the phases by random plies; wherever there are plies, all are ranked.
static void play_game(struct tablebase *base)
{
    struct position pos = merels_position_start(&start);
    for (int n = 0; n < GAME_PLIES; n++) {
        rank(base, &pos);
        cr_assert_eq(ranking.n_plies, merels_count_plies(&rules, &pos));
        if (ranking.n_plies == 0)
            return;
        struct ranked_ply entry = ranking.plies[random_below(ranking.n_plies)];
        if (entry.ply.n_removed > 0)
            check_middle(base, &pos, &entry);
        pos = merels_play(&rules, &pos, entry.ply);
    }
}

static void check_program(char *dir)
{
    struct run run = RUN("probe", "four", "--db", dir, "startpos");
    assert_quiet(run);
    EXPECT_HAS(run.out, "In hand: White 4, Black 4. White to move.\nDraw: ");
    run = RUN("line", "four", "--db", dir, "--plies", "12", "startpos");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\n  12. Black  ");
    run = RUN("analyse", "four", "--db", dir, "startpos moves a5 c3 c5 b4 e5xb4");
    cr_expect_eq(run.exit_status, 1, "%s", run.out);
    EXPECT_HAS(run.err, "ply 2, column 19, 'c3': no such point");
    run = RUN("analyse", "four", "--db", dir, "startpos moves a5 b2 c5 b4 e5xb4");
    assert_quiet(run);
    EXPECT_HAS(run.out, "   4. Black  b4            Black loses in ");
    EXPECT_HAS(run.out, "  ?? throws away the win; kept by e5 (wins in 17 plies)\n");
    run = FEED("a5\nb4\nc4\ngame\n", "play", "four", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nBlack plays ");
    EXPECT_HAS(run.out, "\nstartpos moves a5 ");
}

Test(whole_game, from_the_empty_board, .timeout = 120)
{
    struct tablebase *base;
    char *dir = solved_small_game(&base);
    for (int i = 0; i < N_GAMES; i++)
        play_game(base);
    check_program(dir);
    merels_tablebase_close(base);
    remove_dir(dir);
}
