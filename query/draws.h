// draws.h: which of several drawing plies the other side is most likely to answer wrongly.
//
// All draws are worth the same against perfect play. Against others a ply is as good as the
// chance that a wrong reply follows, one that loses. A reply is as likely as it looks natural:
// it takes a man, stops a mill that threatens, prepares one, gains room (what somebody sees who
// looks a ply or two ahead). Where the other side replies rightly, the best chance of the next
// turn counts as well, somewhat less. Looked at is all of the first turn, and the most
// promising part of the next one; widest while men are placed, where most mistakes are made.
//
// All numbers are integers, so that equal positions have equal answers on every machine.

#ifndef MERELS_QUERY_DRAWS_H
#define MERELS_QUERY_DRAWS_H

#include "query/ranking.h"

enum { CHANCE_ALL = 10000 }; // a chance of one

// Look-ups of a choice that has no other limit: docs/PERFORMANCE.md has the time they take.
enum { DRAW_LOOK_UPS = 40000 };

// What may follow a drawing ply.
struct draw_chance {
    int n_replies, n_hold;
    int wrong;                   // chance of a wrong reply to it, of CHANCE_ALL
    int chance;                  // the same with the turn after it
    char likely[PLY_TEXT_BYTES]; // the wrong reply that looks most natural; empty: none
};

// How far to look.
struct draw_effort {
    uint64_t n_look_ups;       // at most, about; 0: only the first turn
    bool (*stops)(void *user); // asked every 64 look-ups; true: no further. NULL: never
    void *user;
};

// The place in the ranking of the ply with the best chance, of the n drawing plies that stand
// from `first` on; of equal ones the first. `chances` (NULL, or room for n) are what is known
// of each. Plies whose replies cannot be looked up are passed over; without memory it is the
// first. Uses ranking->list.
int merels_draws_best(struct tablebase *base, const struct rules *rules,
                      const struct position *pos, struct ranking *ranking, int first, int n,
                      const struct draw_effort *effort, struct draw_chance *chances);

#endif
