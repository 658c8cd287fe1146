// fuzz_seeds.c: writes the seeds of a target linked with libFuzzer into the folder that the
// environment variable MERELS_FUZZ_SEEDS names, tries each, and ends: the corpus to begin with.

#include "tests/fuzz/fuzz.h"

unsigned long fuzz_accepted;

int LLVMFuzzerInitialize(int *argc, char ***argv);

static void write_seed(const char *dir, size_t k, const struct seed *seed)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/seed-%02zu", dir, k);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(seed->bytes, 1, seed->n, file) != seed->n || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(EXIT_FAILURE);
    }
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct seed seeds[MOST_SEEDS];
    const char *dir = getenv("MERELS_FUZZ_SEEDS");
    (void)argc;
    (void)argv;
    if (dir == NULL)
        return 0;
    size_t n = fuzz_seeds(seeds, MOST_SEEDS);
    for (size_t k = 0; k < n; k++) {
        write_seed(dir, k, &seeds[k]);
        LLVMFuzzerTestOneInput(seeds[k].bytes, seeds[k].n);
    }
    printf("%zu seeds, %lu accepted\n", n, fuzz_accepted);
    exit(n > 0 && fuzz_accepted > 0 ? EXIT_SUCCESS : EXIT_FAILURE);
}
