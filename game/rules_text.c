// rules_text.c: writing, reading and comparing the text of rules (docs/FORMAT.md, section 8).

#include "game/rules_text.h"

#include <stdio.h>
#include <string.h>

#include "game/options.h"
#include "game/text.h"

// ---- writing -------------------------------------------------------------------------------

static void put(struct text *text, const char *piece)
{
    merels_text_add(text, "%s", piece);
}

// " a7-d7-g7": the points of a set in point order.
static void put_set(struct text *text, const struct board *board, point_set set)
{
    for (const char *before = " "; set != 0; set &= set - 1, before = "-") {
        put(text, before);
        put(text, board->names[bit_lowest(set)]);
    }
}

static void put_board(struct text *text, const struct board *board)
{
    put(text, "points");
    for (int p = 0; p < board->n_points; p++)
        put_set(text, board, (point_set)1 << p);
    put(text, "\nedges");
    for (int p = 0; p < board->n_points; p++) {
        point_set above = board->neighbours[p] & ~(((point_set)2 << p) - 1);
        for (; above != 0; above &= above - 1)
            put_set(text, board, (point_set)1 << p | (above & -above));
    }
    put(text, "\nmills");
    for (int m = 0; m < board->n_mills; m++)
        put_set(text, board, board->mills[m]);
    put(text, "\n");
}

static void put_option(struct text *text, enum rule_option option, int value)
{
    char name[OPTION_TEXT_BYTES];
    merels_option_text(option, value, name);
    put(text, merels_option(option)->name);
    put(text, " ");
    put(text, name);
    put(text, "\n");
}

static size_t write_text(const struct rules *rules, bool all, char out[RULES_TEXT_BYTES])
{
    struct text text = merels_text(out, RULES_TEXT_BYTES);
    int values[N_RULE_OPTIONS];
    put_board(&text, &rules->board);
    merels_options_get(rules, values);
    for (int k = 0; k < N_RULE_OPTIONS; k++)
        if (all || values[k] != merels_option((enum rule_option)k)->usual)
            put_option(&text, (enum rule_option)k, values[k]);
    return text.length;
}

size_t merels_rules_text(const struct rules *rules, char out[RULES_TEXT_BYTES])
{
    return write_text(rules, false, out);
}

size_t merels_rules_long_text(const struct rules *rules, char out[RULES_TEXT_BYTES])
{
    return write_text(rules, true, out);
}

size_t merels_game_text(const struct rules *rules, struct start start,
                        char out[RULES_TEXT_BYTES])
{
    struct text text = {out, RULES_TEXT_BYTES, merels_rules_long_text(rules, out)};
    merels_text_add(&text, "men %d", start.first_men);
    if (start.second_men != start.first_men)
        merels_text_add(&text, "-%d", start.second_men);
    merels_text_add(&text, "\n");
    return text.length;
}

// ---- reading -------------------------------------------------------------------------------

// One line: its key and its value, not terminated.
struct line {
    int number;
    const char *key, *value;
    size_t n_key, n_value;
};

// Takes the next line that says something; false at the end.
static bool next_line(const char **at, struct line *line)
{
    while (**at != '\0') {
        const char *begin = *at;
        size_t n = strcspn(begin, "\n");
        *at += n + (begin[n] == '\n');
        line->number++;
        n -= n > 0 && begin[n - 1] == '\r';
        if (n == 0 || begin[0] == '#')
            continue;
        line->key = begin;
        line->n_key = strcspn(begin, " \n\r");
        line->n_key = line->n_key < n ? line->n_key : n;
        line->value = begin + line->n_key + (line->n_key < n);
        line->n_value = n - (size_t)(line->value - begin);
        return true;
    }
    return false;
}

// The lines that say the board, in the order of the text.
enum { N_BOARD_LINES = 3 };
static const char *const board_keys[N_BOARD_LINES] = {"points", "edges", "mills"};

// The lines of a text, each key once.
struct lines {
    struct line board[N_BOARD_LINES]; // n_key 0: not there
    int values[N_RULE_OPTIONS];
    bool said[N_RULE_OPTIONS];
    bool has_men;
    struct start men;
};

static int shown(size_t n)
{
    enum { SHOWN = 32 }; // characters of a wrong line that a message repeats
    return n < SHOWN ? (int)n : SHOWN;
}

