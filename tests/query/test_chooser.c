// test_chooser.c: the other side picks the men that are taken (chooser=opponent): in the
// ranking, against the naive solver, and in every command that shows or makes a choice.
//
//      .     .    C3      White to move, a man each in hand; c2 closes the mill on c1, c2, c3
//
//     b3, a2, a1 are Black's; Black picks which of them White takes: a2 wins for Black in 2
//     plies, b3 would win for White in 5, a1 in 7. White's a3 wins in 15 whatever Black does.

#include "query/draws.h"
#include "tests/query/feed.h"
#include "tests/reference/rules.h"

#define RULES "three,mill=removes,chooser=opponent,men=4"
#define P "w c3,b1,c1 b3,a2,a1 1/1"
#define P_DUE "w! c3,c2,b1,c1 b3,a2,a1 0/1"

static struct rules rules;
static struct ranking ranking;
static struct reference_rules reference;
static struct reference_solver *solver;
static struct tablebase *base;

static char *solve(void)
{
    char *dir = make_dir();
    struct run run = RUN("solve", RULES, "--db", dir, "--threads", "1");
    cr_assert_eq(run.exit_status, 0, "%s", run.err);
    return dir;
}

// ---- the ranking ---------------------------------------------------------------------------

// A result as a number: larger is better for the mover.
static int worth(enum value value, int plies)
{
    return value == VALUE_WIN ? 1000 - plies : value == VALUE_LOSS ? plies - 1000 : 0;
}

// What the naive solver says of the ply, seen by who plays it.
static int reference_worth(const struct position *pos, struct ply ply)
{
    char text[POSITION_TEXT_BYTES];
    int value;
    const struct position after = merels_play(&rules, pos, ply);
    merels_position_format(&rules, &after, text);
    const struct reference_position other = reference_position_read(&reference.board, text);
    if (!reference_over(&reference, &other, &value))
        value = reference_value(solver, &other);
    if (value == REFERENCE_DRAW)
        return 0;
    return value % 2 == 0 ? 1000 - (value + 1) : value + 1 - 1000;
}

// The worst of the plies that share a step.
static int reference_step(const struct position *pos, struct ply ply)
{
    int worst = 1000, n = merels_plies(&rules, pos, ranking.list);
    for (int i = 0; i < n; i++) {
        bool share = plies_share_step(&ranking.list[i], &ply);
        int one = share ? reference_worth(pos, ranking.list[i]) : worst;
        worst = one < worst ? one : worst;
    }
    return worst;
}

static void check_ranking(const struct position *pos, int *n_split)
{
    struct error err;
    cr_assert_eq(merels_rank_plies(base, &rules, pos, &ranking, &err), STATUS_OK, "%s",
                 err.text);
    for (int i = 0, end; i < ranking.n_plies; i = end) {
        const struct ranked_ply *first = &ranking.plies[i];
        int step = reference_step(pos, first->ply);
        end = merels_ranking_choice_end(&ranking, &rules, i);
        if (pos->due == 0)
            cr_assert_eq(worth(first->value, first->plies), step, "%s", first->text);
        cr_assert_eq(first->picked, i == 0 || pos->due == 0);
        for (int k = i; k < end; k++) {
            const struct ranked_ply *entry = &ranking.plies[k];
            int pick = worth(entry->pick_value, entry->pick_plies);
            cr_assert_eq(pick, reference_worth(pos, entry->ply), "%s", entry->text);
            cr_assert_eq(entry->value, first->value);
            cr_assert_eq(entry->picked, k == i && (pos->due == 0 || i == 0));
            *n_split += entry->pick_value != first->pick_value;
            if (k > i)
                cr_assert_leq(
                    worth(ranking.plies[k - 1].pick_value, ranking.plies[k - 1].pick_plies),
                    pick, "%s", entry->text);
        }
        if (i > 0 && pos->due == 0)
            cr_assert_geq(worth(ranking.plies[i - 1].value, ranking.plies[i - 1].plies),
                          worth(first->value, first->plies));
        else if (i > 0)
            cr_assert_leq(worth(ranking.plies[i - 1].value, ranking.plies[i - 1].plies),
                          worth(first->value, first->plies));
    }
    if (ranking.n_plies > 0)
        cr_assert_eq(worth(ranking.answer.value, ranking.answer.plies),
                     worth(ranking.plies[0].value, ranking.plies[0].plies));
}

