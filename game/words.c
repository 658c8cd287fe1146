// words.c: pieces of a game's text.
//
// A run of signs without spaces is looked at as a whole first (results, numbers of plies,
// marks, words), then piece by piece. Nothing is copied but one run at a time; the room for it
// is enough for every run that means something.

#include "game/words.h"

#include <string.h>

enum { RUN_BYTES = 32 };

// ---- places --------------------------------------------------------------------------------

static struct token token_from(const struct signs *from, const struct signs *to)
{
    return (struct token){from->text + from->at, to->at - from->at, from->column, from->line};
}

static bool ends_run(char c)
{
    return c == '\0' || sign_is_blank(c) || strchr(",;{}()[]", c) != NULL;
}

static struct signs run_end(struct signs signs)
{
    while (!ends_run(merels_sign(&signs)))
        merels_sign_skip(&signs);
    return signs;
}

static void skip_signs(struct words *words, size_t n)
{
    while (n-- > 0)
        merels_sign_skip(&words->signs);
}

// The rest of the run, in lower case, cut off where it is too long to mean anything.
static size_t copy_run(struct signs signs, char run[RUN_BYTES])
{
    size_t n = 0;
    for (char c; n + 1 < RUN_BYTES && !ends_run(c = merels_sign(&signs));) {
        run[n++] = sign_lower(c);
        merels_sign_skip(&signs);
    }
    run[n] = '\0';
    return n;
}

static struct piece bad(struct words *words, const char *why)
{
    struct signs end = run_end(words->signs);
    struct piece piece = {PIECE_BAD, -1, token_from(&words->signs, &end), why};
    if (end.at == words->signs.at) {
        merels_sign_skip(&end);
        piece.token.length = end.at - words->signs.at;
    }
    words->signs = end;
    words->inside = false;
    return piece;
}

// ---- what is skipped -----------------------------------------------------------------------

static void skip_line(struct signs *signs)
{
    while (merels_sign(signs) != '\0' && merels_sign(signs) != '\n')
        merels_sign_skip(signs);
}

// Skips from a brace to the one that closes it; false if there is none.
static bool skip_braces(struct signs *signs)
{
    while (merels_sign(signs) != '\0' && merels_sign(signs) != '}')
        merels_sign_skip(signs);
    bool closed = merels_sign(signs) == '}';
    merels_sign_skip(signs);
    return closed;
}

// Skips a variation with all that is nested in it; false if it is not closed.
static bool skip_variation(struct signs *signs)
{
    int depth = 0;
    do {
        char c = merels_sign(signs);
        if (c == '\0' || (c == '{' && !skip_braces(signs)))
            return false;
        if (c == ';')
            skip_line(signs);
        depth += (c == '(') - (c == ')');
        if (c != '{' && c != ';')
            merels_sign_skip(signs);
    } while (depth > 0);
    return true;
}

// True if nothing but blanks stands between the beginning of the line and this place.
static bool begins_line(const struct signs *signs)
{
    int at = signs->at;
    while (at > 0 && (signs->text[at - 1] == ' ' || signs->text[at - 1] == '\t'))
        at--;
    return at == 0 || signs->text[at - 1] == '\n' || signs->text[at - 1] == '\r';
}

// Skips one thing between two runs; false if there is none. What is not closed is left, and
// *why says so.
bool merels_words_between(struct words *words, const char **why)
{
    struct signs *signs = &words->signs, end = words->signs;
    char c = merels_sign(signs);
    if (c == '{' && !skip_braces(&end))
        *why = "this comment is not closed";
    else if (c == '(' && !skip_variation(&end))
        *why = "this variation is not closed";
    else if (c == ';' || ((c == '#' || c == '%') && begins_line(signs)))
        skip_line(&end);
    else if (c != '\0' && (sign_is_blank(c) || c == ','))
        merels_sign_skip(&end);
    if (*why || end.at == signs->at)
        return false;
    *signs = end;
    return true;
}

// ---- runs ----------------------------------------------------------------------------------

static bool is_one_of(const char *run, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(run, words[i]) == 0)
            return true;
    return false;
}

#define IS_ONE_OF(run, words) is_one_of(run, words, sizeof words / sizeof words[0])

static const char *const results[] = {"1-0", "0-1",       "1/2-1/2", "0.5-0.5",
                                      "*",   "\x02-\x02", "1/2",     ".5-.5"};
static const char *const takes[] = {"take",    "takes",    "remove", "removes",
                                    "capture", "captures", "taking", "removing"};
