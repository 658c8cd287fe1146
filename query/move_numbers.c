// move_numbers.c: finds numbers where the reader of games skips them.

#include "query/move_numbers.h"

#include <stdio.h>
#include <string.h>

enum { MAX_NUMBER = 99999, DOTS_OF_BLACK = 3 };

// A number with dots or a bracket, "12.", "12 ..." or "12)".
struct number {
    int value, n_dots;
    struct token token;
};

// Reads a number at this place and goes on behind it.
static bool take_number(struct signs *signs, struct number *number)
{
    struct signs begin = *signs, at = *signs;
    *number = (struct number){.value = 0};
    if (!sign_is_digit(merels_sign(&at)))
        return false;
    for (char c; sign_is_digit(c = merels_sign(&at)); merels_sign_skip(&at))
        number->value =
            number->value > MAX_NUMBER ? number->value : 10 * number->value + c - '0';
    while (sign_is_blank(merels_sign(&at)))
        merels_sign_skip(&at);
    for (; merels_sign(&at) == '.'; merels_sign_skip(&at))
        number->n_dots++;
    bool bracket = merels_sign(&at) == ')';
    if (bracket)
        merels_sign_skip(&at);
    number->token =
        (struct token){begin.text + begin.at, at.at - begin.at, begin.column, begin.line};
    *signs = at;
    return number->n_dots > 0 || bracket;
}

// Leaves the run of signs that the ply before ends with: only marks can be left of it.
static void leave_run(struct words *words)
{
    for (char c; words->inside && (c = merels_sign(&words->signs)) != '\0' &&
                 !sign_is_blank(c) && !strchr(",;{}()[]", c);)
        merels_sign_skip(&words->signs);
    words->inside = false;
}

// The next number in front of the next ply; false if there is none left.
static bool next_number(struct words *words, struct number *number)
{
    const char *why = NULL;
    enum piece_kind kind = merels_words_peek(words).kind;
    leave_run(words);
    if (kind == PIECE_END || kind == PIECE_RESULT || kind == PIECE_TAG)
        return false;
    while (merels_words_between(words, &why))
        continue;
    return !why && take_number(&words->signs, number);
}

static enum status fault(const struct game_reader *game, const struct number *number,
                         const char *why, struct error *err)
{
    struct token token = number->token;
    if (!game->names_lines)
        token.line = 0;
    return merels_token_error(err, STATUS_BAD_INPUT, game->form, token, "%s", why);
}

// What the ply at i has by the numbers so far.
static int expected(const struct move_numbers *numbers, int i)
{
    return numbers->base + (numbers->by_plies ? i : (i + numbers->black) / 2);
}

static void check(struct move_numbers *numbers, const struct game_reader *game, int i,
                  const struct number *number)
{
    char why[160];
    int value = number->value;
    bool black = i % 2 != numbers->black;
    if (numbers->n_seen == 1 && value != expected(numbers, i) && i == numbers->ply + 1 &&
        value == expected(numbers, numbers->ply) + 1) {
        numbers->base = value - i;
        numbers->by_plies = true;
    }
    bool dots = number->n_dots >= DOTS_OF_BLACK && !black && !numbers->by_plies;
    bool wrong = numbers->n_seen > 0 && value != expected(numbers, i);
    if (dots)
        snprintf(why, sizeof why,
                 "three dots stand in front of a ply of Black, and this is one of White; it is "
                 "read all the same; for example: %d.",
                 value);
    else if (wrong)
        snprintf(why, sizeof why,
                 "the number %d was expected; the game is read all the same; for example: %d.",
                 expected(numbers, i), expected(numbers, i));
    if ((dots || wrong) && numbers->n_bad++ == 0)
        (void)!fault(game, number, why, &numbers->first);
    numbers->base = value - (numbers->by_plies ? i : (i + numbers->black) / 2);
    numbers->ply = i;
    numbers->n_seen++;
}

void merels_move_numbers_look(struct move_numbers *numbers, const struct game_reader *game,
                              int i)
{
    struct words words = game->words;
    struct number number;
    while (next_number(&words, &number))
        check(numbers, game, i, &number);
}

enum status merels_move_numbers_begin(const struct rules *rules, const struct start *start,
                                      const struct game_reader *game, struct error *err)
{
    struct words words = game->words;
    struct number number;
    char why[POSITION_TEXT_BYTES + PLY_TEXT_BYTES + 160], text[POSITION_TEXT_BYTES],
        ply[PLY_TEXT_BYTES];
    if (!start || game->pos.mover != WHITE || !next_number(&words, &number) ||
        number.n_dots < DOTS_OF_BLACK)
        return STATUS_OK;
    struct position pos = merels_position_start(start);
    static const struct ply first = {.from = -1, .to = 0}, second = {.from = -1, .to = 1};
    pos = merels_play(rules, &pos, first);
    merels_position_format(rules, &pos, text);
    merels_ply_format(rules, second, ply);
    snprintf(why, sizeof why,
             "three dots stand in front of a ply of Black, and White begins here; a game that "
             "begins with Black's ply has a position in front; for example: %s moves %s",
             text, ply);
    return fault(game, &number, why, err);
}
