// move_numbers.h: the numbers in front of the plies of a game, held against the plies.
//
// Numbers say nothing that the plies do not say, so that wrong ones are told and the game is
// read; but three dots in front of the first ply, where White begins, mean another game.

#ifndef MERELS_QUERY_MOVE_NUMBERS_H
#define MERELS_QUERY_MOVE_NUMBERS_H

#include "game/notation.h"

// Begin with {.black = whether Black has the first ply}.
struct move_numbers {
    bool black;
    bool by_plies;      // each ply has a number of its own, and not each pair of them
    int n_seen, n_bad;  // numbers
    int base, ply;      // what the first ply has by the last number, and where that stood
    struct error first; // of the wrong ones; STATUS_OK if there is none
};

// Looks at the numbers in front of ply i (from 0), which is the next one that `game` reads.
void merels_move_numbers_look(struct move_numbers *numbers, const struct game_reader *game,
                              int i);

// STATUS_BAD_INPUT if three dots say that Black has the first ply of a game that White begins.
MERELS_CHECKED enum status merels_move_numbers_begin(const struct rules *rules,
                                                     const struct start *start,
                                                     const struct game_reader *game,
                                                     struct error *err);

#endif
