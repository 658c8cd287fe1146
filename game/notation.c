// notation.c: choosing the form of a text, writing positions and plies.

#include "game/notation.h"

#include <stdio.h>
#include <string.h>

#include "game/notation_forms.h"

enum { MAX_TEXT_BYTES = 1 << 20, MAX_ALONE_BYTES = 1024 };

enum status merels_read_point(const struct rules *rules, const char *form, struct token token,
                              int *point, struct error *err)
{
    if (token.length == 0)
        return merels_token_error(err, STATUS_BAD_INPUT, form, token, "a point is missing");
    *point = token.length == 2 ? merels_board_point(&rules->board, token.text) : -1;
    if (*point < 0)
        return merels_token_error(err, STATUS_BAD_INPUT, form, token,
                                  "no such point on this board of %d points",
                                  rules->board.n_points);
    return STATUS_OK;
}

// ---- forms ---------------------------------------------------------------------------------

// True if some sign of the first word is one of `signs`.
static bool first_word_has(const char *text, const char *signs)
{
    struct token first = merels_token_next(&(struct reader){text, 0});
    for (int i = 0; i < first.length; i++)
        if (strchr(signs, first.text[i]) != NULL)
            return true;
    return false;
}

static bool is_fen(const char *text)
{
    return first_word_has(text, "/*@");
}

static bool is_side_form(const char *text)
{
    struct token first = merels_token_next(&(struct reader){text, 0});
    return first.length > 1 && first.text[1] == ':' && strchr("wWbB", first.text[0]) != NULL;
}

static bool is_short(const char *text)
{
    (void)text; // every text that is nothing else
    return true;
}

// Positions that stand alone, without plies.
static const struct form {
    bool (*is)(const char *text);
    position_reader *read;
    enum example example;
} forms[] = {
    {is_side_form, merels_read_side_form, EXAMPLE_SIDE_FORM},
    {is_fen, merels_read_fen, EXAMPLE_FEN},
    {is_short, merels_read_short, EXAMPLE_SHORT},
};

// Blanks out "position fen", which a command has in front of a position, and a comment behind.
static void blank_out(char *text)
{
    static const char *const words[] = {"position", "fen", "pos"};
    struct reader reader = {text, 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct reader next = reader;
        struct token token = merels_token_next(&next);
        if (!merels_token_is(token, words[i]))
            continue;
        memset(text + next.at - token.length, ' ', (size_t)token.length);
        reader = next;
    }
    text[strcspn(text, ";")] = '\0';
}

static enum status read_alone(const struct rules *rules, const struct start *start,
                              const char *text, struct position *pos, struct error *err)
{
    char copy[MAX_ALONE_BYTES];
    if (!merels_signs_copy(text, strlen(text), copy, sizeof copy))
        return merels_error(err, STATUS_BAD_INPUT,
                            "position: the text is over %d characters long",
                            MAX_ALONE_BYTES - 1);
    blank_out(copy);
    const struct form *form = forms;
    while (!form->is(copy))
        form++;
    enum status status = form->read(rules, start, copy, pos, err);
    if (status != STATUS_OK)
        merels_add_example(rules, start, form->example, err);
    return status;
}

enum status merels_position_parse(const struct rules *rules, const struct start *start,
                                  const char *text, struct position *pos, struct error *err)
{
    struct position read;
    if (strnlen(text, MAX_TEXT_BYTES + 1) > MAX_TEXT_BYTES)
        return merels_error(err, STATUS_BAD_INPUT, "position: the text is over %d bytes long",
                            MAX_TEXT_BYTES);
    struct token first = merels_token_next(&(struct reader){text, 0});
    if (first.length == 0) {
        enum status empty =
            merels_token_error(err, STATUS_BAD_INPUT, "position", first, "the text is empty");
        merels_add_example(rules, start, EXAMPLE_SHORT, err);
        return empty;
    }
    enum status status = merels_game_is(text) ? merels_read_game(rules, start, text, &read, err)
                                              : read_alone(rules, start, text, &read, err);
    if (status == STATUS_OK)
        *pos = read;
    return status;
}

// ---- examples ------------------------------------------------------------------------------

static void add(struct error *err, const char *text)
{
    static const char words[] = "; for example: ";
    size_t length = strlen(err->text);
    if (strstr(err->text, words) == NULL)
        snprintf(err->text + length, sizeof err->text - length, "%s%s", words, text);
}

// A number of men in hand that every check passes, beside one man on the board.
static int example_hand(const struct rules *rules, const struct start *start)
{
    int men = start ? start->first_men : rules->least;
    men = men < rules->least ? rules->least : men;
    men = men < 2 ? 2 : men;
    return men > rules->board.n_points ? rules->board.n_points - 1 : men - 1;
}

