// game_record.h: a game as a list of turns: read from text, played on, taken back, written.
//
// Invariant: position i is position i-1 after turn i, all legal; only the last turn may lack
// removals (its position then has removals due and the same side moves).

#ifndef MERELS_QUERY_GAME_RECORD_H
#define MERELS_QUERY_GAME_RECORD_H

#include "game/notation.h"

struct record_turn {
    struct ply ply;
    struct position after;
};

struct record {
    const struct rules *rules;
    const struct start *start;
    struct position first;
    struct record_turn *turns;
    size_t n_turns, room;
};

// A game that has not begun. `rules` and `start` must outlive it; free with merels_record_free.
struct record merels_record_begin(const struct rules *rules, const struct start *start,
                                  const struct position *first);
void merels_record_free(struct record *record);

// Reads any text: of a game, or a position, which begins a game. On failure nothing is to be
// freed. STATUS_BAD_INPUT, STATUS_ILLEGAL, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_record_read(const struct rules *rules,
                                              const struct start *start, const char *text,
                                              struct record *record, struct error *err);

// Plays one or more turns, or parts of a turn, as written in a game text; all or nothing.
MERELS_CHECKED enum status merels_record_play(struct record *record, const char *text,
                                              struct error *err);

// Plays a legal ply of the last position. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_record_add(struct record *record, struct ply ply,
                                             struct error *err);

// Takes the last turn back, or the unfinished one; false if there is none.
bool merels_record_back(struct record *record);

// The position now, and before turn i (0 <= i < n_turns).
const struct position *merels_record_position(const struct record *record);
const struct position *merels_record_before(const struct record *record, size_t i);

// The last ply, or NULL at the beginning.
const struct ply *merels_record_last(const struct record *record);

// How often the position now has been in the game, this time included (removals due: 1).
int merels_record_times(const struct record *record);

// The text of the game: "startpos moves ..." or "<position> moves ..."; the caller frees it.
MERELS_CHECKED enum status merels_record_text(const struct record *record, char **text,
                                              struct error *err);

#endif
