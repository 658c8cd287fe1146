// progress_display.c: the progress line of a long run.

#include "query/progress_display.h"

#include <unistd.h>

#include "query/quantity.h"

// Seconds to the first line of a run, and between two.
static const double first_interval = 1, terminal_interval = 0.2, plain_interval = 30;

struct progress_display merels_display_start(FILE *stream, const char *noun)
{
    return (struct progress_display){.stream = stream,
                                     .noun = noun,
                                     .terminal = isatty(fileno(stream)) == 1,
                                     .next_seconds = first_interval};
}

// Percentage, speed and time left; without a total what is done and the time.
static void print_figures(const struct progress *now, FILE *stream)
{
    char count[QUANTITY_TEXT_BYTES], time[QUANTITY_TEXT_BYTES];
    if (now->total == 0) {
        fprintf(stream, "  %s %s  %s", merels_count_format(now->done, count), now->unit,
                merels_seconds_format(now->elapsed_seconds, time));
        return;
    }
    double done = (double)now->done;
    double speed = now->elapsed_seconds > 0 ? done / now->elapsed_seconds : 0;
    fprintf(stream, "  %5.1f %%", 100 * now->part);
    if (speed > 0)
        fprintf(stream, "  %.2f M %s/s", speed / 1e6, now->unit);
    if (speed > 0 && now->left_seconds >= 0)
        fprintf(stream, "  %s left", merels_seconds_format(now->left_seconds, time));
}

static void print_line(const struct progress *now, const struct progress_display *display)
{
    const char *stage = now->finished ? "finished" : now->stage;
    if (display->terminal)
        fputc('\r', display->stream);
    fprintf(display->stream, "%s %zu/%zu  %-9s  %-9s", display->noun, now->number + 1,
            now->n_pieces, now->piece, stage);
    print_figures(now, display->stream);
    if (display->terminal)
        fputs("\033[K", display->stream);
}

void merels_display_report(const struct progress *now, void *context)
{
    struct progress_display *display = context;
    if (now->elapsed_seconds < display->seen_seconds) // another run
        display->next_seconds = first_interval;
    display->seen_seconds = now->elapsed_seconds;
    if (!now->finished && now->elapsed_seconds < display->next_seconds)
        return;
    display->next_seconds =
        now->elapsed_seconds + (display->terminal ? terminal_interval : plain_interval);
    print_line(now, display);
    display->line_open = display->terminal && !now->finished;
    if (!display->line_open)
        fputc('\n', display->stream);
    fflush(display->stream);
}

void merels_display_end(struct progress_display *display)
{
    if (display->line_open)
        fputc('\n', display->stream);
    display->line_open = false;
}

void merels_display_note(const char *text, void *context)
{
    struct progress_display *display = context;
    merels_display_end(display);
    fprintf(display->stream, "merels: %s\n", text);
    fflush(display->stream);
}
