// args.h: the command line of a subcommand, read by one table of all options.
//
// Options may stand anywhere, "--name VALUE" or "--name=VALUE", and be cut short as far as it
// is clear which is meant; "--" ends them; a lone "-" is an operand (in a position it means "no
// men"). A subcommand says with a bit mask which it takes.

#ifndef MERELS_QUERY_ARGS_H
#define MERELS_QUERY_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "query/output.h"

enum {
    OPTION_DB,
    OPTION_THREADS,
    OPTION_MEMORY,
    OPTION_MAX_MEN,
    OPTION_PHASE,
    OPTION_CPU,
    OPTION_KEEP,
    OPTION_VERIFY,
    OPTION_GROUP,
    OPTION_RANKS,
    OPTION_CORES,
    OPTION_POSITION,
    OPTION_SAMPLE,
    OPTION_CACHE,
    OPTION_UNICODE,
    OPTION_REPLIES,
    OPTION_PARTS,
    OPTION_PLIES,
    OPTION_NODES,
    OPTION_SIDE,
    OPTION_TO,
    OPTION_EDITION,
    OPTION_METRIC,
    OPTION_PLAIN,
    OPTION_OUT,
    OPTION_PIECES,
    OPTION_RECORD,
    OPTION_RULES,
    OPTION_OPTIONS,
    OPTION_REACHABLE,
    OPTION_VERBOSE,
    OPTION_PROTOCOL,
    OPTION_COUNT,
    OPTION_GOAL,
    OPTION_STAGE,
    OPTION_MIN_PLIES,
    OPTION_SEED,
    OPTION_CHECK,
    OPTION_PORT,
    OPTION_LISTEN,
    OPTION_PAGE,
    OPTION_LOG,
    OPTION_ORIGIN,
    OPTION_MAX_BODY,
    OPTION_MAX_BATCH,
    OPTION_MAX_CONNECTIONS,
    OPTION_MAX_TIME,
    OPTION_MAX_IDLE,
    OPTION_SVG,
    OPTION_PLOT,
    OPTION_TSV,
    OPTION_JSON,
    OPTION_HELP,
    N_OPTIONS
};

#define TAKES(option) (UINT64_C(1) << (option))

// Room for a thousand uncompressed blocks, unless --cache says otherwise.
enum { ARGS_CACHE_BYTES = 64 << 20 };

enum { ARGS_PORT = 8017 };

// Positions that a search looks at for one answer, unless --nodes says otherwise: for whoever
// waits, and for a request to `serve`, which others wait behind.
enum { ARGS_NODES = 4000000, ARGS_SERVED_NODES = 400000 };

// What was given; 0, false or NULL where nothing was, but for cache_bytes and the numbers of
// serve.
struct arguments {
    bool help, verbose, tsv, json;
    bool verify; // of solve
    const char *db;
    const char *phase; // "moving" or "all"
    const char *keep;  // "all", "wdl" or "none"
    const char *cpu;   // "portable", "v3-slow-pext", "v3" or "v4"
    const char *position;
    const char *side;     // "white", "black", "both" or "none"
    const char *to;       // "short", "fen", "game" or "pgn"
    const char *edition;  // "dtm", "dtc", "wdl" or "compact"
    const char *metric;   // "dtm" or "dtc": of the rules
    const char *plain;    // directory
    const char *out;      // directory or file
    const char *record;   // file
    const char *rules;    // file; it is the first operand then
    const char *protocol; // "gbgp" or "uci"
    const char *goal;     // "win" or "hold"
    const char *stage;    // "placing", "moving" or "flying"
    const char *check;    // file
    const char *svg;      // file
    const char *plot;     // directory
    bool options;         // of rules
    bool reachable;       // positions
    bool unicode, replies, parts;
    uint64_t n_threads, n_ranks, n_cores, group, memory_bytes, max_men, n_samples;
    uint64_t cache_bytes, max_plies, piece_bytes;
    uint64_t min_plies, max_nodes, count, seed;
    // serve
    const char *listen, *page, *log, *origin;
    uint64_t port, max_body_bytes, max_batch, max_connections, max_seconds, idle_seconds;
    char **operands; // part of argv
    int n_operands;
};

// Reads argv[1 .. argc-1] and reorders it; argv[0] is the subcommand's name, and the texts stay
// in argv. STATUS_BAD_INPUT names the option that is unknown, ambiguous, not taken by this
// subcommand, or malformed. Uses getopt_long: one thread at a time.
MERELS_CHECKED enum status merels_args_parse(uint64_t takes, int argc, char **argv,
                                             struct arguments *args, struct error *err);

// One line for every option of the mask.
void merels_args_help(uint64_t takes, struct output *out);

#endif
