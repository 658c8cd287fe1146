// served.h: one set of rules that is served: its tables, and the desks at which its requests
// are answered.
//
// A desk is a context with room for a ranking and a text for its output. There are as many as
// there were requests at one time; they are used again and again.

#ifndef MERELS_QUERY_SERVED_H
#define MERELS_QUERY_SERVED_H

#include <pthread.h>

#include "db/manifest.h"
#include "query/command.h"

enum { ETAG_BYTES = 20 };

struct served {
    struct context *context;  // rules, directory and tables of all desks
    const char *name;         // in addresses
    struct manifest manifest; // of the directory when it was opened; no entries without one
    bool whole;               // all tables of the start are listed: answers never change
    char etag[ETAG_BYTES];    // of whole ones: of everything that answers depend on
    pthread_mutex_t lock;     // of desks and games
    struct desk *desks;       // free ones
    int n_games;              // that are being analysed
    pthread_cond_t game_ends;
    pthread_mutex_t stats_lock;
    char *stats; // their text, once it was asked for; whole ones only
};

struct desk {
    struct context *context;
    struct arguments args;
    struct output out; // writes the text
    char *text;        // of n_bytes bytes once the output was flushed
    size_t n_bytes;
    struct desk *next;
};

// Opens the tables of the rules that args->operands[i] names, or the file args->rules for the
// first. args must outlive it. Fails as any command does.
MERELS_CHECKED enum status merels_served_open(const struct arguments *args, int i,
                                              struct served **served, struct error *err);
// No request may be running. NULL is allowed.
void merels_served_close(struct served *served);

// A desk with an empty output, without options; NULL without memory. Give it back.
struct desk *merels_served_desk(struct served *served, const atomic_int *cut);
void merels_served_return(struct served *served, struct desk *desk);

// Waits until less than MAX_GAMES games are analysed, which may take megabytes each, and begins
// one; false if the request was cut before.
enum { MAX_GAMES = 4 };
bool merels_served_begin_game(struct served *served, const atomic_int *cut);
void merels_served_end_game(struct served *served);

// Takes the text of a desk, which is the caller's to free; *n_bytes is its length. NULL without
// memory.
char *merels_desk_text(struct desk *desk, size_t *n_bytes);

#endif
