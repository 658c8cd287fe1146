// engine_protocol.h: the loop of a protocol: lines come in, a table of commands says what each
// does, lines go out. Each protocol is one file with its table.

#ifndef MERELS_QUERY_ENGINE_PROTOCOL_H
#define MERELS_QUERY_ENGINE_PROTOCOL_H

#include "query/engine_options.h"
#include "query/engine_player.h"

// A conversation of one protocol.
struct conversation {
    struct engine *engine;
    struct output *out;
    const struct protocol *protocol;
    bool greeted; // the first command of the protocol has come
    bool waiting; // an answer is ready, and is given when it is asked for
    bool quit;
    struct engine_answer answer; // the one that waits
};

// What a command does; `rest` is the line behind its word.
typedef void protocol_function(struct conversation *conversation, const char *rest);

struct protocol_command {
    const char *word;
    protocol_function *run;
};

struct protocol {
    const char *name;                        // it answers its greeting with this and "ok"
    unsigned dialect;                        // of options
    bool waits_for_greeting;                 // lines in front of the first command are skipped
    const struct protocol_command *commands; // the first is the greeting; ends with a NULL word
    void (*print_answer)(struct conversation *conversation);
};

extern const struct protocol merels_protocol_gbgp;
extern const struct protocol merels_protocol_uci;

// Reads lines until "quit" or their end and answers each. STATUS_IO, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_protocol_run(const struct protocol *protocol,
                                               struct engine *engine, FILE *in,
                                               struct output *out, struct error *err);

// ---- what protocols share ------------------------------------------------------------------

protocol_function merels_protocol_greet;    // who the engine is, and its options
protocol_function merels_protocol_is_ready; // "readyok"
protocol_function merels_protocol_option;   // "setoption"
protocol_function merels_protocol_position;
protocol_function merels_protocol_go;
protocol_function merels_protocol_stop; // gives the answer that waits
protocol_function merels_protocol_quit;
protocol_function merels_protocol_nothing;
protocol_function merels_protocol_new_game;

// Words for people, in a line that programs show or skip.
void merels_protocol_say(struct conversation *conversation, const char *words);

// The full moves to the end of the game, 0 where that is not known.
int merels_protocol_moves(const struct engine_answer *answer);

#endif