static int shown_line(const struct line *line)
{
    return shown((size_t)(line->value + line->n_value - line->key));
}

static enum status said_twice(const struct line *line, struct error *err)
{
    return merels_error(err, STATUS_BAD_INPUT, "rules text, line %d: said twice: '%.*s'",
                        line->number, shown_line(line), line->key);
}

// A value that the key does not have; `known` are those that it has.
static enum status bad_value(const struct line *line, const char *known, const char *example,
                             struct error *err)
{
    const char *what = line->n_value == 0 ? "no value" : "unknown value";
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules text, line %d: %s: '%.*s'; known: %s; for example: %.*s %s",
                        line->number, what, shown_line(line), line->key, known,
                        (int)line->n_key, line->key, example);
}

// A key that is none, or one of an option that no table can answer.
static enum status bad_key(const struct line *line, struct error *err)
{
    char known[192] = "points, edges, mills, ";
    size_t n = strlen(known);
    const char *why;
    const char *meaning = merels_option_refused(line->key, line->n_key, &why);
    if (meaning != NULL)
        return merels_error(err, STATUS_BAD_INPUT,
                            "rules text, line %d: option '%.*s' (%s) is refused: %s",
                            line->number, (int)line->n_key, line->key, meaning, why);
    for (int k = 0; k < N_RULE_OPTIONS && n < sizeof known; k++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s, ",
                              merels_option((enum rule_option)k)->name);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules text, line %d: unknown key: '%.*s'; known: %smen; for example: "
                        "fly 3",
                        line->number, shown_line(line), line->key, known);
}

// True if the line says a part of the board.
static bool take_board_line(const struct line *line, struct lines *lines, bool *again)
{
    for (int k = 0; k < N_BOARD_LINES; k++)
        if (strlen(board_keys[k]) == line->n_key &&
            memcmp(board_keys[k], line->key, line->n_key) == 0) {
            *again = lines->board[k].n_key > 0;
            lines->board[k] = *line;
            return true;
        }
    return false;
}

// "9" or "5-7"; false if it is neither.
static bool read_men(const char *text, size_t n, struct start *start)
{
    int men[2] = {0, 0}, n_digits[2] = {0, 0}, side = 0;
    for (size_t k = 0; k < n; k++) {
        if (text[k] == '-' && side == 0)
            side = 1;
        else if (text[k] < '0' || text[k] > '9' || ++n_digits[side] > 2)
            return false;
        else
            men[side] = 10 * men[side] + text[k] - '0';
    }
    if (n_digits[0] == 0 || n_digits[side] == 0)
        return false;
    *start = (struct start){men[0], men[side]};
    return true;
}

static enum status unknown_value(const struct line *line, enum rule_option option,
                                 struct error *err)
{
    char known[OPTION_VALUES_BYTES], usual[OPTION_TEXT_BYTES];
    merels_option_values(option, known);
    merels_option_text(option, merels_option(option)->usual, usual);
    return bad_value(line, known, usual, err);
}

static enum status take_line(const struct line *line, struct lines *lines, struct error *err)
{
    bool again = false;
    if (take_board_line(line, lines, &again))
        return again ? said_twice(line, err) : STATUS_OK;
    if (line->n_key == 3 && memcmp(line->key, "men", 3) == 0) {
        again = lines->has_men;
        lines->has_men = true;
        if (again)
            return said_twice(line, err);
        return read_men(line->value, line->n_value, &lines->men)
                   ? STATUS_OK
                   : bad_value(line, "N, or N-M for the side that begins and the other", "5-7",
                               err);
    }
    enum rule_option option = merels_option_find(line->key, line->n_key);
    if (option == N_RULE_OPTIONS)
        return bad_key(line, err);
    if (lines->said[option])
        return said_twice(line, err);
    bool alone = line->n_value == 0 && merels_option_is_flag(option);
    int value = alone ? 1 : merels_option_value(option, line->value, line->n_value);
    if (value < 0)
        return unknown_value(line, option, err);
    lines->said[option] = true;
    lines->values[option] = value;
    return STATUS_OK;
}

// ---- the board -----------------------------------------------------------------------------

