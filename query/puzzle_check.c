// puzzle_check.c: reading and judging claims.

#include "query/puzzle_check.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "game/text.h"
#include "query/value_text.h"

// ---- reading -------------------------------------------------------------------------------

static const char example[] = "w a7,g7,g4 d7,g1,d1 0/0 ; id \"1\" ; win 25 ; bm g7-a1";

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

// Reads the number of a claim, which nothing follows.
static bool take_number(const char *text, int *number)
{
    *number = 0;
    for (; *text >= '0' && *text <= '9' && *number <= MAX_CLAIMED; text++)
        *number = 10 * *number + *text - '0';
    return *text == '\0' && *number > 0 && *number <= MAX_CLAIMED;
}

// Takes what a field claims; false if it makes no sense, or it was claimed before.
static bool take_claim(const char *field, struct claim *claim)
{
    const char *rest;
    if ((rest = behind(field, "win")) != NULL) {
        bool first = !claim->win || (claim->moves > 0 && claim->plies == 0);
        claim->win = true;
        return first && (*rest == '\0' || take_number(rest, &claim->plies));
    }
    if ((rest = behind(field, "dm")) != NULL) {
        claim->win = true;
        return claim->moves == 0 && take_number(rest, &claim->moves);
    }
    if ((rest = behind(field, "hold")) == NULL && (rest = behind(field, "draw")) == NULL)
        return true;
    bool first = !claim->hold;
    claim->hold = true;
    return first && *rest == '\0';
}

static enum status bad_field(const char *field, const char *why, struct error *err)
{
    return merels_error(err, STATUS_BAD_INPUT, "field '%.40s': %s; for example: %s", field, why,
                        example);
}

static enum status take_field(const char *field, struct claim *claim, struct error *err)
{
    const char *rest;
    bool fits = true;
    if ((rest = behind(field, "id")) != NULL) {
        rest += *rest == '"';
        fits = copy(claim->id, sizeof claim->id, rest, strcspn(rest, "\""));
    } else if ((rest = behind(field, "solution")) != NULL ||
               (rest = behind(field, "bm")) != NULL) {
        if (*rest == '\0' || claim->solution[0] != '\0')
            return bad_field(field, "plies stand behind solution, or one behind bm, once", err);
        fits = copy(claim->solution, sizeof claim->solution, rest, strlen(rest));
    }
    if (!fits)
        return bad_field(field, "the text is too long", err);
    if (!take_claim(field, claim))
        return bad_field(
            field,
            "claims are win and a number of plies, dm and a number of moves, hold, "
            "draw, each once and with nothing behind it",
            err);
    return claim->win && claim->hold
               ? bad_field(field, "a win and a draw cannot both be claimed", err)
               : STATUS_OK;
}

static enum status read_fields(const char *line, struct claim *claim, struct error *err)
{
    char field[CLAIM_TEXT_BYTES];
    enum status status = STATUS_OK;
    size_t n = strcspn(line, ";");
    bool fits = copy(claim->position, sizeof claim->position, line, n);
    for (line += n; fits && status == STATUS_OK && *line == ';'; line += n) {
        line++;
        n = strcspn(line, ";");
        fits = copy(field, sizeof field, line, n);
        status = fits ? take_field(field, claim, err) : STATUS_OK;
    }
    return fits ? status
                : merels_error(err, STATUS_BAD_INPUT,
                               "a field is over %d bytes long; for example: %s",
                               CLAIM_TEXT_BYTES - 1, example);
}

static bool take_solution(json_t *list, struct claim *claim)
{
    size_t i;
    json_t *ply;
    struct text solution = merels_text(claim->solution, sizeof claim->solution);
    if (!json_is_string(list) && !json_is_array(list))
        return false;
    if (json_is_string(list))
        return copy(claim->solution, sizeof claim->solution, json_string_value(list),
                    json_string_length(list));
    json_array_foreach(list, i, ply)
    {
        const char *text = json_string_value(ply);
        if (!text || solution.length + strlen(text) + 2 > solution.room)
            return false;
        merels_text_add(&solution, "%s%s", i > 0 ? " " : "", text);
    }
    return true;
}

// What is claimed in an object; NULL, or what makes no sense.
static const char *take_object(json_t *object, struct claim *claim)
{
    json_t *plies = json_object_get(object, "plies"), *goal = json_object_get(object, "goal"),
           *solution = json_object_get(object, "solution"), *id = json_object_get(object, "id");
    const char *position = json_string_value(json_object_get(object, "position")),
               *word = json_string_value(goal), *name = json_string_value(id);
    json_int_t number = json_integer_value(plies);
    if (!position)
        position = json_string_value(json_object_get(object, "fen"));
    if (!position)
        return "a position is missing";
    claim->hold = word && (strcmp(word, "hold") == 0 || strcmp(word, "draw") == 0);
    claim->win = !claim->hold && (word || plies);
    if (goal && !claim->hold && (!word || strcmp(word, "win") != 0))
        return "goal is win, hold or draw";
    if (plies && (!json_is_integer(plies) || number < !claim->hold || number > MAX_CLAIMED))
        return "plies is a number from 1 on";
    claim->plies = claim->hold ? 0 : (int)number;
    if (solution && !take_solution(solution, claim))
        return "solution is a list of plies, or a text, and not too long";
    return (id && !name) ||
                   !copy(claim->id, sizeof claim->id, name ? name : "", name ? strlen(name) : 0)
               ? "id is a text of at most 127 bytes"
           : !copy(claim->position, sizeof claim->position, position, strlen(position))
               ? "the position is too long"
               : NULL;
}

static enum status read_object(const char *line, struct claim *claim, struct error *err)
{
    json_error_t fault;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &fault);
    const char *why = object ? take_object(object, claim) : "it is none";
    json_decref(object);
    if (!why)
        return STATUS_OK;
    return merels_error(err, STATUS_BAD_INPUT,
                        "no puzzle in this JSON (%s); for example: {\"position\": \"w a7,g7,g4 "
                        "d7,g1,d1 0/0\", \"plies\": 25}",
                        why);
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
static bool values_are_right(const struct rules *rules, const struct claim *claim,
                             struct answer answer, char words[ERROR_TEXT_BYTES])
{
    char text[VALUE_TEXT_BYTES];
    const char *is = merels_value_words(rules, answer.value, answer.plies, text);
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
    if (!values_are_right(context->rules, claim, answer, words))
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