// The same in the middle of every turn that closes a mill.
static void check_middles(const struct position *pos, int *n_split)
{
    struct ply plies[64];
    int n = merels_plies(&rules, pos, ranking.list);
    cr_assert_leq(n, 64);
    memcpy(plies, ranking.list, (size_t)n * sizeof *plies);
    for (int i = 0; i < n; i++) {
        if (plies[i].n_removed == 0 || (i > 0 && plies_share_step(&plies[i], &plies[i - 1])))
            continue;
        const struct position middle = merels_step(&rules, pos, plies[i].from, plies[i].to);
        cr_assert_eq(merels_side_to_choose(&rules, &middle), !pos->mover);
        check_ranking(&middle, n_split);
    }
}

// Every position with so many men on the board and in hand.
static void check_subspace(int a, int b, int ha, int hb, int *n_split)
{
    struct error err;
    for (point_set own = 0; own < 1u << 9; own++)
        for (point_set other = 0; other < 1u << 9; other++) {
            const struct position pos = {.own = own,
                                         .other = other,
                                         .own_hand = (uint8_t)ha,
                                         .other_hand = (uint8_t)hb,
                                         .mover = (uint8_t)(own % 2)};
            if (bit_count(own) != a || bit_count(other) != b || (own & other) != 0 ||
                merels_position_check(&rules, &pos, &err) != STATUS_OK)
                continue;
            check_ranking(&pos, n_split);
            check_middles(&pos, n_split);
        }
}

static void open_all(const char *dir)
{
    struct error err;
    cr_assert_eq(merels_rules_parse(RULES, &rules, NULL, &err), STATUS_OK);
    cr_assert_eq(merels_tablebase_open(dir, &rules, 64 << 20, &base, &err), STATUS_OK, "%s",
                 err.text);
    reference_rules_copy(&reference, &rules);
    solver = reference_solver_create(&reference);
    cr_assert(solver && reference_solve(solver, 0, 0, 4, 4));
}

Test(chooser, the_ranking_is_that_of_the_naive_solver, .timeout = 240)
{
    int n_split = 0;
    char *dir = solve();
    open_all(dir);
    check_subspace(4, 4, 0, 0, &n_split);
    check_subspace(3, 3, 1, 1, &n_split);
    check_subspace(3, 4, 1, 0, &n_split);
    check_subspace(3, 4, 0, 0, &n_split);
    cr_expect_gt(n_split, 1000, "%d picks that are not the best", n_split);
    reference_solver_destroy(solver);
    merels_tablebase_close(base);
    remove_dir(dir);
}

// ---- the commands --------------------------------------------------------------------------

static void check_probe(char *dir)
{
    struct run run = RUN("probe", RULES, "--db", dir, P);
    assert_quiet(run);
    EXPECT_HAS(run.out, "White wins in 15 plies.\n\n  a3  wins in 15 plies\n");
    EXPECT_HAS(run.out,
               "\n  c2  loses in 2 plies\n    Black picks:\n      xa2  loses in 2 plies\n"
               "      xa1  wins in 7 plies\n      xb3  wins in 5 plies\n");
    run = RUN("probe", RULES, "--db", dir, P_DUE);
    assert_quiet(run);
    EXPECT_HAS(run.out, "White has closed a mill and removes 1, picked by Black.\n"
                        "White loses in 2 plies, the one that closed the mill included.\n\n"
                        "Black picks (the values are White's):\n  xa2  loses in 2 plies\n"
                        "  xa1  wins in 7 plies\n  xb3  wins in 5 plies\n");
}

