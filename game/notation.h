// notation.h: positions, plies and games as text. docs/NOTATION.md describes the forms.
//
// Of positions: the short form, "w a7,d7,g4,b6 a1,d1,g1 0/0" (side, white men, black men,
// hands;
// "-" for no men, side "w!" or "b!2" when removals are due); the FEN of 17 fields, for boards
// of 24 points; the form of sides, "w:wa7,d7:ba1:3". A game begins with a position and plays
// on: "startpos moves d6 f4 a1-a4xd7", "1. d6 f4 2. d2", with tags, comments, and points
// written in other ways (game/words.h). A game may stand wherever a position is asked for: its
// last one.
//
// Every message about a text ends with an example of one that fits.

#ifndef MERELS_GAME_NOTATION_H
#define MERELS_GAME_NOTATION_H

#include <stddef.h>

#include "game/moves.h"
#include "game/words.h"

#define PASS_TEXT "pass" // the ply of a blocked mover, under `blocked passes`

enum { POSITION_TEXT_BYTES = 160, FEN_TEXT_BYTES = 96, PLY_TEXT_BYTES = 24 };

// Reads a position in any form and checks it (merels_position_check). `start` is where a game
// begins that names no position; NULL refuses such games. STATUS_BAD_INPUT (malformed, or
// contradicts itself) or STATUS_ILLEGAL (well formed, but breaks the rules); the text names the
// form tried, the offending token and its column in bytes (from 1). *pos is written only on
// STATUS_OK.
MERELS_CHECKED enum status merels_position_parse(const struct rules *rules,
                                                 const struct start *start, const char *text,
                                                 struct position *pos, struct error *err);

// Writes the short form and returns its length.
size_t merels_position_format(const struct rules *rules, const struct position *pos,
                              char out[POSITION_TEXT_BYTES]);

// Writes the FEN. What a position does not hold (last mills, counters) is as at the start; its
// phase is p in the middle of a turn if men are in hand, or if `placed` says that the mill was
// closed by placing the last one. STATUS_UNSUPPORTED on a board that does not have 24 points.
MERELS_CHECKED enum status merels_position_format_fen(const struct rules *rules,
                                                      const struct position *pos, bool placed,
                                                      char out[FEN_TEXT_BYTES],
                                                      struct error *err);

// ---- games, turn by turn -------------------------------------------------------------------

// What a game says about its end.
enum game_result { RESULT_NONE, RESULT_OPEN, RESULT_WHITE, RESULT_BLACK, RESULT_DRAW };

// A game text being read; the text must outlive it.
struct game_reader {
    struct words words;            // where the next turn begins
    struct position pos;           // after what was read
    int n_plies;                   // read so far
    enum game_result result;       // as the text says, once its end was read
    const char *form;              // the dialect, for messages
    bool names_lines, names_plies; // whether messages do
};

// True if the text is a game: begins with "startpos", a tag, a ply or a number, or has "moves"
// behind a position.
bool merels_game_is(const char *text);

// Reads the position that the game begins with, into reader->pos, and what stands in front of
// the plies. `line` is the number of the line in a file with which the text begins, 0 if it is
// no part of one. Fails as merels_position_parse does.
MERELS_CHECKED enum status merels_game_begin(const struct rules *rules,
                                             const struct start *start, const char *text,
                                             int line, struct game_reader *reader,
                                             struct error *err);

// A reader of the plies of `text`, which go on from a legal position.
struct game_reader merels_game_continue(const struct rules *rules, const struct position *pos,
                                        const char *text);

// Reads the next turn, removals included, and plays it on reader->pos. *read becomes false at
// the end of the game. Only the last turn of a text can be unfinished: then reader->pos has
// removals due. reader->pos may be in the middle of a turn before; *ply is then only the rest
// of it. On failure the reader stands where it was: what it has read is good.
MERELS_CHECKED enum status merels_game_next(const struct rules *rules,
                                            struct game_reader *reader, struct ply *ply,
                                            bool *read, struct error *err);

// The value of the tag `name` (in lower case) in front of a game, NULL if there is none;
// *tag is room for it.
const char *merels_game_tag(const char *text, const char *name, struct tag *tag);

// The label of a line of a list, ; id "club 7": NULL if there is none; room for it in *tag.
const char *merels_text_label(const char *text, struct tag *tag);

// ---- plies ---------------------------------------------------------------------------------

// Writes "d6", "a1-a4", "a1-a4xd7", "xd7", "pass" and returns its length.
size_t merels_ply_format(const struct rules *rules, struct ply ply, char out[PLY_TEXT_BYTES]);

// Reads one legal ply of `pos`, complete with its removals, in any order, glued or after
// spaces. STATUS_BAD_INPUT (not a ply), STATUS_ILLEGAL (not legal here; the text says why).
MERELS_CHECKED enum status merels_ply_parse(const struct rules *rules,
                                            const struct position *pos, const char *text,
                                            struct ply *ply, struct error *err);

#endif
