// command_stats.c: merels stats: the counts and longest wins and losses of every table, from
// the headers.

#include <stdlib.h>

#include "game/notation.h"
#include "query/command.h"
#include "query/quantity.h"

// One table. The examples are empty texts where there is no win or no loss.
struct stats_row {
    char name[SUBSPACE_NAME_BYTES];
    struct table_header header;
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

static enum status fill_row(const struct context *context, struct subspace s,
                            struct stats_row *row, struct error *err)
{
    const struct table *table;
    enum status status = merels_tablebase_table(context->base, s, &table, err);
    if (status != STATUS_OK)
        return status;
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

static enum status fill_rows(const struct context *context, const struct subspace *subspaces,
                             size_t n, struct gathered *gathered, struct error *err)
{
    gathered->rows = calloc(n, sizeof *gathered->rows);
    if (!gathered->rows)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the list of tables");
    for (size_t i = 0; i < n; i++) {
        struct stats_row *row = &gathered->rows[gathered->n_rows];
        struct error reason;
        if (fill_row(context, subspaces[i], row, &reason) == STATUS_OK)
            gathered->n_rows++;
        else if (gathered->n_unread++ == 0)
            gathered->first_unread = reason;
    }
    return STATUS_OK;
}

static enum status gather(const struct context *context, struct gathered *gathered,
                          struct error *err)
{
    struct subspace *subspaces = NULL;
    size_t n = 0;
    enum status status = merels_tablebase_list(context->base, &subspaces, &n, err);
    if (status == STATUS_OK && n == 0)
        status = merels_error(err, STATUS_MISSING, "%s: there is no table", context->dir);
    if (status == STATUS_OK)
        status = fill_rows(context, subspaces, n, gathered, err);
    free(subspaces);
    return status;
}

// ---- printing ------------------------------------------------------------------------------

// A depth, or "-" where none occurs.
static const char *depth_text(int plies, char out[QUANTITY_TEXT_BYTES])
{
    if (plies < 0)
        snprintf(out, QUANTITY_TEXT_BYTES, "-");
    else
        snprintf(out, QUANTITY_TEXT_BYTES, "%d", plies);
    return out;
}

static void print_tsv(const struct stats_row *rows, size_t n_rows, struct output *out)
{
    merels_print(out, "subspace\tslots\torbits\twin\tdraw\tloss\tmax_win\tmax_loss\n");
    for (size_t i = 0; i < n_rows; i++) {
        const struct table_header *h = &rows[i].header;
        char win[QUANTITY_TEXT_BYTES], loss[QUANTITY_TEXT_BYTES];
        merels_print(out, "%s\t%llu\t%llu\t%llu\t%llu\t%llu\t%s\t%s\n", rows[i].name,
                     (unsigned long long)h->n_slots, (unsigned long long)h->n_orbits,
                     (unsigned long long)h->stats.win, (unsigned long long)h->stats.draw,
                     (unsigned long long)h->stats.loss, depth_text(h->stats.max_win, win),
                     depth_text(h->stats.max_loss, loss));
    }
}

static void print_counts(const char *name, const uint64_t counts[5], const char *win,
                         const char *loss, struct output *out)
{
    static const int widths[5] = {15, 15, 14, 14, 14};
    merels_print(out, "%-10s", name);
    for (int i = 0; i < 5; i++) {
        char text[QUANTITY_TEXT_BYTES];
        merels_print(out, " %*s", widths[i], merels_count_format(counts[i], text));
    }
    merels_print(out, " %8s %8s\n", win, loss);
}

static int larger(int x, int y)
{
    return x > y ? x : y;
}

static void print_table(const struct stats_row *rows, size_t n_rows, struct output *out)
{
    char win[QUANTITY_TEXT_BYTES], loss[QUANTITY_TEXT_BYTES];
    uint64_t total[5] = {0};
    int max_win = -1, max_loss = -1;
    merels_print(out, "%-10s %15s %15s %14s %14s %14s %8s %8s\n", "subspace", "slots", "orbits",
                 "win", "draw", "loss", "max win", "max loss");
    for (size_t i = 0; i < n_rows; i++) {
        const struct table_header *h = &rows[i].header;
        const struct table_stats *s = &h->stats;
        const uint64_t counts[5] = {h->n_slots, h->n_orbits, s->win, s->draw, s->loss};
        print_counts(rows[i].name, counts, depth_text(s->max_win, win),
                     depth_text(s->max_loss, loss), out);
        for (int k = 0; k < 5; k++)
            total[k] += counts[k];
        max_win = larger(max_win, s->max_win);
        max_loss = larger(max_loss, s->max_loss);
    }
    print_counts("all", total, depth_text(max_win, win), depth_text(max_loss, loss), out);
}

static void print_examples(const struct stats_row *rows, size_t n_rows, struct output *out)
{
    merels_print(out, "\nWin, draw, loss are the mover's, in orbits; ");
    if (n_rows > 0 && rows[0].header.edition == EDITION_WDL) {
        merels_print(out, "these tables hold no depths (edition wdl).\n");
        return;
    }
    merels_print(out, "depths in plies. A deepest win and loss of each:\n");
    for (size_t i = 0; i < n_rows; i++) {
        const struct table_stats *s = &rows[i].header.stats;
        if (s->max_win >= 0)
            merels_print(out, "%-10s win in %-3d  %s\n", rows[i].name, s->max_win,
                         rows[i].win_example);
        if (s->max_loss >= 0)
            merels_print(out, "%-10s loss in %-3d %s\n", rows[i].name, s->max_loss,
                         rows[i].loss_example);
    }
}

static json_t *example_json(const char *text)
{
    return text[0] == '\0' ? json_null() : json_string(text);
}

static json_t *row_json(const struct stats_row *row)
{
    const struct table_header *h = &row->header;
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "subspace",
                     row->name, "metric", h->edition == EDITION_WDL ? "wdl" : "dtm", "slots",
                     (json_int_t)h->n_slots, "orbits", (json_int_t)h->n_orbits, "win",
                     (json_int_t)h->stats.win, "draw", (json_int_t)h->stats.draw, "loss",
                     (json_int_t)h->stats.loss, "max_win", merels_json_plies(h->stats.max_win),
                     "max_loss", merels_json_plies(h->stats.max_loss), "max_win_position",
                     example_json(row->win_example), "max_loss_position",
                     example_json(row->loss_example));
}

static enum status print_json(const struct context *context, const struct stats_row *rows,
                              size_t n_rows, struct output *out, struct error *err)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n_rows; i++)
        if (json_array_append_new(list, row_json(&rows[i])) != 0) {
            json_decref(list);
            list = NULL;
            break;
        }
    json_t *object = json_pack("{s:s, s:s, s:o}", "rules", context->variant.text, "fingerprint",
                               context->variant.fingerprint, "subspaces", list);
    return merels_print_json(out, object, false, err);
}

