// pgn.h: a game with tags and numbered plies, the form of records that other programs read.

#ifndef MERELS_QUERY_PGN_H
#define MERELS_QUERY_PGN_H

#include "query/game_record.h"
#include "query/output.h"

// Prints the tags Event, Site, Date, Round, White, Black, Result and Rules, the position if the
// game does not begin at the start of the rules, and the plies in lines of at most 80 columns.
// Tags are as `text`, of which the game was read, has them, else unknown ("?"); a label (NULL:
// none) is the event. `rules` is a text that reads as the rules and start of the game.
void merels_pgn_print(struct output *out, const struct game_record *record, const char *text,
                      const char *rules, const char *label);

#endif
