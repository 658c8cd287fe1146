// verdict_text.h: who wins a position, as a sentence.

#ifndef MERELS_QUERY_VERDICT_TEXT_H
#define MERELS_QUERY_VERDICT_TEXT_H

#include "db/tablebase.h"

enum { VERDICT_TEXT_BYTES = 160 };

// "White wins in 25 plies.", "Draw: neither side can force a win.", "Black has lost: the game
// is over (too few men)."; returns `out`.
const char *merels_verdict_text(const struct rules *rules, const struct position *pos,
                                const struct answer *answer, char out[VERDICT_TEXT_BYTES]);

#endif
