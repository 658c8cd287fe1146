// fuzz_main.c: runs a fuzz target without libFuzzer: on files, or on texts to begin with that
// are damaged at random, the same in every run.
//
//     merels_fuzz_TARGET [-runs=N] [FILE...]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"

enum { MAX_BYTES = 1 << 16, DEFAULT_RUNS = 20000 };

static uint64_t state = 1;

static unsigned random_below(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((state >> 33) % n);
}

static size_t n_seeds(void)
{
    size_t n = 0;
    while (fuzz_seeds[n])
        n++;
    return n;
}

// One change: a byte, a piece doubled or cut out, or a piece of another text put in.
static size_t change(uint8_t *bytes, size_t n)
{
    static const char signs[] =
        "abdgwx0179:;,.-!?$@*/(){}[]\"\\ \t\r\n\x00\x80\xC2\xE2\xEF\xFF#%";
    size_t at = random_below((unsigned)n + 1), length = random_below(16);
    const char *other = fuzz_seeds[random_below((unsigned)n_seeds())];
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
        length = length < strlen(other) ? length : strlen(other);
        if (n + length > MAX_BYTES)
            return n;
        memmove(bytes + at + length, bytes + at, n - at);
        memcpy(bytes + at, other + random_below((unsigned)(strlen(other) - length) + 1),
               length);
        return n + length;
    }
}

static void run_changed(long runs)
{
    static uint8_t bytes[MAX_BYTES];
    for (long i = 0; i < runs; i++) {
        const char *seed = fuzz_seeds[random_below((unsigned)n_seeds())];
        size_t n = strlen(seed);
        memcpy(bytes, seed, n);
        for (unsigned k = random_below(8); k > 0; k--)
            n = change(bytes, n);
        LLVMFuzzerTestOneInput(bytes, n);
    }
}

static int run_file(const char *name)
{
    enum { MOST = 4 << 20 };
    FILE *file = fopen(name, "rb");
    uint8_t *bytes = malloc(MOST);
    if (!file || !bytes) {
        fprintf(stderr, "cannot read %s\n", name);
        return 1;
    }
    size_t n = fread(bytes, 1, MOST, file);
    fclose(file);
    LLVMFuzzerTestOneInput(bytes, n);
    free(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    long runs = DEFAULT_RUNS;
    int failed = 0, n_files = 0;
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "-runs=", 6) == 0)
            runs = strtol(argv[i] + 6, NULL, 10);
        else {
            failed |= run_file(argv[i]);
            n_files++;
        }
    if (n_files == 0)
        run_changed(runs);
    return failed;
}
