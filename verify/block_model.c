// block_model.c: the entries of a model, and the weights that they give to images and tables.

#include "verify/block_model.h"

#include <stdlib.h>

#include "verify/block_coder.h"
#include "verify/compact_sums.h"

static const int table_entries[N_TABLES] = {400, 256, 100, 256, 400, 144, 100, 576,
                                            81,  27,  257, 288, 108, 256, 225, 972,
                                            972, 136, 102, 64,  512, 216, 1};

static enum status damaged(struct error *err, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "edition compact: damaged: %s", what);
}

// A signed byte for each entry and decision.
static void read_model(const uint8_t *bytes, uint32_t n_bytes, uint32_t n_entries,
                       int8_t *entries)
{
    struct block_coder coder = merels_verify_coder(bytes, bytes + n_bytes);
    uint32_t chances[2][256];
    for (int k = 0; k < 512; k++)
        chances[k / 256][k % 256] = 32768;
    for (uint32_t k = 0; k < 2 * n_entries; k++) {
        uint32_t place = 1;
        while (place < 256) {
            uint32_t *chance = &chances[k % 2][place];
            bool one = merels_verify_decide(&coder, *chance);
            *chance = one ? *chance + (65536 - *chance) / 32 : *chance - *chance / 32;
            place = 2 * place + one;
        }
        entries[k] = (int8_t)(uint8_t)place;
    }
}

static uint32_t power_of_3(int k)
{
    return k == 0 ? 1 : 3 * power_of_3(k - 1);
}

// The index after a symmetry has moved the places of a pattern; `places`: where each goes.
static uint32_t permuted(uint32_t index, int n, const int *places)
{
    uint32_t out = 0;
    for (int i = 0; i < n; i++, index /= 3)
        out += index % 3 * power_of_3(places[i]);
    return out;
}

static int place_in(const struct compact_pattern *pattern, int point)
{
    for (int i = 0; i < pattern->n_points; i++)
        if (pattern->points[i] == point)
            return i;
    return -1;
}

// Of every index its class; returns the number of classes.
static uint32_t find_classes(const struct compact_file *file,
                             const struct compact_pattern *pattern, uint32_t *class_of)
{
    const struct verify_index *index = file->index;
    uint32_t n = power_of_3(pattern->n_points), n_classes = 0;
    for (uint32_t k = 0; k < n; k++)
        class_of[k] = UINT32_MAX;
    for (uint32_t k = 0; k < n; k++) {
        if (class_of[k] != UINT32_MAX)
            continue;
        for (int m = 0; m < index->n_maps; m++) {
            int places[PATTERN_POINTS], least = 0;
            for (int i = 0; i < pattern->n_points; i++) {
                places[i] = place_in(pattern, index->maps[m][pattern->points[i]]);
                least = places[i] < least ? places[i] : least;
            }
            if (least == 0) // the symmetry keeps the pattern's points
                class_of[permuted(k, pattern->n_points, places)] = n_classes;
        }
        n_classes++;
    }
    return n_classes;
}

static uint32_t image_set(const struct compact_file *file,
                          const struct compact_pattern *pattern, int map)
{
    uint32_t set = 0;
    for (int i = 0; i < pattern->n_points; i++)
        set |= (uint32_t)1 << file->index->maps[map][pattern->points[i]];
    return set;
}

// True if no symmetry before the k-th of the file's list gives the same image.
static bool is_first(const struct compact_file *file, const struct compact_pattern *pattern,
                     int k)
{
    for (int j = 0; j < k; j++)
        if (image_set(file, pattern, file->order[j]) ==
            image_set(file, pattern, file->order[k]))
            return false;
    return true;
}

static void add_image(struct compact_decoder *decoder, const struct compact_pattern *pattern,
                      int map)
{
    const uint8_t *to = decoder->file->index->maps[map];
    for (int i = 0; i < pattern->n_points; i++) {
        int point = to[pattern->points[i]];
        for (int byte = 0; byte < 256; byte++)
            if (byte >> (point % 8) & 1)
                decoder->own_part[point / 8][byte][decoder->n_images] += power_of_3(i);
    }
    decoder->n_images++;
}

static enum status lay_out_images(struct compact_decoder *decoder, struct error *err)
{
    const struct compact_file *file = decoder->file;
    uint32_t n_indices = 0;
    for (int k = 0; k < file->n_patterns; k++) {
        n_indices += power_of_3(file->patterns[k].n_points);
        for (int j = 0; j < file->index->n_maps; j++) {
            if (!is_first(file, &file->patterns[k], j))
                continue;
            if (decoder->n_images == MOST_IMAGES)
                return damaged(err, "too many images of patterns");
            decoder->first_weight[decoder->n_images] = decoder->n_weights;
            decoder->n_weights += power_of_3(file->patterns[k].n_points);
            add_image(decoder, &file->patterns[k], file->order[j]);
        }
    }
    if (n_indices > MOST_INDICES)
        return damaged(err, "too many indices of patterns");
    for (int t = 0; t < N_TABLES; t++) {
        decoder->first_weight[decoder->n_images + t] = decoder->n_weights;
        decoder->n_weights += (uint32_t)table_entries[t];
    }
    return STATUS_OK;
}

static uint32_t count_entries(const struct compact_file *file, uint32_t *class_of)
{
    uint32_t n = 0;
    for (int k = 0; k < file->n_patterns; k++)
        n += find_classes(file, &file->patterns[k], class_of);
    for (int t = 0; t < N_TABLES; t++)
        n += (uint32_t)table_entries[t];
    return n;
}

// Every image has a copy of its pattern's table, every index of a class the class's weight.
static void begin_weights(struct compact_decoder *decoder, const int8_t *entries,
                          uint32_t *class_of)
{
    const struct compact_file *file = decoder->file;
    int32_t *to = decoder->begin;
    for (int k = 0; k < file->n_patterns; k++) {
        uint32_t n_classes = find_classes(file, &file->patterns[k], class_of);
        uint32_t n = power_of_3(file->patterns[k].n_points);
        for (int j = 0; j < file->index->n_maps; j++)
            if (is_first(file, &file->patterns[k], j))
                for (uint32_t i = 0; i < n; i++) {
                    *to++ = 4096 * entries[2 * class_of[i]];
                    *to++ = 4096 * entries[2 * class_of[i] + 1];
                }
        entries += 2 * (size_t)n_classes;
    }
    while (to < decoder->begin + 2 * (size_t)decoder->n_weights)
        *to++ = 4096 * *entries++;
}

enum status merels_verify_load_model(struct compact_decoder *decoder, struct error *err)
{
    const struct compact_file *file = decoder->file;
    const uint8_t *bytes;
    uint32_t n_bytes;
    enum status status =
        merels_verify_model_bytes(file, decoder->subspace, &bytes, &n_bytes, err);
    if (status == STATUS_OK)
        status = lay_out_images(decoder, err);
    if (status != STATUS_OK)
        return status;
    uint32_t *class_of = malloc(power_of_3(PATTERN_POINTS) * sizeof *class_of);
    int8_t *entries = malloc(2 * (size_t)decoder->n_weights); // more than there are
    decoder->begin = malloc(2 * (size_t)decoder->n_weights * sizeof *decoder->begin);
    if (class_of != NULL && entries != NULL && decoder->begin != NULL) {
        read_model(bytes, n_bytes, count_entries(file, class_of), entries);
        begin_weights(decoder, entries, class_of);
    } else
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for a model");
    free(class_of);
    free(entries);
    return status;
}
