// served.c: opens what a request needs before the first one comes.

#include "query/served.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "query/merels.h"
#include "query/new_text.h"

enum { LOOK_MS = 100 };

// ---- opening -------------------------------------------------------------------------------

static enum status read_rules(const struct arguments *args, int i, struct context *context,
                              struct error *err)
{
    if (i > 0 || !args->rules)
        return merels_context_rules(context, args->operands[i], err);
    enum status status = merels_variant_load(args->rules, &context->variant, err);
    if (status == STATUS_OK)
        context->rules = &context->variant.rules;
    return status;
}

static bool is_whole(const struct manifest *manifest, const struct start *start)
{
    for (size_t i = 0; i < manifest->n_starts; i++)
        if (manifest->starts[i].first_men == start->first_men &&
            manifest->starts[i].second_men == start->second_men)
            return true;
    return false;
}

// The answers to equal requests are equal if all this is.
static void make_etag(struct served *served)
{
    char text[2 * SHA256_BYTES + 512], root[2 * SHA256_BYTES + 1];
    const struct variant *variant = &served->context->variant;
    merels_hex(served->manifest.root_hash, SHA256_BYTES, root);
    snprintf(text, sizeof text, "%s %s %.200s %d %d %s", merels_version(), variant->fingerprint,
             served->name, variant->start.first_men, variant->start.second_men, root);
    snprintf(served->etag, sizeof served->etag, "\"%016llx\"",
             (unsigned long long)merels_xxh64(text, strlen(text)));
}

static enum status read_manifest(struct served *served, struct error *err)
{
    struct error reason;
    const struct context *context = served->context;
    enum status status =
        merels_manifest_read(context->dir, context->rules, &served->manifest, &reason);
    if (status == STATUS_MISSING)
        return STATUS_OK;
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", reason.text);
    served->whole = is_whole(&served->manifest, &context->variant.start);
    if (served->whole)
        make_etag(served);
    return STATUS_OK;
}

static enum status open_all(const struct arguments *args, int i, struct served *served,
                            struct error *err)
{
    struct context *context = served->context;
    context->args = args;
    enum status status = read_rules(args, i, context, err);
    if (status != STATUS_OK)
        return status;
    struct variant *variant = &context->variant;
    served->name = variant->from_file ? variant->name : variant->text;
    char tables[RULES_NAME_BYTES];
    status = merels_variant_tables_name(variant, tables, err);
    if (status != STATUS_OK)
        return status;
    if (args->db && args->n_operands > 1 &&
        !(context->dir = merels_new_text("%s/%s", args->db, tables)))
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a name");
    struct arguments limited = *args;
    limited.max_nodes = args->max_nodes > 0 ? args->max_nodes : ARGS_SERVED_NODES;
    context->args = &limited;
    status = merels_context_tables(context, NEEDS_TABLES, err);
    context->args = args;
    // What a search says depends on its limit, and the manifest is one of other rules.
    return status == STATUS_OK && !context->search ? read_manifest(served, err) : status;
}

enum status merels_served_open(const struct arguments *args, int i, struct served **served,
                               struct error *err)
{
    struct served *made = calloc(1, sizeof *made);
    struct context *context = calloc(1, sizeof *context);
    if (!made || !context) {
        free(made);
        free(context);
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    }
    made->context = context;
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->stats_lock, NULL);
    pthread_cond_init(&made->game_ends, NULL);
    enum status status = open_all(args, i, made, err);
    if (status == STATUS_OK)
        *served = made;
    else
        merels_served_close(made);
    return status;
}

// ---- desks ---------------------------------------------------------------------------------

// Frees a desk; what belongs to all is left alone.
static void free_desk(struct desk *desk)
{
    struct context *context = desk->context;
    if (context) {
        context->base = NULL;
        context->search = NULL;
        context->dir = NULL;
        merels_context_free(context);
    }
    if (desk->out.stream)
        fclose(desk->out.stream);
    free(desk->text);
    free(desk);
}

static struct desk *make_desk(const struct served *served)
{
    const struct context *shared = served->context;
    struct desk *desk = calloc(1, sizeof *desk);
    struct context *context = desk ? calloc(1, sizeof *context) : NULL;
    if (!context) {
        free(desk);
        return NULL;
    }
    desk->context = context;
    context->args = &desk->args;
    context->out = &desk->out;
    context->variant.text = shared->variant.text;
    context->variant.from_file = shared->variant.from_file;
    context->variant.start = shared->variant.start;
    strcpy(context->variant.name, shared->variant.name);
    strcpy(context->variant.fingerprint, shared->variant.fingerprint);
    context->rules = shared->rules;
    context->dir = shared->dir;
    context->base = shared->base;
    context->search = shared->search;
    context->ranking = malloc(sizeof *context->ranking);
    if (context->ranking)
        return desk;
    free_desk(desk);
    return NULL;
}

struct desk *merels_served_desk(struct served *served, const atomic_int *cut)
{
    pthread_mutex_lock(&served->lock);
    struct desk *desk = served->desks;
    if (desk)
        served->desks = desk->next;
    pthread_mutex_unlock(&served->lock);
    desk = desk ? desk : make_desk(served);
    if (!desk)
        return NULL;
    desk->args = (struct arguments){.json = true};
    desk->context->cut = cut;
    desk->out = (struct output){.stream = open_memstream(&desk->text, &desk->n_bytes)};
    if (desk->out.stream)
        return desk;
    free_desk(desk);
    return NULL;
}

void merels_served_return(struct served *served, struct desk *desk)
{
    struct context *context = desk->context;
    merels_game_record_free(&context->game);
    context->game = (struct game_record){.rules = NULL};
    context->cut = NULL;
    if (desk->out.stream)
        fclose(desk->out.stream);
    desk->out = (struct output){.stream = NULL};
    free(desk->text);
    desk->text = NULL;
    pthread_mutex_lock(&served->lock);
    desk->next = served->desks;
    served->desks = desk;
    pthread_mutex_unlock(&served->lock);
}

char *merels_desk_text(struct desk *desk, size_t *n_bytes)
{
    bool failed = fclose(desk->out.stream) != 0 || desk->out.failure != 0;
    char *text = failed ? NULL : desk->text;
    desk->out.stream = NULL;
    if (failed)
        free(desk->text);
    desk->text = NULL;
    *n_bytes = desk->n_bytes;
    return text;
}

bool merels_served_begin_game(struct served *served, const atomic_int *cut)
{
    pthread_mutex_lock(&served->lock);
    while (served->n_games >= MAX_GAMES && !atomic_load(cut)) {
        struct timespec until; // a cut wakes nobody
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&served->game_ends, &served->lock, &until);
    }
    bool begins = !atomic_load(cut);
    served->n_games += begins;
    pthread_mutex_unlock(&served->lock);
    return begins;
}

void merels_served_end_game(struct served *served)
{
    pthread_mutex_lock(&served->lock);
    served->n_games--;
    pthread_cond_signal(&served->game_ends);
    pthread_mutex_unlock(&served->lock);
}

void merels_served_close(struct served *served)
{
    if (!served)
        return;
    while (served->desks) {
        struct desk *desk = served->desks;
        served->desks = desk->next;
        free_desk(desk);
    }
    merels_manifest_free(&served->manifest);
    merels_context_free(served->context);
    pthread_mutex_destroy(&served->lock);
    pthread_mutex_destroy(&served->stats_lock);
    pthread_cond_destroy(&served->game_ends);
    free(served->stats);
    free(served);
}
