// verify_counts.h: the four counts that name a table (docs/FORMAT.md, section 4).

#ifndef MERELS_VERIFY_VERIFY_COUNTS_H
#define MERELS_VERIFY_VERIFY_COUNTS_H

#include <stdbool.h>
#include <stddef.h>

// Men on the board of the mover and of the other side, men in hand of both.
struct counts {
    int a, b, ha, hb;
};

bool merels_verify_same(struct counts x, struct counts y);

// "9-8", "9-8-0-1"
enum { COUNTS_NAME_BYTES = 16 };
void merels_verify_name(struct counts counts, char out[COUNTS_NAME_BYTES]);

// False if the n characters are not a name as merels_verify_name writes it.
bool merels_verify_parse_name(const char *text, size_t n, struct counts *counts);

#endif
