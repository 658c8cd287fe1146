// kernel_level.h: names of the functions in kernel_*.c carry the processor level they are for.

#ifndef MERELS_KERNELS_KERNEL_LEVEL_H
#define MERELS_KERNELS_KERNEL_LEVEL_H

#include "kernels/kernels.h"

#ifndef MERELS_LEVEL
#define MERELS_LEVEL portable
#endif
#define LEVEL_PASTE(name, level) merels_##name##_##level
#define LEVEL_EXPAND(name, level) LEVEL_PASTE(name, level)
#define AT_LEVEL(name) LEVEL_EXPAND(name, MERELS_LEVEL)
#define LEVEL_TEXT_OF(level) #level
#define LEVEL_TEXT(level) LEVEL_TEXT_OF(level)

// kernel_row.c
void AT_LEVEL(row_open)(const struct side *side, uint32_t number, point_set set,
                        const struct columns *columns, struct row *row);

// kernel_step.c
void AT_LEVEL(step_back)(const struct row *row, const uint64_t *arrivals,
                         const uint64_t *removals, uint64_t *out, uint64_t *const scratch[3]);

// kernel_turn.c: the turns of all columns whose bit is set; and of a batch of values, into an
// array of the target's shape
void AT_LEVEL(turn_bits)(const struct row *row, const uint64_t *bits, int fresh,
                         struct workspace *work);
void AT_LEVEL(turn_bytes)(const struct row *row, struct side *target, uint8_t *array,
                          struct workspace *work);

// kernel_sparse.c: bits of `found` for what arrivals, and closing arrivals, decide
void AT_LEVEL(sparse)(const struct row *row, const uint64_t *arrivals, const uint64_t *removals,
                      int depth, uint64_t *found);

// kernel_decide.c
uint32_t AT_LEVEL(decide_row)(const struct side *side, uint32_t row, int depth,
                              struct workspace *work);

// kernel_place.c
void AT_LEVEL(removal_row)(struct side *side, const struct columns *victims,
                           const struct columns *fewer, uint32_t row, const uint8_t *smaller,
                           struct workspace *work);
void AT_LEVEL(arrival_row)(struct side *side, const struct columns *victims, uint32_t row,
                           const uint8_t *values, struct workspace *work);
int AT_LEVEL(place_row)(const struct side *side, const struct side *arrivals, uint32_t row,
                        struct workspace *work);

extern const struct kernels AT_LEVEL(kernels);

#endif
