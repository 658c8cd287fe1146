// fuzz_decoder.c: fuzz target: the verifier's own decoder of edition compact, on a file with
// damage that no checksum tells. Every group comes to an end: values, or an error.
//
// The input changes a file of the starter set: the first byte says which subspace is decoded,
// each three of the others are two of a place and one that is put there. Then the checksums of
// models, groups and head are made right again, where the undamaged file has them.

#include "db/hash.h"
#include "db/header.h"
#include "game/rules_text.h"
#include "tests/fuzz/fuzz.h"
#include "verify/compact_block.h"
#include "verify/compact_strands.h"

enum { MOST_BYTES = 1 << 17, MOST_CHANGES = 64, FIXED = 64 };

static uint8_t original[MOST_BYTES];
static size_t n_original;
static char rules_text[RULES_TEXT_BYTES];
static struct verify_index *rules_index;
static struct compact_file layout; // of the original
static struct classes classes[VERIFY_POINTS + 1];

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    // The last one names the length of the last block of the first group, in place 0x69B.
    static const char *const texts[] = {
        "a", "b@AB", "cxyz!abccba", "dzzyyyxxxwwwvvvuuutttsss", "b\x9B\x06\x01", NULL};
    return seeds_of_texts(texts, seeds, room);
}

// ---- the file ------------------------------------------------------------------------------

static void load(void)
{
    static struct rules rules; // large
    FILE *in = fopen(MERELS_DATA_DIR "/three.mce", "rb");
    demand(in != NULL);
    n_original = fread(original, 1, MOST_BYTES, in);
    fclose(in);
    demand(merels_rules_parse("three", &rules, NULL, NULL) == STATUS_OK);
    merels_rules_text(&rules, rules_text);
    demand(merels_verify_index_create(rules_text, true, &rules_index, NULL) == STATUS_OK);
    demand(merels_verify_compact_open(rules_text, rules_index, original, n_original, &layout,
                                      NULL) == STATUS_OK);
    for (int men = 0; men <= rules.board.n_points; men++)
        demand(merels_verify_classes(rules_index, men, &classes[men], NULL) == STATUS_OK);
}

static void stamp_group(uint8_t *bytes, uint64_t at)
{
    uint64_t from = get_le(bytes + at, 8), to = get_le(bytes + at + 16, 8);
    if (from <= to && to <= n_original)
        put_le(bytes + at + 8, 8, merels_xxh64(bytes + from, (size_t)(to - from)));
}

static void stamp_groups(uint8_t *bytes)
{
    for (int k = 0; k < layout.n_subspaces; k++) {
        const struct compact_subspace *s = &layout.subspaces[k];
        if (s->strands == 0)
            continue;
        uint32_t n_rows = classes[s->counts.b].n_rows;
        for (uint32_t g = 0; g < (n_rows + s->group_rows - 1) / s->group_rows; g++)
            stamp_group(bytes, s->groups + 16 * (uint64_t)g);
    }
}

// The head names a model by offset, length and checksum.
static void stamp_models(uint8_t *bytes, size_t n_head)
{
    for (int k = 0; k < layout.n_models; k++) {
        const struct compact_model *model = &layout.models[k];
        uint8_t named[12];
        put_le(named, 8, model->offset);
        put_le(named + 8, 4, model->n_bytes);
        for (size_t at = FIXED; at + 20 <= n_head; at++)
            if (memcmp(original + at, named, sizeof named) == 0)
                put_le(bytes + at + 12, 8, merels_xxh64(bytes + model->offset, model->n_bytes));
    }
}

static void stamp(uint8_t *bytes)
{
    size_t n_head = (size_t)get_le(original + 40, 4);
    stamp_groups(bytes);
    stamp_models(bytes, n_head);
    put_le(bytes + 12, 4, merels_xxh64(bytes, 12));
    put_le(bytes + 48, 8, merels_xxh64(bytes + FIXED, n_head - FIXED));
    put_le(bytes + 56, 8, merels_xxh64(bytes, 56));
}

// ---- the target ----------------------------------------------------------------------------

static void decode_groups(const struct compact_decoder *decoder, uint32_t n_columns)
{
    struct compact_room *room = NULL;
    struct error err = {.text = ""};
    demand(merels_verify_compact_room(decoder, &room, NULL) == STATUS_OK);
    for (uint32_t g = 0; g < merels_verify_groups(decoder); g++) {
        uint32_t first, n_rows = merels_verify_group_rows(decoder, g, &first);
        size_t n = (size_t)n_rows * n_columns;
        uint8_t *values = malloc(n);
        demand(values != NULL);
        memset(values, 99, n);
        if (merels_verify_decode_group(decoder, room, g, values, &err) == STATUS_OK)
            for (size_t k = 0; k < n; k++)
                demand(values[k] != 99);
        else
            demand(err.text[0] != '\0');
        fuzz_accepted++;
        free(values);
    }
    merels_verify_compact_room_destroy(room);
}

// One stored subspace, from the `which`-th on.
static void decode(const struct compact_file *file, int which)
{
    struct compact_strand *strands = NULL;
    int n_strands;
    if (merels_verify_compact_strands(file, &strands, &n_strands, NULL) == STATUS_OK)
        free(strands);
    for (int k = 0; k < file->n_subspaces; k++) {
        const struct compact_subspace *s = &file->subspaces[(k + which) % file->n_subspaces];
        struct compact_decoder *decoder = NULL;
        if (s->strands == 0)
            continue;
        if (merels_verify_decoder_create(file, s, &classes[s->counts.b], &decoder, NULL) !=
            STATUS_OK)
            continue;
        decode_groups(decoder,
                      (uint32_t)rules_index
                          ->choose[rules_index->rules.n_points - s->counts.b][s->counts.a]);
        merels_verify_decoder_destroy(decoder);
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct compact_file file;
    struct error err = {.text = ""};
    if (n_original == 0)
        load();
    uint8_t *bytes = malloc(n_original);
    demand(bytes != NULL);
    memcpy(bytes, original, n_original);
    for (size_t k = 1; k + 3 <= size && k < 3 * MOST_CHANGES; k += 3)
        bytes[(data[k] | (size_t)data[k + 1] << 8) % n_original] = data[k + 2];
    stamp(bytes);
    if (merels_verify_compact_open(rules_text, rules_index, bytes, n_original, &file, &err) ==
        STATUS_OK)
        decode(&file, size > 0 ? data[0] : 0);
    else
        demand(err.text[0] != '\0');
    merels_verify_compact_close(&file);
    free(bytes);
    return 0;
}
