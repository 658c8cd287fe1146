// match_main.c: matches of the perfect player on tables of the whole game.
//
//     merels_match RULES DIR FROM_START OPENINGS [SEED [MAX_DEPTH]]
//
// Plays FROM_START games from the empty board and one from each of OPENINGS drawn positions (4
// to 8 plies from it), both sides in turn, with each order of drawing plies against each
// opponent that searches at most MAX_DEPTH plies, and prints wins, draws and losses. The exit
// status is 1 if a game was lost.

#include <stdio.h>
#include <stdlib.h>

#include "tests/match/matches.h"

static struct rules rules;

static void play(struct match *match, int n_start, int n_openings, uint64_t seed,
                 enum draw_order order, const struct opponent *opponent, struct score score[2])
{
    match->random = seed;
    for (int i = 0; i < n_start + n_openings; i++) {
        struct position first = merels_position_start(&match->start);
        bool opens = i >= n_start;
        match->random = seed + 7919 * (uint64_t)i; // equal openings for all
        if (opens && !match_opening(match, 4 + i % 5, &first))
            exit(2);
        if (!match_game(match, &first, i % 2 == 0, order, opponent, &score[opens]))
            exit(2);
    }
}

int main(int argc, char **argv)
{
    struct error err;
    struct match match = {.rules = &rules, .n_look_ups = DRAW_LOOK_UPS};
    if (argc < 5) {
        fprintf(stderr,
                "usage: merels_match RULES DIR FROM_START OPENINGS [SEED [MAX_DEPTH]]\n");
        return 2;
    }
    uint64_t seed = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
    int max_depth = argc > 6 ? atoi(argv[6]) : 6, n_lost = 0;
    if (merels_rules_parse(argv[1], &rules, &match.start, &err) != STATUS_OK ||
        merels_tablebase_open(argv[2], &rules, (size_t)256 << 20, &match.base, &err) !=
            STATUS_OK) {
        fprintf(stderr, "%s\n", err.text);
        return 2;
    }
    printf("opponent\torder\tfrom\twins\tdraws\tlosses\n");
    for (int o = 0; o < N_OPPONENTS; o++)
        for (int k = 0; k < N_ORDERS && all_opponents[o].depth <= max_depth; k++) {
            static const char *const from[] = {"start", "openings"};
            struct score score[2] = {{0, 0, 0}, {0, 0, 0}};
            play(&match, atoi(argv[3]), atoi(argv[4]), seed, (enum draw_order)k,
                 &all_opponents[o], score);
            for (int i = 0; i < 2; i++) {
                printf("%s\t%s\t%s\t%d\t%d\t%d\n", all_opponents[o].name, order_names[k],
                       from[i], score[i].wins, score[i].draws, score[i].losses);
                n_lost += score[i].losses;
            }
            fflush(stdout);
        }
    merels_tablebase_close(match.base);
    return n_lost > 0;
}
