// engine_protocol.h: the loop of a protocol: lines come in, a table of commands says what each
// does, lines go out. Each protocol is one file with its table.
//
// Lines are done in order. While the engine thinks, those that come are kept, but for the words
// that cannot wait: "isready" is answered, "stop", "ponderhit", "quit" and the end of the input
// end the thinking. So do a further "go" behind one without an end, and more lines than can be
// kept. Each "go" has one answer.

#ifndef MERELS_QUERY_ENGINE_PROTOCOL_H
#define MERELS_QUERY_ENGINE_PROTOCOL_H

#include <stdatomic.h>

#include "query/engine_options.h"
#include "query/engine_player.h"
#include "query/go_words.h"
#include "query/inbox.h"

// How much haste an answer has.
enum haste {
    HASTE_NONE,
    HASTE_SOON, // something waits for it: one that takes its time ends, a short one is finished
    HASTE_NOW   // it was stopped
};

// A conversation of one protocol. It belongs to who holds the lock of the inbox; what the
// engine thinks about, while it thinks, to the engine.
struct conversation {
    struct engine *engine;
    struct output *out;
    const struct protocol *protocol;
    struct inbox *inbox;
    bool greeted;      // the first command of the protocol has come
    bool thinks;       // an answer is looked for
    bool ends;         // "quit" has come, or the end of the input
    bool quit;         // "quit" is done
    atomic_int haste;  // an enum haste, of the answer that is looked for
    uint64_t begin_ms; // when it was begun
    bool takes_time;   // it has a time of its own, or no end
    bool endless;      // it has no end
    struct engine_answer answer;
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

// Reads lines of a descriptor until "quit" or their end and answers each. STATUS_IO,
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_protocol_run(const struct protocol *protocol,
                                               struct engine *engine, int in,
                                               struct output *out, struct error *err);

// ---- what protocols share ------------------------------------------------------------------

protocol_function merels_protocol_greet;    // who the engine is, and its options
protocol_function merels_protocol_is_ready; // "readyok"
protocol_function merels_protocol_option;   // "setoption"
protocol_function merels_protocol_position;
protocol_function merels_protocol_go;
protocol_function merels_protocol_stop; // nothing, where nothing is thought about
protocol_function merels_protocol_quit;
protocol_function merels_protocol_nothing;
protocol_function merels_protocol_new_game;

// Words for people, in a line that programs show or skip.
void merels_protocol_say(struct conversation *conversation, const char *words);

// True if there are rules and a position to talk about; else says why not, and what would be
// right.
bool merels_protocol_can_answer(struct conversation *conversation);

// The full moves to the end of the game, 0 where that is not known.
int merels_protocol_moves(const struct engine_answer *answer);

#endif
