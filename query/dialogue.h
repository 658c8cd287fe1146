// dialogue.h: a game between a person and the perfect player, driven by lines of text.

#ifndef MERELS_QUERY_DIALOGUE_H
#define MERELS_QUERY_DIALOGUE_H

#include "query/command.h"

struct dialogue {
    struct context *context; // its game is the one that is played
    bool person[2];          // by enum colour: who enters plies
    bool unicode;
    bool claimed;  // a draw: the game is over
    bool helpless; // the tables do not cover the position: a person enters this ply
    bool quit;
};

// The side that chooses next: the mover, or who picks the men that it takes.
enum colour merels_dialogue_side(const struct dialogue *dialogue);

// Takes one line: a command or a ply. Whatever is wrong with it is explained on context->out.
void merels_dialogue_take(struct dialogue *dialogue, const char *line);

// Prints the board, and who won if the game is over, or that a draw may be claimed.
void merels_dialogue_show(const struct dialogue *dialogue);

// True if the perfect player is to move and can.
bool merels_dialogue_is_waiting(const struct dialogue *dialogue);

// Lets the perfect player play one ply, or claim a draw by repetition if it does not win;
// without an answer it says why and becomes helpless.
void merels_dialogue_play(struct dialogue *dialogue);

// Sets the sides of the person from "white", "black", "both" or "none"; false if it is another
// word.
bool merels_dialogue_set_side(struct dialogue *dialogue, const char *side);

#endif
