// fuzz_compact.c: fuzz target: a file of edition compact with damage that no checksum tells,
// and positions of it. Whatever stands in the file, every call comes to an end and touches
// nothing but its memory.
//
// The reader is compiled for it with all checksums right. The input changes a file of the
// starter set: each five bytes are two of a place, one that is put there, and two that go into
// positions.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compact/held_file.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_BYTES = 1 << 17, MOST_CHANGES = 64, MEMORY = 4 << 20 };

// The last one names the men of the first subspace, in place 0x115.
static const char *const texts[] = {
    "", "AAbcdBBefg", "~!ab0", "zzzzzyyyyyxxxxxwwwwwvvvvvuuuuu", "\x15\x01\x03gh", NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

static size_t load(unsigned char *bytes)
{
    FILE *in = fopen(MERELS_DATA_DIR "/three.mce", "rb");
    if (in == NULL)
        abort();
    size_t n = fread(bytes, 1, MOST_BYTES, in);
    fclose(in);
    return n;
}

static void ask(struct merels_compact *reader, struct merels_compact_position p)
{
    static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
    size_t n = 0;
    int value = 0, status = merels_compact_value(reader, &p, &value);
    fuzz_accepted += status == MERELS_COMPACT_OK;
    if (status == MERELS_COMPACT_OK && (value < -1 || value > 1))
        abort();
    status = merels_compact_rank(reader, &p, plies, MERELS_COMPACT_PLIES, &n);
    if (status == MERELS_COMPACT_OK && n > MERELS_COMPACT_PLIES)
        abort();
    if (strcmp(merels_compact_words(status), "unknown status") == 0)
        abort();
}

// Positions of the counts that the file names, and of any.
static void ask_some(struct merels_compact *reader, uint32_t seed)
{
    int n_points = merels_compact_points(reader);
    size_t n = merels_compact_subspaces(reader);
    for (size_t k = seed % 4; k < n && k < 24; k += 4) {
        const struct merels_compact_counts c = merels_compact_subspace(reader, k);
        struct merels_compact_position p = {0, 0, c.own_hand, c.other_hand,
                                            (uint8_t)(k % 5 == 0)};
        for (int i = 0; i < n_points && i < c.own + c.other; i++)
            if (i < c.own)
                p.own |= 1u << (i * 5 + (int)(seed % 7)) % n_points;
            else
                p.other |= 1u << (i * 5 + (int)(seed % 7)) % n_points;
        p.other &= ~p.own;
        ask(reader, p);
    }
    ask(reader, (struct merels_compact_position){seed & 0xFFFFFF, ~seed & seed >> 3 & 0xFFFFFF,
                                                 (uint8_t)(seed >> 24 & 3),
                                                 (uint8_t)(seed >> 26 & 3), 0});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static unsigned char original[MOST_BYTES];
    static uint64_t memory[MEMORY / 8];
    static size_t n_original;
    struct merels_compact *reader;
    uint32_t seed = 5;
    if (n_original == 0)
        n_original = load(original);
    struct file file = {malloc(n_original), n_original};
    if (file.bytes == NULL)
        return 0;
    memcpy(file.bytes, original, n_original);
    for (size_t k = 0; k + 5 <= n_bytes && k < 5 * MOST_CHANGES; k += 5) {
        file.bytes[(data[k] | (size_t)data[k + 1] << 8) % n_original] = data[k + 2];
        seed = seed * 31 + (data[k + 3] | (uint32_t)data[k + 4] << 8);
    }
    const struct merels_compact_source source = {&file, read_file, NULL, 0};
    if (merels_compact_open(memory, sizeof memory, &source, &reader) == MERELS_COMPACT_OK)
        ask_some(reader, seed);
    free(file.bytes);
    return 0;
}
