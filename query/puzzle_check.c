// puzzle_check.c: reading and judging claims.

#include "query/puzzle_check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "query/value_text.h"

// ---- reading -------------------------------------------------------------------------------

static bool copy(char *out, size_t room, const char *text, size_t length)
{
    while (length > 0 && strchr(" \t\r", text[0])) {
        text++;
        length--;
    }
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        length--;
    if (length >= room)
        return false;
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

// The rest of a field behind its name, NULL if it has another one.
static const char *behind(const char *field, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(field, name, n) != 0 || (field[n] != '\0' && !strchr(" \t", field[n])))
        return NULL;
    return field + n + strspn(field + n, " \t");
}

static bool take_field(const char *field, struct claim *claim)
{
    const char *rest;
    if ((rest = behind(field, "id")) != NULL) {
        rest += *rest == '"';
        return copy(claim->id, sizeof claim->id, rest, strcspn(rest, "\""));
    }
    if ((rest = behind(field, "win")) != NULL) {
        claim->win = true;
        claim->plies = atoi(rest);
    } else if ((rest = behind(field, "dm")) != NULL) {
        claim->win = true;
        claim->moves = atoi(rest);
    } else if (behind(field, "hold") || behind(field, "draw"))
        claim->hold = true;
    else if ((rest = behind(field, "solution")) != NULL || (rest = behind(field, "bm")) != NULL)
        return copy(claim->solution, sizeof claim->solution, rest, strlen(rest));
    return true;
}

static enum status read_fields(const char *line, struct claim *claim, struct error *err)
{
    char field[CLAIM_TEXT_BYTES];
    size_t n = strcspn(line, ";");
    bool fits = copy(claim->position, sizeof claim->position, line, n);
    for (line += n; fits && *line == ';'; line += n) {
        line++;
        n = strcspn(line, ";");
        fits = copy(field, sizeof field, line, n) && take_field(field, claim);
    }
    return fits ? STATUS_OK
                : merels_error(err, STATUS_BAD_INPUT, "a field is over %d bytes long",
                               CLAIM_TEXT_BYTES - 1);
}

static bool take_solution(json_t *list, struct claim *claim)
{
    size_t i, length = 0;
    json_t *ply;
    if (json_is_string(list))
        return copy(claim->solution, sizeof claim->solution, json_string_value(list),
                    json_string_length(list));
    json_array_foreach(list, i, ply)
    {
        const char *text = json_string_value(ply);
        if (!text || length + strlen(text) + 2 > sizeof claim->solution)
            return false;
        length += (size_t)sprintf(claim->solution + length, "%s%s", i > 0 ? " " : "", text);
    }
    return true;
}

static enum status read_object(const char *line, struct claim *claim, struct error *err)
{
    json_error_t error;
    json_t *object = json_loads(line, 0, &error);
    const char *position = json_string_value(json_object_get(object, "position"));
    if (!position)
        position = json_string_value(json_object_get(object, "fen"));
    const char *id = json_string_value(json_object_get(object, "id"));
    const char *goal = json_string_value(json_object_get(object, "goal"));
    bool fits = position &&
                copy(claim->position, sizeof claim->position, position, strlen(position)) &&
                copy(claim->id, sizeof claim->id, id ? id : "", id ? strlen(id) : 0) &&
                take_solution(json_object_get(object, "solution"), claim);
    claim->plies = (int)json_integer_value(json_object_get(object, "plies"));
    claim->hold = goal && (strcmp(goal, "hold") == 0 || strcmp(goal, "draw") == 0);
    claim->win = !claim->hold && (goal || claim->plies > 0);
    if (claim->hold)
        claim->plies = 0;
    json_decref(object);
    if (fits)
        return STATUS_OK;
    return merels_error(err, STATUS_BAD_INPUT,
                        "no puzzle in this JSON (%s); for example: {\"position\": \"w a7,g7,g4 "
                        "d7,g1,d1 0/0\", \"plies\": 25}",
                        position ? "a text is too long" : "a position is missing");
}

enum status merels_claim_read(const char *line, struct claim *claim, struct error *err)
{
    memset(claim, 0, sizeof *claim);
    line += strspn(line, " \t");
    return line[0] == '{' ? read_object(line, claim, err) : read_fields(line, claim, err);
}

// ---- judging -------------------------------------------------------------------------------

