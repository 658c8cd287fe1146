// start_search.c: a search from the start, watched.

#include "query/start_search.h"

#include "query/progress_display.h"
#include "query/stop.h"

enum status merels_start_search(const struct context *context, struct search_result *result,
                                struct error *err)
{
    struct position root = merels_position_start(&context->variant.start);
    const struct search_options options = {.dir = context->dir,
                                           .n_threads = (int)context->args->n_threads,
                                           .memory_bytes = context->args->memory_bytes};
    struct progress_display display = merels_display_start(stderr, "search");
    const struct watch watch = {.report = merels_display_report,
                                .context = &display,
                                .stop = merels_stop_on_signals(),
                                .note = merels_display_note};
    enum status status = merels_search(context->rules, &root, &options, &watch, result, err);
    merels_display_end(&display);
    return status;
}
