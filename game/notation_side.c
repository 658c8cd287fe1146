// notation_side.c: reader of the form "w:wa7,g7,g4:bd7,g1,d1:40" of a protocol of engines.
//
// Side to move, white men, black men, number of the move. Men in hand are not written: they
// follow from the number, since every ply places a man until all are placed. So the form needs
// the start, and rules in which nobody moves before.

#include <string.h>

#include "game/notation_forms.h"

static const char FORM[] = "form side:white:black:move";

struct parts {
    struct token side, men[2], number; // men by enum colour
};

static enum status bad(struct token token, const char *why, struct error *err)
{
    return merels_token_error(err, STATUS_BAD_INPUT, FORM, token, "%s", why);
}

static enum status split(const char *text, struct parts *parts, struct error *err)
{
    struct reader reader = {text, 0};
    struct token *const places[] = {&parts->side, &parts->men[WHITE], &parts->men[BLACK],
                                    &parts->number};
    struct token all = merels_token_next(&reader), more = merels_token_next(&reader);
    int at = 0;
    if (more.length > 0)
        return bad(more, "nothing stands behind the number of the move", err);
    for (int i = 0; i < 4; i++) {
        *places[i] = merels_token_part(all, at, i < 3 ? ':' : '\0');
        at += places[i]->length;
        if (i < 3 && at == all.length)
            return bad(*places[i], "four parts were expected, with : between them", err);
        at += i < 3;
    }
    return STATUS_OK;
}

static enum status read_men(const struct rules *rules, struct token list, char letter,
                            point_set *set, struct error *err)
{
    if (list.length == 0 || sign_lower(list.text[0]) != letter)
        return bad(list,
                   letter == 'w' ? "the white men begin with w" : "the black men begin with b",
                   err);
    for (int at = 1; list.length > 1 && at <= list.length;) {
        int point;
        struct token man = merels_token_part(list, at, ',');
        enum status status = merels_read_point(rules, FORM, man, &point, err);
        if (status != STATUS_OK)
            return status;
        if (*set >> point & 1)
            return bad(man, "the point is named twice", err);
        *set |= (point_set)1 << point;
        at += man.length + 1;
    }
    return STATUS_OK;
}

// What is left in the hand of a side after `placed` plies of its own. Men that stand on the
// board were placed, whatever the number says.
static enum status read_hand(struct token list, int men, int placed, point_set set,
                             uint8_t *hand, struct error *err)
{
    int on_board = bit_count(set);
    if (on_board > men)
        return bad(list, "these are more men than a side has at the start", err);
    placed = placed < on_board ? on_board : placed;
    *hand = (uint8_t)(placed < men ? men - placed : 0);
    return STATUS_OK;
}

// Under closed points a man that was placed and stands nowhere has left a point closed, and the
// form does not say which.
static enum status check_closed(const struct rules *rules, const struct start *start,
                                const struct parts *parts, const point_set set[2],
                                const uint8_t hand[2], struct error *err)
{
    int placed = start->first_men + start->second_men - hand[WHITE] - hand[BLACK];
    bool placing = hand[WHITE] + hand[BLACK] > 0;
    if (rules->closed_points == CLOSED_POINTS_NO || !placing ||
        placed <= bit_count(set[WHITE]) + bit_count(set[BLACK]))
        return STATUS_OK;
    return bad(parts->number,
               "men were taken while placing, and the form does not say which points are "
               "closed",
               err);
}

static enum status read_hands(const struct start *start, const struct parts *parts, bool black,
                              const point_set set[2], uint8_t hand[2], struct error *err)
{
    struct token token = parts->number;
    int number;
    if (!merels_token_number(token, &number) || number < 1)
        return bad(token, "the number of the move is from 1 to 999", err);
    enum status status = read_hand(parts->men[WHITE], start->first_men, number - 1 + black,
                                   set[WHITE], &hand[WHITE], err);
    return status == STATUS_OK ? read_hand(parts->men[BLACK], start->second_men, number - 1,
                                           set[BLACK], &hand[BLACK], err)
                               : status;
}

enum status merels_read_side_form(const struct rules *rules, const struct start *start,
                                  const char *text, struct position *pos, struct error *err)
{
    struct parts parts;
    point_set set[2] = {0, 0};
    uint8_t hand[2] = {0, 0};
    enum status status = split(text, &parts, err);
    if (status != STATUS_OK)
        return status;
    bool black = merels_token_is(parts.side, "b");
    if (start == NULL || rules->turn != TURN_PLACE_THEN_MOVE)
        return bad(parts.number, "the number of the move does not tell the men in hand here",
                   err);
    status = read_men(rules, parts.men[WHITE], 'w', &set[WHITE], err);
    if (status == STATUS_OK)
        status = read_men(rules, parts.men[BLACK], 'b', &set[BLACK], err);
    if (status == STATUS_OK)
        status = read_hands(start, &parts, black, set, hand, err);
    if (status == STATUS_OK)
        status = check_closed(rules, start, &parts, set, hand, err);
    if (status != STATUS_OK)
        return status;
    *pos = (struct position){.own = set[black],
                             .other = set[!black],
                             .own_hand = hand[black],
                             .other_hand = hand[!black],
                             .mover = black ? BLACK : WHITE};
    struct error fault;
    status = merels_position_check(rules, pos, &fault);
    return status == STATUS_OK
               ? STATUS_OK
               : merels_token_error(err, status, FORM, parts.men[!black], "%s", fault.text);
}
