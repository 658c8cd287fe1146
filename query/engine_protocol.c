// engine_protocol.c: reading of commands, and those that protocols share.
//
// The engine answers within some milliseconds, so that a command is done before the next one is
// read. What is to wait (go infinite, go ponder) is answered inside and printed when it is
// asked for.

#include "query/engine_protocol.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "query/lines.h"
#include "query/merels.h"

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r");
}

static bool is_word(const char *text, const char *word)
{
    return word_length(text) == strlen(word) && strncasecmp(text, word, strlen(word)) == 0;
}

void merels_protocol_say(struct conversation *conversation, const char *words)
{
    merels_print(conversation->out, "info string %s\n", words);
}

void merels_protocol_greet(struct conversation *conversation, const char *rest)
{
    (void)rest;
    const struct protocol *protocol = conversation->protocol;
    struct output *out = conversation->out;
    merels_print(out, "id name Merels %s\nid author the Merels authors\n", merels_version());
    merels_engine_options_print(conversation->engine, protocol->dialect, out);
    merels_print(out, "%sok\n", protocol->name);
}

void merels_protocol_is_ready(struct conversation *conversation, const char *rest)
{
    (void)rest;
    merels_engine_settle(conversation->engine);
    merels_print(conversation->out, "readyok\n");
}

void merels_protocol_option(struct conversation *conversation, const char *rest)
{
    char words[ERROR_TEXT_BYTES];
    const char *said = merels_engine_option_set(conversation->engine,
                                                conversation->protocol->dialect, rest, words);
    if (said)
        merels_protocol_say(conversation, said);
}

void merels_protocol_position(struct conversation *conversation, const char *rest)
{
    struct engine *engine = conversation->engine;
    merels_engine_set_position(engine, rest);
    if (engine->position.status != STATUS_OK)
        merels_protocol_say(conversation, engine->position.text);
}

void merels_protocol_new_game(struct conversation *conversation, const char *rest)
{
    (void)rest;
    merels_engine_settle(conversation->engine);
    merels_engine_new_game(conversation->engine);
}

void merels_protocol_nothing(struct conversation *conversation, const char *rest)
{
    (void)conversation;
    (void)rest;
}

void merels_protocol_quit(struct conversation *conversation, const char *rest)
{
    (void)rest;
    conversation->quit = true;
}

// ---- go ------------------------------------------------------------------------------------

// The number behind a word of the arguments, 0 if it is not there.
static uint64_t number_behind(const char *text, const char *word)
{
    for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
        bool found = is_word(text, word);
        text = skip_blanks(text + word_length(text));
        if (found && *text >= '0' && *text <= '9')
            return strtoull(text, NULL, 10);
    }
    return 0;
}

static const char *behind(const char *text, const char *word)
{
    for (text = skip_blanks(text); *text; text = skip_blanks(text + word_length(text)))
        if (is_word(text, word))
            return skip_blanks(text + word_length(text));
    return NULL;
}

// What a move may take by the clocks: a thirtieth of what is left, and what is added.
static uint64_t time_of_clocks(const struct conversation *conversation, const char *text)
{
    const struct position *pos =
        merels_game_record_position(&conversation->engine->context->game);
    bool white = pos->mover == WHITE;
    return number_behind(text, white ? "wtime" : "btime") / 30 +
           number_behind(text, white ? "winc" : "binc") / 2;
}

void merels_protocol_go(struct conversation *conversation, const char *rest)
{
    struct engine_question question = {.move_ms = number_behind(rest, "movetime"),
                                       .only_moves = behind(rest, "searchmoves")};
    if (question.move_ms == 0)
        question.move_ms = time_of_clocks(conversation, rest);
    merels_engine_answer(conversation->engine, &question, &conversation->answer);
    conversation->waiting = behind(rest, "infinite") || behind(rest, "ponder");
    if (!conversation->waiting)
        conversation->protocol->print_answer(conversation);
}

void merels_protocol_stop(struct conversation *conversation, const char *rest)
{
    (void)rest;
    if (conversation->waiting)
        conversation->protocol->print_answer(conversation);
    conversation->waiting = false;
}

int merels_protocol_moves(const struct engine_answer *answer)
{
    return answer->known && answer->plies > 0 ? (answer->plies + 1) / 2 : 0;
}

// ---- the loop ------------------------------------------------------------------------------

static void take_line(struct conversation *conversation, const char *line)
{
    const struct protocol *protocol = conversation->protocol;
    const struct protocol_command *command = protocol->commands;
    const char *text = skip_blanks(line);
    char words[ERROR_TEXT_BYTES];
    if (*text == '\0')
        return;
    while (command->word && !is_word(text, command->word))
        command++;
    if (command == protocol->commands)
        conversation->greeted = true;
    bool quits = command->word && command->run == merels_protocol_quit;
    if (protocol->waits_for_greeting && !conversation->greeted && !quits)
        return;
    if (command->word) {
        command->run(conversation, text + word_length(text));
        return;
    }
    snprintf(words, sizeof words, "unknown command: %.100s", text);
    merels_protocol_say(conversation, words);
}

// Takes the next line; false at the end.
static bool step(struct conversation *conversation, struct lines *lines, enum status *status,
                 struct error *err)
{
    bool read;
    struct error reason;
    enum status line = merels_lines_next(lines, &read, &reason);
    if (!read) {
        *status = line == STATUS_OK ? line : merels_error(err, line, "%s", reason.text);
        return false;
    }
    if (line == STATUS_OK)
        take_line(conversation, lines->text);
    else { // it may have been a position: none is known then
        conversation->engine->position = reason;
        merels_protocol_say(conversation, reason.text);
    }
    *status = merels_output_flush(conversation->out, err);
    return *status == STATUS_OK && !conversation->quit;
}

enum status merels_protocol_run(const struct protocol *protocol, struct engine *engine,
                                FILE *in, struct output *out, struct error *err)
{
    struct conversation *conversation = calloc(1, sizeof *conversation);
    struct lines lines = {.in = in};
    enum status status = STATUS_OK;
    if (!conversation)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the conversation");
    conversation->engine = engine;
    conversation->out = out;
    conversation->protocol = protocol;
    while (step(conversation, &lines, &status, err))
        continue;
    merels_lines_free(&lines);
    free(conversation);
    return status;
}
