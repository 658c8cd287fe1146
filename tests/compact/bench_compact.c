// bench_compact.c: times of the reader of edition compact, and what a ranking fetches.
//
//     merels_compact_bench FILE [N [SECONDS [HAND]]]
//
// For each number of men in hand, or only HAND, up to N random positions of the file's
// subspaces (1000), the same in every run, as many as are done in SECONDS of CPU time (10) for
// values and as many again for rankings. CPU time of a value and of a ranking, cold (the reader
// is opened anew, which is not counted) and warm (asked once more): median, 99 % and the most,
// in ms. Then, with nothing here but the head: rounds, ranges and bytes of a ranking, in the
// mean of the first 20.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "embed/merels_compact.h"

enum { MOST_HANDS = 48, MEMORY = MERELS_COMPACT_MEMORY, FETCHED = 20, PAGE = 64 };

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
    double *times[2];
    unsigned long rounds, ranges, bytes, n_fetched;
};

static int reopen(struct bench *b)
{
    const struct merels_compact_source source = {&b->file, read_file, want_range,
                                                 b->file.n_bytes};
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
static int is_over(struct bench *b, const struct merels_compact_position *p)
{
    size_t n = 0;
    return merels_compact_rank(b->reader, p, b->plies, 0, &n) == MERELS_COMPACT_OK;
}

static int ask(struct bench *b, const struct merels_compact_position *p, int ranks)
{
    size_t n = 0;
    int value;
    return ranks ? rank(b, p, &n) : merels_compact_value(b->reader, p, &value);
}

// Cold, then warm.
static void time_position(struct bench *b, const struct merels_compact_position *p, int ranks,
                          size_t k)
{
    reopen(b);
    for (int warm = 0; warm < 2; warm++) {
        double start = now_ms();
        if (ask(b, p, ranks) != MERELS_COMPACT_OK) {
            fprintf(stderr, "a position has no answer\n");
            exit(1);
        }
        b->times[warm][k] = now_ms() - start;
    }
}

// As many positions as asked for, or as the time is enough for.
static void time_kind(struct bench *b, int hand, int ranks, size_t most, double seconds)
{
    struct merels_compact_position p;
    double end = now_ms() + 1000 * seconds;
    size_t n = 0;
    state = 88172645463325252u + (uint64_t)hand;
    b->rounds = b->ranges = b->bytes = b->n_fetched = 0;
    for (size_t tries = 0; n < most && tries < 4 * most && now_ms() < end && draw(b, hand, &p);
         tries++) {
        if (is_over(b, &p))
            continue;
        time_position(b, &p, ranks, n++);
        if (ranks && n <= FETCHED)
            count_fetches(b, &p);
    }
    if (n == 0)
        return;
    printf("hand %2d %s: %5zu positions", hand, ranks ? "ranking" : "value", n);
    print_times("cold", b->times[0], n);
    print_times("warm", b->times[1], n);
    if (ranks)
        printf("  rounds %.2f ranges %.1f KB %.1f", (double)b->rounds / (double)b->n_fetched,
               (double)b->ranges / (double)b->n_fetched,
               (double)b->bytes / 1024 / (double)b->n_fetched);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    size_t n = argc > 2 ? (size_t)strtoul(argv[2], NULL, 10) : 1000;
    double seconds = argc > 3 ? atof(argv[3]) : 10;
    int only = argc > 4 ? atoi(argv[4]) : -1;
    bench.memory = malloc(MEMORY);
    for (int i = 0; i < 2; i++)
        bench.times[i] = calloc(n + 1, sizeof(double));
    if (argc < 2 || n == 0 || bench.memory == NULL || bench.times[0] == NULL ||
        bench.times[1] == NULL || !load(argv[1], &bench.file) ||
        reopen(&bench) != MERELS_COMPACT_OK) {
        fprintf(stderr, "usage: merels_compact_bench FILE [N [SECONDS [HAND]]]\n");
        return 2;
    }
    for (int hand = 0; hand < MOST_HANDS; hand++)
        for (int ranks = 0; ranks < 2 && (only < 0 || hand == only); ranks++)
            time_kind(&bench, hand, ranks, n, seconds);
    return 0;
}
