// over.c: why a game is over; the reasons in the order in which merels_position_over looks.

#include "game/over.h"

#include "game/effects.h"

bool merels_over_by_count(const struct rules *rules, const struct position *pos)
{
    struct position uncounted = *pos;
    int value;
    uncounted.count = 0;
    return merels_position_over(rules, pos, &value) &&
           !merels_position_over(rules, &uncounted, &value);
}

const char *merels_over_reason(const struct rules *rules, const struct position *pos,
                               int *value)
{
    if (!merels_position_over(rules, pos, value))
        return NULL;
    if (merels_too_few(rules, bit_count(pos->own) + pos->own_hand) ||
        merels_too_few(rules, bit_count(pos->other) + pos->other_hand))
        return "too few men";
    if (rules->mill == MILL_WINS && merels_board_mill_men(&rules->board, pos->other) != 0)
        return "mill";
    if (merels_position_free(rules, pos) == 0 && pos->closed == 0)
        return "full board";
    return merels_over_by_count(rules, pos) ? "too many plies without a removal" : "blocked";
}