static const char *const passes[] = {"pass", "passes"};
static const char *const fillers[] = {"place", "places", "put",   "puts", "move", "moving",
                                      "from",  "at",     "on",    "and",  "then", "flies",
                                      "fly",   "jump",   "jumps", "man"};

// The signs of the number of a ply at the beginning of a run: digits and dots, or dots alone.
static size_t ordinal_length(const char *run)
{
    size_t digits = strspn(run, "0123456789");
    size_t dots = strspn(run + digits, ".");
    return dots > 0 ? digits + dots : 0;
}

static bool is_number(const char *run)
{
    return run[0] != '\0' && run[strspn(run, "0123456789")] == '\0';
}

// True if what makes a number that of a ply follows: a bracket, or dots after spaces: "1) d6",
// "1 . d6".
static bool ordinal_follows(struct signs signs)
{
    signs = run_end(signs);
    if (merels_sign(&signs) == ')')
        return true;
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    return merels_sign(&signs) == '.';
}

// Skips the bracket behind the number of a ply. One that closes a variation is never seen here.
static void skip_bracket(struct signs *signs)
{
    if (merels_sign(signs) == ')')
        merels_sign_skip(signs);
}

// True if a bare number can only be that of the move to which the next ply belongs.
static bool is_number_of_move(const struct words *words, const char *run)
{
    int value = 0;
    if (!is_number(run) || strlen(run) > 6 || words->form == POINTS_BY_NUMBER)
        return false;
    for (const char *c = run; *c; c++)
        value = 10 * value + *c - '0';
    int move = (words->number + 1) / 2;
    return words->number % 2 == 1 && (value == move || value == move - 1);
}

// What a whole run is.
enum run_kind { RUN_RESULT, RUN_SKIP, RUN_TAKE, RUN_TO, RUN_PASS, RUN_PIECES };

// Cuts off the marks ! ? $3 that are glued to a word.
static void drop_marks(char *run)
{
    size_t n = strcspn(run, "!?$");
    if (n > 0)
        run[n] = '\0';
}

static enum run_kind kind_of_run(const struct words *words, const char *text)
{
    char run[RUN_BYTES];
    strcpy(run, text);
    drop_marks(run);
    if (IS_ONE_OF(run, results))
        return RUN_RESULT;
    if (run[0] == '$' && is_number(run + 1))
        return RUN_SKIP;
    if (run[strspn(run, "!?")] == '\0' || IS_ONE_OF(run, fillers))
        return RUN_SKIP;
    if (is_number(run) && (ordinal_follows(words->signs) || is_number_of_move(words, run)))
        return RUN_SKIP;
    if (IS_ONE_OF(run, takes))
        return RUN_TAKE;
    if (IS_ONE_OF(run, passes))
        return RUN_PASS;
    if (strcmp(run, "to") == 0)
        return words->n_points > 0 ? RUN_TO : RUN_SKIP;
    return RUN_PIECES;
}

// ---- points --------------------------------------------------------------------------------

// Point `number` of the board, counted from 1 in rows from the top, left to right; -1: none.
static int point_of_number(const struct board *board, int number)
{
    for (int p = 0; p < board->n_points; p++) {
        const char *name = board->names[p];
        int before = 0;
        for (int q = 0; q < board->n_points; q++)
            before += board->names[q][1] > name[1] ||
                      (board->names[q][1] == name[1] && board->names[q][0] < name[0]);
        if (before == number - 1)
            return p;
    }
    return -1;
}

// Reads a point at the beginning of a run; its length in signs, 0 if there is none.
static size_t read_point(const struct words *words, const char *run, int *point)
{
    if (words->form == POINTS_BY_NUMBER) {
        size_t n = strspn(run, "0123456789");
        *point = n == 1   ? point_of_number(words->board, run[0] - '0')
                 : n == 2 ? point_of_number(words->board, 10 * (run[0] - '0') + run[1] - '0')
                          : -1;
        return *point < 0 ? 0 : n;
    }
    if (run[0] == '\0' || run[1] == '\0')
        return 0;
    bool reversed = words->form == POINTS_REVERSED;
    const char name[2] = {run[reversed], run[!reversed]};
    *point = merels_board_point(words->board, name);
    return *point < 0 ? 0 : 2;
}

static bool looks_like_chess(const char *run)
{
    bool figure = strchr("kqrn", run[0]) && run[0] != '\0' &&
                  run[strspn(run, "kqrnx")] >= 'a' && run[strspn(run, "kqrnx")] <= 'h';
    return strncmp(run, "o-o", 3) == 0 || strncmp(run, "0-0", 3) == 0 || figure;
}

