// engine_protocol.c: reading of commands, and those that protocols share.
//
// The lock of the inbox is held but while the engine thinks. What the reading thread does then
// (arrived) is to print "readyok", or to raise the haste, which the engine looks at between
// look-ups: nothing else is shared without the lock.
//
// An answer without a time of its own is a fixed piece of work (draws.h), so that equal
// dialogues have equal answers, also where they come from a file, with "quit" read long before
// it is due: only "stop" cuts it short, and whatever waits, once it takes longer than a second.

#include "query/engine_protocol.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "query/merels.h"

// Milliseconds that every answer has, however hasty, and those of a short one that is waited
// for.
enum { LEAST_MS = 20, SHORT_MS = 1000 };

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

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

// The command of a line; NULL if there is none of this name.
static protocol_function *command_of(const struct protocol *protocol, const char *line)
{
    const struct protocol_command *command = protocol->commands;
    while (command->word && !is_word(skip_blanks(line), command->word))
        command++;
    return command->run;
}

void merels_protocol_say(struct conversation *conversation, const char *words)
{
    merels_print(conversation->out, "info string ");
    for (; *words; words++)
        merels_print(conversation->out, "%c", iscntrl((unsigned char)*words) ? '?' : *words);
    merels_print(conversation->out, "\n");
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
    if (!conversation->thinks)
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

bool merels_protocol_can_answer(struct conversation *conversation)
{
    char words[ERROR_TEXT_BYTES];
    const char *why = merels_engine_why_not(conversation->engine, words);
    if (why)
        merels_protocol_say(conversation, why);
    return !why;
}

void merels_protocol_position(struct conversation *conversation, const char *rest)
{
    struct engine *engine = conversation->engine;
    merels_engine_set_position(engine, rest);
    if (engine->position.status != STATUS_OK)
        merels_protocol_say(conversation, engine->position.text);
    else if (engine->context->game.note.status != STATUS_OK)
        merels_protocol_say(conversation, engine->context->game.note.text);
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

// Asked by the engine, without the lock: true if it shall answer with what it has.
static bool is_hasty(void *user)
{
    struct conversation *conversation = user;
    int haste = atomic_load(&conversation->haste);
    if (haste == HASTE_NONE)
        return false;
    bool finishes = haste == HASTE_SOON && !conversation->takes_time;
    return now_ms() - conversation->begin_ms >= (finishes ? SHORT_MS : LEAST_MS);
}

static void raise_haste(struct conversation *conversation, enum haste haste)
{
    if (atomic_load(&conversation->haste) < (int)haste)
        atomic_store(&conversation->haste, (int)haste);
}

static void answer_ready(struct conversation *conversation)
{
    merels_protocol_is_ready(conversation, "");
    if (merels_output_flush(conversation->out, NULL) != STATUS_OK)
        raise_haste(conversation, HASTE_NOW);
}

// Does what cannot wait of the lines that were there before the thinking begins: "isready" and
// "stop" in front of the next "go", a "go" behind one without an end, and the end.
static void look_ahead(struct conversation *conversation)
{
    struct kept_line *line = merels_inbox_kept(conversation->inbox);
    atomic_store(&conversation->haste, conversation->ends ? HASTE_SOON : HASTE_NONE);
    for (; line; line = line->next) {
        protocol_function *run = command_of(conversation->protocol, line->text);
        if (run == merels_protocol_is_ready) {
            answer_ready(conversation);
            line->text[0] = '\0';
        }
        if (run == merels_protocol_stop)
            raise_haste(conversation, HASTE_NOW);
        if (run == merels_protocol_go && conversation->endless)
            raise_haste(conversation, HASTE_SOON);
        if (run == merels_protocol_stop || run == merels_protocol_go ||
            run == merels_protocol_quit)
            return;
    }
}

// Looks for the answer to a question, without the lock.
static void think(struct conversation *conversation, const struct engine_question *question)
{
    conversation->thinks = true;
    conversation->begin_ms = now_ms();
    look_ahead(conversation);
    merels_inbox_leave(conversation->inbox);
    merels_engine_answer(conversation->engine, question, &conversation->answer);
    merels_inbox_enter(conversation->inbox);
    while (conversation->endless && atomic_load(&conversation->haste) == HASTE_NONE)
        merels_inbox_wait(conversation->inbox);
    conversation->thinks = false;
}

// What the words ask for. The settings say how long, where they do not.
static struct engine_question question_of(const struct conversation *conversation,
                                          const struct go_words *go)
{
    const struct engine *engine = conversation->engine;
    int side = merels_game_record_position(&engine->context->game)->mover;
    struct engine_question question = {.only_moves = go->only_moves,
                                       .only_bytes = go->only_bytes,
                                       .move_ms = go->move_ms,
                                       .endless = go->endless,
                                       .n_nodes = go->n_nodes,
                                       .n_plies = go->n_plies};
    if (question.move_ms == 0)
        question.move_ms = merels_go_words_by_clock(go, side);
    if (question.move_ms == 0 && go->n_nodes == 0 && go->n_plies == 0)
        question.move_ms = engine->settings.move_ms;
    return question;
}

void merels_protocol_go(struct conversation *conversation, const char *rest)
{
    struct go_words go;
    merels_go_words_read(rest, &go);
    for (int i = 0; i < go.n_faults; i++)
        merels_protocol_say(conversation, go.faults[i].text);
    merels_engine_settle(conversation->engine);
    struct engine_question question = question_of(conversation, &go);
    question.stops = is_hasty;
    question.user = conversation;
    conversation->endless = question.endless;
    conversation->takes_time = merels_engine_takes_time(&question);
    think(conversation, &question);
    conversation->protocol->print_answer(conversation);
}

void merels_protocol_stop(struct conversation *conversation, const char *rest)
{
    (void)conversation;
    (void)rest;
}

int merels_protocol_moves(const struct engine_answer *answer)
{
    return answer->known && answer->plies > 0 ? (answer->plies + 1) / 2 : 0;
}

// ---- what cannot wait ----------------------------------------------------------------------

// True if a "go" is among the lines that are kept: what comes now belongs to that one.
static bool keeps_a_go(const struct conversation *conversation)
{
    struct kept_line *line = merels_inbox_kept(conversation->inbox);
    for (; line; line = line->next)
        if (command_of(conversation->protocol, line->text) == merels_protocol_go)
            return true;
    return false;
}

static bool do_at_once(struct conversation *conversation, const char *line)
{
    protocol_function *run = command_of(conversation->protocol, line);
    if (run == merels_protocol_stop) {
        bool later = keeps_a_go(conversation);
        raise_haste(conversation, later ? HASTE_SOON : HASTE_NOW);
        return !later;
    }
    if (run == merels_protocol_go && conversation->endless)
        raise_haste(conversation, HASTE_SOON);
    if (run != merels_protocol_is_ready)
        return false;
    answer_ready(conversation);
    return true;
}

// Called by the reading thread.
static bool arrived(void *user, enum arrival arrival, const char *line)
{
    struct conversation *conversation = user;
    bool quits = arrival == ARRIVAL_LINE &&
                 command_of(conversation->protocol, line) == merels_protocol_quit;
    conversation->ends = conversation->ends || quits || arrival == ARRIVAL_END;
    if (quits || arrival != ARRIVAL_LINE) {
        raise_haste(conversation, HASTE_SOON);
        return false;
    }
    return conversation->thinks && !conversation->ends && do_at_once(conversation, line);
}

// ---- the loop ------------------------------------------------------------------------------

static void take_line(struct conversation *conversation, const char *line)
{
    const struct protocol *protocol = conversation->protocol;
    const char *text = skip_blanks(line);
    char words[ERROR_TEXT_BYTES];
    if (*text == '\0')
        return;
    protocol_function *run = command_of(protocol, text);
    if (run == protocol->commands[0].run)
        conversation->greeted = true;
    if (protocol->waits_for_greeting && !conversation->greeted && run != merels_protocol_quit)
        return;
    if (run) {
        run(conversation, text + word_length(text));
        return;
    }
    snprintf(words, sizeof words, "unknown command: %.100s; for example: %s", text,
             "position startpos moves d6 f4");
    merels_protocol_say(conversation, words);
}

// Takes the next line; false at the end.
static bool step(struct conversation *conversation, enum status *status, struct error *err)
{
    struct kept_line *line = merels_inbox_next(conversation->inbox);
    if (!line) {
        *status = merels_inbox_status(conversation->inbox, err);
        return false;
    }
    if (line->fault.status == STATUS_OK)
        take_line(conversation, line->text);
    else { // it may have been a position: none is known then
        conversation->engine->position = line->fault;
        merels_protocol_say(conversation, line->fault.text);
    }
    free(line);
    *status = merels_output_flush(conversation->out, err);
    return *status == STATUS_OK && !conversation->quit;
}

enum status merels_protocol_run(const struct protocol *protocol, struct engine *engine, int in,
                                struct output *out, struct error *err)
{
    struct conversation *conversation = calloc(1, sizeof *conversation);
    if (!conversation)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the conversation");
    conversation->engine = engine;
    conversation->out = out;
    conversation->protocol = protocol;
    atomic_init(&conversation->haste, HASTE_NONE);
    enum status status =
        merels_inbox_open(in, arrived, conversation, &conversation->inbox, err);
    if (status == STATUS_OK) {
        while (step(conversation, &status, err))
            continue;
        merels_inbox_close(conversation->inbox);
    }
    free(conversation);
    return status;
}
