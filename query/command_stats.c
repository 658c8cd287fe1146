// command_stats.c: merels stats: the counts and longest wins and losses of every table, from
// the headers; of tables that are not kept from the manifest.

#include <stdlib.h>

#include "db/manifest.h"
#include "game/notation.h"
#include "query/command.h"
#include "query/compact_counts.h"
#include "query/listing.h"
#include "query/plots.h"
#include "query/progress_display.h"
#include "query/rule_changes.h"
#include "query/stop.h"
#include "search/reachable.h"
#include "work/memory.h"

// One table. The examples are empty texts where there is no win or no loss.
struct stats_row {
    char name[SUBSPACE_NAME_BYTES];
    struct table_header header;
    bool dropped; // there is no file: the header is from the manifest
    char win_example[POSITION_TEXT_BYTES];
    char loss_example[POSITION_TEXT_BYTES];
};

// ---- gathering -----------------------------------------------------------------------------

static enum status write_example(const struct context *context, struct subspace s,
                                 uint64_t slot, char *text, struct error *err)
{
    struct position pos;
    enum status status =
        merels_index_unrank(merels_tablebase_index(context->base), s, slot, &pos, err);
    if (status == STATUS_OK)
        merels_position_format(context->rules, &pos, text);
    return status;
}

// From the table's header, or, if it is not kept, from its line in the manifest.
static enum status fill_row(const struct context *context, struct subspace s,
                            const struct manifest_entry *listed, struct stats_row *row,
                            struct error *err)
{
    const struct table *table;
    enum status status = STATUS_OK;
    row->dropped = listed != NULL && listed->dropped;
    if (row->dropped)
        row->header = listed->header;
    else
        status = merels_tablebase_table(context->base, s, &table, err);
    if (status != STATUS_OK)
        return status;
    if (!row->dropped)
        row->header = *merels_table_header(table);
    merels_subspace_name(s, row->name);
    const struct table_stats *stats = &row->header.stats;
    if (stats->max_win >= 0)
        status = write_example(context, s, stats->max_win_slot, row->win_example, err);
    if (status == STATUS_OK && stats->max_loss >= 0)
        status = write_example(context, s, stats->max_loss_slot, row->loss_example, err);
    return status;
}

// The rows of all tables that can be read, in listing order; *rows is the caller's to free.
struct gathered {
    struct stats_row *rows;
    size_t n_rows;
    size_t n_unread;
    struct error first_unread;
};

static enum status fill_rows(const struct context *context, const struct manifest *manifest,
                             const struct subspace *subspaces, size_t n,
                             struct gathered *gathered, struct error *err)
{
    gathered->rows = calloc(n, sizeof *gathered->rows);
    if (!gathered->rows)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; i < n; i++) {
        struct stats_row *row = &gathered->rows[gathered->n_rows];
        struct error reason;
        if (fill_row(context, subspaces[i], merels_manifest_find(manifest, subspaces[i]), row,
                     &reason) == STATUS_OK)
            gathered->n_rows++;
        else if (gathered->n_unread++ == 0)
            gathered->first_unread = reason;
    }
    return STATUS_OK;
}

static int compare_subspaces(const void *x, const void *y)
{
    return merels_subspace_compare(*(const struct subspace *)x, *(const struct subspace *)y);
}

// Puts the tables that are not kept, and have no file, among those that have one.
static enum status add_dropped(const struct manifest *manifest, struct subspace **subspaces,
                               size_t *n, struct error *err)
{
    size_t n_there = *n, n_all = *n;
    struct subspace *all = realloc(*subspaces, (n_all + manifest->n_entries + 1) * sizeof *all);
    if (!all)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the list of tables");
    for (size_t k = 0; k < manifest->n_entries; k++)
        if (manifest->entries[k].dropped &&
            !merels_subspace_among(all, n_there, manifest->entries[k].subspace))
            all[n_all++] = manifest->entries[k].subspace;
    qsort(all, n_all, sizeof *all, compare_subspaces);
    *subspaces = all;
    *n = n_all;
    return STATUS_OK;
}

