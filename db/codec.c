// codec.c: blocks of values to stored bytes and back; the only file that includes zstd.
//
// Depth bytes, level 1: as small as level 12 (they are close to their entropy) and several
// times as fast. Packed win/draw/loss, level 19: measured on 6-6, 0.606, 0.563, 0.527, 0.524,
// 0.523 bits a slot at levels 3, 12, 15, 17, 19, with 567, 40, 23, 20, 10 million slots a
// second; it is written once and downloaded often. One frame per block, with its content size,
// without zstd's own checksum: the block index carries an XXH64 of the stored bytes, which is
// checked before zstd sees them.

#include "db/codec.h"

#include <stdlib.h>
#include <string.h>

#include <zstd.h>

enum { DTM_LEVEL = 1, WDL_LEVEL = 19 };

struct block_coder {
    ZSTD_CCtx *context;
};

struct block_decoder {
    ZSTD_DCtx *context;
};

// ---- compressing ---------------------------------------------------------------------------

size_t merels_block_bound(size_t n_bytes)
{
    return ZSTD_compressBound(n_bytes);
}

static bool set_parameters(ZSTD_CCtx *context, int level)
{
    size_t results[] = {
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level),
        ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1),
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0),
        ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0),
    };
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
        if (ZSTD_isError(results[i]))
            return false;
    return true;
}

enum status merels_block_coder_create(enum edition edition, struct block_coder **coder,
                                      struct error *err)
{
    int level = edition == EDITION_WDL ? WDL_LEVEL : DTM_LEVEL;
    struct block_coder *made = malloc(sizeof *made);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    if (made == NULL || context == NULL || !set_parameters(context, level)) {
        ZSTD_freeCCtx(context);
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block coder");
    }
    made->context = context;
    *coder = made;
    return STATUS_OK;
}

void merels_block_coder_destroy(struct block_coder *coder)
{
    if (coder == NULL)
        return;
    ZSTD_freeCCtx(coder->context);
    free(coder);
}

enum status merels_block_compress(struct block_coder *coder, const uint8_t *values,
                                  size_t n_bytes, uint8_t *out, size_t out_room,
                                  size_t *out_bytes, struct error *err)
{
    if (out_room < merels_block_bound(n_bytes))
        return merels_error(err, STATUS_BAD_INPUT, "no room for a compressed block");
    size_t n = ZSTD_compress2(coder->context, out, out_room, values, n_bytes);
    if (ZSTD_isError(n))
        return merels_error(err, STATUS_NO_MEMORY, "zstd cannot compress: %s",
                            ZSTD_getErrorName(n));
    if (n >= n_bytes) {
        memcpy(out, values, n_bytes);
        n = n_bytes;
    }
    *out_bytes = n;
    return STATUS_OK;
}

// ---- decompressing -------------------------------------------------------------------------

enum status merels_block_decoder_create(struct block_decoder **decoder, struct error *err)
{
    struct block_decoder *made = malloc(sizeof *made);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    if (made == NULL || context == NULL) {
        ZSTD_freeDCtx(context);
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block decoder");
    }
    made->context = context;
    *decoder = made;
    return STATUS_OK;
}

void merels_block_decoder_destroy(struct block_decoder *decoder)
{
    if (decoder == NULL)
        return;
    ZSTD_freeDCtx(decoder->context);
    free(decoder);
}

enum status merels_block_decode(struct block_decoder *decoder, const uint8_t *stored,
                                size_t n_stored, uint8_t *plain, size_t n_plain,
                                struct error *err)
{
    if (n_stored == n_plain) {
        memcpy(plain, stored, n_plain);
        return STATUS_OK;
    }
    // The size that the frame claims also catches "unknown" and "error": both are huge numbers.
    if (ZSTD_getFrameContentSize(stored, n_stored) != n_plain)
        return merels_error(err, STATUS_CORRUPT, "not a zstd frame of %zu bytes", n_plain);
    if (ZSTD_findFrameCompressedSize(stored, n_stored) != n_stored)
        return merels_error(err, STATUS_CORRUPT, "not exactly one zstd frame");
    size_t n = ZSTD_decompressDCtx(decoder->context, plain, n_plain, stored, n_stored);
    if (ZSTD_isError(n))
        return merels_error(err, STATUS_CORRUPT, "zstd: %s", ZSTD_getErrorName(n));
    if (n != n_plain)
        return merels_error(err, STATUS_CORRUPT, "%zu values instead of %zu", n, n_plain);
    return STATUS_OK;
}
