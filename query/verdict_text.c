// verdict_text.c: who wins a position, as a sentence.

#include "query/verdict_text.h"

#include <stdio.h>

#include "game/over.h"
#include "query/render.h"
#include "query/value_text.h"

const char *merels_verdict_text(const struct rules *rules, const struct position *pos,
                                const struct answer *answer, char out[VERDICT_TEXT_BYTES])
{
    int value;
    char words[VALUE_TEXT_BYTES];
    const char *mover = merels_colour_name(pos->mover);
    const char *over = merels_over_reason(rules, pos, &value);
    bool with_mill = pos->due > 0 && answer->plies > 0;
    if (over && value == 0)
        snprintf(out, VERDICT_TEXT_BYTES, "The game is over: a draw (%s).", over);
    else if (over)
        snprintf(out, VERDICT_TEXT_BYTES, "%s has lost: the game is over (%s).", mover, over);
    else if (answer->value == VALUE_DRAW)
        snprintf(out, VERDICT_TEXT_BYTES, "Draw: neither side can force a win.");
    else
        snprintf(out, VERDICT_TEXT_BYTES, "%s %s%s.", mover,
                 merels_value_words(rules, answer->value, answer->plies, words),
                 with_mill ? ", the one that closed the mill included" : "");
    return out;
}