// The edition that was solved, whose lines hold all that is known, also where its tables are
// not kept and those of another one are.
static enum status choose_solved(const struct context *context, struct error *err)
{
    struct manifest manifest;
    if (merels_tablebase_edition(context->base) == EDITION_COMPACT)
        return STATUS_OK;
    enum status status = merels_manifest_read(context->dir, context->rules, &manifest, err);
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    if (manifest.n_entries > 0)
        merels_tablebase_choose(context->base, manifest.edition);
    merels_manifest_free(&manifest);
    return STATUS_OK;
}

// The lines of the edition that is open; nothing if there is no manifest.
static enum status read_lines(const struct context *context, struct manifest *whole,
                              const struct manifest **lines, struct error *err)
{
    static const struct manifest none = {.edition = EDITION_DTM};
    *whole = none;
    *lines = &none;
    enum edition edition = merels_tablebase_edition(context->base);
    if (edition == EDITION_COMPACT)
        return STATUS_OK;
    enum status status = merels_manifest_read(context->dir, context->rules, whole, err);
    if (status != STATUS_OK)
        return status == STATUS_MISSING ? STATUS_OK : status;
    const struct manifest *of = merels_manifest_of(whole, edition);
    *lines = of != NULL ? of : &none;
    return STATUS_OK;
}

// Edition compact has no counts: they are found by decoding it.
static enum status gather_compact(const struct context *context, struct gathered *gathered,
                                  struct error *err)
{
    struct counted_subspace *list;
    size_t n;
    enum status status = merels_compact_count(context, &list, &n, err);
    if (status != STATUS_OK)
        return status;
    gathered->rows = calloc(n + 1, sizeof *gathered->rows);
    if (!gathered->rows)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; status == STATUS_OK && i < n; i++) {
        merels_subspace_name(list[i].subspace, gathered->rows[i].name);
        gathered->rows[i].header = list[i].header;
        gathered->n_rows++;
    }
    free(list);
    return status;
}

static enum status gather(const struct context *context, struct gathered *gathered,
                          struct error *err)
{
    struct manifest manifest;
    const struct manifest *lines;
    struct subspace *subspaces = NULL;
    size_t n = 0;
    if (merels_tablebase_edition(context->base) == EDITION_COMPACT)
        return gather_compact(context, gathered, err);
    enum status status = read_lines(context, &manifest, &lines, err);
    if (status == STATUS_OK)
        status = merels_tablebase_list(context->base, &subspaces, &n, err);
    if (status == STATUS_OK)
        status = add_dropped(lines, &subspaces, &n, err);
    if (status == STATUS_OK && n == 0)
        status = merels_error(err, STATUS_MISSING, "%s: there is no table", context->dir);
    if (status == STATUS_OK)
        status = fill_rows(context, lines, subspaces, n, gathered, err);
    free(subspaces);
    merels_manifest_free(&manifest);
    return status;
}

// ---- printing ------------------------------------------------------------------------------

static const struct column columns[] = {
    {"subspace", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"metric", .kind = COLUMN_TEXT, .forms = IN_JSON},
    {"slots", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"orbits", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"win", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"draw", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"loss", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"max_win", "max win", COLUMN_NUMBER, .forms = IN_ALL},
    {"max_loss", "max loss", COLUMN_NUMBER, .forms = IN_ALL},
    {"none", .kind = COLUMN_NUMBER, .forms = IN_TSV | IN_JSON},
    {"max_win_position", .kind = COLUMN_TEXT, .forms = IN_JSON},
    {"max_loss_position", .kind = COLUMN_TEXT, .forms = IN_JSON},
};

static const struct column example_columns[] = {
    {"subspace", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"deepest", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"plies", .kind = COLUMN_NUMBER, .forms = IN_TEXT},
    {"position", .kind = COLUMN_TEXT, .forms = IN_TEXT},
};

enum {
    N_COLUMNS = sizeof columns / sizeof *columns,
    N_EXAMPLE_COLUMNS = sizeof example_columns / sizeof *example_columns
};

static struct cell example_cell(const char *text)
{
    return cell_text(text[0] == '\0' ? NULL : text);
}

