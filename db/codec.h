// codec.h: one block of values to the bytes that are stored, and back. codec.c alone includes
// zstd.

#ifndef MERELS_DB_CODEC_H
#define MERELS_DB_CODEC_H

#include "db/edition.h"
#include "game/status.h"

// ---- compressing ---------------------------------------------------------------------------

// Room that a compressed block of n_bytes of values may need.
size_t merels_block_bound(size_t n_bytes);

// A workspace for the blocks of one edition, for one thread at a time (create once, use often);
// wdl: about 2 MB, and some 10 million slots a second.
struct block_coder;
MERELS_CHECKED enum status
merels_block_coder_create(enum edition edition, struct block_coder **coder, struct error *err);
void merels_block_coder_destroy(struct block_coder *coder); // NULL is allowed

// Compresses the values of one block; *out_bytes is the length used. Deterministic for one
// version of zstd. STATUS_BAD_INPUT if out_room is below merels_block_bound.
MERELS_CHECKED enum status merels_block_compress(struct block_coder *coder,
                                                 const uint8_t *values, size_t n_bytes,
                                                 uint8_t *out, size_t out_room,
                                                 size_t *out_bytes, struct error *err);

// ---- decompressing -------------------------------------------------------------------------

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
