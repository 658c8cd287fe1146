// records.c: where a record ends.

#include "query/records.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "game/notation.h"

// How a record goes on behind its first line.
enum record_kind { RECORD_LINE, RECORD_NUMBERED, RECORD_WORDS, RECORD_TAGGED };

// What is known of a record of several lines.
struct shape {
    enum record_kind kind;
    bool braces;                   // inside of a comment
    bool plies;                    // something else than tags was there
    bool result;                   // it has ended
    int first_number, last_number; // of its moves; -1 while there is none
    int n_plies;                   // since the last number
    int n_leading;                 // plies in front of the first number
};

// ---- lines ---------------------------------------------------------------------------------

static struct signs first_sign(const char *text)
{
    struct signs signs = {text, 0, 1, 1};
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    return signs;
}

static bool is_empty(const char *text)
{
    struct signs signs = first_sign(text);
    return merels_sign(&signs) == '\0';
}

static bool is_comment(const char *text)
{
    struct signs signs = first_sign(text);
    return merels_sign(&signs) == '#' || merels_sign(&signs) == '%';
}

static bool is_tag(const char *text)
{
    struct signs signs = first_sign(text);
    return merels_sign(&signs) == '[';
}

// True if the line is a tag and nothing else: then a comment that is not closed ends in front
// of it, as it would swallow all games that follow.
static bool is_whole_tag(const char *text)
{
    struct tag tag;
    struct words words = {.signs = first_sign(text)};
    return is_tag(text) && merels_words_tag(&words, &tag) && is_empty(text + words.signs.at);
}

// The number of a move at this place, "1." or "1 .", but not "1..." of Black's ply; -1: none.
static int number_at(struct signs signs)
{
    int number = 0, dots = 0;
    if (!sign_is_digit(merels_sign(&signs)))
        return -1;
    for (char c; sign_is_digit(c = merels_sign(&signs)); merels_sign_skip(&signs))
        number = number > 99999 ? number : 10 * number + c - '0';
    while (sign_is_blank(merels_sign(&signs)))
        merels_sign_skip(&signs);
    for (; merels_sign(&signs) == '.'; merels_sign_skip(&signs))
        dots++;
    bool fraction = sign_is_digit(merels_sign(&signs)) && number == 0; // 0.5-0.5
    return (dots == 1 || dots == 2) && !fraction ? number : -1;
}

// Counts the plies of a run behind the last number of a move.
static void count_run(struct shape *shape, struct signs run)
{
    char rest[2] = {merels_sign(&run), 0};
    int number = number_at(run);
    if (number >= 0) {
        if (shape->first_number < 0)
            shape->n_leading = shape->n_plies;
        shape->first_number = shape->first_number < 0 ? number : shape->first_number;
        shape->last_number = number;
        shape->n_plies = 0;
        while (sign_is_digit(merels_sign(&run)) || merels_sign(&run) == '.')
            merels_sign_skip(&run);
        rest[0] = merels_sign(&run);
    }
    if (sign_is_letter(rest[0]) && sign_lower(rest[0]) != 'x')
        shape->n_plies++;
    else if (rest[0] == '-' || rest[0] == '>') // its target is a run of its own
        shape->n_plies--;
}

// Follows braces and semicolons through a line; *last becomes the last run outside of them.
static void scan(struct shape *shape, const char *text, struct signs *last)
{
    struct signs signs = {text, 0, 1, 1};
    for (bool blank = true; merels_sign(&signs) != '\0'; merels_sign_skip(&signs)) {
        char c = merels_sign(&signs);
        bool begins = !shape->braces && blank && !sign_is_blank(c) && c != '{' && c != '}';
        if (c == ';' && !shape->braces)
            return;
        shape->braces = c == '{' || (shape->braces && c != '}');
        blank = sign_is_blank(c) || shape->braces || c == '}';
        if (!begins)
            continue;
        *last = signs;
        count_run(shape, signs);
    }
}

static bool is_result(struct signs run)
{
    static const char *const results[] = {"1-0", "0-1", "1/2-1/2", "0.5-0.5", "*"};
    for (size_t i = 0; run.text && i < sizeof results / sizeof results[0]; i++)
        if (merels_words_take(&run, results[i]))
            return true;
    return false;
}

