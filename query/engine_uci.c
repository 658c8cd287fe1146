// engine_uci.c: the dialect of UCI for mill games: a removal is an answer of its own, scores
// are White's, and the best move stands on the line of information.

#include <string.h>

#include "query/engine_protocol.h"
#include "query/render.h"
#include "query/value_text.h"

static void print_score(struct output *out, const struct engine_answer *answer, int mover)
{
    int moves = merels_protocol_moves(answer);
    bool white = (answer->value == VALUE_WIN) == (mover == WHITE);
    if (moves > 0)
        merels_print(out, "score mate %s%d", white ? "" : "-", moves);
    else if (answer->known && answer->value != VALUE_DRAW)
        merels_print(out, "score cp %s10000",
                     white ? "" : "-"); // no depth to the end is known, or it is over
    else
        merels_print(out, "score cp 0");
}

static void print_answer(struct conversation *conversation)
{
    struct output *out = conversation->out;
    const struct engine_answer *answer = &conversation->answer;
    bool drawn = answer->outcome == ENGINE_DRAW || answer->outcome == ENGINE_COUNTED;
    const char *move = answer->outcome == ENGINE_PLY ? answer->step : drawn ? "draw" : "none";
    const struct position *pos =
        merels_game_record_position(&conversation->engine->context->game);
    if (answer->words[0])
        merels_protocol_say(conversation, answer->words);
    merels_print(out, "info depth %d ", answer->known && answer->plies > 0 ? answer->plies : 0);
    if (drawn)
        merels_print(out, "score cp 0");
    else
        print_score(out, answer, pos->mover);
    merels_print(out, " nodes %llu bestmove %s\n", (unsigned long long)answer->n_looked_up,
                 move);
}

// ---- for people and tools ------------------------------------------------------------------

static void print_fen(struct conversation *conversation, const char *rest)
{
    (void)rest;
    char text[FEN_TEXT_BYTES];
    struct error err;
    const struct context *context = conversation->engine->context;
    const struct position *pos = merels_game_record_position(&context->game);
    if (!merels_protocol_can_answer(conversation))
        return;
    if (merels_position_format_fen(context->rules, pos,
                                   merels_game_record_placed(&context->game), text,
                                   &err) == STATUS_OK)
        merels_print(conversation->out, "Fen: %s\n", text);
    else
        merels_protocol_say(conversation, err.text);
}

static void show(struct conversation *conversation, const char *rest)
{
    const struct context *context = conversation->engine->context;
    if (!merels_protocol_can_answer(conversation))
        return;
    const struct render_style style = {.last = merels_game_record_last(&context->game)};
    merels_print_board(conversation->out, context->rules,
                       merels_game_record_position(&context->game), style);
    print_fen(conversation, rest);
}

// The first part of a ply: what stands in front of its removals, or the first of them.
static void first_step(const char *text, char step[PLY_TEXT_BYTES])
{
    size_t n = text[0] == 'x' ? 1 + strcspn(text + 1, "x") : strcspn(text, "x");
    memcpy(step, text, n);
    step[n] = '\0';
}

// Prints M=W(S) for every step, with the best ply that begins with it.
static void analyze(struct conversation *conversation, const char *rest)
{
    struct output *out = conversation->out;
    struct context *context = conversation->engine->context;
    char step[PLY_TEXT_BYTES], seen[MAX_PLIES / 4] = " ";
    merels_engine_set_position(conversation->engine, rest);
    if (!merels_protocol_can_answer(conversation))
        return;
    const struct position *pos = merels_game_record_position(&context->game);
    merels_rank_any_plies(context->base, context->rules, pos, context->ranking);
    merels_print(out, "info analysis");
    for (int i = 0; i < context->ranking->n_plies; i++) {
        const struct ranked_ply *entry = &context->ranking->plies[i];
        char word[PLY_TEXT_BYTES + 2];
        first_step(entry->text, step);
        snprintf(word, sizeof word, " %s ", step);
        if (strstr(seen, word) || strlen(seen) + sizeof word > sizeof seen)
            continue;
        strcat(seen, word + 1);
        merels_print(out, " %s=", step);
        if (!entry->known)
            merels_print(out, "unknown");
        else if (entry->plies > 0)
            merels_print(out, "%s(80 in %d steps)", merels_value_name(entry->value),
                         entry->plies);
        else
            merels_print(out, "%s(0)", merels_value_name(entry->value));
    }
    merels_print(out, "\n");
}

static const struct protocol_command commands[] = {
    {"uci", merels_protocol_greet},
    {"isready", merels_protocol_is_ready},
    {"ucinewgame", merels_protocol_new_game},
    {"setoption", merels_protocol_option},
    {"position", merels_protocol_position},
    {"go", merels_protocol_go},
    {"stop", merels_protocol_stop},
    {"ponderhit", merels_protocol_stop},
    {"debug", merels_protocol_nothing},
    {"d", show},
    {"fen", print_fen},
    {"analyze", analyze},
    {"quit", merels_protocol_quit},
    {NULL, NULL},
};

const struct protocol merels_protocol_uci = {
    .name = "uci",
    .dialect = OPTIONS_UCI,
    .commands = commands,
    .print_answer = print_answer,
};
