// compact_counts.c: counts by the verifier's decoder.

#include "query/compact_counts.h"

#include <stdlib.h>

#include "game/rules_text.h"
#include "query/compact_place.h"
#include "query/progress_display.h"
#include "query/stop.h"
#include "verify/verify_compact.h"
#include "work/memory.h"

struct counting {
    struct counted_subspace *list;
    size_t n, room;
};

static void take(void *user, const struct compact_tally *tally)
{
    struct counting *counting = user;
    const struct counts *c = &tally->counts;
    if (counting->n == counting->room)
        return;
    counting->list[counting->n++] =
        (struct counted_subspace){.subspace = {.a = (uint8_t)c->a,
                                               .b = (uint8_t)c->b,
                                               .ha = (uint8_t)c->ha,
                                               .hb = (uint8_t)c->hb},
                                  .header = {.edition = EDITION_COMPACT,
                                             .n_slots = tally->n_slots,
                                             .n_orbits = tally->n_orbits,
                                             .stats = {.win = tally->win,
                                                       .draw = tally->draw,
                                                       .loss = tally->loss,
                                                       .none = tally->none,
                                                       .max_win = -1,
                                                       .max_loss = -1}}};
}

static int compare(const void *x, const void *y)
{
    const struct counted_subspace *p = x, *q = y;
    return merels_subspace_compare(p->subspace, q->subspace);
}

static enum status count_file(const struct context *context, const char *path,
                              struct counting *counting, struct error *err)
{
    char rules_text[RULES_TEXT_BYTES];
    const struct arguments *args = context->args;
    struct progress_display display = merels_display_start(stderr, "part");
    const struct verify_options options = {
        .n_threads = merels_threads(args->n_threads),
        .memory_bytes = merels_memory_limit(args->memory_bytes),
        .any_board = context->rules->board.kind == BOARD_OWN};
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    merels_rules_text(context->rules, rules_text);
    enum status status =
        merels_verify_compact_count(rules_text, path, &options, &watch, take, counting, err);
    merels_display_end(&display);
    return status;
}

enum status merels_compact_count(const struct context *context, struct counted_subspace **list,
                                 size_t *n, struct error *err)
{
    char *path = NULL;
    struct subspace *covered = NULL;
    struct counting counting = {0};
    enum status status = merels_tablebase_list(context->base, &covered, &counting.room, err);
    free(covered);
    if (status == STATUS_OK)
        status = merels_compact_find(context->dir, &path, err);
    if (status == STATUS_OK &&
        (counting.list = calloc(counting.room + 1, sizeof *counting.list)) == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "no memory for the list of subspaces");
    if (status == STATUS_OK)
        status = count_file(context, path, &counting, err);
    free(path);
    if (status != STATUS_OK) {
        free(counting.list);
        return status;
    }
    qsort(counting.list, counting.n, sizeof *counting.list, compare);
    *list = counting.list;
    *n = counting.n;
    return STATUS_OK;
}
