// test_progress.c: the figure of a long run only rises and ends at the total, whatever it is
// told.

#include "work/progress.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

// Every report is checked against the one before.
struct witness {
    int n;
    struct progress last;
};

static void see(const struct progress *now, void *context)
{
    struct witness *witness = context;
    cr_assert_geq(now->done, witness->last.done, "%s %s fell", now->piece, now->stage);
    cr_assert(now->total == 0 || now->done <= now->total, "%s %s: over the total", now->piece,
              now->stage);
    cr_assert_geq(now->elapsed_seconds, witness->last.elapsed_seconds);
    cr_assert(now->part >= witness->last.part && now->part <= 1, "%s %s: part of the time",
              now->piece, now->stage);
    cr_assert(now->left_seconds == -1 || now->left_seconds >= 0);
    witness->n++;
    witness->last = *now;
}

static struct watch watch_of(struct witness *witness)
{
    return (struct watch){.report = see, .context = witness};
}

Test(progress, pieces_and_stages_add_up)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 1000, 2);
    cr_expect_eq(seen.n, 0);
    merels_meter_piece(&meter, 0, "3-3", 200);
    merels_meter_stage(&meter, "removals", 0.25);
    cr_expect_not(merels_meter_tick(&meter, 0.5));
    cr_expect_eq(seen.n, 1);
    cr_expect_eq(seen.last.done, 25);
    cr_expect_eq(seen.last.total, 1000);
    cr_expect_eq(seen.last.number, 0);
    cr_expect_eq(seen.last.n_pieces, 2);
    cr_expect_str_eq(seen.last.unit, "slots");
    cr_expect_str_eq(seen.last.piece, "3-3");
    cr_expect_str_eq(seen.last.stage, "removals");
    merels_meter_stage(&meter, "depth 0", 0.75);
    merels_meter_tick(&meter, 0);
    cr_expect_eq(seen.last.done, 50);
    merels_meter_rename(&meter, "depth 1");
    merels_meter_tick(&meter, 0.5);
    cr_expect_eq(seen.last.done, 125);
    cr_expect_str_eq(seen.last.stage, "depth 1");
    cr_expect_not(seen.last.finished);
    merels_meter_finish(&meter);
    cr_expect_eq(seen.last.done, 200);
    cr_expect(seen.last.finished);
    merels_meter_piece(&meter, 1, "4-3 3-4", 800);
    merels_meter_stage(&meter, "writing", 1);
    merels_meter_tick(&meter, 0.5);
    cr_expect_eq(seen.last.done, 600);
    cr_expect_eq(seen.last.number, 1);
    cr_expect_not(seen.last.finished);
    cr_expect_str_eq(seen.last.piece, "4-3 3-4");
    merels_meter_finish(&meter);
    cr_expect_eq(seen.last.done, 1000);
    cr_expect_eq(seen.n, 6);
}

// What a piece lacks when the next begins counts as done; so does a stage that is left early.
Test(progress, what_is_left_out_counts_as_done)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 300, 3);
    merels_meter_piece(&meter, 0, "a", 100);
    merels_meter_piece(&meter, 1, "b", 100);
    merels_meter_stage(&meter, "first", 0.5);
    merels_meter_stage(&meter, "second", 0.5);
    merels_meter_tick(&meter, 0);
    cr_expect_eq(seen.last.done, 150);
    merels_meter_piece(&meter, 2, "c", 100);
    merels_meter_tick(&meter, 1); // no stage: nothing of the piece
    cr_expect_eq(seen.last.done, 200);
    merels_meter_finish(&meter);
    cr_expect_eq(seen.last.done, 300);
}

// A stage that begins again at 0 for the second half of its work shows what it showed.
Test(progress, falling_parts_do_not_show)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 100, 1);
    merels_meter_piece(&meter, 0, "a", 100);
    merels_meter_stage(&meter, "writing", 1);
    merels_meter_tick(&meter, 0.75);
    merels_meter_tick(&meter, 0.25);
    cr_expect_eq(seen.last.done, 75);
    merels_meter_tick(&meter, 0.875);
    cr_expect_eq(seen.last.done, 87);
}

