// edition.h: the kinds of tables, what a value is in each, and how many stand in a block.
// docs/FORMAT.md is the law. Edition compact has no tables but one file for all values
// (docs/COMPACT.md, db/compact_values.h). What no table holds and a search has found is of no
// edition: EDITION_SEARCH, in answers alone.
//
// Editions dtm and dtc, tables with depths: one byte a slot. DTM_DRAW, or a number: odd = win,
// even = loss for the mover. In edition dtm that number is the depth in plies, in edition dtc,
// where a win and a loss can have the same depth, twice the depth, less one for a win. Where
// numbers go beyond MAX_DEPTH: two bytes, little-endian, the same with WIDE_DTM_DRAW and
// WIDE_MAX_DEPTH. Which edition has the depths of a tablebase is said by its rules. Edition
// wdl: an enum wdl_code a slot, in blocks four to a byte, the lowest slot lowest.

#ifndef MERELS_DB_EDITION_H
#define MERELS_DB_EDITION_H

#include "game/rules.h"

enum { DTM_DRAW = 255, MAX_DEPTH = 254 };
enum { WIDE_DTM_DRAW = 65535, WIDE_MAX_DEPTH = 65534, MAX_VALUE_BYTES = 2 };

// Slots of a full block, and of a piece of the value hash (db/value_hash.h), which is a
// multiple of both.
enum { DTM_BLOCK_SLOTS = 1 << 14, WDL_BLOCK_SLOTS = 1 << 18, HASH_PIECE_SLOTS = 1 << 20 };

enum edition {
    EDITION_DTM = 1,
    EDITION_WDL = 2,
    EDITION_COMPACT = 3,
    EDITION_DTC = 4,
    EDITION_SEARCH = 5
};

enum wdl_code { WDL_DRAW = 0, WDL_WIN = 1, WDL_LOSS = 2 };

enum { EDITION_SUFFIX_BYTES = 5 };

// "dtm", "dtc", "wdl", "compact" or "search".
const char *merels_edition_name(enum edition edition);

// True if its values have depths.
static inline bool edition_has_depths(enum edition edition)
{
    return edition == EDITION_DTM || edition == EDITION_DTC;
}

// The edition with depths of a tablebase.
static inline enum edition edition_of_rules(const struct rules *rules)
{
    return rules->metric == METRIC_DTC ? EDITION_DTC : EDITION_DTM;
}

// The edition that a name begins with, 0 if there is none such.
enum edition merels_edition_named(const char *name, size_t n_bytes);

// The end of the names of its files: ".mtb" with depths, ".wdl", ".mce".
const char *merels_edition_suffix(enum edition edition);

// True if values of an edition can have this width: with depths 1 or 2, wdl 0.
bool merels_edition_has_width(enum edition edition, int value_bytes);

// The slots of a full block of an edition.
uint32_t merels_edition_block_slots(enum edition edition);

// The bytes that n_slots values take in a block.
size_t merels_edition_bytes(enum edition edition, int value_bytes, size_t n_slots);

// One value of an edition with depths, of value_bytes bytes: its number, -1 for a draw.
static inline int table_value(const uint8_t *value, int value_bytes)
{
    int number = value_bytes == 1 ? value[0] : value[0] | value[1] << 8;
    return number == (value_bytes == 1 ? DTM_DRAW : WIDE_DTM_DRAW) ? -1 : number;
}

// What such a number says; -1, the draw, is no win and has depth -1.
static inline bool value_wins(int number)
{
    return number >= 0 && number % 2 == 1;
}

static inline int value_plies(enum edition edition, int number)
{
    return number < 0 || edition == EDITION_DTM ? number : (number + 1) / 2;
}

// Packs the codes of n slots of edition wdl, from values with depths of one or two bytes, into
// (n + 3) / 4 bytes. n is a multiple of 4 except at the end of a table.
void merels_wdl_pack(const uint8_t *values, int value_bytes, size_t n_slots, uint8_t *packed);

static inline int wdl_unpack(const uint8_t *packed, uint64_t slot)
{
    return packed[slot / 4] >> (2 * (slot % 4)) & 3;
}

#endif
