// engine_gbgp.c: the Generic Board Game Protocol: whole turns, scores as the mover sees them.

#include <string.h>

#include "query/engine_protocol.h"

enum { DECIDED_EVAL = 10000 };

static void print_answer(struct conversation *conversation)
{
    struct output *out = conversation->out;
    const struct engine_answer *answer = &conversation->answer;
    bool plays = answer->outcome == ENGINE_PLY || answer->outcome == ENGINE_DRAW;
    int moves = merels_protocol_moves(answer);
    if (answer->words[0])
        merels_protocol_say(conversation, answer->words);
    if (plays) {
        merels_print(out, "info depth %d time %llu nodes %llu score ",
                     answer->known && answer->plies > 0 ? answer->plies : 1,
                     (unsigned long long)answer->ms, (unsigned long long)answer->n_looked_up);
        if (moves > 0)
            merels_print(out, "win %d", answer->value == VALUE_WIN ? moves : -moves);
        else // a result of which the depth to the end is not known is some of these
            merels_print(out, "eval %d", answer->known ? DECIDED_EVAL * (int)answer->value : 0);
        merels_print(out, " pv %s\n", answer->text);
    }
    merels_print(out, "bestmove %s\n", plays ? answer->text : "none");
}

static const struct protocol_command commands[] = {
    {"gbgp", merels_protocol_greet},
    {"isready", merels_protocol_is_ready},
    {"newgame", merels_protocol_new_game},
    {"setoption", merels_protocol_option},
    {"position", merels_protocol_position},
    {"go", merels_protocol_go},
    {"stop", merels_protocol_stop},
    {"ponderhit", merels_protocol_stop},
    {"debug", merels_protocol_nothing},
    {"quit", merels_protocol_quit},
    {NULL, NULL},
};

const struct protocol merels_protocol_gbgp = {
    .name = "gbgp",
    .dialect = OPTIONS_GBGP,
    .waits_for_greeting = true,
    .commands = commands,
    .print_answer = print_answer,
};
