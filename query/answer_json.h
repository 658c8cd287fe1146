// answer_json.h: a ranked position as one line of JSON.

#ifndef MERELS_QUERY_ANSWER_JSON_H
#define MERELS_QUERY_ANSWER_JSON_H

#include "query/command.h"
#include "query/output.h"

struct answer_detail {
    bool replies, parts;
};

// Prints the object of a position that context->ranking ranks, and a newline:
//
//     {"rules": "nine", "position": "w ...", "metric": "dtm", "value": "win", "plies": 1,
//      "complete": true, "moves": [{"move": "g4-g7xa1", "value": "win", "plies": 1}, ...]}
//
// "complete" is false if some moves have no value (null), because their tables are missing;
// these come first if one of them must be better than all others. A finished game has "over",
// why. "plies" is null for a draw and where the tables hold no depth. With detail.replies a
// drawing move also has "replies", "replies_that_hold" (both null if a table that they need
// fails), "wrong_chance" and "likely_error" (draws.h, of the first turn). With detail.parts
// every move also has "from" and "to" (null where it has none), "removed", a list of points,
// and "after", the position that it leads to. Where the other side picks the men that are taken
// a move is the step alone ("after" in the middle of the turn), worth what the best pick
// leaves; "picked_by" says who picks, and "picks" are the removals with what each leaves, still
// for the mover, in the order in which that side prefers them. In the middle of such a turn
// "picked_by" stands beside "moves", which are the removals in that order. A label (NULL: none)
// comes first, as "label".
void merels_print_answer_json(struct context *context, const struct position *pos,
                              const char *label, struct answer_detail detail);

#endif
