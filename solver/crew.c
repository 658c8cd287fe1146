// crew.c: what ranks have to agree on before they work together.

#include "solver/crew.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/file.h"

// ---- who they are --------------------------------------------------------------------------

// The first of n cards that is not like the first one; n if all are.
static int first_other(const char *cards, int n)
{
    int k = 1;
    while (k < n &&
           memcmp(cards + (size_t)k * CREW_IDENTITY_BYTES, cards, CREW_IDENTITY_BYTES) == 0)
        k++;
    return k;
}

enum status merels_crew_agree(struct ranks *world, const char *identity, struct error *err)
{
    int n = merels_ranks_count(world);
    char card[CREW_IDENTITY_BYTES] = "";
    char *cards = calloc((size_t)n, CREW_IDENTITY_BYTES);
    if (cards == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for %d ranks", n);
    memcpy(card, identity, strnlen(identity, CREW_IDENTITY_BYTES - 1));
    enum status status = merels_ranks_share(world, card, sizeof card, cards, err);
    int k = status == STATUS_OK ? first_other(cards, n) : n;
    if (status == STATUS_OK && k < n)
        status = merels_error(err, STATUS_UNSUPPORTED,
                              "the ranks do not belong together: rank 0 is %s; rank %d is %s",
                              cards, k, cards + (size_t)k * CREW_IDENTITY_BYTES);
    else if (status == STATUS_OK && n > CREW_MOST)
        status =
            merels_error(err, STATUS_UNSUPPORTED, "%d ranks are more than %d", n, CREW_MOST);
    free(cards);
    return status;
}

// ---- where they are ------------------------------------------------------------------------

// Rank 0 puts a file with a token into its directory, and the others look for it.
static const char mark_name[] = "SHARED";
enum { TOKEN_BYTES = 40, SECONDS_TO_SEE = 10 };

// What a rank tells the others.
struct sight {
    enum status status;
    char token[TOKEN_BYTES]; // of rank 0
    char text[ERROR_TEXT_BYTES];
};

static void mark(const char *dir, struct sight *sight)
{
    struct error reason = {.status = STATUS_OK};
    snprintf(sight->token, TOKEN_BYTES, "%.0f %ld\n", merels_clock_seconds() * 1e6,
             (long)getpid());
    sight->status =
        merels_file_replace(dir, mark_name, sight->token, strlen(sight->token), &reason);
    memcpy(sight->text, reason.text, sizeof sight->text);
}

static bool is_marked(const char *path, const char *token)
{
    char *text;
    size_t n;
    if (merels_file_load(path, TOKEN_BYTES, &text, &n, NULL) != STATUS_OK)
        return false;
    bool same = n == strlen(token) && memcmp(text, token, n) == 0;
    free(text);
    return same;
}

static enum status look_for(struct ranks *world, const char *dir, const char *token,
                            struct error *err)
{
    char *path;
    double until = 0;
    bool seen;
    enum status status = merels_path_join(dir, mark_name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    do
        seen = is_marked(path, token);
    while (!seen && merels_ranks_waits(world, SECONDS_TO_SEE, &until));
    free(path);
    return seen ? STATUS_OK
                : merels_error(err, STATUS_UNSUPPORTED,
                               "%s: is not the directory of rank 0; all ranks need one shared "
                               "directory",
                               dir);
}

static void unmark(const char *dir)
{
    char *path;
    if (merels_path_join(dir, mark_name, "", &path, NULL) != STATUS_OK)
        return;
    if (merels_file_remove(path, NULL) != STATUS_OK) {
        // It is in no one's way; the next run writes over it.
    }
    free(path);
}

// Everyone's sight; the first that is not good is the outcome.
static enum status compare(struct ranks *world, const struct sight *mine, struct sight *all,
                           struct error *err)
{
    enum status status = merels_ranks_share(world, mine, sizeof *mine, all, err);
    for (int r = 0; r < merels_ranks_count(world) && status == STATUS_OK; r++)
        if (all[r].status != STATUS_OK)
            status = merels_error(err, all[r].status, "rank %d: %s", r, all[r].text);
    return status;
}

enum status merels_crew_share_dir(struct ranks *world, const char *dir, struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    struct sight mine = {.status = STATUS_OK};
    struct sight *all = calloc((size_t)merels_ranks_count(world), sizeof *all);
    bool leads = merels_ranks_number(world) == 0;
    if (all == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the ranks");
    if (leads)
        mark(dir, &mine);
    enum status status = compare(world, &mine, all, err);
    if (status == STATUS_OK) {
        mine.status = look_for(world, dir, all[0].token, &reason);
        memcpy(mine.text, reason.text, sizeof mine.text);
        status = compare(world, &mine, all, err);
    }
    if (leads)
        unmark(dir);
    free(all);
    return status;
}

// A file may show here some seconds after another machine has made it.
enum status merels_crew_await(struct ranks *world, struct tablebase *base, struct subspace s,
                              struct error *err)
{
    const struct table *table;
    double until = 0;
    enum status status;
    do
        status = merels_tablebase_table(base, s, &table, err);
    while (status == STATUS_MISSING &&
           merels_ranks_waits(world, RANKS_SECONDS_TO_APPEAR, &until));
    return status == STATUS_MISSING && merels_ranks_stops(world)
               ? merels_error(err, STATUS_INTERRUPTED, "stopped")
               : status;
}
