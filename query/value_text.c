// value_text.c: values in words.

#include "query/value_text.h"

#include <stdio.h>

const char *merels_value_name(enum value value)
{
    return value == VALUE_WIN ? "win" : value == VALUE_LOSS ? "loss" : "draw";
}

const char *merels_value_words(enum value value, int plies, char out[VALUE_TEXT_BYTES])
{
    const char *verb = value == VALUE_WIN ? "wins" : "loses";
    if (value == VALUE_DRAW)
        return "draws";
    if (plies < 0)
        return verb;
    if (plies == 0)
        return value == VALUE_WIN ? "has won" : "has lost";
    snprintf(out, VALUE_TEXT_BYTES, "%s in %d %s", verb, plies, plies == 1 ? "ply" : "plies");
    return out;
}
