// bench_compact.c: times of the reader of edition compact, and what a ranking fetches.
//
//     merels_compact_bench FILE [N [HAND]]
//
// For each number of men in hand, or only HAND, N random positions of the file's subspaces
// (1000), the same in every run: CPU time of a value and of a ranking, cold (the reader is opened anew, which is
// not counted) and warm (asked once more): median, 99 % and the most, in ms. Then, with nothing
// here but the head: rounds, ranges and bytes of a ranking.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "embed/merels_compact.h"

enum { MOST_HANDS = 48, MEMORY = MERELS_COMPACT_MEMORY, FETCHED = 100, PAGE = 64 };

struct file {
    unsigned char *bytes, *here;
    uint64_t n_bytes;
    int slow;
    unsigned long n_ranges, n_fetched;
};

static int read_file(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    const struct file *file = context;
    if (offset > file->n_bytes || n_bytes > file->n_bytes - offset)
        return MERELS_COMPACT_ENDS;
    for (uint64_t k = offset / PAGE; file->slow && k * PAGE < offset + n_bytes; k++)
        if (!file->here[k])
            return MERELS_COMPACT_LATER;
    memcpy(to, file->bytes + offset, n_bytes);
    return MERELS_COMPACT_HERE;
}

static void want_range(void *context, uint64_t offset, uint32_t n_bytes)
{
    struct file *file = context;
    for (uint64_t k = offset / PAGE; k * PAGE < offset + n_bytes; k++)
        file->here[k] = 1;
    file->n_ranges++;
    file->n_fetched += n_bytes;
}

static int load(const char *name, struct file *file)
{
    FILE *in = fopen(name, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0)
        return 0;
    file->n_bytes = (uint64_t)ftell(in);
    file->bytes = malloc(file->n_bytes + 1);
    file->here = calloc(file->n_bytes / PAGE + 2, 1);
    rewind(in);
    size_t n = file->bytes && file->here ? fread(file->bytes, 1, file->n_bytes, in) : 0;
    fclose(in);
    return n == file->n_bytes;
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint64_t state = 88172645463325252u;

static uint32_t random_below(uint64_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 20) % n);
}

static uint32_t random_set(int n_points, int men, uint32_t taken)
{
    uint32_t set = 0;
    while (men > 0) {
        uint32_t point = (uint32_t)1 << random_below((uint64_t)n_points);
        men -= ((set | taken) & point) == 0;
        set |= taken & point ? 0 : point;
    }
    return set;
}

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

static void print_times(const char *name, double *times, size_t n)
{
    qsort(times, n, sizeof *times, compare);
    printf("  %s %.3f %.3f %.3f", name, times[n / 2], times[n * 99 / 100], times[n - 1]);
}

struct bench {
    struct file file;
    void *memory;
    struct merels_compact *reader;
    struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    double *times[4];
    unsigned long rounds, ranges, bytes, n_fetched;
};

static int reopen(struct bench *b)
{
    const struct merels_compact_source source = {&b->file, read_file, want_range};
    b->file.slow = 0;
    return merels_compact_open(b->memory, MEMORY, &source, &b->reader);
}

// A position of one of the subspaces with so many men in hand; weighed by the subspaces' sizes.
static int draw(struct bench *b, int hand, struct merels_compact_position *p)
{
    struct merels_compact_counts c;
    size_t n = merels_compact_subspaces(b->reader);
    int n_points = merels_compact_points(b->reader);
    double slots[4096], all = 0;
    for (size_t k = 0; k < n && k < 4096; k++) {
        c = merels_compact_subspace(b->reader, k);
        slots[k] = c.own_hand + c.other_hand == hand;
        for (int i = 0; i < c.own + c.other; i++)
            slots[k] *= (double)(n_points - i) / (i < c.own ? i + 1 : i - c.own + 1);
        all += slots[k];
    }
    if (all == 0)
        return 0;
    double at = all * random_below(1u << 30) / (1u << 30);
    size_t k = 0;
    while (k + 1 < n && (at -= slots[k]) >= 0)
        k++;
    c = merels_compact_subspace(b->reader, k);
    p->own = random_set(n_points, c.own, 0);
    p->other = random_set(n_points, c.other, p->own);
    p->own_hand = c.own_hand;
    p->other_hand = c.other_hand;
    p->due = 0;
    return 1;
}

static int rank(struct bench *b, const struct merels_compact_position *p, size_t *n)
{
    return merels_compact_rank(b->reader, p, b->plies, MERELS_COMPACT_PLIES, n);
}

static void count_fetches(struct bench *b, const struct merels_compact_position *p)
{
    size_t n;
    int status;
    reopen(b);
    memset(b->file.here, 0, b->file.n_bytes / PAGE + 2);
    b->file.n_ranges = b->file.n_fetched = 0;
    b->file.slow = 1;
    while ((status = rank(b, p, &n)) == MERELS_COMPACT_NOT_YET)
        b->rounds++;
    b->ranges += b->file.n_ranges;
    b->bytes += b->file.n_fetched;
    b->n_fetched++;
}

// Positions in which the game is over are left out.
static int time_position(struct bench *b, const struct merels_compact_position *p, size_t k)
{
    size_t n = 0;
    int value;
    double start = now_ms();
    if (reopen(b) != MERELS_COMPACT_OK || rank(b, p, &n) != MERELS_COMPACT_OK || n == 0)
        return 0;
    for (int warm = 0; warm < 2; warm++) {
        if (!warm)
            reopen(b);
        start = now_ms();
        if (merels_compact_value(b->reader, p, &value) != MERELS_COMPACT_OK)
            return 0;
        b->times[warm][k] = now_ms() - start;
    }
    for (int warm = 0; warm < 2; warm++) {
        if (!warm)
            reopen(b);
        start = now_ms();
        if (rank(b, p, &n) != MERELS_COMPACT_OK)
            return 0;
        b->times[2 + warm][k] = now_ms() - start;
    }
    if (k < FETCHED)
        count_fetches(b, p);
    return 1;
}

static void time_hand(struct bench *b, int hand, size_t n)
{
    static const char *const names[] = {"value cold", "warm", "ranking cold", "warm"};
    struct merels_compact_position p;
    size_t k = 0;
    b->rounds = b->ranges = b->bytes = b->n_fetched = 0;
    for (size_t tries = 0; k < n && tries < 4 * n && draw(b, hand, &p); tries++)
        k += (size_t)time_position(b, &p, k);
    if (k == 0)
        return;
    printf("hand %2d: %zu positions", hand, k);
    for (int i = 0; i < 4; i++)
        print_times(names[i], b->times[i], k);
    printf("  rounds %.2f ranges %.1f KB %.1f\n", (double)b->rounds / (double)b->n_fetched,
           (double)b->ranges / (double)b->n_fetched,
           (double)b->bytes / 1024 / (double)b->n_fetched);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    size_t n = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1000;
    bench.memory = malloc(MEMORY);
    for (int i = 0; i < 4; i++)
        bench.times[i] = calloc(n + 1, sizeof(double));
    if (argc < 2 || n == 0 || bench.memory == NULL || bench.times[3] == NULL ||
        !load(argv[1], &bench.file) || reopen(&bench) != MERELS_COMPACT_OK) {
        fprintf(stderr, "usage: merels_compact_bench FILE [N [HAND]]\n");
        return 2;
    }
    int only = argc > 3 ? atoi(argv[3]) : -1;
    for (int hand = 0; hand < MOST_HANDS; hand++)
        if (only < 0 || hand == only)
            time_hand(&bench, hand, n);
    return 0;
}
