// notation_short.c: reader of the short form, "w! a7,d7,g7 a1,d1 3/4", with closed points
// "w a7,d7 g7,g4 6/6 xa1", with a count "w a7,d7 g4,g1 0/0 n37".

#include <string.h>

#include "game/effects.h"
#include "game/notation_forms.h"

static const char FORM[] = "short form";

// The fields, of which the last two may be missing, and the position in colours instead of
// mover and other.
struct fields {
    struct token side;
    struct token men[2]; // by enum colour
    struct token hands;
    struct token closed;      // length 0: there is none
    struct token count_field; // the same
    int due, count;
    enum colour mover;
    point_set set[2], closed_set;
    int hand[2];
};

static enum status read_side(struct fields *fields, struct error *err)
{
    struct token letter = merels_token_part(fields->side, 0, '!');
    if (!merels_token_is(letter, "w") && !merels_token_is(letter, "b"))
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, fields->side,
                                  "the side to move is w or b, w! or b! with a removal due");
    fields->mover = merels_token_is(letter, "w") ? WHITE : BLACK;
    fields->due = fields->side.length > 1;
    if (fields->side.length <= 2)
        return STATUS_OK;
    struct token number = merels_token_part(fields->side, 2, '\0');
    if (!merels_token_number(number, &fields->due) || fields->due < 1 ||
        fields->due > MAX_REMOVED)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, number,
                                  "the number of removals due is from 1 to %d", MAX_REMOVED);
    return STATUS_OK;
}

// "n37"
static enum status read_count(struct token token, struct fields *fields, struct error *err)
{
    struct token number = merels_token_part(token, 1, '\0');
    fields->count_field = token;
    if (merels_token_number(number, &fields->count))
        return STATUS_OK;
    return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                              "plies without a removal are n and a number from 0 to %d, as n37",
                              MAX_N_MOVE);
}

static enum status split(const char *text, struct fields *fields, struct error *err)
{
    struct reader reader = {text, 0};
    struct token *const places[] = {&fields->side, &fields->men[WHITE], &fields->men[BLACK],
                                    &fields->hands};
    const char *const missing[] = {"the side to move is missing", "the white men are missing",
                                   "the black men are missing", "the men in hand are missing"};
    for (int i = 0; i < 4; i++) {
        *places[i] = merels_token_next(&reader);
        if (places[i]->length == 0)
            return merels_token_error(err, STATUS_BAD_INPUT, FORM, *places[i], "%s",
                                      missing[i]);
        enum status status = i == 0 ? read_side(fields, err) : STATUS_OK;
        if (status != STATUS_OK) // the first field that is wrong is the one to name
            return status;
    }
    struct token more = merels_token_next(&reader);
    if (more.length > 0 && sign_lower(more.text[0]) == 'x') {
        fields->closed = more;
        more = merels_token_next(&reader);
    }
    if (more.length != 0 && (more.text[0] == 'n' || more.text[0] == 'N')) {
        enum status status = read_count(more, fields, err);
        if (status != STATUS_OK)
            return status;
        more = merels_token_next(&reader);
    }
    if (more.length != 0)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, more,
                                  "one field too many after side, white men, black men, hands");
    return STATUS_OK;
}

static enum status read_man(const struct rules *rules, struct fields *fields,
                            enum colour colour, struct token token, struct error *err)
{
    int point;
    enum status status = merels_read_point(rules, FORM, token, &point, err);
    if (status != STATUS_OK)
        return status;
    if (fields->set[colour] >> point & 1)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                  "the point is named twice");
    if (fields->set[!colour] >> point & 1)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                  "both sides have a man on this point");
    fields->set[colour] |= (point_set)1 << point;
    return STATUS_OK;
}

static enum status read_men(const struct rules *rules, struct fields *fields,
                            enum colour colour, struct error *err)
{
    struct token list = fields->men[colour];
    if (merels_token_is(list, "-"))
        return STATUS_OK;
    enum status status = STATUS_OK;
    for (int at = 0; at <= list.length && status == STATUS_OK;) {
        struct token man = merels_token_part(list, at, ',');
        status = read_man(rules, fields, colour, man, err);
        at += man.length + 1;
    }
    return status;
}

