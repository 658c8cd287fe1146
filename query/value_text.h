// value_text.h: values in words.

#ifndef MERELS_QUERY_VALUE_TEXT_H
#define MERELS_QUERY_VALUE_TEXT_H

#include "db/tablebase.h"

enum { VALUE_TEXT_BYTES = 64 };

// "win", "draw", "loss".
const char *merels_value_name(enum value value);

// "wins in 5 plies", "wins" (no depth known), "draws", "has lost"; what follows a colour's name
// or a ply. Where the rules' depths count to the next ply that converts: "wins (5 plies to a
// removal or the end)".
const char *merels_value_words(const struct rules *rules, enum value value, int plies,
                               char out[VALUE_TEXT_BYTES]);

// What depths count the plies to: "the end of the game", or of rules that count to the next
// ply that converts "the next removal or the end".
const char *merels_depth_goal(const struct rules *rules);

#endif
