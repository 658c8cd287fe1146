// answers.c: what the reader of edition compact says of many positions of a file, as text: a
// program without Merels, to compare readers on other processors and in other languages with
// each other.
//
//     answers FILE N
//
// For every subspace of the file N random positions, the same in every run, each without and
// with a removal due: a line "own other own-hand other-hand due status", with status 0 also
// "value plies", each ply as "from,to,value,picked" and ",removed" for each man.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compact/held_file.h"

static int load(const char *name, struct file *file)
{
    FILE *in = fopen(name, "rb");
    if (in == NULL || fseek(in, 0, SEEK_END) != 0)
        return 0;
    file->n_bytes = (uint64_t)ftell(in);
    file->bytes = malloc((size_t)file->n_bytes + 1);
    rewind(in);
    size_t n = file->bytes ? fread(file->bytes, 1, (size_t)file->n_bytes, in) : 0;
    fclose(in);
    return n == file->n_bytes;
}

static uint64_t state = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static uint32_t random_set(int n_points, int men, uint32_t taken)
{
    uint32_t set = 0;
    while (men > 0) {
        uint32_t point = (uint32_t)1 << random_below((uint32_t)n_points);
        if (((set | taken) & point) != 0)
            continue;
        set |= point;
        men--;
    }
    return set;
}

static void print_answer(struct merels_compact *reader, const struct merels_compact_position *p)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    int value = 0, status = merels_compact_value(reader, p, &value);
    size_t n = 0;
    if (status == MERELS_COMPACT_OK)
        status = merels_compact_rank(reader, p, plies, MERELS_COMPACT_PLIES, &n);
    printf("%lu %lu %d %d %d %d", (unsigned long)p->own, (unsigned long)p->other, p->own_hand,
           p->other_hand, p->due, status);
    if (status == MERELS_COMPACT_OK)
        printf(" %d", value);
    for (size_t k = 0; k < n && status == MERELS_COMPACT_OK; k++) {
        printf(" %d,%d,%d,%d", plies[k].from, plies[k].to, plies[k].value, plies[k].picked);
        for (int i = 0; i < plies[k].n_removed; i++)
            printf(",%d", plies[k].removed[i]);
    }
    printf("\n");
}

static void print_answers(struct merels_compact *reader, long n)
{
    for (size_t k = 0; k < merels_compact_subspaces(reader); k++) {
        const struct merels_compact_counts c = merels_compact_subspace(reader, k);
        for (long i = 0; i < n; i++) {
            struct merels_compact_position p;
            p.own = random_set(merels_compact_points(reader), c.own, 0);
            p.other = random_set(merels_compact_points(reader), c.other, p.own);
            p.own_hand = c.own_hand;
            p.other_hand = c.other_hand;
            for (p.due = 0; p.due < 2; p.due++)
                print_answer(reader, &p);
        }
    }
}

int main(int argc, char **argv)
{
    struct file file = {NULL, 0};
    struct merels_compact *reader;
    void *memory = malloc(MERELS_COMPACT_MEMORY);
    if (argc != 3 || memory == NULL || !load(argv[1], &file)) {
        fprintf(stderr, "usage: answers FILE N\n");
        return 2;
    }
    const struct merels_compact_source source = {&file, read_file, NULL, file.n_bytes};
    int status = merels_compact_open(memory, MERELS_COMPACT_MEMORY, &source, &reader);
    if (status != MERELS_COMPACT_OK) {
        fprintf(stderr, "%s: %s\n", argv[1], merels_compact_words(status));
        return 1;
    }
    print_answers(reader, strtol(argv[2], NULL, 10));
    free(memory);
    free(file.bytes);
    return 0;
}
