/* embed.c: a whole program that answers from a file of edition compact, with the two files of
 * embed/ and nothing else of Merels.
 *
 *     cc -std=c99 -O2 -I. examples/embed.c embed/merels_compact.c -o embed
 *     ./embed data/three.mce
 *
 * Plays the best plies of both sides from the empty board with most men in hand that the file
 * covers, 12 at most. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "embed/merels_compact.h"

enum { TURNS = 12 };

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

/* The length of the file, so that one cut short is found at once. */
static uint64_t length_of(FILE *file)
{
    long n = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    return n > 0 ? (uint64_t)n : 0;
}

/* The empty board with most men in hand; false if the file has none. */
static int find_start(const struct merels_compact *reader,
                      struct merels_compact_position *position)
{
    int most = 0;
    for (size_t k = 0; k < merels_compact_subspaces(reader); k++) {
        struct merels_compact_counts c = merels_compact_subspace(reader, k);
        if (c.own + c.other > 0 || c.own_hand + c.other_hand <= most)
            continue;
        most = c.own_hand + c.other_hand;
        memset(position, 0, sizeof *position);
        position->own_hand = c.own_hand;
        position->other_hand = c.other_hand;
    }
    return most > 0;
}

/* The name of a point: a word of the first line of the rules, behind "points". */
static void print_point(const struct merels_compact *reader, int point)
{
    size_t n;
    const char *text = merels_compact_rules(reader, &n), *end = text + n;
    for (int skip = 0; skip <= point; skip++) {
        while (text < end && *text != ' ' && *text != '\n')
            text++;
        text += text < end && *text == ' ';
    }
    while (text < end && *text != ' ' && *text != '\n')
        putchar(*text++);
}

static void print_ply(const struct merels_compact *reader, const struct merels_compact_ply *ply)
{
    static const char *const words[] = {"loses", "draws", "wins"};
    if (ply->from >= 0) {
        print_point(reader, ply->from);
        putchar('-');
    }
    if (ply->to >= 0)
        print_point(reader, ply->to);
    else
        printf("pass");
    for (int k = 0; k < ply->n_removed; k++) {
        putchar('x');
        print_point(reader, ply->removed[k]);
    }
    printf(" %s\n", words[ply->value + 1]);
}

static int play_on(struct merels_compact *reader, struct merels_compact_position position)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    for (int turn = 0; turn < TURNS; turn++) {
        size_t n;
        int status = merels_compact_rank(reader, &position, plies, MERELS_COMPACT_PLIES, &n);
        if (status != MERELS_COMPACT_OK || n == 0)
            return status;
        print_ply(reader, &plies[0]);
        position = merels_compact_play(&position, &plies[0]);
    }
    return MERELS_COMPACT_OK;
}

int main(int argc, char **argv)
{
    struct merels_compact_position start;
    struct merels_compact *reader;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    void *memory = malloc(MERELS_COMPACT_MEMORY);
    if (file == NULL || memory == NULL) {
        if (argc == 2)
            perror(argv[1]);
        else
            fprintf(stderr, "usage: embed FILE\n");
        return 2;
    }
    const struct merels_compact_source source = {file, read_file, NULL, length_of(file)};
    int status = merels_compact_open(memory, MERELS_COMPACT_MEMORY, &source, &reader);
    if (status == MERELS_COMPACT_OK)
        status =
            find_start(reader, &start) ? play_on(reader, start) : MERELS_COMPACT_NOT_COVERED;
    if (status != MERELS_COMPACT_OK)
        fprintf(stderr, "%s: %s\n", argv[1], merels_compact_words(status));
    fclose(file);
    free(memory);
    return status != MERELS_COMPACT_OK;
}
