// words.h: the text of a game taken apart: points and the signs between them, whatever the
// dialect that it is written in.
//
//     1. d6 {good} f4!  2. d6-d7xb4   ->   POINT d6, POINT f4, POINT d6, TO, POINT d7, TAKE,
//                                          POINT b4, END
//
// Skipped are numbers of plies, comments in braces and behind semicolons, lines that begin with
// # or %, variations in round brackets, marks (! ? $3), commas, and the words of a ply said in
// words ("Place to"). How points are written is found out once, from the whole text.

#ifndef MERELS_GAME_WORDS_H
#define MERELS_GAME_WORDS_H

#include "game/board.h"
#include "game/signs.h"
#include "game/token.h"

enum piece_kind {
    PIECE_END,
    PIECE_POINT,
    PIECE_TO,     // - -> "to"
    PIECE_TAKE,   // x : "take"
    PIECE_PASS,   // "pass"
    PIECE_RESULT, // 1-0, *, ...
    PIECE_TAG,    // a tag begins here; it is not skipped
    PIECE_BAD,    // nothing that belongs in a game; `why` says what is wrong
};

struct piece {
    enum piece_kind kind;
    int point;
    struct token token; // where it stands, as it is written
    const char *why;
};

// How points are written.
enum point_form { POINTS_PLAIN, POINTS_REVERSED, POINTS_BY_NUMBER };

struct words {
    const struct board *board;
    struct signs signs;
    enum point_form form;
    bool inside;  // of a run of signs without spaces
    int number;   // of the ply that comes next, from 1: which bare number may stand there
    int n_points; // since the last piece that was none
};

// Begins at `signs` and finds out how the points of the rest are written.
struct words merels_words_begin(const struct board *board, struct signs signs);

// The next piece; at the end again and again PIECE_END.
struct piece merels_words_next(struct words *words);

// The piece that merels_words_next would give.
struct piece merels_words_peek(const struct words *words);

// Skips one thing that may stand between two pieces, such as a comment; false if there is none,
// with *why if one is not closed.
bool merels_words_between(struct words *words, const char **why);

// True if a text that begins like this run can only be a game: a ply, a number, a word of a
// ply, a result.
bool merels_words_begin_game(struct signs signs);

// True if the next run is a word of a ply said in words.
bool merels_words_begin_words(struct signs signs);

// True if the next run is `word` (in lower case), in either case; then goes on behind it.
bool merels_words_take(struct signs *signs, const char *word);

// A tag, [Name "value"], at PIECE_TAG: its value with what \ protects, cut off to the room.
enum { TAG_NAME_BYTES = 32, TAG_VALUE_BYTES = 1024 };

struct tag {
    char name[TAG_NAME_BYTES], value[TAG_VALUE_BYTES];
    struct token token;
};

// Reads a tag and goes on behind it; false if it is malformed.
bool merels_words_tag(struct words *words, struct tag *tag);

#endif
