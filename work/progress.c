// progress.c: the one figure of a long run, out of pieces, stages and parts of a stage.
//
// Whatever the caller says (parts that fall back, shares over 1, pieces over the total), `done`
// stays between what it was and the end of the piece, and the end of the piece within the
// total. The same holds for the part of the time.

#include "work/progress.h"

#include <stdio.h>
#include <time.h>

double merels_clock_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void copy_text(char to[PROGRESS_TEXT_BYTES], const char *from)
{
    (void)snprintf(to, PROGRESS_TEXT_BYTES, "%s", from == NULL ? "" : from);
}

static double within_0_and_1(double x)
{
    return x > 1 ? 1 : x > 0 ? x : 0; // what is no number counts as 0
}

static void rise_to(struct meter *meter, uint64_t done)
{
    if (done > meter->now.done)
        meter->now.done = done;
}

// ---- time left -----------------------------------------------------------------------------

// What was expected of the run counts as if so much of it had already been seen to hold: the
// first moments alone say little.
static const double trust = 0.05;

static double positive(double seconds)
{
    return seconds > 0 && seconds < 1e300 ? seconds : 0; // what is no number counts as 0
}

// `share` of this piece is done.
static void rise_part_to(struct meter *meter, double share)
{
    double part = 0;
    if (meter->expected > 0)
        part = (meter->expected_before + meter->expected_piece * within_0_and_1(share)) /
               meter->expected;
    else if (meter->now.total > 0)
        part = (double)meter->now.done / (double)meter->now.total;
    part = within_0_and_1(part);
    if (part > meter->now.part)
        meter->now.part = part;
}

static double seconds_left(const struct meter *meter)
{
    double part = meter->now.part, elapsed = meter->now.elapsed_seconds;
    double all = meter->expected, prior = all * trust;
    if (all > 0)
        return (1 - part) * all * (elapsed + prior) / (part * all + prior);
    return part > 0 ? elapsed * (1 - part) / part : -1;
}

// ---- reports -------------------------------------------------------------------------------

static bool report(struct meter *meter)
{
    const struct watch *watch = meter->watch;
    meter->now.elapsed_seconds = merels_clock_seconds() - meter->started;
    meter->now.left_seconds = seconds_left(meter);
    if (watch != NULL && watch->report != NULL)
        watch->report(&meter->now, watch->context);
    return merels_meter_stops(meter);
}

void merels_meter_start(struct meter *meter, const struct watch *watch, const char *unit,
                        uint64_t total, size_t n_pieces)
{
    *meter = (struct meter){.watch = watch,
                            .now = {.unit = unit, .total = total, .n_pieces = n_pieces},
                            .started = merels_clock_seconds()};
}

void merels_meter_piece(struct meter *meter, size_t number, const char *name, uint64_t size)
{
    rise_to(meter, meter->before + meter->size);
    rise_part_to(meter, 1);
    meter->expected_before += meter->expected_piece;
    meter->expected_piece = 0;
    uint64_t total = meter->now.total,
             room = (total > 0 ? total : UINT64_MAX) - meter->now.done;
    meter->before = meter->now.done;
    meter->size = size < room ? size : room;
    meter->stages = meter->share = 0;
    meter->now.number = number;
    meter->now.finished = false;
    copy_text(meter->now.piece, name);
    copy_text(meter->now.stage, "");
}

void merels_meter_expect(struct meter *meter, double seconds)
{
    meter->expected = positive(seconds);
}

void merels_meter_expect_piece(struct meter *meter, double seconds)
{
    meter->expected_piece = positive(seconds);
}

void merels_meter_stage(struct meter *meter, const char *stage, double share)
{
    meter->stages = within_0_and_1(meter->stages + meter->share);
    meter->share = within_0_and_1(share);
    merels_meter_rename(meter, stage);
}

void merels_meter_rename(struct meter *meter, const char *stage)
{
    copy_text(meter->now.stage, stage);
}

bool merels_meter_tick(struct meter *meter, double part)
{
    double share = within_0_and_1(meter->stages + meter->share * within_0_and_1(part));
    uint64_t done = (uint64_t)((double)meter->size * share);
    rise_to(meter, meter->before + (done < meter->size ? done : meter->size));
    rise_part_to(meter, share);
    return report(meter);
}

bool merels_meter_count(struct meter *meter, uint64_t n_done)
{
    uint64_t most = meter->now.total > 0 ? meter->size : UINT64_MAX - meter->before;
    rise_to(meter, meter->before + (n_done < most ? n_done : most));
    rise_part_to(meter, meter->size > 0 ? (double)n_done / (double)meter->size : 0);
    return report(meter);
}

bool merels_meter_finish(struct meter *meter)
{
    rise_to(meter, meter->before + meter->size);
    rise_part_to(meter, 1);
    meter->now.finished = true;
    return report(meter);
}

bool merels_meter_stops(const struct meter *meter)
{
    const struct watch *watch = meter->watch;
    return watch != NULL && watch->stop != NULL &&
           atomic_load_explicit(watch->stop, memory_order_relaxed) != 0;
}