// The next word of a line; false at its end.
static bool next_word(const struct line *line, size_t *at, const char **word, size_t *n)
{
    while (*at < line->n_value && line->value[*at] == ' ')
        ++*at;
    *word = line->value + *at;
    *n = 0;
    while (*at < line->n_value && line->value[*at] != ' ') {
        ++*at;
        ++*n;
    }
    return *n > 0;
}

static enum status bad_word(const struct line *line, const char *word, size_t n,
                            const char *example, struct error *err)
{
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules text, line %d: '%.*s' is none of the %.*s, "
                        "as %s",
                        line->number, shown(n), word, (int)line->n_key, line->key, example);
}

// More than there is room for are counted, so that the board is refused by its bounds.
static enum status read_points(const struct line *line, struct board_lists *lists,
                               struct error *err)
{
    const char *word;
    size_t n;
    for (size_t at = 0; next_word(line, &at, &word, &n); lists->n_points++) {
        if (n != 2)
            return bad_word(line, word, n, "a1", err);
        if (lists->n_points < MAX_POINTS)
            memcpy(lists->names[lists->n_points], word, 2);
    }
    return STATUS_OK;
}

static int find_point(const struct board_lists *lists, const char *name)
{
    int n = lists->n_points < MAX_POINTS ? lists->n_points : MAX_POINTS;
    for (int p = 0; p < n; p++)
        if (memcmp(lists->names[p], name, 2) == 0)
            return p;
    return -1;
}

// An example of so many points joined, from those of the board itself.
static void write_example(const struct board_lists *lists, int n_each, char out[16])
{
    size_t n = 0;
    for (int k = 0; k < n_each; k++)
        n += (size_t)snprintf(out + n, 16 - n, "%s%.2s", k > 0 ? "-" : "", lists->names[k]);
}

// The word says joined points: which of them is none? NULL if it is not even written so.
static const char *unknown_point(const struct board_lists *lists, const char *word, size_t n,
                                 int n_each)
{
    const char *unknown = NULL;
    if (n != 3 * (size_t)n_each - 1)
        return NULL;
    for (int k = n_each - 1; k >= 0; k--) {
        if (k > 0 && word[3 * k - 1] != '-')
            return NULL;
        unknown = find_point(lists, word + 3 * k) < 0 ? word + 3 * k : unknown;
    }
    return unknown;
}

static enum status bad_joined(const struct line *line, const struct board_lists *lists,
                              const char *word, size_t n, int n_each, struct error *err)
{
    char example[16] = "";
    const char *unknown = unknown_point(lists, word, n, n_each);
    if (lists->n_points < n_each)
        return bad_word(line, word, n, n_each == 2 ? "a1-b1" : "a1-b1-c1", err);
    write_example(lists, n_each, example);
    if (unknown == NULL)
        return bad_word(line, word, n, example, err);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules text, line %d: '%.*s': %.2s is no point; right would be one of "
                        "the line 'points', as in %s",
                        line->number, shown(n), word, unknown, example);
}

// "a1-b1-c1": so many points.
static bool read_joined(const struct board_lists *lists, const char *word, size_t n, int n_each,
                        uint8_t *points)
{
    if (n != 3 * (size_t)n_each - 1)
        return false;
    for (int k = 0; k < n_each; k++) {
        int p = find_point(lists, word + 3 * k);
        if (p < 0 || (k > 0 && word[3 * k - 1] != '-'))
            return false;
        points[k] = (uint8_t)p;
    }
    return true;
}

static enum status read_edges(const struct line *line, struct board_lists *lists,
                              struct error *err)
{
    const char *word;
    uint8_t points[2];
    size_t n;
    for (size_t at = 0; next_word(line, &at, &word, &n); lists->n_edges++) {
        if (!read_joined(lists, word, n, 2, points))
            return bad_joined(line, lists, word, n, 2, err);
        if (lists->n_edges < MAX_EDGES)
            memcpy(lists->edges[lists->n_edges], points, sizeof points);
    }
    return STATUS_OK;
}

static enum status read_mills(const struct line *line, struct board_lists *lists,
                              struct error *err)
{
    const char *word;
    uint8_t points[3];
    size_t n;
    for (size_t at = 0; next_word(line, &at, &word, &n); lists->n_mills++) {
        if (!read_joined(lists, word, n, 3, points))
            return bad_joined(line, lists, word, n, 3, err);
        if (lists->n_mills < MAX_MILLS)
            memcpy(lists->mills[lists->n_mills], points, sizeof points);
    }
    return STATUS_OK;
}

