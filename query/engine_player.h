// engine_player.h: the perfect player as an engine: a position with its game, settings, and one
// answer after another. Protocols (engine_gbgp.c, engine_uci.c) put words around it.
//
// Rules are those of the command line until options say others; the tables of others are looked
// for where each command looks for them. Rules that cannot be played are refused: then there is
// no answer but the refusal. Where tables are missing or damaged, the answer is a legal ply,
// and says so.

#ifndef MERELS_QUERY_ENGINE_PLAYER_H
#define MERELS_QUERY_ENGINE_PLAYER_H

#include "game/options.h"
#include "query/command.h"
#include "query/game_past.h"

enum { MAX_SKILL = 30 };

// Rules as options say them.
struct engine_rules {
    enum board_kind board;
    int values[N_RULE_OPTIONS];
    struct start start;
};

struct engine_settings {
    int skill; // 0 to MAX_SKILL: see merels_engine_answer
    struct draw_rules draws;
    bool shuffling; // a random one of plies that are equally good
    uint64_t seed;
    uint64_t
        move_ms; // for an answer, where the question says nothing; 0: as little as it takes
};

struct engine {
    struct context *context; // its game is the one that is played
    struct engine_settings settings;
    struct engine_rules first, wanted; // of the command line, and by options
    bool wanted_changed;
    uint64_t refused;                    // options that were refused, by number
    char refused_text[ERROR_TEXT_BYTES]; // what there is to say of the first of these
    struct error refusal;  // why the rules that are wanted are none; STATUS_OK if they are
    struct error tables;   // why there are none; STATUS_OK if there are
    struct error position; // why there is none; STATUS_OK if there is
    char rules_text[RULES_NAME_BYTES + 32], first_tables[RULES_NAME_BYTES];
    int quiet_before; // plies without a removal before the game, as its FEN says
    uint64_t random;
    struct position rest_at; // where the rest of an answer is due, and it
    struct ply rest;
};

// Begins with the rules of the context and its tables, if there are any, at the start.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_engine_begin(struct context *context, struct engine *engine,
                                               struct error *err);

// Takes the change of rules that options have made, if any: reads them and opens their tables.
void merels_engine_settle(struct engine *engine);

// Takes the rest of a "position" command, or any text of a position or a game, as the game. A
// text that is not good to its end gives no position.
void merels_engine_set_position(struct engine *engine, const char *text);

// Forgets game and chance of what was before.
void merels_engine_new_game(struct engine *engine);

// What limits an answer; all 0: a fixed piece of work, some 50 ms if the tables are in memory.
struct engine_question {
    uint64_t move_ms;       // the time that it may take
    bool endless;           // until it is stopped, or nothing is left to look at
    uint64_t n_nodes;       // look-ups
    uint64_t n_plies;       // 1 or 2: no further than replies
    const char *only_moves; // plies, or what comes first of them, between spaces; NULL: all
    size_t only_bytes;
    bool (*stops)(void *user); // asked every few milliseconds; true: answer now. NULL: never
    void *user;
};

// True if the answer takes a time of its own, so that chance has a part in it: equal questions
// in equal dialogues have equal answers where this is false and nothing stops them.
bool merels_engine_takes_time(const struct engine_question *question);

// Why there is no answer at all: rules that are not played, or no position. NULL if there is
// one, else words.
const char *merels_engine_why_not(const struct engine *engine, char words[ERROR_TEXT_BYTES]);

enum engine_outcome {
    ENGINE_PLY,     // `ply` is to be played
    ENGINE_OVER,    // the game is over, words say why
    ENGINE_COUNTED, // and a draw for the plies that the rules count
    ENGINE_DRAW,    // by the rules of repetition or quiet plies; `ply` is what could be played
    ENGINE_REFUSED  // no position, or rules that are not played; words say why
};

struct engine_answer {
    enum engine_outcome outcome;
    struct ply ply;
    char text[PLY_TEXT_BYTES], step[PLY_TEXT_BYTES]; // the ply, and what comes first of it
    bool known;                                      // value and plies of what follows
    enum value value;                                // for the mover, after the ply
    int plies;         // to the end, counted from now; -1 for a draw or where that is not known
    int counted_plies; // as the tables count, to the end or to the next removal; else -1
    uint64_t n_looked_up, ms;
    char words[ERROR_TEXT_BYTES]; // empty, or what there is to say
};

// Chooses a ply: the fastest win, the longest resistance, in a draw the ply that is hardest to
// answer. Below the highest skill, with a chance of 2 % for each level below it, another ply of
// the same value; below level 10, with a chance of 4 % for each level below it, one of a worse
// value. A won side avoids a third repetition, and takes a man where the win would be too long
// for the rule of quiet plies; a lost side takes a draw by these rules where it can.
void merels_engine_answer(struct engine *engine, const struct engine_question *question,
                          struct engine_answer *answer);

#endif