// ---- the parts of a record -----------------------------------------------------------------

// Makes the next line of the stream wait. One that is no text becomes an empty one with a
// fault.
static enum status fetch(struct records *records, struct error *err)
{
    bool read;
    struct error reason;
    if (records->waiting || records->ended)
        return STATUS_OK;
    enum status status = merels_lines_next(&records->lines, &read, &reason);
    if (!read && status != STATUS_OK)
        return merels_error(err, status, "%s", reason.text);
    records->waiting = read;
    records->ended = !read;
    records->waiting_fault.status = STATUS_OK;
    if (read && status != STATUS_OK) {
        records->lines.text[0] = '\0';
        records->waiting_fault = reason;
    }
    return STATUS_OK;
}

static enum status make_room(struct records *records, size_t needed, struct error *err)
{
    if (needed <= records->room)
        return STATUS_OK;
    char *text = realloc(records->text, 2 * needed);
    if (!text)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a record");
    records->text = text;
    records->room = 2 * needed;
    return STATUS_OK;
}

// Adds the line that waits to the record, as far as it is not too long.
static enum status append(struct records *records, struct error *err)
{
    size_t n = strlen(records->lines.text);
    if (records->fault.status == STATUS_OK)
        records->fault = records->waiting_fault;
    if (records->length + n > MAX_LINE_BYTES && records->fault.status == STATUS_OK)
        merels_error(&records->fault, STATUS_BAD_INPUT,
                     "the record is over %d bytes long; for example: 1. d6 f4 2. d2 b4",
                     MAX_LINE_BYTES);
    n = records->fault.status == STATUS_OK ? n : 0;
    enum status status = make_room(records, records->length + n + 2, err);
    if (status != STATUS_OK)
        return status;
    if (records->n_lines++ > 0 && records->fault.status == STATUS_OK)
        records->text[records->length++] = '\n';
    memcpy(records->text + records->length, records->lines.text, n);
    records->length += n;
    records->text[records->length] = '\0';
    records->waiting = false;
    return STATUS_OK;
}

static void follow(struct shape *shape, const char *text)
{
    struct signs last = {.text = NULL};
    if (!shape->braces && is_tag(text))
        return;
    if (is_comment(text) && !shape->braces)
        return;
    scan(shape, text, &last);
    shape->plies = shape->plies || last.text;
    shape->result = !shape->braces && is_result(last);
}

// True if a line begins with a move or a removal, with which no game begins.
static bool begins_inside(const char *text)
{
    struct signs signs = first_sign(text), dash = signs;
    if (sign_lower(merels_sign(&signs)) == 'x')
        return true;
    merels_sign_skip(&dash);
    merels_sign_skip(&dash);
    while (sign_is_blank(merels_sign(&dash)))
        merels_sign_skip(&dash);
    return sign_is_letter(merels_sign(&signs)) && merels_sign(&dash) == '-' &&
           merels_words_begin_game(signs);
}

// True if Black's ply is missing and the line begins with one ply in front of any number.
static bool completes_pair(const struct shape *shape, const char *text)
{
    struct signs last;
    struct shape line = {.first_number = -1, .last_number = -1};
    scan(&line, text, &last);
    int n_plies = line.first_number < 0 ? line.n_plies : line.n_leading;
    return shape->n_plies % 2 == 1 && n_plies == 1;
}

// True if the line goes on with plies that have numbers, or with words.
static bool goes_on_with_plies(const struct shape *shape, const char *text)
{
    struct signs signs = first_sign(text);
    int number = number_at(signs);
    char c = merels_sign(&signs);
    if (number >= 0)
        return shape->first_number < 0 ? shape->kind == RECORD_TAGGED
                                       : number > shape->last_number;
    if (strchr("{(;#%$!", c) || is_result(signs) || begins_inside(text))
        return true;
    if (shape->kind == RECORD_WORDS)
        return merels_words_begin_words(signs);
    if (sign_is_digit(c) && shape->first_number >= 0)
        return strstr(text, "...") != NULL || completes_pair(shape, text);
    return merels_words_begin_game(signs) &&
           (shape->first_number < 0 || completes_pair(shape, text));
}