static enum status read_board(const struct lines *lines, struct board *board, struct error *err)
{
    struct board_lists lists = {.n_points = 0};
    for (int k = 0; k < N_BOARD_LINES; k++)
        lists.lines[k] = lines->board[k].number;
    for (int k = 0; k < N_BOARD_LINES; k++)
        if (lines->board[k].n_key == 0)
            return merels_error(err, STATUS_BAD_INPUT, "rules text: no line '%s ...'",
                                board_keys[k]);
    enum status status = read_points(&lines->board[0], &lists, err);
    if (status == STATUS_OK && lists.n_points <= MAX_POINTS)
        status = read_edges(&lines->board[1], &lists, err);
    if (status == STATUS_OK && lists.n_points <= MAX_POINTS)
        status = read_mills(&lines->board[2], &lists, err);
    return status == STATUS_OK ? merels_board_make(board, &lists, err) : status;
}

// ---- the whole text ------------------------------------------------------------------------

static struct start usual_start(const struct rules *rules)
{
    int men = 3 * rules->board.n_points / 8;
    men = men < rules->least ? rules->least : men;
    men = men < 1 ? 1 : men;
    return (struct start){men, men};
}

enum status merels_rules_read_text(const char *text, struct rules *rules, struct start *start,
                                   struct error *err)
{
    struct lines lines = {.said = {false}};
    struct line line = {.number = 0};
    enum status status = STATUS_OK;
    text += strncmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0; // a byte-order mark
    for (int k = 0; k < N_RULE_OPTIONS; k++)
        lines.values[k] = merels_option((enum rule_option)k)->usual;
    for (const char *at = text; status == STATUS_OK && next_line(&at, &line);)
        status = take_line(&line, &lines, err);
    if (status == STATUS_OK)
        status = read_board(&lines, &rules->board, err);
    if (status != STATUS_OK)
        return status;
    merels_options_settle(lines.values);
    merels_options_set(rules, lines.values);
    if (start != NULL)
        *start = lines.has_men ? lines.men : usual_start(rules);
    return STATUS_OK;
}

// ---- comparing -----------------------------------------------------------------------------

static bool same_board(const struct board *x, const struct board *y)
{
    return x->n_points == y->n_points && x->n_mills == y->n_mills &&
           memcmp(x->names, y->names, sizeof x->names) == 0 &&
           memcmp(x->neighbours, y->neighbours, sizeof x->neighbours) == 0 &&
           memcmp(x->mills, y->mills, (size_t)x->n_mills * sizeof *x->mills) == 0;
}

static void put_boards(struct text *text, const struct board *there, const struct board *here)
{
    if (there->n_points != here->n_points)
        merels_text_add(text, "the board has %d points there, %d here", there->n_points,
                        here->n_points);
    else if (there->n_mills != here->n_mills)
        merels_text_add(text, "the board has %d mills there, %d here", there->n_mills,
                        here->n_mills);
    else
        merels_text_add(text, "the board has other edges, mills or names there");
}

void merels_rules_difference(const struct rules *there, const struct rules *here,
                             char out[RULES_DIFFERENCE_BYTES])
{
    enum { SHOWN = 3 };
    struct text text = merels_text(out, RULES_DIFFERENCE_BYTES);
    int x[N_RULE_OPTIONS], y[N_RULE_OPTIONS], n = 0;
    if (!same_board(&there->board, &here->board))
        put_boards(&text, &there->board, &here->board);
    merels_options_get(there, x);
    merels_options_get(here, y);
    for (int k = 0; k < N_RULE_OPTIONS; k++) {
        char a[OPTION_TEXT_BYTES], b[OPTION_TEXT_BYTES];
        if (x[k] == y[k] || n++ >= SHOWN)
            continue;
        merels_option_text((enum rule_option)k, x[k], a);
        merels_option_text((enum rule_option)k, y[k], b);
        merels_text_add(&text, "%s%s is %s there, %s here", text.length > 0 ? "; " : "",
                        merels_option((enum rule_option)k)->name, a, b);
    }
    if (n > SHOWN)
        merels_text_add(&text, "; and %d more", n - SHOWN);
}
