// notation.c: choosing the form of a text, writing positions and plies.

#include "game/notation.h"

#include <string.h>

#include "game/notation_forms.h"

enum { MAX_TEXT_BYTES = 1 << 20 }; // longer texts are refused: columns are ints

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

static bool is_fen(const char *text)
{
    struct token first = merels_token_next(&(struct reader){text, 0});
    for (int i = 0; i < first.length; i++)
        if (strchr("/*@", first.text[i]) != NULL)
            return true;
    return false;
}

static bool is_short(const char *text)
{
    (void)text; // every text that is nothing else
    return true;
}

static const struct form {
    bool (*is)(const char *text);
    position_reader *read;
} forms[] = {
    {merels_game_is, merels_read_game},
    {is_fen, merels_read_fen},
    {is_short, merels_read_short},
};

enum status merels_position_parse(const struct rules *rules, const struct start *start,
                                  const char *text, struct position *pos, struct error *err)
{
    if (strnlen(text, MAX_TEXT_BYTES + 1) > MAX_TEXT_BYTES)
        return merels_error(err, STATUS_BAD_INPUT, "position: the text is over %d bytes long",
                            MAX_TEXT_BYTES);
    struct token first = merels_token_next(&(struct reader){text, 0});
    if (first.length == 0)
        return merels_token_error(err, STATUS_BAD_INPUT, "position", first,
                                  "the text is empty");
    const struct form *form = forms;
    while (!form->is(text))
        form++;
    struct position read;
    enum status status = form->read(rules, start, text, &read, err);
    if (status == STATUS_OK)
        *pos = read;
    return status;
}

// Text being written; the callers' buffers hold the longest text there can be.
struct text {
    char *out;
    size_t length;
};

static void put(struct text *text, char c)
{
    text->out[text->length++] = c;
    text->out[text->length] = '\0';
}

static void put_number(struct text *text, unsigned number)
{
    if (number >= 10)
        put_number(text, number / 10);
    put(text, (char)('0' + number % 10));
}

static void put_point(struct text *text, const struct board *board, int point)
{
    put(text, board->names[point][0]);
    put(text, board->names[point][1]);
}

static void put_men(struct text *text, const struct board *board, point_set men)
{
    put(text, ' ');
    men &= board->points;
    if (men == 0)
        put(text, '-');
    for (bool first = true; men != 0; men &= men - 1, first = false) {
        if (!first)
            put(text, ',');
        put_point(text, board, bit_lowest(men));
    }
}

// The longest text has "w!255", twice 24 points of three characters, and two hands of three
// digits: 158 bytes with the end.
size_t merels_position_format(const struct rules *rules, const struct position *pos,
                              char out[POSITION_TEXT_BYTES])
{
    struct text text = {out, 0};
    bool white = pos->mover == WHITE;
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
    return text.length;
}

size_t merels_ply_format(const struct rules *rules, struct ply ply, char out[PLY_TEXT_BYTES])
{
    struct text text = {out, 0};
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
