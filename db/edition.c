// edition.c: names and sizes of the editions, and values of depth packed to win, draw and loss.

#include "db/edition.h"

#include <string.h>

const char *merels_edition_name(enum edition edition)
{
    return edition == EDITION_WDL       ? "wdl"
           : edition == EDITION_COMPACT ? "compact"
           : edition == EDITION_DTC     ? "dtc"
           : edition == EDITION_SEARCH  ? "search"
                                        : "dtm";
}

enum edition merels_edition_named(const char *name, size_t n_bytes)
{
    for (int edition = EDITION_DTM; edition <= EDITION_DTC; edition++) {
        const char *known = merels_edition_name((enum edition)edition);
        if (strlen(known) == n_bytes && memcmp(known, name, n_bytes) == 0)
            return (enum edition)edition;
    }
    return (enum edition)0;
}

const char *merels_edition_suffix(enum edition edition)
{
    return edition == EDITION_WDL ? ".wdl" : edition == EDITION_COMPACT ? ".mce" : ".mtb";
}

bool merels_edition_has_width(enum edition edition, int value_bytes)
{
    return edition == EDITION_WDL ? value_bytes == 0 : value_bytes == 1 || value_bytes == 2;
}

uint32_t merels_edition_block_slots(enum edition edition)
{
    return edition == EDITION_WDL ? WDL_BLOCK_SLOTS : DTM_BLOCK_SLOTS;
}

size_t merels_edition_bytes(enum edition edition, int value_bytes, size_t n_slots)
{
    return edition == EDITION_WDL ? (n_slots + 3) / 4 : n_slots * (size_t)value_bytes;
}

void merels_wdl_pack(const uint8_t *values, int value_bytes, size_t n_slots, uint8_t *packed)
{
    memset(packed, 0, (n_slots + 3) / 4);
    for (size_t i = 0; i < n_slots; i++) {
        int number = table_value(values + i * (size_t)value_bytes, value_bytes);
        int code = number < 0 ? WDL_DRAW : value_wins(number) ? WDL_WIN : WDL_LOSS;
        packed[i / 4] |= (uint8_t)(code << (2 * (i % 4)));
    }
}
