// compact_block.h: the values that a group of rows of edition compact holds.
//
// Written from docs/COMPACT.md alone (sections 4 to 8), with the words of that text. Plain
// where the reader of embed/ is fast: features are counted by loops over men and mills.

#ifndef MERELS_VERIFY_COMPACT_BLOCK_H
#define MERELS_VERIFY_COMPACT_BLOCK_H

#include "verify/compact_head.h"
#include "verify/table_files.h"

struct compact_decoder;

// Reads the model of a stored subspace. Rows are numbered as in `classes`, those of its other
// side. Any number of threads may decode with one decoder. STATUS_CORRUPT, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_decoder_create(const struct compact_file *file,
                                                        const struct compact_subspace *subspace,
                                                        const struct classes *classes,
                                                        struct compact_decoder **decoder,
                                                        struct error *err);
void merels_verify_decoder_destroy(struct compact_decoder *decoder);

uint32_t merels_verify_groups(const struct compact_decoder *decoder);
uint32_t merels_verify_group_rows(const struct compact_decoder *decoder, uint32_t group,
                                  uint32_t *first_row);

// A thread's memory.
struct compact_room;
MERELS_CHECKED enum status merels_verify_compact_room(const struct compact_decoder *decoder,
                                                      struct compact_room **room,
                                                      struct error *err);
void merels_verify_compact_room_destroy(struct compact_room *room);

// All values of the group's rows, a byte for each slot; NOT_STORED where there is none.
// STATUS_CORRUPT.
MERELS_CHECKED enum status merels_verify_decode_group(const struct compact_decoder *decoder,
                                                      struct compact_room *room, uint32_t group,
                                                      uint8_t *values, struct error *err);

#endif
