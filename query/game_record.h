// game_record.h: a game as a list of turns: read from text, played on, taken back, written.
//
// Invariant: position i is position i-1 after turn i, all legal; only the last turn may lack
// removals (its position then has removals due and the same side moves).

#ifndef MERELS_QUERY_GAME_RECORD_H
#define MERELS_QUERY_GAME_RECORD_H

#include "game/notation.h"

enum { MAX_GAME_PLIES = 20000 }; // longer ones are refused

struct game_turn {
    struct ply ply;
    struct position after;
};

struct game_record {
    const struct rules *rules;
    const struct start *start;
    struct position first;
    struct game_turn *turns;
    size_t n_turns, room;
    bool is_game;            // read from the text of a game, not of a position alone
    enum game_result result; // as its text says
    struct error note; // what is odd in the text and read all the same; STATUS_OK if nothing
};

// A game that has not begun. `rules` and `start` must outlive it; free with
// merels_game_record_free.
struct game_record merels_game_record_begin(const struct rules *rules,
                                            const struct start *start,
                                            const struct position *first);
void merels_game_record_free(struct game_record *record);

// Reads any text: of a game, or a position, which begins a game; `line` as in
// merels_game_begin. On failure nothing is to be freed. STATUS_BAD_INPUT (also if a tag says
// that the game is of other rules), STATUS_ILLEGAL, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_game_record_read(const struct rules *rules,
                                                   const struct start *start, const char *text,
                                                   int line, struct game_record *record,
                                                   struct error *err);

// The same for a game that may be broken: fails only if it does not begin, and reads up to the
// first fault, which *fault then is (else its status is STATUS_OK).
MERELS_CHECKED enum status merels_game_record_read_good(const struct rules *rules,
                                                        const struct start *start,
                                                        const char *text, int line,
                                                        struct game_record *record,
                                                        struct error *fault, struct error *err);

// True if the last ply placed a man and lacks a removal (see merels_position_format_fen).
bool merels_game_record_placed(const struct game_record *record);

// True if the game begins where its rules begin.
bool merels_game_record_at_start(const struct game_record *record);

// Plays one or more turns, or parts of a turn, as written in a game text; all or nothing.
MERELS_CHECKED enum status merels_game_record_play(struct game_record *record, const char *text,
                                                   struct error *err);

// Plays a legal ply of the last position. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_game_record_add(struct game_record *record, struct ply ply,
                                                  struct error *err);

// Takes the last turn back, or the unfinished one; false if there is none.
bool merels_game_record_back(struct game_record *record);

// The position now, and before turn i (0 <= i < n_turns).
const struct position *merels_game_record_position(const struct game_record *record);
const struct position *merels_game_record_before(const struct game_record *record, size_t i);

// The last ply, or NULL at the beginning.
const struct ply *merels_game_record_last(const struct game_record *record);

// True if two positions are the same one, the side to move included.
bool merels_game_record_same(const struct position *x, const struct position *y);

// How often the position now has been in the game, this time included (removals due: 1).
int merels_game_record_times(const struct game_record *record);

// The text of the game: "startpos moves ..." or "<position> moves ..."; the caller frees it.
MERELS_CHECKED enum status merels_game_record_text(const struct game_record *record,
                                                   char **text, struct error *err);

#endif