// Callers that are wrong in every way: see() demands the invariants at each report.
Test(progress, odd_callers)
{
    static const double odd[] = {-1, 0, 0.3, 1, 1.5, 1e300, -1e300, INFINITY, -INFINITY, NAN};
    static const uint64_t sizes[] = {0, 7, 1000, UINT64_MAX};
    enum { N_ODD = sizeof odd / sizeof *odd, N_SIZES = sizeof sizes / sizeof *sizes };
    for (int total = 0; total < N_SIZES; total++) {
        struct witness seen = {0};
        const struct watch watch = watch_of(&seen);
        struct meter meter;
        merels_meter_start(&meter, &watch, "slots", sizes[total], 3);
        merels_meter_expect(&meter, odd[total * 3 % N_ODD]);
        merels_meter_tick(&meter, 0.5); // no piece yet
        for (int k = 0; k < 3 * N_SIZES; k++) {
            merels_meter_piece(&meter, (size_t)k, NULL, sizes[k % N_SIZES]);
            merels_meter_expect_piece(&meter, odd[k % N_ODD]);
            for (int s = 0; s < N_ODD; s++) {
                merels_meter_stage(&meter, NULL, odd[s]);
                for (int t = 0; t < N_ODD; t++)
                    merels_meter_tick(&meter, odd[t]);
                merels_meter_count(&meter, sizes[s % N_SIZES]);
            }
            merels_meter_finish(&meter);
            merels_meter_finish(&meter);
        }
        cr_expect_eq(seen.n, 1 + 3 * N_SIZES * (N_ODD * (N_ODD + 1) + 2));
        cr_expect(sizes[total] == 0 || seen.last.done == sizes[total], "total %d", total);
    }
}

Test(progress, long_names_are_cut)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    char name[2 * PROGRESS_TEXT_BYTES];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    merels_meter_start(&meter, &watch, "slots", 1, 1);
    merels_meter_piece(&meter, 0, name, 1);
    merels_meter_stage(&meter, name, 1);
    merels_meter_tick(&meter, 1);
    cr_expect_eq(strlen(seen.last.piece), PROGRESS_TEXT_BYTES - 1);
    cr_expect_eq(strlen(seen.last.stage), PROGRESS_TEXT_BYTES - 1);
}

// A run whose total is not known counts; one whose total is known stays within its piece.
Test(progress, counts)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "positions", 0, 2);
    merels_meter_piece(&meter, 0, "White", 0);
    merels_meter_count(&meter, 256);
    cr_expect_eq(seen.last.done, 256);
    cr_expect_eq(seen.last.total, 0);
    merels_meter_count(&meter, 100);
    cr_expect_eq(seen.last.done, 256);
    merels_meter_piece(&meter, 1, "Black", 0);
    merels_meter_count(&meter, 44);
    cr_expect_eq(seen.last.done, 300);
    struct witness known = {0};
    const struct watch of_known = watch_of(&known);
    merels_meter_start(&meter, &of_known, "bytes", 50, 2);
    merels_meter_piece(&meter, 0, "a", 20);
    merels_meter_count(&meter, 30);
    cr_expect_eq(known.last.done, 20);
}

// A run that began so many seconds ago.
static void began_before(struct meter *meter, double seconds)
{
    meter->started -= seconds;
}

// Two pieces that are expected to take 10 and 30 seconds, whatever their sizes.
Test(progress, time_left_is_what_is_expected)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 1000, 2);
    merels_meter_expect(&meter, 40);
    merels_meter_piece(&meter, 0, "3-3", 900);
    merels_meter_expect_piece(&meter, 10);
    merels_meter_stage(&meter, "depths", 1);
    merels_meter_tick(&meter, 0);
    cr_expect_float_eq(seen.last.left_seconds, 40, 0.5, "%f", seen.last.left_seconds);
    began_before(&meter, 5);
    merels_meter_tick(&meter, 0.5);
    cr_expect_float_eq(seen.last.part, 0.125, 1e-9);
    cr_expect_float_eq(seen.last.left_seconds, 35, 0.5, "%f", seen.last.left_seconds);
    merels_meter_finish(&meter);
    merels_meter_piece(&meter, 1, "3-4 4-3", 100);
    merels_meter_expect_piece(&meter, 30);
    began_before(&meter, 5);
    merels_meter_stage(&meter, "depths", 1);
    merels_meter_tick(&meter, 0);
    cr_expect_float_eq(seen.last.part, 0.25, 1e-9);
    cr_expect_float_eq(seen.last.left_seconds, 30, 0.5, "%f", seen.last.left_seconds);
    merels_meter_finish(&meter);
    cr_expect_float_eq(seen.last.part, 1, 1e-9);
    cr_expect_float_eq(seen.last.left_seconds, 0, 1e-6);
}

