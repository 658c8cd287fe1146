// perft.c: the number of games of a given length.
//
// The last ply is counted, not played. Each level keeps its list of plies on the stack (36
// KiB).

#include "game/perft.h"

uint64_t merels_perft(const struct rules *rules, const struct position *pos, int depth)
{
    if (depth <= 0)
        return 1;
    if (depth == 1)
        return (uint64_t)merels_count_plies(rules, pos);
    struct ply plies[MAX_PLIES];
    int n_plies = merels_plies(rules, pos, plies);
    uint64_t n_games = 0;
    for (int i = 0; i < n_plies; i++) {
        struct position next = merels_play(rules, pos, plies[i]);
        n_games += merels_perft(rules, &next, depth - 1);
    }
    return n_games;
}
