/* embed.c: a whole program that answers from a file of edition compact, with the two files of
 * embed/ and nothing else of Merels.
 *
 *     cc -std=c99 -O2 -I. examples/embed.c embed/merels_compact.c -o embed
 *     ./embed data/three.mce
 *
 * Plays the best plies of both sides from the empty board of three men's morris. */

#include <stdio.h>
#include <stdlib.h>

#include "embed/merels_compact.h"

/* The reader asks for bytes; here they come from a file. A program that fetches them over a
 * network returns MERELS_COMPACT_LATER, is told by `want` what to fetch, and makes the call
 * again. */
static int read_file(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    FILE *file = (FILE *)context;
    if (fseek(file, (long)offset, SEEK_SET) != 0)
        return MERELS_COMPACT_FAILED;
    if (fread(to, 1, n_bytes, file) == n_bytes)
        return MERELS_COMPACT_HERE;
    return ferror(file) ? MERELS_COMPACT_FAILED : MERELS_COMPACT_ENDS;
}

static void print_ply(const struct merels_compact_ply *ply)
{
    static const char *const words[] = {"loses", "draws", "wins"};
    if (ply->from >= 0)
        printf("%d-", ply->from);
    printf("%d", ply->to);
    for (int k = 0; k < ply->n_removed; k++)
        printf("x%d", ply->removed[k]);
    printf(" %s\n", words[ply->value + 1]);
}

int main(int argc, char **argv)
{
    struct merels_compact_position position = {0, 0, 3, 3, 0};
    struct merels_compact *reader;
    struct merels_compact_source source = {NULL, read_file, NULL};
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    void *memory = malloc(MERELS_COMPACT_MEMORY);
    size_t n = 1;
    source.context = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (source.context == NULL || memory == NULL) {
        fprintf(stderr, "usage: embed FILE\n");
        return 2;
    }
    int status = merels_compact_open(memory, MERELS_COMPACT_MEMORY, &source, &reader);
    for (int turn = 0; status == MERELS_COMPACT_OK && n > 0 && turn < 12; turn++) {
        status = merels_compact_rank(reader, &position, plies, MERELS_COMPACT_PLIES, &n);
        if (status != MERELS_COMPACT_OK || n == 0)
            break;
        print_ply(&plies[0]);
        position = merels_compact_play(&position, &plies[0]);
    }
    if (status != MERELS_COMPACT_OK)
        fprintf(stderr, "%s: %s\n", argv[1], merels_compact_words(status));
    fclose((FILE *)source.context);
    free(memory);
    return status != MERELS_COMPACT_OK;
}
