// value_text.c: values in words.

#include "query/value_text.h"

#include <stdio.h>

const char *merels_value_name(enum value value)
{
    return value == VALUE_WIN ? "win" : value == VALUE_LOSS ? "loss" : "draw";
}

const char *merels_value_words(const struct rules *rules, enum value value, int plies,
                               char out[VALUE_TEXT_BYTES])
{
    const char *verb = value == VALUE_WIN ? "wins" : "loses";
    if (value == VALUE_DRAW)
        return "draws";
    if (plies < 0)
        return verb;
    if (plies == 0)
        return value == VALUE_WIN ? "has won" : "has lost";
    const char *unit = plies == 1 ? "ply" : "plies";
    if (rules->metric == METRIC_DTM)
        snprintf(out, VALUE_TEXT_BYTES, "%s in %d %s", verb, plies, unit);
    else
        snprintf(out, VALUE_TEXT_BYTES, "%s (%d %s to a removal%s or the end)", verb, plies,
                 unit, rules->turn == TURN_PLACE_OR_MOVE ? ", a placement" : "");
    return out;
}

const char *merels_depth_goal(const struct rules *rules)
{
    if (rules->metric == METRIC_DTM)
        return "the end of the game";
    return rules->turn == TURN_PLACE_OR_MOVE ? "the next removal, placement or the end"
                                             : "the next removal or the end";
}
