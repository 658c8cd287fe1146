// verify_value.c: one value: its worth, its text, and the value one ply earlier.

#include "verify/verify_value.h"

#include <stdio.h>

int merels_verify_worth(int value)
{
    if (value == DRAW)
        return 0;
    return value & 1 ? value - DRAW : DRAW - value;
}

int merels_verify_value_before(int value, bool wdl)
{
    if (value == DRAW)
        return DRAW;
    return wdl ? (value == LOSS ? WIN : LOSS) : value + 1;
}

const char *merels_verify_value_text(int value, bool wdl, char out[VALUE_TEXT_BYTES])
{
    if (value == DRAW)
        return "draw";
    if (wdl)
        return value & 1 ? "win" : "loss";
    snprintf(out, VALUE_TEXT_BYTES, "%s in %d", value & 1 ? "win" : "loss", value);
    return out;
}
