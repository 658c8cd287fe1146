// edition.h: the two kinds of tables, what a value is in each, and how many stand in a block.
// docs/FORMAT.md is the law. A third edition, compact, has no tables but one file for all
// values (docs/COMPACT.md, db/compact_values.h).
//
// Edition dtm: one byte a slot. DTM_DRAW, or the depth in plies (0 = lost now, odd = win,
// even = loss for the mover). Where depths go beyond MAX_DEPTH: two bytes, little-endian, the
// same with WIDE_DTM_DRAW and WIDE_MAX_DEPTH. Edition wdl: an enum wdl_code a slot, in blocks
// four to a byte, the lowest slot lowest.

#ifndef MERELS_DB_EDITION_H
#define MERELS_DB_EDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DTM_DRAW = 255, MAX_DEPTH = 254 };
enum { WIDE_DTM_DRAW = 65535, WIDE_MAX_DEPTH = 65534, MAX_VALUE_BYTES = 2 };

// Slots of a full block, and of a piece of the value hash (db/value_hash.h), which is a
// multiple of both.
enum { DTM_BLOCK_SLOTS = 1 << 14, WDL_BLOCK_SLOTS = 1 << 18, HASH_PIECE_SLOTS = 1 << 20 };

enum edition { EDITION_DTM = 1, EDITION_WDL = 2, EDITION_COMPACT = 3 };

enum wdl_code { WDL_DRAW = 0, WDL_WIN = 1, WDL_LOSS = 2 };

enum { EDITION_SUFFIX_BYTES = 5 };

// "dtm", "wdl" or "compact".
const char *merels_edition_name(enum edition edition);

// True if its answers say in how many plies a game ends.
static inline bool edition_has_depths(enum edition edition)
{
    return edition == EDITION_DTM;
}

// The edition that a name begins with, 0 if there is none such.
enum edition merels_edition_named(const char *name, size_t n_bytes);

// The end of the names of its files: ".mtb", ".wdl", ".mce".
const char *merels_edition_suffix(enum edition edition);

// True if values of an edition can have this width: dtm 1 or 2, wdl 0.
bool merels_edition_has_width(enum edition edition, int value_bytes);

// The slots of a full block of an edition.
uint32_t merels_edition_block_slots(enum edition edition);

// The bytes that n_slots values take in a block.
size_t merels_edition_bytes(enum edition edition, int value_bytes, size_t n_slots);

// One value of edition dtm, of value_bytes bytes: its depth in plies, -1 for a draw.
static inline int dtm_depth(const uint8_t *value, int value_bytes)
{
    int depth = value_bytes == 1 ? value[0] : value[0] | value[1] << 8;
    return depth == (value_bytes == 1 ? DTM_DRAW : WIDE_DTM_DRAW) ? -1 : depth;
}

// Packs the codes of n slots of edition wdl, from dtm values of one or two bytes, into
// (n + 3) / 4 bytes. n is a multiple of 4 except at the end of a table.
void merels_wdl_pack(const uint8_t *values, int value_bytes, size_t n_slots, uint8_t *packed);

static inline int wdl_unpack(const uint8_t *packed, uint64_t slot)
{
    return packed[slot / 4] >> (2 * (slot % 4)) & 3;
}

#endif