static void check_probe_json(char *dir)
{
    json_t *answer = ask_json(ARGV("probe", RULES, "--db", dir, "--json", P));
    json_t *moves = json_object_get(answer, "moves");
    cr_assert_eq(json_array_size(moves), 3);
    json_t *step = json_array_get(moves, 2), *picks = json_object_get(step, "picks");
    cr_expect_str_eq(text_of(step, "move"), "c2");
    cr_expect_str_eq(text_of(step, "value"), "loss");
    cr_expect_str_eq(text_of(step, "picked_by"), "black");
    cr_assert_eq(json_array_size(picks), 3);
    cr_expect_str_eq(text_of(json_array_get(picks, 0), "move"), "xa2");
    cr_expect_eq(number_of(json_array_get(picks, 1), "plies"), 7);
    cr_expect_str_eq(text_of(step, "after"), "w! c3,c2,b1,c1 b3,a2,a1 0/1");
    cr_expect_str_eq(text_of(json_array_get(picks, 0), "after"), "b c3,c2,b1,c1 b3,a1 0/1");
    cr_expect_eq(json_array_size(json_object_get(step, "removed")), 0);
    cr_expect_null(json_object_get(json_array_get(moves, 0), "picks"));
    json_decref(answer);
    answer = ask_json(ARGV("probe", RULES, "--db", dir, "--json", P_DUE));
    moves = json_object_get(answer, "moves");
    cr_expect_str_eq(text_of(answer, "picked_by"), "black");
    cr_expect_str_eq(text_of(answer, "value"), "loss");
    cr_expect_str_eq(text_of(json_array_get(moves, 0), "move"), "xa2");
    cr_expect_str_eq(text_of(json_array_get(moves, 2), "move"), "xb3");
    json_decref(answer);
}

// The person closes a mill: the program picks, also where the person names a man.
static void check_program_picks(char *dir)
{
    struct run run = FEED("c2\ngame\n", "play", RULES, "--db", dir, "--side", "white", P);
    assert_quiet(run);
    EXPECT_HAS(run.out, "A mill: Black picks which of its men is taken: xb3 xa2 xa1\n");
    EXPECT_HAS(run.out, "\nBlack picks xa2.\n");
    EXPECT_HAS(run.out, "moves c2xa2 ");
    run = FEED("c2xb3\ngame\nback\ngame\n", "play", RULES, "--db", dir, "--side", "white", P);
    assert_quiet(run);
    EXPECT_HAS(run.out, "Black picks which of its men is taken.\n");
    EXPECT_HAS(run.out, "moves c2xa2 ");
    EXPECT_HAS(run.out, "\n" P " moves\n");
}

// The program closes a mill: the person is asked which man it loses.
static void check_person_picks(char *dir)
{
    struct run run = FEED("hint\nvalues\nxb3\ngame\n", "play", RULES, "--db", dir, "--side",
                          "black", "w b1,c1 a3,b3,a2 1/1");
    assert_quiet(run);
    EXPECT_HAS(run.out, "\nWhite plays a1.\n");
    EXPECT_HAS(run.out, "White has closed a mill and removes 1, picked by Black.\n");
    EXPECT_HAS(run.out, "A mill: Black picks which of its men is taken: xa3 xb3 xa2\n");
    cr_expect_null(strstr(run.out, "plays a1x"));
    EXPECT_HAS(run.out, "  xa2  White loses in 2 plies\n  xa2  White loses in 2 plies\n"
                        "  xa3  White loses in 4 plies\n  xb3  White wins in 7 plies\n");
    EXPECT_HAS(run.out, "w b1,c1 a3,b3,a2 1/1 moves a1xb3\n");
}

static void check_both_pick(char *dir)
{
    struct run run =
        FEED("values\nhint\nc2xb3\ngame\n", "play", RULES, "--db", dir, "--side", "both", P);
    assert_quiet(run);
    EXPECT_HAS(run.out, "  c2xa2  White loses in 2 plies (Black's best pick)\n"
                        "  c2xa1  White wins in 7 plies (a pick of Black's)\n");
    EXPECT_HAS(run.out, P " moves c2xb3\n");
}

