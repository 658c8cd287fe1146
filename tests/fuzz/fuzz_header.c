// fuzz_header.c: fuzz target: any bytes as the header of a table, as they are and with right
// checksums. What is accepted is what the writer would write for it, to the byte.

#include "tests/fuzz/fuzz_tables.h"

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    demand(room >= 4);
    seeds[0] = make_table("three", (struct subspace){3, 3, 0, 0}, EDITION_DTM, 1, 0);
    seeds[1] = make_table("nine", (struct subspace){3, 3, 1, 0}, EDITION_WDL, 0, 0);
    seeds[2] = make_table("six", (struct subspace){2, 3, 1, 0}, EDITION_DTM, 2, 0);
    seeds[3] = make_table("nine", (struct subspace){0, 1, 9, 8}, EDITION_DTM, 1, 0);
    for (int k = 0; k < 4; k++)
        seeds[k].n = TABLE_HEADER_BYTES;
    return 4;
}

static void try_header(const uint8_t *bytes, size_t n, const struct board *board)
{
    struct table_header header;
    struct table_layout layout;
    struct error err = {.text = ""};
    uint8_t again[TABLE_HEADER_BYTES];
    enum status status = merels_header_decode(bytes, n, "header", &header, &layout, &err);
    if (status == STATUS_OK)
        status = merels_header_check(&header, &layout, board, "header", &err);
    if (status != STATUS_OK) {
        demand(strncmp(err.text, "header: ", 8) == 0);
        return;
    }
    fuzz_accepted++;
    merels_header_encode(&header, &layout, again);
    demand(memcmp(bytes, again, TABLE_HEADER_BYTES) == 0);
    demand(merels_block_count(&header) == layout.n_blocks && layout.n_blocks > 0);
    for (uint64_t k = 0; k < layout.n_blocks; k += layout.n_blocks - 1 + (k > 0)) {
        demand(merels_block_bytes(&header, k) > 0 &&
               merels_block_bytes(&header, k) <= MAX_BLOCK_BYTES);
        if (layout.n_blocks == 1)
            break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[3] = {"nine", "six", "three"};
    uint8_t *bytes = malloc(size + 1); // so that a byte too far is seen
    demand(bytes != NULL);
    if (size > 0)
        memcpy(bytes, data, size);
    for (int k = -1; k < 3; k++)
        try_header(bytes, size, k < 0 ? NULL : &rules_called(names[k])->board);
    if (size >= TABLE_HEADER_BYTES) {
        stamp_header(bytes);
        for (int k = -1; k < 3; k++)
            try_header(bytes, size, k < 0 ? NULL : &rules_called(names[k])->board);
    }
    free(bytes);
    return 0;
}
