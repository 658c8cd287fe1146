// edition.c: names and sizes of the editions, and values of depth packed to win, draw and loss.

#include "db/edition.h"

#include <string.h>

const char *merels_edition_name(enum edition edition)
{
    return edition == EDITION_WDL ? "wdl" : "dtm";
}

bool merels_edition_has_width(enum edition edition, int value_bytes)
{
    return edition == EDITION_WDL ? value_bytes == 0 : value_bytes == 1 || value_bytes == 2;
}

uint32_t merels_edition_block_slots(enum edition edition)
{
    return edition == EDITION_WDL ? 4 * BLOCK_SLOTS : BLOCK_SLOTS;
}

size_t merels_edition_bytes(enum edition edition, int value_bytes, size_t n_slots)
{
    return edition == EDITION_WDL ? (n_slots + 3) / 4 : n_slots * (size_t)value_bytes;
}

void merels_wdl_pack(const uint8_t *values, int value_bytes, size_t n_slots, uint8_t *packed)
{
    memset(packed, 0, (n_slots + 3) / 4);
    for (size_t i = 0; i < n_slots; i++) {
        int depth = dtm_depth(values + i * (size_t)value_bytes, value_bytes);
        int code = depth < 0 ? WDL_DRAW : depth % 2 == 1 ? WDL_WIN : WDL_LOSS;
        packed[i / 4] |= (uint8_t)(code << (2 * (i % 4)));
    }
}
