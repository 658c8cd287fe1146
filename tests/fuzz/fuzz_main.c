// fuzz_main.c: runs a fuzz target without libFuzzer: on files, or on its seeds, which are
// damaged at random, the same in every run.
//
//     merels_fuzz_TARGET [-runs=N] [FILE...]

#include "tests/fuzz/fuzz.h"

enum { MAX_BYTES = 1 << 16, DEFAULT_RUNS = 20000 };

unsigned long fuzz_accepted;

static struct seed seeds[MOST_SEEDS];
static size_t n_seeds;
static uint64_t state = 1;

static unsigned random_below(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % n);
}

static const struct seed *any_seed(void)
{
    return &seeds[random_below((unsigned)n_seeds)];
}

// A piece of another seed put in.
static size_t insert_piece(uint8_t *bytes, size_t n, size_t at, size_t length)
{
    const struct seed *other = any_seed();
    length = length < other->n ? length : other->n;
    if (n + length > MAX_BYTES || length == 0)
        return n;
    memmove(bytes + at + length, bytes + at, n - at);
    memcpy(bytes + at,
           (const char *)other->bytes + random_below((unsigned)(other->n - length) + 1),
           length);
    return n + length;
}

// One change: a byte, a piece doubled or cut out, or a piece of another input put in.
static size_t change(uint8_t *bytes, size_t n)
{
    static const char signs[] =
        "abdgwx0179:;,.-!?$@*/(){}[]\"\\ \t\r\n\x00\x80\xC2\xE2\xEF\xFF#%";
    size_t at = random_below((unsigned)n + 1), length = random_below(16);
    switch (random_below(4)) {
    case 0:
        if (at < n)
            bytes[at] = (uint8_t)signs[random_below(sizeof signs - 1)];
        return n;
    case 1:
        length = at + length < n ? length : n - at;
        memmove(bytes + at, bytes + at + length, n - at - length);
        return n - length;
    case 2:
        length = at + length < n ? length : n - at;
        if (n + length > MAX_BYTES)
            return n;
        memmove(bytes + at + length, bytes + at, n - at);
        return n + length;
    default:
        return insert_piece(bytes, n, at, length);
    }
}

static void run_changed(long runs)
{
    static uint8_t bytes[MAX_BYTES];
    for (long i = 0; i < runs; i++) {
        const struct seed *seed = any_seed();
        size_t n = seed->n < MAX_BYTES ? seed->n : MAX_BYTES;
        memcpy(bytes, seed->bytes, n);
        for (unsigned k = random_below(8); k > 0; k--)
            n = change(bytes, n);
        LLVMFuzzerTestOneInput(bytes, n);
    }
}

// All seeds as they are; true if one is accepted at least.
static bool run_seeds(void)
{
    for (size_t k = 0; k < n_seeds; k++)
        LLVMFuzzerTestOneInput(seeds[k].bytes, seeds[k].n);
    printf("%zu seeds, %lu accepted\n", n_seeds, fuzz_accepted);
    return fuzz_accepted > 0;
}

static bool run_file(const char *name)
{
    enum { MOST = 4 << 20 };
    FILE *file = fopen(name, "rb");
    uint8_t *bytes = malloc(MOST);
    if (!file || !bytes) {
        fprintf(stderr, "cannot read %s\n", name);
        free(bytes);
        return false;
    }
    size_t n = fread(bytes, 1, MOST, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
    return true;
}

int main(int argc, char **argv)
{
    long runs = DEFAULT_RUNS;
    bool good = true;
    int n_files = 0;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-runs=", 6) == 0) {
            runs = strtol(argv[i] + 6, NULL, 10);
        } else {
            good &= run_file(argv[i]);
            n_files++;
        }
    if (n_files > 0)
        return good ? EXIT_SUCCESS : EXIT_FAILURE;
    n_seeds = fuzz_seeds(seeds, MOST_SEEDS);
    good = run_seeds();
    run_changed(runs);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