static const char *why_no_piece(const struct words *words, const char *run)
{
    bool plain = sign_is_letter(run[0]) && sign_is_digit(run[1]);
    bool reversed = sign_is_digit(run[0]) && sign_is_letter(run[1]);
    if (looks_like_chess(run))
        return "this looks like a game of chess";
    if (words->form == POINTS_REVERSED && plain)
        return "the points of this game are written digit first, and this one is not";
    if (words->form == POINTS_PLAIN && reversed)
        return "the points of this game are written letter first, and this one is not";
    if (words->form == POINTS_BY_NUMBER && (plain || sign_is_digit(run[0])))
        return "the points of this game are numbers, and no point has this one";
    return NULL; // the reader of plies knows what is expected
}

// ---- pieces --------------------------------------------------------------------------------

static struct piece take_signs(struct words *words, enum piece_kind kind, int point, size_t n)
{
    struct signs begin = words->signs;
    skip_signs(words, n);
    words->n_points = kind == PIECE_POINT ? words->n_points + 1 : 0;
    return (struct piece){kind, point, token_from(&begin, &words->signs), NULL};
}

// Skips ! ? and $3 behind a ply.
static void skip_marks(struct signs *signs)
{
    char c;
    while ((c = merels_sign(signs)) == '!' || c == '?' || c == '$') {
        merels_sign_skip(signs);
        while (c == '$' && sign_is_digit(merels_sign(signs)))
            merels_sign_skip(signs);
    }
}

// The next piece inside of a run; PIECE_END at its end.
static struct piece next_inside(struct words *words)
{
    char run[RUN_BYTES];
    int point;
    skip_marks(&words->signs);
    if (copy_run(words->signs, run) == 0) {
        words->inside = false;
        return (struct piece){.kind = PIECE_END};
    }
    size_t n = read_point(words, run, &point);
    if (n > 0 && (run[n] == '\0' || strchr("-x:>!?$", run[n]) != NULL))
        return take_signs(words, PIECE_POINT, point, n);
    if (run[0] == '-' || run[0] == '>')
        return take_signs(words, PIECE_TO, -1, strspn(run, "->"));
    if (run[0] == 'x' || run[0] == ':')
        return take_signs(words, PIECE_TAKE, -1, 1);
    return bad(words, why_no_piece(words, run));
}

// Begins a run; a piece of another kind than PIECE_END if the whole of it is one.
static struct piece begin_run(struct words *words)
{
    char run[RUN_BYTES];
    size_t n = copy_run(words->signs, run);
    switch (kind_of_run(words, run)) {
    case RUN_RESULT:
        return take_signs(words, PIECE_RESULT, -1, n);
    case RUN_TAKE:
        return take_signs(words, PIECE_TAKE, -1, n);
    case RUN_TO:
        return take_signs(words, PIECE_TO, -1, n);
    case RUN_PASS:
        return take_signs(words, PIECE_PASS, -1, n);
    case RUN_SKIP:
        skip_signs(words, n);
        if (is_number(run))
            skip_bracket(&words->signs);
        words->n_points = 0;
        return (struct piece){.kind = PIECE_END};
    case RUN_PIECES:
        break;
    }
    size_t n_ordinal = ordinal_length(run);
    skip_signs(words, n_ordinal);
    if (n_ordinal > 0 && n_ordinal == n)
        skip_bracket(&words->signs);
    words->inside = true;
    return (struct piece){.kind = PIECE_END};
}

struct piece merels_words_next(struct words *words)
{
    for (;;) {
        const char *why = NULL;
        while (!words->inside && merels_words_between(words, &why))
            continue;
        if (why)
            return bad(words, why);
        char c = merels_sign(&words->signs);
        struct token here = token_from(&words->signs, &words->signs);
        if (!words->inside && c == '\0')
            return (struct piece){PIECE_END, -1, here, NULL};
        if (!words->inside && c == '[')
            return (struct piece){PIECE_TAG, -1, here, NULL};
        if (!words->inside && strchr(")}]", c) != NULL)
            return bad(words, "nothing was opened that this closes");
        struct piece piece = words->inside ? next_inside(words) : begin_run(words);
        if (piece.kind != PIECE_END)
            return piece;
    }
}

struct piece merels_words_peek(const struct words *words)
{
    struct words copy = *words;
    return merels_words_next(&copy);
}

// ---- tags ----------------------------------------------------------------------------------