// Tables that cannot be read are left out, and make the command fail after it has printed the
// others.
static enum status print_and_judge(const struct context *context,
                                   const struct gathered *gathered, struct error *err)
{
    struct output *out = context->out;
    const struct arguments *args = context->args;
    const struct stats_row *rows = gathered->rows;
    size_t n_rows = gathered->n_rows;
    const struct error *first = &gathered->first_unread;
    if (n_rows == 0)
        return merels_error(err, first->status, "%s", first->text);
    if (args->json && print_json(context, rows, n_rows, out, err) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (args->tsv) {
        print_tsv(rows, n_rows, out);
    } else if (!args->json) {
        print_table(rows, n_rows, out);
        print_examples(rows, n_rows, out);
    }
    if (gathered->n_unread == 0)
        return STATUS_OK;
    return merels_error(err, first->status, "tables left out: %zu; %s", gathered->n_unread,
                        first->text);
}

static enum status run_stats(struct context *context, struct error *err)
{
    struct gathered gathered = {0};
    enum status status = gather(context, &gathered, err);
    if (status == STATUS_OK)
        status = print_and_judge(context, &gathered, err);
    free(gathered.rows);
    return status;
}

const struct command merels_command_stats = {
    .name = "stats",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_TABLES,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_TSV) | TAKES(OPTION_JSON),
    .summary = "show wins, draws, losses and depths of every subspace",
    .details =
        "One line for every table of the directory, from its header: subspace (men on the\n"
        "board of the mover and of the other side; then both hands if not empty), slots,\n"
        "orbits of the board's symmetries, how many of them are won, drawn and lost for the\n"
        "mover, and the longest win and loss in plies, \"-\" where there is none. Tables that\n"
        "cannot be read are left out; then the exit status is 1 and the first is named.",
    .example = "  merels stats nine --tsv",
    .run = run_stats,
};
