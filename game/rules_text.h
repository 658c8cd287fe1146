// rules_text.h: rules as a text of one fact a line: the canonical text that fingerprints are
// made of, the long one for people, reading either back, and where two rules differ.

#ifndef MERELS_GAME_RULES_TEXT_H
#define MERELS_GAME_RULES_TEXT_H

#include "game/rules.h"

enum { RULES_TEXT_BYTES = 2048, RULES_DIFFERENCE_BYTES = 320 };

// Writes the canonical text of the rules (one "key value" line per fact: board points, edges,
// mills, each option that is not as usual; no preset name, no start) into out, NUL-terminated,
// at most RULES_TEXT_BYTES bytes. Equal rules give equal text; docs/FORMAT.md describes it, and
// the fingerprint in every table file is the start of its SHA-256. Returns its length.
size_t merels_rules_text(const struct rules *rules, char out[RULES_TEXT_BYTES]);

// The same with a line for every option.
size_t merels_rules_long_text(const struct rules *rules, char out[RULES_TEXT_BYTES]);

// The same for people: besides the start, "men 9" or "men 5-7", which is no part of the rules.
size_t merels_game_text(const struct rules *rules, struct start start,
                        char out[RULES_TEXT_BYTES]);

// Reads the text of any form: lines in any order, an option that is not there as usual, '#'
// lines and empty ones skipped. The board may be any: up to 24 points (game/board.h has the
// bounds). STATUS_BAD_INPUT names the line or what is wrong with the board, STATUS_UNSUPPORTED
// the bound that it goes beyond; *rules is then undefined. *start (may be NULL) is what "men"
// says, else three men for every eight points.
MERELS_CHECKED enum status merels_rules_read_text(const char *text, struct rules *rules,
                                                  struct start *start, struct error *err);

// Writes what differs: "fly is 0 there, 3 here", "the board has 17 points there, 24 here";
// nothing if the rules are equal. Of more than three options the first three and how many more.
void merels_rules_difference(const struct rules *there, const struct rules *here,
                             char out[RULES_DIFFERENCE_BYTES]);

#endif
