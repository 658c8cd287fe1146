// rule_changes.c: two manifests, line by line.

#include "query/rule_changes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/manifest.h"
#include "game/subspace.h"
#include "query/listing.h"
#include "query/plain_values.h"
#include "query/value_text.h"

// Orbits with the rule and without it.
struct change {
    uint64_t orbits, changed, wins, losses; // changed: wins and losses that are draws now
    uint64_t draws, plain_draws;
};

struct changes {
    const struct context *context;
    struct manifest counted, plain;
    struct plain_values values; // nothing where the tables are not there
    struct listing *listing;
    struct change moving, placing;
    size_t n_left_out;
    char left_out[SUBSPACE_NAME_BYTES]; // the first
};

// ---- the two directories -------------------------------------------------------------------

static enum status read_plain(const char *dir, const struct rules *counted,
                              struct manifest *manifest, struct error *err)
{
    struct rules *rules = malloc(sizeof *rules);
    if (!rules)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    *rules = *counted;
    rules->n_move = 0;
    rules->metric = METRIC_DTC;
    enum status status = merels_manifest_read(dir, rules, manifest, err);
    if (status == STATUS_OTHER_RULES) {
        rules->metric = METRIC_DTM; // the usual one, which messages speak of
        status = merels_manifest_read(dir, rules, manifest, err);
    }
    free(rules);
    return status;
}

static enum status open_both(struct changes *changes, const char *plain, struct error *err)
{
    const struct context *context = changes->context;
    const struct rules *rules = context->rules;
    enum status status = merels_manifest_read(context->dir, rules, &changes->counted, err);
    if (status == STATUS_OK)
        status = read_plain(plain, rules, &changes->plain, err);
    if (status == STATUS_OK)
        status =
            merels_plain_open(plain, rules, context->args->cache_bytes, &changes->values, err);
    return status;
}

static void close_both(struct changes *changes)
{
    merels_plain_close(&changes->values);
    merels_manifest_free(&changes->plain);
    merels_manifest_free(&changes->counted);
    merels_listing_destroy(changes->listing);
}

// ---- rows ----------------------------------------------------------------------------------

static const struct column columns[] = {
    {"subspace", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"orbits", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"plain_draws", "draws without", COLUMN_NUMBER, .forms = IN_ALL},
    {"draws", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"changed", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"wins_changed", "of these wins", COLUMN_NUMBER, .forms = IN_ALL},
    {"losses_changed", "losses", COLUMN_NUMBER, .forms = IN_ALL},
};

enum { N_COLUMNS = sizeof columns / sizeof *columns };

static enum status add_row(struct listing *listing, const char *name, const struct change *c,
                           struct error *err)
{
    const struct cell cells[N_COLUMNS] = {
        cell_text(name),       cell_number(c->orbits),  cell_number(c->plain_draws),
        cell_number(c->draws), cell_number(c->changed), cell_number(c->wins),
        cell_number(c->losses)};
    return merels_listing_add(listing, cells, err);
}

static void add_to(struct change *sum, const struct change *c)
{
    sum->orbits += c->orbits;
    sum->plain_draws += c->plain_draws;
    sum->draws += c->draws;
    sum->changed += c->changed;
    sum->wins += c->wins;
    sum->losses += c->losses;
}

static enum status compare(const char *name, const struct table_header *counted,
                           const struct table_header *plain, struct change *change,
                           struct error *err)
{
    const struct table_stats *with = &counted->stats, *without = &plain->stats;
    if (with->win > without->win || with->loss > without->loss ||
        counted->n_orbits != plain->n_orbits)
        return merels_error(err, STATUS_MISMATCH,
                            "%s: more wins or losses with the rule than without it", name);
    *change = (struct change){.orbits = counted->n_orbits,
                              .changed = with->draw - without->draw,
                              .wins = without->win - with->win,
                              .losses = without->loss - with->loss,
                              .draws = with->draw,
                              .plain_draws = without->draw};
    return STATUS_OK;
}

