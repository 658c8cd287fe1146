// verify_value.c: one value: its worth, its text, and the value one ply earlier.

#include "verify/verify_value.h"

#include <stdio.h>

int merels_verify_worth(int value)
{
    if (value == DRAW)
        return 0;
    return value & 1 ? value - DRAW : DRAW - value;
}

int merels_verify_plies_of(int value, enum measure measure)
{
    return measure == MEASURE_CONVERSION ? (value + 1) / 2 : value;
}

bool merels_verify_stands(int value, enum measure measure, int n_move)
{
    return value == DRAW || measure != MEASURE_CONVERSION || n_move == 0 ||
           merels_verify_plies_of(value, measure) <= n_move;
}

// The value of a win or a loss in so many plies, counted to a conversion.
static int of_plies(bool wins, int plies)
{
    return wins ? 2 * plies - 1 : 2 * plies;
}

int merels_verify_value_before(int value, enum measure measure, bool converts)
{
    bool wins = value % 2 == 0; // the other side has lost
    if (value == DRAW)
        return DRAW;
    if (measure == MEASURE_NONE)
        return wins ? WIN : LOSS;
    if (measure == MEASURE_END)
        return value + 1;
    return of_plies(wins, converts ? 1 : merels_verify_plies_of(value, measure) + 1);
}

const char *merels_verify_value_text(int value, enum measure measure,
                                     char out[VALUE_TEXT_BYTES])
{
    const char *result = value % 2 == 1 ? "win" : "loss";
    if (value == DRAW)
        return "draw";
    if (measure == MEASURE_NONE)
        return result;
    int plies = merels_verify_plies_of(value, measure);
    if (measure == MEASURE_END)
        snprintf(out, VALUE_TEXT_BYTES, "%s in %d", result, plies);
    else
        snprintf(out, VALUE_TEXT_BYTES, "%s, %d to a conversion", result, plies);
    return out;
}
