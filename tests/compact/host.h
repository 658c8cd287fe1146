// host.h: what the tests of edition compact share: a solved game exported, and a reader of its
// file in memory, of which nothing is here before it is asked for if the host is slow.

#ifndef MERELS_TESTS_COMPACT_HOST_H
#define MERELS_TESTS_COMPACT_HOST_H

#include "compact/export_compact.h"
#include "embed/merels_compact.h"
#include "tests/solver/support.h"

enum { MEMORY = MERELS_COMPACT_MEMORY };

static inline enum status export_with(const struct rules *rules, const char *dir,
                                      const char *name, int n_plies, int n_threads,
                                      struct compact_result *result)
{
    const struct compact_options options = {.dir = dir,
                                            .out_dir = dir,
                                            .out_name = name,
                                            .n_plies = n_plies,
                                            .n_threads = n_threads};
    return merels_export_compact(rules, &options, NULL, result, &test_error);
}

static inline char *solved(const struct rules *rules, struct start start, bool moving_only)
{
    char *dir = make_dir("merels-compact");
    const struct solve_options options = {
        .dir = dir, .n_threads = 2, .moving_only = moving_only};
    solve(rules, start, &options);
    return dir;
}

struct wanted {
    uint64_t offset;
    uint32_t n_bytes;
};

// The caller of a reader. With `slow` nothing is here until it has been asked for. What a call
// wanted comes all at once, or with `order` one range of it, another one for each order.
struct host {
    uint8_t *bytes, *here; // here: of each byte
    size_t n_bytes;
    bool slow;
    uint64_t order;
    struct wanted wanted[1024];
    size_t n_wanted; // by the last call
    size_t n_rounds, n_fetched, n_fetched_bytes;
    uint64_t *memory;
    struct merels_compact *reader;
};

static inline int host_read(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    struct host *host = context;
    if (offset > host->n_bytes || n_bytes > host->n_bytes - offset)
        return MERELS_COMPACT_ENDS;
    for (uint64_t k = offset; host->slow && k < offset + n_bytes; k++)
        if (!host->here[k])
            return MERELS_COMPACT_LATER;
    memcpy(to, host->bytes + offset, n_bytes);
    return MERELS_COMPACT_HERE;
}

static inline void host_want(void *context, uint64_t offset, uint32_t n_bytes)
{
    struct host *host = context;
    cr_assert(host->n_wanted < 1024);
    host->wanted[host->n_wanted++] = (struct wanted){offset, n_bytes};
}

static inline void fetch(struct host *host, struct wanted w)
{
    cr_assert(w.offset + w.n_bytes <= host->n_bytes);
    memset(host->here + w.offset, 1, w.n_bytes);
    host->n_fetched++;
    host->n_fetched_bytes += w.n_bytes;
}

// After a call: true if it has to be made again, and what it wanted has come.
static inline bool waits(struct host *host, int status)
{
    size_t n = host->n_wanted;
    host->n_wanted = 0;
    if (status != MERELS_COMPACT_NOT_YET)
        return false;
    cr_assert(n > 0 && ++host->n_rounds < 100000);
    if (host->order > 0)
        fetch(host, host->wanted[next_random(&host->order) % n]);
    for (size_t k = 0; host->order == 0 && k < n; k++)
        fetch(host, host->wanted[k]);
    return true;
}

static inline int open_host(struct host *host)
{
    const struct merels_compact_source source = {
        .context = host, .read = host_read, .want = host_want};
    int status;
    if (host->memory == NULL)
        host->memory = malloc(MEMORY);
    do
        status = merels_compact_open(host->memory, MEMORY, &source, &host->reader);
    while (waits(host, status));
    return status;
}

static inline struct host host_of(const char *dir, const char *name)
{
    struct host host = {0};
    host.bytes = load_bytes(dir, name, &host.n_bytes);
    host.here = calloc(host.n_bytes, 1);
    return host;
}

static inline void free_host(struct host *host)
{
    free(host->bytes);
    free(host->here);
    free(host->memory);
}

static inline struct merels_compact_position asked(const struct position *pos)
{
    return (struct merels_compact_position){.own = pos->own,
                                            .other = pos->other,
                                            .own_hand = pos->own_hand,
                                            .other_hand = pos->other_hand,
                                            .due = pos->due};
}

static inline int ask(struct host *host, const struct position *pos, int *value)
{
    const struct merels_compact_position p = asked(pos);
    int status;
    do
        status = merels_compact_value(host->reader, &p, value);
    while (waits(host, status));
    return status;
}

static inline int rank(struct host *host, const struct position *pos,
                       struct merels_compact_ply *plies, size_t *n)
{
    const struct merels_compact_position p = asked(pos);
    int status;
    do
        status = merels_compact_rank(host->reader, &p, plies, MERELS_COMPACT_PLIES, n);
    while (waits(host, status));
    return status;
}

// A game solved, exported with two plies, and the file in memory.
struct exported {
    struct rules *rules;
    struct start start;
    char *dir;
    struct host host;
};

static inline struct exported exported(const char *text)
{
    struct compact_result result;
    struct exported game = {.rules = calloc(1, sizeof *game.rules)};
    OK(merels_rules_parse(text, game.rules, &game.start, &test_error));
    game.dir = solved(game.rules, game.start, false);
    OK(export_with(game.rules, game.dir, "game.mce", 2, 2, &result));
    game.host = host_of(game.dir, "game.mce");
    return game;
}

static inline void drop(struct exported *game)
{
    free_host(&game->host);
    remove_dir(game->dir);
    free(game->rules);
}

#endif
