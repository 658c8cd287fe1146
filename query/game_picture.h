// game_picture.h: a game as a picture: its value ply by ply, and where it was thrown away.

#ifndef MERELS_QUERY_GAME_PICTURE_H
#define MERELS_QUERY_GAME_PICTURE_H

#include "query/analysis.h"
#include "query/svg.h"

// A moment of a game: before a ply, or the end.
struct game_moment {
    bool known;
    int winner;  // 1 White, 0 nobody, -1 Black, with best play
    int plies;   // to the end; -1: not known, or a draw
    bool placed; // no man is in hand
    // The ply that follows; an empty text at the end.
    char text[PLY_TEXT_BYTES];
    enum colour side; // that made it, or picked the men
    bool mistake;
    bool win_thrown; // else a draw
};

// Zero-initialised: no game. Free with merels_game_picture_free.
struct game_picture {
    struct game_moment *moments; // n_plies, and the end behind them
    size_t n_plies, room;
    bool failed; // memory ran out
    const struct rules *rules;
};

void merels_game_picture_free(struct game_picture *picture); // it can be filled again

// Adds the next ply of the game.
void merels_game_picture_add(struct game_picture *picture, const struct verdict *verdict);

// Draws the game; `title` says whose it is. The caller writes and frees the picture.
struct svg merels_game_picture_draw(struct game_picture *picture, const char *title,
                                    const struct ending *ending);

#endif
