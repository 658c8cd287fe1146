// position_key.c: a canonical position as one number.

#include "search/position_key.h"

void merels_images_init(const struct board *board, struct images *images)
{
    for (int s = 0; s < SEARCH_MAX_SYMMETRIES; s++) {
        int symmetry = s < board->n_symmetries ? s : 0; // the identity again harms nobody
        for (int x = 0; x < 1 << 12; x++) {
            images->low[x][s] = board->image_low[symmetry][x];
            images->high[x][s] = board->image_high[symmetry][x];
        }
    }
}

uint64_t merels_position_key(const struct images *images, const struct position *pos)
{
    point_set others = pos->other | pos->closed, owns = pos->own | pos->closed;
    const point_set *low = images->low[others & 0xFFF];
    const point_set *high = images->high[others >> 12];
    const point_set *own_low = images->low[owns & 0xFFF];
    const point_set *own_high = images->high[owns >> 12];
    point_set image[SEARCH_MAX_SYMMETRIES], other = ~(point_set)0, own = ~(point_set)0;
    for (int s = 0; s < SEARCH_MAX_SYMMETRIES; s++) {
        image[s] = low[s] | high[s];
        other = image[s] < other ? image[s] : other;
    }
    for (int s = 0; s < SEARCH_MAX_SYMMETRIES; s++)
        if (image[s] == other && (own_low[s] | own_high[s]) < own)
            own = own_low[s] | own_high[s];
    return other | (uint64_t)own << 24 | (uint64_t)pos->own_hand << 48 |
           (uint64_t)pos->other_hand << 52 | (uint64_t)pos->mover << SEARCH_COLOUR_BIT;
}
