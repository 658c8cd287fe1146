// block_row.c: the board as a row sees it: points, mills and men around the other side's set.

#include "verify/block_row.h"

#include <string.h>

#include "verify/verify_plies.h"

static void open_free(const struct compact_decoder *decoder, struct row *row)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    int j = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if ((rules->mills[k] & row->other) == 0)
            row->mills[row->n_mills++] = compact_set(decoder, row, rules->mills[k]);
    for (int p = 0; p < rules->n_points; p++) {
        if (!(row->free >> p & 1))
            continue;
        row->joined[j] = compact_set(decoder, row, rules->joined[p]);
        for (int k = 0; k < row->n_mills; k++)
            if (row->mills[k] >> j & 1)
                row->mates[j][row->n_mates[j]++] = row->mills[k] & ~((uint32_t)1 << j);
        j++;
    }
}

// A mill with two men of the other side: does one more close it at the third point?
static void note_third(const struct compact_decoder *decoder, struct row *row, uint32_t mill)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    uint32_t third = mill & ~row->other;
    bool comes = decoder->subspace->counts.hb > 0 ||
                 (rules->joined[__builtin_ctz(third)] & row->other & ~mill) != 0;
    row->thirds[row->n_thirds++] = compact_set(decoder, row, third);
    if (comes)
        row->closable |= compact_set(decoder, row, third);
}

static void note_held(const struct compact_decoder *decoder, struct row *row, uint32_t mill)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    struct held_mill *held = &row->held[row->n_held++];
    int n = 0;
    for (int p = 0; p < rules->n_points; p++)
        if (mill >> p & 1)
            held->beside[n++] = compact_set(decoder, row, rules->joined[p]);
}

static void open_other(const struct compact_decoder *decoder, struct row *row)
{
    const struct verify_rules *rules = &decoder->file->index->rules;
    for (int p = 0; p < rules->n_points; p++) {
        if (!(row->other >> p & 1))
            continue;
        uint32_t beside = compact_set(decoder, row, rules->joined[p]);
        row->beside[row->n_men++] = beside;
        for (int k = 0; beside != 0; k++) { // one more for each of these points
            uint32_t had = row->degrees[k] & beside;
            row->degrees[k] |= beside;
            beside = had;
        }
    }
    for (int k = 0; k < rules->n_mills; k++) {
        int n = __builtin_popcount(rules->mills[k] & row->other);
        if (n == 3)
            note_held(decoder, row, rules->mills[k]);
        else if (n == 2)
            note_third(decoder, row, rules->mills[k]);
    }
    row->n_in_mills = __builtin_popcount(merels_verify_in_mills(rules, row->other));
}

void merels_verify_open_row(const struct compact_decoder *decoder, uint32_t number,
                            struct row *row)
{
    const struct verify_index *index = decoder->file->index;
    memset(row, 0, sizeof *row);
    row->other = decoder->classes->smallest[number];
    row->free = index->rules.all & ~row->other;
    row->all = ((uint32_t)1 << decoder->n_free) - 1;
    row->parity = __builtin_popcount(row->other & decoder->file->dark) & 1;
    row->dark = compact_set(decoder, row, decoder->file->dark);
    row->n_maps = merels_verify_stabilizer(index, row->other, row->maps);
    for (int byte = 0; byte < 3; byte++)
        for (int g = 0; g < decoder->n_images; g++)
            row->pattern_part[g] +=
                2 * decoder->own_part[byte][row->other >> (8 * byte) & 255][g];
    open_free(decoder, row);
    open_other(decoder, row);
}