void merels_add_example(const struct rules *rules, const struct start *start,
                        enum example example, struct error *err)
{
    char text[128];
    const struct board *board = &rules->board;
    const char *first = board->names[1], *second = board->names[board->n_points - 1];
    int hand = example_hand(rules, start);
    if (err == NULL)
        return;
    if (example == EXAMPLE_GAME)
        snprintf(text, sizeof text, "startpos moves %s %s", first, second);
    else if (example == EXAMPLE_FEN && board->n_points == 24)
        snprintf(text, sizeof text,
                 "********/********/******** w p p 0 %d 0 %d 0 0 0 0 0 0 0 0 1", hand + 1,
                 hand + 1);
    else if (example == EXAMPLE_SIDE_FORM)
        snprintf(text, sizeof text, "w:w%s:b%s:2", first, second);
    else
        snprintf(text, sizeof text, "w %s %s %d/%d", first, second, hand, hand);
    add(err, text);
}

void merels_add_example_ply(const struct rules *rules, const struct position *pos,
                            struct error *err)
{
    char text[PLY_TEXT_BYTES];
    struct ply plies[MAX_PLIES];
    if (err == NULL)
        return;
    if (merels_plies(rules, pos, plies) == 0) {
        merels_add_example(rules, NULL, EXAMPLE_GAME, err);
        return;
    }
    merels_ply_format(rules, plies[0], text);
    add(err, text);
}

// ---- writing -------------------------------------------------------------------------------

// Text being written; the callers' buffers hold the longest text there can be.
struct writing {
    char *out;
    size_t length;
};

static void put(struct writing *text, char c)
{
    text->out[text->length++] = c;
    text->out[text->length] = '\0';
}

static void put_number(struct writing *text, unsigned number)
{
    if (number >= 10)
        put_number(text, number / 10);
    put(text, (char)('0' + number % 10));
}

static void put_point(struct writing *text, const struct board *board, int point)
{
    put(text, board->names[point][0]);
    put(text, board->names[point][1]);
}

static void put_points(struct writing *text, const struct board *board, point_set men)
{
    for (bool first = true; men != 0; men &= men - 1, first = false) {
        if (!first)
            put(text, ',');
        put_point(text, board, bit_lowest(men));
    }
}

static void put_men(struct writing *text, const struct board *board, point_set men)
{
    put(text, ' ');
    men &= board->points;
    if (men == 0)
        put(text, '-');
    put_points(text, board, men);
}

// The longest text has "w!255", twice 24 points of three characters, and two hands of three
// digits: 158 bytes with the end. A legal position has no point twice, and room for its count.
size_t merels_position_format(const struct rules *rules, const struct position *pos,
                              char out[POSITION_TEXT_BYTES])
{
    enum { COUNT_BYTES = 7 }; // " n65535"
    struct writing text = {out, 0};
    bool white = pos->mover == WHITE;
    point_set closed = pos->closed & rules->board.points & ~(pos->own | pos->other);
    put(&text, white ? 'w' : 'b');
    if (pos->due > 0)
        put(&text, '!');
    if (pos->due > 1)
        put_number(&text, pos->due);
    put_men(&text, &rules->board, white ? pos->own : pos->other);
    put_men(&text, &rules->board, white ? pos->other : pos->own);
    put(&text, ' ');
    put_number(&text, white ? pos->own_hand : pos->other_hand);
    put(&text, '/');
    put_number(&text, white ? pos->other_hand : pos->own_hand);
    if (closed != 0) {
        put(&text, ' ');
        put(&text, 'x');
        put_points(&text, &rules->board, closed);
    }
    if (pos->count > 0 && text.length + COUNT_BYTES < POSITION_TEXT_BYTES) {
        put(&text, ' ');
        put(&text, 'n');
        put_number(&text, pos->count);
    }
    return text.length;
}

size_t merels_ply_format(const struct rules *rules, struct ply ply, char out[PLY_TEXT_BYTES])
{
    struct writing text = {out, 0};
    out[0] = '\0';
    for (const char *c = PASS_TEXT; ply_is_pass(&ply) && *c != '\0'; c++)
        put(&text, *c);
    if (ply.from >= 0) {
        put_point(&text, &rules->board, ply.from);
        put(&text, '-');
    }
    if (ply.to >= 0)
        put_point(&text, &rules->board, ply.to);
    for (int k = 0; k < ply.n_removed && k < MAX_REMOVED; k++) {
        put(&text, 'x');
        put_point(&text, &rules->board, ply.removed[k]);
    }
    return text.length;
}
