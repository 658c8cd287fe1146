// compact_pieces.h: a file of edition compact cut into pieces, for hosts that limit the size of
// a file (docs/COMPACT.md, section 2).

#ifndef MERELS_COMPACT_COMPACT_PIECES_H
#define MERELS_COMPACT_COMPACT_PIECES_H

#include <stdint.h>

#include "game/rules.h"
#include "game/status.h"

enum { COMPACT_LEAST_PIECE = 1 << 14, COMPACT_MOST_PIECES = 10000, COMPACT_PIECE_DIGITS = 4 };

// Copies the file into out_dir/out_name.0000, .0001, ..., each of piece_bytes but the last;
// each appears when it is whole. Pieces of an earlier cut behind the last one are removed. The
// file is opened for these rules before: fails as merels_tablebase_open does. STATUS_BAD_INPUT
// if pieces are shorter than COMPACT_LEAST_PIECE or more than COMPACT_MOST_PIECES; as
// merels_compact_may_replace for what stands in the place of the first piece; STATUS_IO.
MERELS_CHECKED enum status merels_compact_cut(const struct rules *rules, const char *path,
                                              const char *out_dir, const char *out_name,
                                              uint64_t piece_bytes, size_t *n_pieces,
                                              struct error *err);

#endif