// True if the line that waits goes on with the record.
static bool goes_on(const struct records *records, const struct shape *shape)
{
    const char *text = records->lines.text;
    if (records->waiting_fault.status != STATUS_OK)
        return shape->kind != RECORD_LINE;
    if (shape->braces)
        return !is_whole_tag(text);
    if (shape->kind == RECORD_LINE)
        return !is_comment(text) && !is_empty(text) &&
               (first_sign(text).at > 0 || begins_inside(text));
    if (shape->result || (shape->plies && is_tag(text)))
        return false;
    if (shape->kind == RECORD_TAGGED && (!shape->plies || is_empty(text)))
        return true;
    return !is_empty(text) && goes_on_with_plies(shape, text);
}

static enum record_kind kind_of(const char *text)
{
    struct signs signs = first_sign(text);
    if (is_tag(text))
        return RECORD_TAGGED;
    if (number_at(signs) >= 0)
        return RECORD_NUMBERED;
    return merels_words_begin_words(signs) ? RECORD_WORDS : RECORD_LINE;
}

static bool is_skipped(const struct records *records)
{
    const char *text = records->lines.text;
    return records->waiting_fault.status == STATUS_OK && (is_empty(text) || is_comment(text));
}

// Fetches the line that the next record begins with.
static enum status skip(struct records *records, struct error *err)
{
    enum status status = fetch(records, err);
    while (status == STATUS_OK && records->waiting && is_skipped(records)) {
        records->waiting = false;
        status = fetch(records, err);
    }
    return status;
}

static enum status take(struct records *records, struct error *err)
{
    struct shape shape = {
        .kind = kind_of(records->lines.text), .first_number = -1, .last_number = -1};
    bool alone = shape.kind == RECORD_LINE && !records->looks_ahead;
    enum status status;
    do {
        follow(&shape, records->lines.text);
        status = append(records, err);
        if (status == STATUS_OK && !alone && !shape.result)
            status = fetch(records, err);
    } while (status == STATUS_OK && records->waiting && goes_on(records, &shape));
    return status;
}

enum status merels_records_next(struct records *records, bool *read, struct error *err)
{
    *read = false;
    records->length = 0;
    records->n_lines = 0;
    records->fault.status = STATUS_OK;
    enum status status = skip(records, err);
    if (status != STATUS_OK || !records->waiting)
        return status;
    records->line = records->lines.n_lines > INT_MAX ? INT_MAX : (int)records->lines.n_lines;
    records->n++;
    status = take(records, err);
    *read = status == STATUS_OK;
    if (status == STATUS_OK && records->fault.status != STATUS_OK)
        status = merels_error(err, records->fault.status, "%s", records->fault.text);
    return status;
}

void merels_records_free(struct records *records)
{
    merels_lines_free(&records->lines);
    free(records->text);
    records->text = NULL;
}

int merels_records_line(const struct records *records)
{
    return records->n_lines > 1 ? records->line : 0;
}

// The value of a tag that says something.
static const char *known_tag(const char *text, const char *name, struct tag *tag)
{
    const char *value = merels_game_tag(text, name, tag);
    return value && value[0] != '\0' && strcmp(value, "?") != 0 ? value : NULL;
}

const char *merels_records_label(const char *text, char label[TAG_VALUE_BYTES])
{
    struct tag tag, other;
    const char *value = merels_text_label(text, &tag);
    bool players = !value && known_tag(text, "white", &tag) && known_tag(text, "black", &other);
    if (!value && !players)
        value = known_tag(text, "event", &tag);
    if (!value && !players)
        return NULL;
    snprintf(label, TAG_VALUE_BYTES, "%.500s%s%.500s", tag.value, players ? " - " : "",
             players ? other.value : "");
    for (char *c = label; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7F)
            *c = ' ';
    return label;
}

void merels_records_print_label(const char *label, struct output *out)
{
    if (!label)
        return;
    merels_print(out, " ; id \"");
    for (; *label; label++)
        merels_print(out, *label == '"' || *label == '\\' ? "\\%c" : "%c", *label);
    merels_print(out, "\"");
}

void merels_records_tell(const struct records *records, const struct error *note)
{
    struct error told;
    if (note->status == STATUS_OK)
        return;
    merels_error(&told, note->status, "line %d: %.480s", records->line, note->text);
    merels_complain(told.text);
}