static enum status add_row(struct listing *listing, const struct stats_row *row,
                           struct error *err)
{
    const struct table_header *h = &row->header;
    const struct table_stats *s = &h->stats;
    const struct cell cells[N_COLUMNS] = {cell_text(row->name),
                                          cell_text(merels_edition_name(h->edition)),
                                          cell_number(h->n_slots),
                                          cell_number(h->n_orbits),
                                          cell_number(s->win),
                                          cell_number(s->draw),
                                          cell_number(s->loss),
                                          cell_plies(s->max_win),
                                          cell_plies(s->max_loss),
                                          cell_number(s->none),
                                          example_cell(row->win_example),
                                          example_cell(row->loss_example)};
    return merels_listing_add(listing, cells, err);
}

static int larger(int x, int y)
{
    return x > y ? x : y;
}

// The last row of the text: all tables together.
static struct stats_row sum_rows(const struct stats_row *rows, size_t n_rows)
{
    struct stats_row all = {.name = "all", .header.edition = rows[0].header.edition};
    struct table_header *sum = &all.header;
    sum->stats.max_win = sum->stats.max_loss = -1;
    for (size_t i = 0; i < n_rows; i++) {
        const struct table_header *h = &rows[i].header;
        sum->n_slots += h->n_slots;
        sum->n_orbits += h->n_orbits;
        sum->stats.win += h->stats.win;
        sum->stats.draw += h->stats.draw;
        sum->stats.loss += h->stats.loss;
        sum->stats.none += h->stats.none;
        sum->stats.max_win = larger(sum->stats.max_win, h->stats.max_win);
        sum->stats.max_loss = larger(sum->stats.max_loss, h->stats.max_loss);
    }
    return all;
}

static enum status add_example(struct listing *listing, const char *name, const char *result,
                               int plies, const char *position, struct error *err)
{
    const struct cell cells[N_EXAMPLE_COLUMNS] = {cell_text(name), cell_text(result),
                                                  cell_plies(plies), cell_text(position)};
    return plies < 0 ? STATUS_OK : merels_listing_add(listing, cells, err);
}

static enum status print_examples(const struct stats_row *rows, size_t n_rows,
                                  struct output *out, struct error *err)
{
    struct listing *listing;
    enum status status =
        merels_listing_create(example_columns, N_EXAMPLE_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < n_rows; i++) {
        const struct table_stats *s = &rows[i].header.stats;
        status =
            add_example(listing, rows[i].name, "win", s->max_win, rows[i].win_example, err);
        if (status == STATUS_OK)
            status = add_example(listing, rows[i].name, "loss", s->max_loss,
                                 rows[i].loss_example, err);
    }
    if (status == STATUS_OK)
        status = merels_listing_print(listing, out, err);
    merels_listing_destroy(listing);
    return status;
}

// What is counted, and for depths to a removal what a draw by count would change.
static void print_metric(const struct rules *rules, const struct stats_row *all,
                         struct output *out)
{
    bool to_removal = all->header.edition == EDITION_DTC;
    int deepest = larger(all->header.stats.max_win, all->header.stats.max_loss);
    merels_print(out, "depths in plies%s.", to_removal ? " to a removal or the end" : "");
    if (to_removal && rules->n_move == 0 && deepest > 0)
        merels_print(
            out,
            "\nA draw after n plies without a removal (n-move=n) changes some of these "
            "results if n < %d, else none.",
            deepest);
    merels_print(out, " A deepest win and loss of each:\n\n");
}

static enum status print_text(const struct context *context, struct listing *listing,
                              const struct stats_row *rows, size_t n_rows, struct error *err)
{
    struct output *out = context->out;
    const struct stats_row all = sum_rows(rows, n_rows);
    enum status status = add_row(listing, &all, err);
    if (status == STATUS_OK)
        status = merels_listing_print(listing, out, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out, "\nWin, draw, loss are the mover's, in orbits; ");
    if (all.header.stats.none > 0)
        merels_print(out, "%llu more are no position, as a mill had won before; ",
                     (unsigned long long)all.header.stats.none);
    if (!edition_has_depths(all.header.edition)) {
        merels_print(out, "there are no depths in edition %s.\n",
                     merels_edition_name(all.header.edition));
        return STATUS_OK;
    }
    print_metric(context->rules, &all, out);
    return print_examples(rows, n_rows, out, err);
}