// Puts a byte where there is room.
static void put(char *out, size_t room, size_t *n, char c)
{
    if (*n + 1 < room)
        out[(*n)++] = c;
    out[*n] = '\0';
}

// The value between quotes, byte by byte, so that names of people stay as they are.
static bool read_value(struct signs *signs, struct tag *tag)
{
    size_t n = 0;
    tag->value[0] = '\0';
    while (sign_is_blank(merels_sign(signs)))
        merels_sign_skip(signs);
    if (merels_sign(signs) != '"')
        return false;
    for (merels_sign_skip(signs); signs->text[signs->at] != '"'; merels_sign_skip(signs)) {
        if (signs->text[signs->at] == '\\')
            merels_sign_skip(signs);
        struct signs next = *signs;
        merels_sign_skip(&next);
        if (merels_sign(signs) == '\0' || merels_sign(signs) == '\n')
            return false;
        for (int at = signs->at; at < next.at; at++)
            put(tag->value, sizeof tag->value, &n, signs->text[at]);
    }
    merels_sign_skip(signs);
    return true;
}

bool merels_words_tag(struct words *words, struct tag *tag)
{
    struct signs signs = words->signs;
    size_t n = 0;
    tag->name[0] = '\0';
    merels_sign_skip(&signs); // [
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    for (char c; sign_is_letter(c = merels_sign(&signs)) || sign_is_digit(c) || c == '_';
         merels_sign_skip(&signs))
        put(tag->name, sizeof tag->name, &n, c);
    bool read = n > 0 && read_value(&signs, tag);
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    read = read && merels_sign(&signs) == ']';
    merels_sign_skip(&signs);
    tag->token = token_from(&words->signs, &signs);
    if (read)
        words->signs = signs;
    return read;
}

// ---- how points are written ----------------------------------------------------------------

// What the next run says: 0 nothing, else the form and 1.
static int form_of_run(const char *run)
{
    run += ordinal_length(run);
    run += run[0] == 'x' || run[0] == ':';
    if (sign_is_letter(run[0]) && sign_is_digit(run[1]) && !sign_is_digit(run[2]))
        return 1 + POINTS_PLAIN;
    if (sign_is_digit(run[0]) && run[1] >= 'a' && run[1] < 'x')
        return 1 + POINTS_REVERSED;
    return sign_is_digit(run[0]) ? 1 + POINTS_BY_NUMBER : 0;
}

struct words merels_words_begin(const struct board *board, struct signs signs)
{
    struct words words = {.board = board, .signs = signs, .number = 1}, scan = words;
    for (bool numbers = false;;) {
        char run[RUN_BYTES];
        const char *why = NULL;
        while (merels_words_between(&scan, &why))
            continue;
        struct signs end = run_end(scan.signs);
        size_t n = copy_run(scan.signs, run);
        int form = n == 0 || IS_ONE_OF(run, results) ? 0 : form_of_run(run);
        if (n == 0 || (form > 0 && form != 1 + POINTS_BY_NUMBER)) {
            words.form = n > 0     ? (enum point_form)(form - 1)
                         : numbers ? POINTS_BY_NUMBER
                                   : POINTS_PLAIN;
            return words;
        }
        numbers = numbers || (form > 0 && !ordinal_follows(scan.signs));
        if (is_number(run) || ordinal_length(run) == n)
            skip_bracket(&end);
        scan.signs = end;
    }
}

bool merels_words_take(struct signs *signs, const char *word)
{
    char run[RUN_BYTES];
    struct signs begin = *signs;
    while (sign_is_blank(merels_sign(&begin)))
        merels_sign_skip(&begin);
    copy_run(begin, run);
    if (strcmp(run, word) != 0)
        return false;
    *signs = run_end(begin);
    return true;
}

bool merels_words_begin_words(struct signs signs)
{
    char run[RUN_BYTES];
    copy_run(signs, run);
    return IS_ONE_OF(run, takes) || IS_ONE_OF(run, fillers);
}

bool merels_words_begin_game(struct signs signs)
{
    char run[RUN_BYTES];
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    if (merels_sign(&signs) != '\0' && strchr("[{(;%#", merels_sign(&signs)) != NULL)
        return true;
    copy_run(signs, run);
    drop_marks(run);
    return form_of_run(run) > 0 || ordinal_length(run) > 0 || IS_ONE_OF(run, results) ||
           IS_ONE_OF(run, takes) || IS_ONE_OF(run, fillers) || IS_ONE_OF(run, passes) ||
           looks_like_chess(run);
}