static enum status add_entry(struct changes *changes, const struct manifest_entry *entry,
                             struct error *err)
{
    struct change change = {0};
    char name[SUBSPACE_NAME_BYTES];
    struct subspace s = entry->subspace;
    const struct manifest_entry *plain = merels_manifest_find(&changes->plain, s);
    merels_subspace_name(s, name);
    if (!plain) {
        if (changes->n_left_out++ == 0)
            strcpy(changes->left_out, name);
        return STATUS_OK;
    }
    enum status status = compare(name, &entry->header, &plain->header, &change, err);
    if (status != STATUS_OK)
        return status;
    add_to(s.ha + s.hb == 0 ? &changes->moving : &changes->placing, &change);
    return add_row(changes->listing, name, &change, err);
}

static enum status add_entries(struct changes *changes, struct error *err)
{
    enum status status = merels_listing_create(columns, N_COLUMNS, &changes->listing, err);
    for (size_t k = 0; k < changes->counted.n_entries && status == STATUS_OK; k++)
        status = add_entry(changes, &changes->counted.entries[k], err);
    return status;
}

// ---- printing ------------------------------------------------------------------------------

// "win", "draw" or "loss" of the side that begins; NULL where its tables are not there.
static const char *start_value(const struct changes *changes, bool plain)
{
    struct answer answer;
    struct error reason;
    const struct context *context = changes->context;
    const struct position start = merels_position_start(&context->variant.start);
    enum status status = plain
                             ? merels_plain_probe(&changes->values, &start, &answer, &reason)
                             : merels_tablebase_probe(context->base, &start, &answer, &reason);
    return status == STATUS_OK ? merels_value_name(answer.value) : NULL;
}

// The value of the empty board, or which table would tell it.
static const char *start_words(const struct changes *changes, bool plain, char words[80])
{
    const struct position start = merels_position_start(&changes->context->variant.start);
    const char *value = start_value(changes, plain);
    char name[SUBSPACE_NAME_BYTES];
    if (value)
        return value;
    merels_subspace_name(merels_subspace_of(&start), name);
    snprintf(words, 80, "not known, as table %s is not here", name);
    return words;
}

static enum status print_text(struct changes *changes, struct error *err)
{
    char words[2][80];
    struct output *out = changes->context->out;
    enum status status = add_row(changes->listing, "moving phase", &changes->moving, err);
    if (status == STATUS_OK)
        status = add_row(changes->listing, "placing phase", &changes->placing, err);
    if (status == STATUS_OK)
        status = merels_listing_print(changes->listing, out, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out,
                 "\nOrbits; changed: wins and losses of the mover that are draws by the rule.\n"
                 "The empty board, for the side that begins: %s; without the rule: %s.\n",
                 start_words(changes, false, words[0]), start_words(changes, true, words[1]));
    return STATUS_OK;
}

static enum status print(struct changes *changes, struct error *err)
{
    const struct context *context = changes->context;
    if (context->args->tsv) {
        merels_listing_print_tsv(changes->listing, true, context->out);
        return STATUS_OK;
    }
    if (!context->args->json)
        return print_text(changes, err);
    return merels_print_json(context->out,
                             json_pack("{s:s, s:o, s:s?, s:s?}", "rules", context->variant.text,
                                       "subspaces", merels_listing_json(changes->listing),
                                       "start", start_value(changes, false), "plain_start",
                                       start_value(changes, true)),
                             false, err);
}

enum status merels_rule_changes(struct context *context, const char *plain, struct error *err)
{
    struct changes changes = {.context = context};
    if (context->rules->n_move == 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "stats: --plain is for rules with n-move, which are compared with "
                            "the same without it");
    enum status status = open_both(&changes, plain, err);
    if (status == STATUS_OK)
        status = add_entries(&changes, err);
    if (status == STATUS_OK)
        status = print(&changes, err);
    if (status == STATUS_OK && changes.n_left_out > 0)
        status = merels_error(err, STATUS_MISSING, "tables left out: %zu; %s is not in %s",
                              changes.n_left_out, changes.left_out, plain);
    close_both(&changes);
    return status;
}