static enum status print_json(const struct context *context, const struct listing *listing,
                              struct error *err)
{
    json_t *object =
        json_pack("{s:s, s:s, s:o}", "rules", context->variant.text, "fingerprint",
                  context->variant.fingerprint, "subspaces", merels_listing_json(listing));
    return merels_print_json(context->out, object, false, err);
}

static enum status print_rows(const struct context *context, const struct stats_row *rows,
                              size_t n_rows, struct error *err)
{
    struct listing *listing;
    enum status status = merels_listing_create(columns, N_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; status == STATUS_OK && i < n_rows; i++)
        status = add_row(listing, &rows[i], err);
    if (status == STATUS_OK && context->args->json)
        status = print_json(context, listing, err);
    else if (status == STATUS_OK && context->args->tsv)
        merels_listing_print_tsv(listing, true, context->out);
    else if (status == STATUS_OK)
        status = print_text(context, listing, rows, n_rows, err);
    merels_listing_destroy(listing);
    return status;
}

static enum status plot(const struct context *context, const struct gathered *gathered,
                        struct error *err)
{
    struct plotted_table *tables = calloc(gathered->n_rows, sizeof *tables);
    if (!tables)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; i < gathered->n_rows; i++) {
        const struct stats_row *row = &gathered->rows[i];
        tables[i] = (struct plotted_table){row->header, !row->dropped};
    }
    enum status status =
        merels_plot_tables(context, tables, gathered->n_rows, context->args->plot, err);
    free(tables);
    return status;
}

// Tables that cannot be read are left out, and make the command fail after it has printed the
// others.
static enum status print_and_judge(const struct context *context,
                                   const struct gathered *gathered, struct error *err)
{
    const struct error *first = &gathered->first_unread;
    if (gathered->n_rows == 0)
        return merels_error(err, first->status, "%s", first->text);
    enum status status = print_rows(context, gathered->rows, gathered->n_rows, err);
    if (status == STATUS_OK && context->args->plot)
        status = plot(context, gathered, err);
    if (status != STATUS_OK)
        return status;
    if (gathered->n_unread == 0)
        return STATUS_OK;
    return merels_error(err, first->status, "tables left out: %zu; %s", gathered->n_unread,
                        first->text);
}

// ---- positions that can be reached ---------------------------------------------------------

static const struct column reachable_columns[] = {
    {"rules", .kind = COLUMN_TEXT, .forms = IN_ALL},
    {"first_men", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"second_men", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"positions", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"over", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"canonical", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"without_colour", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"plies", .kind = COLUMN_NUMBER, .forms = IN_ALL},
};

enum { N_REACHABLE_COLUMNS = sizeof reachable_columns / sizeof *reachable_columns };