static void check_analyse(char *dir)
{
    struct run run = RUN("analyse", RULES, "--db", dir, P " moves c2xb3");
    assert_quiet(run);
    EXPECT_HAS(run.out, "White wins in 5 plies  ?? throws away the win; kept by a3 (wins in 15 "
                        "plies)  ?? Black's pick throws away the win; kept by xa2\n");
    EXPECT_HAS(run.out, "1 ply, 2 of them threw away a win or a draw.\nMistakes: White placing "
                        "1 of 1; Black picking 1 of 1.\n");
    run = RUN("analyse", RULES, "--db", dir, P " moves c2xa2");
    EXPECT_HAS(run.out, "White loses in 2 plies  ?? throws away the win; kept by a3 (wins in "
                        "15 plies)\n");
    EXPECT_HAS(run.out, "Mistakes: White placing 1 of 1; Black picking 0 of 1.\n");
    run = RUN("analyse", RULES, "--db", dir, P_DUE " moves xa1");
    EXPECT_HAS(run.out, "White wins in 7 plies  ?? Black's pick throws away the win; kept by "
                        "xa2\n");
    EXPECT_HAS(run.out, "Mistakes: White none; Black picking 1 of 1.\n");
}

static void check_analyse_json(char *dir)
{
    json_t *game = ask_json(ARGV("analyse", RULES, "--db", dir, "--json", P " moves c2xa1"));
    json_t *move = json_array_get(json_object_get(game, "moves"), 0);
    json_t *rows = json_object_get(game, "mistakes");
    cr_expect(json_is_true(json_object_get(move, "mistake")));
    cr_expect(json_is_true(json_object_get(move, "pick_mistake")));
    cr_expect_str_eq(text_of(move, "value"), "win");
    cr_expect_str_eq(text_of(move, "picked_by"), "black");
    cr_expect_str_eq(json_string_value(json_array_get(json_object_get(move, "kept_by"), 0)),
                     "a3");
    cr_assert_eq(json_array_size(json_object_get(move, "pick_kept_by")), 1);
    cr_expect_str_eq(
        json_string_value(json_array_get(json_object_get(move, "pick_kept_by"), 0)), "xa2");
    cr_expect_eq(json_array_size(rows), 8);
    cr_expect_str_eq(text_of(json_array_get(rows, 7), "phase"), "picking");
    cr_expect_eq(number_of(json_array_get(rows, 7), "wins_thrown"), 1);
    json_decref(game);
    struct run run = RUN("analyse", RULES, "--db", dir, "--tsv", P " moves c2xa1");
    EXPECT_HAS(run.out, "\tpicking\tblack\t1\t1\t1\t0\n");
}

static void check_line(char *dir)
{
    struct run run = RUN("line", RULES, "--db", dir, "w b1,c1 a3,b3,a2 1/1");
    assert_quiet(run);
    EXPECT_HAS(run.out, "   1. White  a1xa2         Black wins in 1 ply (Black picks)\n");
    run = RUN("line", RULES, "--db", dir, P_DUE);
    EXPECT_HAS(run.out, "   1. White  xa2           Black wins in 1 ply (Black picks)\n");
    json_t *line = ask_json(ARGV("line", RULES, "--db", dir, "--json", P_DUE));
    json_t *first = json_array_get(json_object_get(line, "line"), 0);
    cr_expect_str_eq(text_of(first, "picked_by"), "black");
    json_decref(line);
}

Test(chooser, every_command_lets_the_other_side_pick, .timeout = 240)
{
    char *dir = solve();
    check_probe(dir);
    check_probe_json(dir);
    check_program_picks(dir);
    check_person_picks(dir);
    check_both_pick(dir);
    check_analyse(dir);
    check_analyse_json(dir);
    check_line(dir);
    remove_dir(dir);
}

// ---- engine --------------------------------------------------------------------------------

// The engine as the side that closes a mill plays its step; asked in the middle of the turn it
// answers for the side that picks.
Test(chooser, the_engine_picks_for_the_side_that_loses_the_man, .timeout = 240)
{
    char *dir = solve();
    struct run run = FEED("position " P " moves c2\ngo movetime 10\n"
                          "position w b1,c1 a3,b3,a2 1/1\ngo movetime 10\n"
                          "analyze " P "\nquit\n",
                          "engine", RULES, "--protocol", "uci", "--db", dir);
    assert_quiet(run);
    EXPECT_HAS(run.out, "bestmove xa2\n");
    EXPECT_HAS(run.out, "bestmove a1\n");
    EXPECT_HAS(run.out, "c2=loss(80 in 2 steps)");
    remove_dir(dir);
}
