// progress_display.c: the progress line of a solve.

#include "query/progress_display.h"

#include <string.h>
#include <unistd.h>

#include "query/quantity.h"

// Seconds between two reports.
static const double terminal_interval = 0.2, plain_interval = 30;

struct progress merels_progress_start(FILE *stream)
{
    return (struct progress){.stream = stream, .terminal = isatty(fileno(stream)) == 1};
}

const char *merels_unit_name(const struct work_unit *unit, char out[UNIT_NAME_BYTES])
{
    char *end = out;
    *end = '\0';
    for (int i = 0; i < unit->n_subspaces; i++) {
        if (i > 0)
            *end++ = ' ';
        end += merels_subspace_name(unit->subspaces[i], end);
    }
    return out;
}

static void print_stage(const struct solve_progress *now, FILE *stream)
{
    switch (now->stage) {
    case STAGE_REMOVALS:
        fprintf(stream, "%-9s", "removals");
        break;
    case STAGE_DEPTHS:
        fprintf(stream, "depth %-3d", now->depth);
        break;
    case STAGE_WRITING:
        fprintf(stream, "%-9s", "writing");
        break;
    case STAGE_FINISHED:
        fprintf(stream, "%-9s", "finished");
        break;
    }
}

// Percentage, speed and time left, both from the average of the run so far.
static void print_figures(const struct solve_progress *now, FILE *stream)
{
    double total = (double)now->total_slots, done = (double)now->done_slots;
    double speed = now->elapsed_seconds > 0 ? done / now->elapsed_seconds : 0;
    fprintf(stream, "  %5.1f %%", total > 0 ? 100 * done / total : 100);
    if (speed <= 0)
        return;
    char left[QUANTITY_TEXT_BYTES];
    fprintf(stream, "  %.2f M positions/s  %s left", speed / 1e6,
            merels_seconds_format((total - done) / speed, left));
}

static void print_line(const struct solve_progress *now, FILE *stream)
{
    char name[UNIT_NAME_BYTES];
    fprintf(stream, "unit %zu/%zu  %-9s ", now->unit + 1, now->n_units,
            merels_unit_name(now->work, name));
    print_stage(now, stream);
    print_figures(now, stream);
}

void merels_progress_report(const struct solve_progress *now, void *context)
{
    struct progress *progress = context;
    bool finished = now->stage == STAGE_FINISHED;
    if (!finished && now->elapsed_seconds < progress->next_seconds)
        return;
    progress->next_seconds =
        now->elapsed_seconds + (progress->terminal ? terminal_interval : plain_interval);
    if (progress->terminal)
        fputc('\r', progress->stream);
    print_line(now, progress->stream);
    if (progress->terminal)
        fputs("\033[K", progress->stream);
    progress->line_open = progress->terminal && !finished;
    if (!progress->line_open)
        fputc('\n', progress->stream);
    fflush(progress->stream);
}

void merels_progress_end(struct progress *progress)
{
    if (progress->line_open)
        fputc('\n', progress->stream);
    progress->line_open = false;
}
