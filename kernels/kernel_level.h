// kernel_level.h: names of the functions in kernel_*.c carry the processor level they are for.

#ifndef MERELS_KERNELS_KERNEL_LEVEL_H
#define MERELS_KERNELS_KERNEL_LEVEL_H

#include "kernels/kernels.h"

#ifndef MERELS_LEVEL
#define MERELS_LEVEL portable
#define MERELS_LEVEL_TEXT "portable"
#endif
#define LEVEL_PASTE(name, level) merels_##name##_##level
#define LEVEL_EXPAND(name, level) LEVEL_PASTE(name, level)
#define AT_LEVEL(name) LEVEL_EXPAND(name, MERELS_LEVEL)

// kernel_row.c
void AT_LEVEL(row_open)(const struct side *side, uint32_t number, point_set set,
                        const struct columns *columns, struct row *row);

// kernel_step.c
void AT_LEVEL(step_back)(const struct row *row, uint64_t *const *good, int n_classes,
                         uint64_t *out, uint64_t *const scratch[N_SCRATCH]);
void AT_LEVEL(place_back)(const struct row *row, const struct columns *placed,
                          uint64_t *const *good, int n_classes, uint64_t *out,
                          uint64_t *const scratch[N_SCRATCH]);

// kernel_turn.c: the turns of all columns whose bit is set; and, to a source, of those whose
// code is no draw
void AT_LEVEL(turn_bits)(const struct row *row, const uint64_t *bits, int fresh,
                         struct workspace *work);
void AT_LEVEL(turn_codes)(const struct row *row, const struct side *side,
                          const struct source *source, const uint8_t *codes,
                          struct workspace *work);

// kernel_sparse.c: bits of `found` for what the new arrivals decide
void AT_LEVEL(sparse)(const struct row *row, const struct known *known, enum result result,
                      uint64_t *found);

// kernel_decide.c
void AT_LEVEL(bits_to_plane)(const struct columns *columns, const uint64_t *bits,
                             uint64_t *plane);
void AT_LEVEL(plane_to_bits)(const struct columns *columns, uint64_t *plane, uint64_t *bits);
uint32_t AT_LEVEL(decide_row)(const struct side *side, uint32_t row, int step,
                              struct workspace *work);

// kernel_place.c
void AT_LEVEL(removal_row)(const struct side *side, const struct source *source,
                           const struct columns *men, uint32_t row, const uint8_t *smaller,
                           struct workspace *work);
void AT_LEVEL(arrival_row)(const struct side *side, const struct source *source,
                           const struct columns *victims, uint32_t row, const uint8_t *values,
                           struct workspace *work);
void AT_LEVEL(place_row)(const struct side *side, uint32_t row, struct workspace *work);

extern const struct kernels AT_LEVEL(kernels);

#endif
