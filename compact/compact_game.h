// compact_game.h: rules as edition compact writes them, and as its reader takes them.

#ifndef MERELS_COMPACT_COMPACT_GAME_H
#define MERELS_COMPACT_COMPACT_GAME_H

#include "game/rules.h"

#define MERELS_COMPACT_WRITER
#include "embed/merels_compact.h"

// Bytes that are put one behind the other; little-endian. A failed allocation stays.
struct bytes {
    uint8_t *data;
    size_t n, room;
    bool failed;
};

void merels_bytes_put(struct bytes *bytes, const void *data, size_t n_bytes);
void merels_bytes_put_int(struct bytes *bytes, uint64_t x, int n_bytes);
void merels_bytes_put_number(struct bytes *bytes, uint32_t x); // seven bits a byte
void merels_bytes_free(struct bytes *bytes);

// Puts the part of the head that says rules and patterns.
void merels_compact_put_game(const struct rules *rules, struct bytes *bytes);

// The same as the reader sees it; about 1 MB. STATUS_NO_MEMORY, STATUS_UNSUPPORTED.
MERELS_CHECKED enum status merels_compact_game_create(const struct rules *rules,
                                                      struct compact_game **game,
                                                      struct error *err);

#endif
