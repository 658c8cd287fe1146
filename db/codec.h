// codec.h: decompressing one block. (Compressing is in table.h.) codec.c alone includes zstd.

#ifndef MERELS_DB_CODEC_H
#define MERELS_DB_CODEC_H

#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

// A workspace for one thread at a time, about 100 KB.
struct block_decoder;
MERELS_CHECKED enum status merels_block_decoder_create(struct block_decoder **decoder,
                                                       struct error *err);
void merels_block_decoder_destroy(struct block_decoder *decoder); // NULL is allowed

// Turns the stored bytes of a block into exactly n_plain values. STATUS_CORRUPT unless the
// stored bytes are n_plain raw bytes or one zstd frame that says it holds n_plain bytes, does,
// and ends with the stored bytes. Allocates nothing, whatever the frame claims.
MERELS_CHECKED enum status merels_block_decode(struct block_decoder *decoder,
                                               const uint8_t *stored, size_t n_stored,
                                               uint8_t *plain, size_t n_plain,
                                               struct error *err);

#endif
