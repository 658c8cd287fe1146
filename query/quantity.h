// quantity.h: counts, sizes and durations, read from the command line and written for people.

#ifndef MERELS_QUERY_QUANTITY_H
#define MERELS_QUERY_QUANTITY_H

#include <stdint.h>

#include "game/status.h"

enum { QUANTITY_TEXT_BYTES = 32 };

// Reads a decimal number of min .. max. STATUS_BAD_INPUT names `what` and the text.
MERELS_CHECKED enum status merels_count_parse(const char *what, const char *text, uint64_t min,
                                              uint64_t max, uint64_t *count, struct error *err);

// Reads a number of bytes of min .. max with an optional binary suffix K, M, G or T: "4G",
// "512m".
MERELS_CHECKED enum status merels_bytes_parse(const char *what, const char *text, uint64_t min,
                                              uint64_t max, uint64_t *n_bytes,
                                              struct error *err);

// "9,190,123,456", "5.4 GiB", "3 h 20 min"; each returns `out`.
const char *merels_count_format(uint64_t count, char out[QUANTITY_TEXT_BYTES]);
const char *merels_bytes_format(uint64_t n_bytes, char out[QUANTITY_TEXT_BYTES]);
const char *merels_seconds_format(double seconds, char out[QUANTITY_TEXT_BYTES]);

#endif