static void say(char words[ERROR_TEXT_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void say(char words[ERROR_TEXT_BYTES], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(words, ERROR_TEXT_BYTES, format, list);
    va_end(list);
}

// True if the values that are claimed are those of the tables.
static bool values_are_right(const struct claim *claim, struct answer answer,
                             char words[ERROR_TEXT_BYTES])
{
    char text[VALUE_TEXT_BYTES];
    const char *is = merels_value_words(answer.value, answer.plies, text);
    int moves = (answer.plies + 1) / 2;
    if (claim->win && answer.value != VALUE_WIN)
        say(words, "claims a win, and the side to move %s", is);
    else if (claim->hold && answer.value != VALUE_DRAW)
        say(words, "claims a draw, and the side to move %s", is);
    else if (claim->plies > 0 && answer.plies >= 0 && claim->plies != answer.plies)
        say(words, "claims a win in %d plies, and it takes %d", claim->plies, answer.plies);
    else if (claim->moves > 0 && answer.plies >= 0 && claim->moves != moves)
        say(words, "claims a win in %d moves, and it takes %d", claim->moves, moves);
    else
        return true;
    return false;
}

// Plays the solution: every ply of the solver has to keep the value, with the win in as few
// plies as there can be.
static enum status play_solution(struct context *context, const struct claim *claim,
                                 const struct position *first, struct answer answer,
                                 bool *right, char words[ERROR_TEXT_BYTES], struct error *err)
{
    struct game_record record =
        merels_game_record_begin(context->rules, &context->variant.start, first);
    struct error fault;
    enum status status = STATUS_OK;
    *right = merels_game_record_play(&record, claim->solution, &fault) == STATUS_OK;
    if (!*right)
        say(words, "the solution: %.400s", fault.text);
    for (size_t i = 0; status == STATUS_OK && *right && i < record.n_turns; i += 2) {
        char text[PLY_TEXT_BYTES];
        struct answer after;
        status = merels_tablebase_probe(context->base, &record.turns[i].after, &after, err);
        merels_ply_format(context->rules, record.turns[i].ply, text);
        if (status != STATUS_OK)
            break;
        int left = answer.plies - (int)i - 1;
        *right = -(int)after.value == (int)answer.value;
        if (!*right)
            say(words, "the solution: ply %zu, %s, throws away the %s", i + 1, text,
                answer.value == VALUE_WIN ? "win" : "draw");
        else if (after.plies > left && answer.plies >= 0) {
            *right = false;
            say(words, "the solution: ply %zu, %s, is not the fastest", i + 1, text);
        }
    }
    merels_game_record_free(&record);
    return status;
}

static enum status prove(struct context *context, const struct position *pos, int max_plies,
                         enum verdict_kind *verdict, char words[ERROR_TEXT_BYTES],
                         struct error *err)
{
    bool is_one;
    struct puzzle *puzzle = malloc(sizeof *puzzle);
    if (!puzzle)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a puzzle");
    enum status status =
        merels_puzzle_prove(context, pos, max_plies, puzzle, &is_one, words, err);
    *verdict = is_one ? PUZZLE_RIGHT : PUZZLE_SEVERAL;
    if (status == STATUS_OK && is_one && puzzle->goal == PUZZLE_WIN)
        say(words, "wins in %d %s, by one ply at each of %d steps", puzzle->plies,
            puzzle->plies == 1 ? "ply" : "plies", puzzle->n_steps);
    else if (status == STATUS_OK && is_one)
        say(words, "holds, by one ply at each of %d steps", puzzle->n_steps);
    free(puzzle);
    return status;
}

enum status merels_claim_check(struct context *context, const struct claim *claim,
                               enum verdict_kind *verdict, char words[ERROR_TEXT_BYTES],
                               struct error *err)
{
    struct position pos;
    bool right = true;
    enum status status = merels_position_parse(context->rules, &context->variant.start,
                                               claim->position, &pos, err);
    if (status == STATUS_OK)
        status = merels_context_rank(context, &pos, err);
    if (status != STATUS_OK)
        return status;
    const struct answer answer = context->ranking->answer;
    *verdict = PUZZLE_WRONG;
    if (!values_are_right(claim, answer, words))
        return STATUS_OK;
    int n_plies = 1;
    for (const char *c = claim->solution; *c; c++)
        n_plies += *c == ' ' && c[1] != 'x';
    if (claim->solution[0])
        status = play_solution(context, claim, &pos, answer, &right, words, err);
    if (status != STATUS_OK || !right)
        return status;
    return prove(context, &pos, n_plies, verdict, words, err);
}