static enum status print_reachable(const struct context *context, const struct reachable *count,
                                   struct error *err)
{
    struct listing *listing;
    const struct variant *variant = &context->variant;
    const struct cell cells[N_REACHABLE_COLUMNS] = {
        cell_text(variant->text),
        cell_number((uint64_t)variant->start.first_men),
        cell_number((uint64_t)variant->start.second_men),
        cell_number(count->n_positions),
        cell_number(count->n_over),
        cell_number(count->n_canonical),
        cell_number(count->n_seen),
        cell_number((uint64_t)count->n_plies)};
    enum status status =
        merels_listing_create(reachable_columns, N_REACHABLE_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = merels_listing_add(listing, cells, err);
    if (status == STATUS_OK && context->args->json)
        status = merels_print_json(
            context->out, json_pack("{s:o}", "reachable", merels_listing_json(listing)), false,
            err);
    else if (status == STATUS_OK && context->args->tsv)
        merels_listing_print_tsv(listing, true, context->out);
    else if (status == STATUS_OK)
        status = merels_listing_print(listing, context->out, err);
    merels_listing_destroy(listing);
    return status;
}

static enum status show_reachable(const struct context *context, struct error *err)
{
    struct reachable count;
    struct error reason = {.status = STATUS_OK};
    struct progress_display display = merels_display_start(stderr, "count");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    enum status status = merels_reachable_count(
        context->rules, context->variant.start,
        merels_memory_limit(context->args->memory_bytes), &watch, &count, &reason);
    merels_display_end(&display);
    return status == STATUS_OK ? print_reachable(context, &count, err)
                               : merels_error(err, status, "%s", reason.text);
}

// ---- the command ---------------------------------------------------------------------------

// Tables of its own, of the edition that was solved. Those of a server are shared, and stay as
// they are.
static enum status attach_own(struct context *context, struct error *err)
{
    enum status status = merels_context_tables(context, NEEDS_TABLES, err);
    return status == STATUS_OK ? choose_solved(context, err) : status;
}

static enum status show_tables(struct context *context, struct error *err)
{
    struct gathered gathered = {0};
    enum status status = context->base ? STATUS_OK : attach_own(context, err);
    if (status == STATUS_OK)
        status = gather(context, &gathered, err);
    if (status == STATUS_OK)
        status = print_and_judge(context, &gathered, err);
    free(gathered.rows);
    return status;
}

static enum status show_changes(struct context *context, struct error *err)
{
    enum status status = attach_own(context, err);
    return status == STATUS_OK ? merels_rule_changes(context, context->args->plain, err)
                               : status;
}

static enum status run_stats(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    if (args->reachable + (args->plot != NULL) + (args->plain != NULL) > 1)
        return merels_error(err, STATUS_BAD_INPUT,
                            "stats: --reachable, --plot and --plain exclude each other");
    return args->plain       ? show_changes(context, err)
           : args->reachable ? show_reachable(context, err)
                             : show_tables(context, err);
}

const struct command merels_command_stats = {
    .name = "stats",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_RULES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_REACHABLE) |
             TAKES(OPTION_MEMORY) | TAKES(OPTION_TSV) | TAKES(OPTION_JSON) |
             TAKES(OPTION_PLOT) | TAKES(OPTION_PLAIN),
    .summary = "show wins, draws, losses and depths of every subspace",
    .details =
        "One line for every table of the directory, from its header: subspace (men on the\n"
        "board of the mover and of the other side; then both hands if not empty), slots,\n"
        "orbits of the board's symmetries, how many of them are won, drawn and lost for the\n"
        "mover, and the longest win and loss in plies, \"-\" where there is none. Of tables\n"
        "that were made and are not kept, from the manifest. Tables that cannot be read are\n"
        "left out; then the exit status is 1 and the first is named. A file of edition "
        "compact\n"
        "has no counts: all of it is decoded, checked against its plies as by verify, and\n"
        "counted, which takes as long and as much memory (--memory).\n"
        "With --plot DIR2 pictures (SVG) are written into that directory, too: results.svg,\n"
        "wins, draws and losses by men and phase; and, by reading all tables, depths.svg,\n"
        "how many positions are won or lost in so many plies, and depths-SUBSPACE.svg of\n"
        "each subspace.\n"
        "With --plain DIR3, under rules with n-move, what the draw by count changes: beside\n"
        "the tables of the rules without it, of either metric, in DIR3, how many wins and\n"
        "losses of each subspace are draws by it, and the value of the empty board in both;\n"
        "from the manifests, so also of tables that are not kept.\n"
        "With --reachable no table is read: every ply is played from the start, and the\n"
        "positions that a game can reach are counted. positions: all, symmetric ones apart, a\n"
        "position with White to move and the same with Black to move apart, and those in "
        "which\n"
        "the game is over with them (over: how many these are, as one with two men left);\n"
        "canonical: the same with symmetric ones as one; without_colour: canonical ones as "
        "the\n"
        "mover sees them, whatever its colour; plies: the last ply after which one is new.\n"
        "It takes 20 to 36 bytes of memory for each canonical position: small games only.",
    .example = "  merels stats nine --tsv\n"
               "  merels stats nine --plot pictures\n"
               "  merels stats six,n-move=50 --plain merels-db/six\n"
               "  merels stats six --reachable",
    .run = run_stats,
};