// "xa1,d6": the points that are closed.
static enum status read_closed(const struct rules *rules, struct fields *fields,
                               struct error *err)
{
    struct token list = fields->closed;
    for (int at = 1; list.length > 0 && at <= list.length;) {
        int point = 0;
        struct token token = merels_token_part(list, at, ',');
        enum status status = merels_read_point(rules, FORM, token, &point, err);
        if (status != STATUS_OK)
            return status;
        point_set bit = (point_set)1 << point;
        if ((fields->closed_set & bit) != 0)
            return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                      "the point is named twice");
        if (((fields->set[WHITE] | fields->set[BLACK]) & bit) != 0)
            return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                      "a man stands on this point");
        fields->closed_set |= bit;
        at += token.length + 1;
    }
    return STATUS_OK;
}

static enum status read_hand(const struct rules *rules, struct fields *fields,
                             enum colour colour, struct token token, struct error *err)
{
    static const char *const names[] = {"White", "Black"};
    int n_points = rules->board.n_points;
    if (!merels_token_number(token, &fields->hand[colour]) || fields->hand[colour] > n_points)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                  "a hand is a number from 0 to %d", n_points);
    int n_men = fields->hand[colour] + bit_count(fields->set[colour]);
    if (n_men > n_points)
        return merels_token_error(err, STATUS_ILLEGAL, FORM, token,
                                  "%s has %d men, more than the board has points (%d)",
                                  names[colour], n_men, n_points);
    return STATUS_OK;
}

static enum status read_hands(const struct rules *rules, struct fields *fields,
                              struct error *err)
{
    struct token white = merels_token_part(fields->hands, 0, '/');
    if (white.length == fields->hands.length)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, fields->hands,
                                  "the men in hand are white/black, as in 9/9");
    struct token black = merels_token_part(fields->hands, white.length + 1, '\0');
    enum status status = read_hand(rules, fields, WHITE, white, err);
    return status == STATUS_OK ? read_hand(rules, fields, BLACK, black, err) : status;
}

static struct position position_of(const struct fields *fields)
{
    enum colour mover = fields->mover;
    return (struct position){.own = fields->set[mover],
                             .other = fields->set[!mover],
                             .closed = fields->closed_set,
                             .own_hand = (uint8_t)fields->hand[mover],
                             .other_hand = (uint8_t)fields->hand[!mover],
                             .due = (uint8_t)fields->due,
                             .mover = (uint8_t)mover,
                             .count = (uint16_t)fields->count};
}

// The field that is to blame for the fault that a check of the position found: the side if it
// is not found without the removals due, else the men of the side that has too few, else the
// mover's.
static struct token culprit(const struct rules *rules, const struct fields *fields,
                            struct position pos, const struct error *fault)
{
    struct error without_due = {.text = ""};
    int count = pos.count;
    pos.count = 0;
    if (count > 0 && merels_position_check(rules, &pos, &without_due) == STATUS_OK)
        return fields->count_field;
    pos.due = 0;
    if (pos.closed != 0) {
        struct position open = pos;
        open.closed = 0;
        if (merels_position_check(rules, &open, NULL) == STATUS_OK &&
            merels_position_check(rules, &pos, NULL) != STATUS_OK)
            return fields->closed;
    }
    enum status status = merels_position_check(rules, &pos, &without_due);
    if (status == STATUS_OK || strcmp(without_due.text, fault->text) != 0)
        return fields->side;
    bool other = merels_too_few(rules, bit_count(pos.other) + pos.other_hand);
    return fields->men[other ? !fields->mover : fields->mover];
}

enum status merels_read_short(const struct rules *rules, const struct start *start,
                              const char *text, struct position *pos, struct error *err)
{
    (void)start;
    struct fields fields = {.due = 0};
    enum status status = split(text, &fields, err);
    for (int colour = WHITE; colour <= BLACK && status == STATUS_OK; colour++)
        status = read_men(rules, &fields, (enum colour)colour, err);
    if (status == STATUS_OK)
        status = read_hands(rules, &fields, err);
    if (status == STATUS_OK)
        status = read_closed(rules, &fields, err);
    if (status != STATUS_OK)
        return status;
    *pos = position_of(&fields);
    struct error fault;
    status = merels_position_check(rules, pos, &fault);
    if (status == STATUS_OK)
        return STATUS_OK;
    return merels_token_error(err, status, FORM, culprit(rules, &fields, *pos, &fault), "%s",
                              fault.text);
}