// What took three times as long as expected says so of the rest, at once of most of it.
Test(progress, time_left_corrects_itself)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 100, 2);
    merels_meter_expect(&meter, 40);
    merels_meter_piece(&meter, 0, "a", 50);
    merels_meter_expect_piece(&meter, 20);
    began_before(&meter, 60);
    merels_meter_finish(&meter);
    cr_expect(seen.last.left_seconds > 50 && seen.last.left_seconds <= 60.5, "%f",
              seen.last.left_seconds);
    merels_meter_piece(&meter, 1, "b", 50);
    merels_meter_expect_piece(&meter, 20);
    began_before(&meter, 30);
    merels_meter_count(&meter, 25);
    cr_expect(seen.last.left_seconds > 26 && seen.last.left_seconds <= 30.5, "%f",
              seen.last.left_seconds);
}

// Nothing is expected: the rest goes on like what has been done; before that nobody knows.
Test(progress, time_left_without_an_estimate)
{
    struct witness seen = {0};
    const struct watch watch = watch_of(&seen);
    struct meter meter;
    merels_meter_start(&meter, &watch, "bytes", 100, 1);
    merels_meter_piece(&meter, 0, "a", 100);
    merels_meter_count(&meter, 0);
    cr_expect_eq(seen.last.left_seconds, -1);
    began_before(&meter, 10);
    merels_meter_count(&meter, 25);
    cr_expect_float_eq(seen.last.part, 0.25, 1e-9);
    cr_expect_float_eq(seen.last.left_seconds, 30, 0.5, "%f", seen.last.left_seconds);
    struct witness endless = {0};
    const struct watch of_endless = watch_of(&endless);
    merels_meter_start(&meter, &of_endless, "positions", 0, 1);
    merels_meter_piece(&meter, 0, "White", 0);
    merels_meter_count(&meter, 256);
    cr_expect_eq(endless.last.part, 0);
    cr_expect_eq(endless.last.left_seconds, -1);
}

Test(progress, stop_flag)
{
    struct witness seen = {0};
    atomic_int stop = 0;
    const struct watch watch = {.report = see, .context = &seen, .stop = &stop};
    struct meter meter;
    merels_meter_start(&meter, &watch, "slots", 10, 1);
    merels_meter_piece(&meter, 0, "a", 10);
    merels_meter_stage(&meter, "s", 1);
    cr_expect_not(merels_meter_stops(&meter));
    cr_expect_not(merels_meter_tick(&meter, 0.1));
    atomic_store(&stop, 1);
    cr_expect(merels_meter_stops(&meter));
    cr_expect_eq(seen.n, 1, "a look at the flag is no report");
    cr_expect(merels_meter_tick(&meter, 0.2));
    cr_expect(merels_meter_count(&meter, 3));
    cr_expect(merels_meter_finish(&meter));
    cr_expect_eq(seen.n, 4, "a stop is reported as well");
}

// Nobody asks: no watch, or one without a function or a flag.
Test(progress, no_watch)
{
    static const struct watch empty = {0};
    const struct watch *watches[] = {NULL, &empty};
    for (int k = 0; k < 2; k++) {
        struct meter meter;
        merels_meter_start(&meter, watches[k], "slots", 10, 1);
        merels_meter_piece(&meter, 0, "a", 10);
        merels_meter_stage(&meter, "s", 1);
        cr_expect_not(merels_meter_tick(&meter, 0.5));
        cr_expect_not(merels_meter_count(&meter, 6));
        cr_expect_not(merels_meter_stops(&meter));
        cr_expect_not(merels_meter_finish(&meter));
        cr_expect_eq(meter.now.done, 10);
    }
}

Test(progress, clock_goes_forward)
{
    double before = merels_clock_seconds();
    for (int k = 0; k < 1000; k++) {
        double now = merels_clock_seconds();
        cr_assert_geq(now, before);
        before = now;
    }
}
