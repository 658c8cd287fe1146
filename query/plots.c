// plots.c: pictures of the values of all tables, a file each.

#include "query/plots.h"

#include <stdlib.h>

#include "db/file.h"
#include "query/depth_counts.h"
#include "query/depth_picture.h"
#include "query/progress_display.h"
#include "query/result_picture.h"
#include "query/stop.h"

struct plotting {
    const struct context *context;
    const struct plotted_table *tables;
    size_t n_tables;
    const char *dir;
    struct meter meter;
};

// Writes a picture that has ended, and frees it.
static enum status save(const struct plotting *plotting, struct svg svg, const char *name,
                        struct error *err)
{
    char *path;
    enum status status = merels_path_join(plotting->dir, name, ".svg", &path, err);
    if (status == STATUS_OK) {
        status = merels_svg_write(&svg, path, NULL, err);
        free(path);
    }
    merels_svg_free(&svg);
    return status;
}

// ---- results -------------------------------------------------------------------------------

// The bars of the tables whose hands are empty, or are not, by men on the board.
static struct result_panel sum_up(const struct plotting *plotting, bool in_hand,
                                  struct result_bar bars[MAX_POINTS + 1])
{
    struct result_panel panel = {in_hand
                                     ? "Placing: a side has men in hand, by men on the board"
                                     : "All men placed, by men on the board",
                                 bars, 0};
    for (int men = 0; men <= MAX_POINTS; men++) {
        struct result_bar bar = {.men = men};
        bool any = false;
        for (size_t i = 0; i < plotting->n_tables; i++) {
            const struct table_header *header = &plotting->tables[i].header;
            struct subspace s = header->subspace;
            if (s.a + s.b != men || (s.ha + s.hb > 0) != in_hand)
                continue;
            bar.win += header->stats.win;
            bar.draw += header->stats.draw;
            bar.loss += header->stats.loss;
            any = true;
        }
        if (any)
            bars[panel.n_bars++] = bar;
    }
    return panel;
}

static enum status plot_results(const struct plotting *plotting, struct error *err)
{
    char title[RULES_NAME_BYTES + 32];
    struct result_bar bars[2][MAX_POINTS + 1];
    const struct result_panel panels[] = {sum_up(plotting, true, bars[0]),
                                          sum_up(plotting, false, bars[1])};
    snprintf(title, sizeof title, "%s: who wins", plotting->context->variant.name);
    return save(plotting, merels_result_picture(panels, 2, title), "results", err);
}

// ---- depths --------------------------------------------------------------------------------

// "9 men against 8", "3 men and 6 in hand against 2 and 6": the side to move first.
static void describe(struct subspace s, char out[96])
{
    if (s.ha + s.hb == 0)
        snprintf(out, 96, "%d men against %d", s.a, s.b);
    else
        snprintf(out, 96, "%d men and %d in hand against %d and %d", s.a, s.ha, s.b, s.hb);
}

// Counts a table, piece `number` of the run, draws it and adds it to all.
static enum status plot_table(struct plotting *plotting, const struct table_header *header,
                              size_t number, struct depth_counts *all, struct error *err)
{
    const struct context *context = plotting->context;
    struct depth_counts counts = {.of = NULL};
    const struct table *table;
    char name[SUBSPACE_NAME_BYTES], file[SUBSPACE_NAME_BYTES + 16], words[96];
    char title[RULES_NAME_BYTES + 128];
    merels_subspace_name(header->subspace, name);
    describe(header->subspace, words);
    snprintf(file, sizeof file, "depths-%s", name);
    snprintf(title, sizeof title, "%s: %s", context->variant.name, words);
    merels_meter_piece(&plotting->meter, number, name, header->n_slots);
    enum status status = merels_tablebase_table(context->base, header->subspace, &table, err);
    if (status == STATUS_OK)
        status = merels_depth_counts_add(table, &context->rules->board,
                                         merels_tablebase_index(context->base),
                                         &plotting->meter, &counts, err);
    if (status == STATUS_OK)
        status =
            save(plotting, merels_depth_picture(context->rules, &counts, title), file, err);
    if (status == STATUS_OK)
        status = merels_depth_counts_sum(all, &counts, err);
    merels_depth_counts_free(&counts);
    return status;
}

static enum status plot_kept(struct plotting *plotting, size_t n_kept, struct depth_counts *all,
                             struct error *err)
{
    size_t number = 0;
    for (size_t i = 0; i < plotting->n_tables; i++) {
        if (!plotting->tables[i].kept)
            continue;
        enum status status =
            plot_table(plotting, &plotting->tables[i].header, number, all, err);
        if (status != STATUS_OK)
            return status;
        if (merels_meter_finish(&plotting->meter) && number + 1 < n_kept)
            return merels_error(err, STATUS_INTERRUPTED, "stopped");
        number++;
    }
    return STATUS_OK;
}

static enum status plot_depths(struct plotting *plotting, const struct watch *watch,
                               struct error *err)
{
    char title[RULES_NAME_BYTES + 32];
    struct depth_counts all = {.of = NULL};
    uint64_t n_slots = 0;
    size_t n_kept = 0;
    for (size_t i = 0; i < plotting->n_tables; i++)
        if (plotting->tables[i].kept) {
            n_slots += plotting->tables[i].header.n_slots;
            n_kept++;
        }
    if (n_kept == 0)
        return STATUS_OK;
    merels_meter_start(&plotting->meter, watch, "slots", n_slots, n_kept);
    enum status status = plot_kept(plotting, n_kept, &all, err);
    snprintf(title, sizeof title, "%s: %s", plotting->context->variant.name,
             n_kept < plotting->n_tables ? "the tables that are kept" : "all positions");
    if (status == STATUS_OK)
        status = save(plotting, merels_depth_picture(plotting->context->rules, &all, title),
                      "depths", err);
    merels_depth_counts_free(&all);
    return status;
}

static enum status plot_all_depths(struct plotting *plotting, struct error *err)
{
    struct error reason = {.status = STATUS_OK};
    struct progress_display display = merels_display_start(stderr, "table");
    const struct watch watch = {
        .report = merels_display_report, .context = &display, .stop = merels_stop_on_signals()};
    enum status status = plot_depths(plotting, &watch, &reason);
    merels_display_end(&display);
    return status == STATUS_OK ? status : merels_error(err, status, "%s", reason.text);
}

enum status merels_plot_tables(const struct context *context,
                               const struct plotted_table *tables, size_t n, const char *dir,
                               struct error *err)
{
    struct plotting plotting = {
        .context = context, .tables = tables, .n_tables = n, .dir = dir};
    bool depths = true;
    for (size_t i = 0; i < n; i++)
        depths &= edition_has_depths(tables[i].header.edition);
    enum status status = merels_dir_create(dir, err);
    if (status == STATUS_OK)
        status = plot_results(&plotting, err);
    if (status != STATUS_OK)
        return status;
    if (depths)
        return plot_all_depths(&plotting, err);
    fprintf(stderr, "these tables hold no depths: only results.svg was drawn\n");
    return STATUS_OK;
}
