// fuzz_block.c: fuzz target: any bytes as the stored bytes of a block. Exactly as many values
// come out as the block has, or an error.
//
// The first two bytes of an input are how many values that is.

#include "tests/fuzz/fuzz_tables.h"

enum { N_SEEDS = 6 };

static struct seed compress(enum edition edition, uint64_t kind, size_t n_plain)
{
    struct block_coder *coder;
    uint8_t *values = malloc(n_plain), *out = malloc(2 + merels_block_bound(n_plain));
    size_t n;
    demand(values != NULL && out != NULL);
    fill_block(kind, values, n_plain);
    demand(merels_block_coder_create(edition, &coder, NULL) == STATUS_OK);
    demand(merels_block_compress(coder, values, n_plain, out + 2, merels_block_bound(n_plain),
                                 &n, NULL) == STATUS_OK);
    merels_block_coder_destroy(coder);
    free(values);
    put_le(out, 2, n_plain);
    return (struct seed){out, n + 2};
}

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    demand(room >= N_SEEDS);
    for (uint64_t k = 0; k < N_SEEDS; k++)
        seeds[k] = compress(k % 2 ? EDITION_WDL : EDITION_DTM, k % 4,
                            (size_t[]){320, 16384, 5000, 200, 64, 60000}[k]);
    return N_SEEDS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct block_decoder *decoder;
    struct error err = {.text = ""};
    if (decoder == NULL)
        demand(merels_block_decoder_create(&decoder, NULL) == STATUS_OK);
    if (size < 3)
        return 0;
    size_t n_plain = (size_t)get_le(data, 2), n_stored = size - 2;
    uint8_t *stored = malloc(n_stored), *plain = malloc(n_plain + 1);
    demand(stored != NULL && plain != NULL);
    memcpy(stored, data + 2, n_stored);
    plain[n_plain] = 0x5A;
    enum status status =
        n_plain == 0 ? STATUS_CORRUPT
                     : merels_block_decode(decoder, stored, n_stored, plain, n_plain, &err);
    demand(plain[n_plain] == 0x5A);
    if (status == STATUS_OK && n_stored == n_plain)
        demand(memcmp(stored, plain, n_plain) == 0);
    demand(status == STATUS_OK || status == STATUS_CORRUPT);
    fuzz_accepted += status == STATUS_OK;
    free(stored);
    free(plain);
    return 0;
}
