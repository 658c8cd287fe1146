// fastest.c: the time that the kernels of a level take for one row.
//
// The row: nine men's morris, nine men on either side, 5,005 columns. It is opened, bits are
// spread over planes, taken a step back and collected, as for every row decided the dense way:
// planes, cells, pext and pdep have a part as in a solve. The least of several times counts, of
// the thread's own time, so other work on the machine does not.

#include "kernels/fastest.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_ROUNDS = 10, N_MEN = 9, N_PLANES = 3 + N_SCRATCH };

struct trial {
    struct rules rules;
    uint64_t bits[5005 / 64 + 2];
    _Alignas(64) uint64_t planes[N_PLANES][(1 << 15) / 64]; // two of arrivals, out, scratch
};

// On every third point, and on one more.
static const point_set other_men = 0x249249 | 0x400000;

static bool open_trial(struct trial *trial)
{
    struct start start;
    struct error error;
    if (merels_rules_parse("nine", &trial->rules, &start, &error) != STATUS_OK)
        return false;
    memset(trial->bits, 0x11, sizeof trial->bits); // one in four of the arrivals is good
    memset(trial->planes, 0, sizeof trial->planes);
    return true;
}

static void work_once(const struct kernels *kernels, const struct side *side,
                      const struct columns *columns, struct trial *trial)
{
    struct row row;
    uint64_t *good[2] = {trial->planes[0], trial->planes[1]}, *out = trial->planes[2];
    uint64_t *const scratch[N_SCRATCH] = {trial->planes[3], trial->planes[4], trial->planes[5]};
    kernels->row_open(side, 0, other_men, columns, &row);
    for (int k = 0; k < 2; k++)
        kernels->bits_to_plane(columns, trial->bits, good[k]);
    kernels->step_back(&row, good, 2, out, scratch);
    kernels->plane_to_bits(columns, out, trial->bits);
}

static double seconds_of_thread(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// 0 if there is no memory.
static double time_of(const struct kernels *kernels, struct trial *trial)
{
    struct columns columns;
    struct error error;
    const struct side side = {.rules = &trial->rules, .ranks = merels_rank_tables()};
    int n_points = side.rules->board.n_points - bit_count(other_men);
    double least = 0;
    if (merels_columns_create(n_points, N_MEN, kernels->cell_points, &columns, &error) !=
        STATUS_OK)
        return 0;
    for (int k = 0; k < N_ROUNDS; k++) {
        double begin = seconds_of_thread();
        work_once(kernels, &side, &columns, trial);
        double taken = seconds_of_thread() - begin;
        least = k == 0 || taken < least ? taken : least;
    }
    merels_columns_destroy(&columns);
    return least;
}

int merels_fastest_of(const double *seconds, int n)
{
    int best = 0;
    for (int k = 0; k < n; k++) {
        if (!(seconds[k] > 0))
            return 0;
        if (seconds[k] * 8 < seconds[best] * 7)
            best = k;
    }
    return best;
}

const struct kernels *merels_fastest(const struct kernels *const *kernels, int n)
{
    double seconds[MAX_LEVELS] = {0};
    assert(n >= 1 && n <= MAX_LEVELS);
    if (n == 1)
        return kernels[0];
    struct trial *trial = aligned_alloc(64, (sizeof *trial + 63) / 64 * 64);
    if (trial != NULL && open_trial(trial))
        for (int k = 0; k < n; k++)
            seconds[k] = time_of(kernels[k], trial);
    free(trial);
    return kernels[merels_fastest_of(seconds, n)];
}
