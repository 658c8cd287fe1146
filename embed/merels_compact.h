/* merels_compact.h: exact values of morris games from a file of edition compact.
 *
 * Two files of C99 that need nothing: no library, no allocation, no files, no threads, no
 * floating point. The caller gives memory and a function that reads bytes of the file; that
 * function may answer "not here yet", and is then told everything that is wanted. The format is
 * docs/COMPACT.md of Merels. Compiles as C++, too.
 *
 * MIT License
 *
 * Copyright (c) 2026 The Merels authors
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */

#ifndef MERELS_COMPACT_H
#define MERELS_COMPACT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call returns. */
enum {
    MERELS_COMPACT_OK = 0,
    MERELS_COMPACT_NOT_YET,     /* bytes are not here; they have been asked for: call again */
    MERELS_COMPACT_ILLEGAL,     /* no position of these rules */
    MERELS_COMPACT_NOT_COVERED, /* the file does not hold positions with these counts */
    MERELS_COMPACT_DAMAGED,     /* bytes that no writer wrote */
    MERELS_COMPACT_NEWER,       /* a version that this reader does not know */
    MERELS_COMPACT_NO_MEMORY,   /* the caller gave too little memory, or room for plies */
    MERELS_COMPACT_READ_FAILED, /* the caller's function failed */
    MERELS_COMPACT_MISALIGNED   /* the caller's memory begins at no multiple of 8 bytes */
};

/* What the caller's function returns. ENDS: the file has no such bytes, so it is DAMAGED. */
enum {
    MERELS_COMPACT_HERE = 0,
    MERELS_COMPACT_LATER = 1,
    MERELS_COMPACT_FAILED = 2,
    MERELS_COMPACT_ENDS = 3
};

/* Where the bytes of the file come from. `read` copies `n_bytes` from `offset` on: HERE, LATER,
 * FAILED or ENDS. What was HERE once must stay so until the call that asked for it has
 * succeeded. `want` (may be NULL) is told every range of bytes that a call lacked, as many as
 * can be known (seldom one of them twice); fetch them if it ends in NOT_YET. A ranking with
 * nothing here takes two rounds: indexes with models, then groups of rows; opening takes two as
 * well. `n_bytes` is the length of the file, 0 if it is not known: a file of another length
 * than its head says is DAMAGED when it is opened; where it is not known only bytes that lack
 * are found, by the call that needs them. */
struct merels_compact_source {
    void *context;
    int (*read)(void *context, uint64_t offset, void *to, uint32_t n_bytes);
    void (*want)(void *context, uint64_t offset, uint32_t n_bytes);
    uint64_t n_bytes;
};

/* Bit p of a set is point p of the file's rules. The side to move is `own`. `due`: removals
 * that it owes in the middle of a turn. */
struct merels_compact_position {
    uint32_t own, other;
    uint8_t own_hand, other_hand, due;
};

/* Enough memory for every file of the standard game; less may do. */
enum { MERELS_COMPACT_MEMORY = 8 << 20 };

struct merels_compact;

/* Opens a file in memory of the caller, which holds the reader from then on and must stay as
 * long as it is used; there is nothing to close. The memory begins at a multiple of 8 bytes, as
 * what malloc gives and arrays of uint64_t on 64-bit machines do, or it is MISALIGNED. The
 * source is copied. OK, NOT_YET, DAMAGED, NEWER, NO_MEMORY, READ_FAILED, MISALIGNED. */
int merels_compact_open(void *memory, size_t n_bytes,
                        const struct merels_compact_source *source,
                        struct merels_compact **reader);

/* The value of a position for the side to move: 1 won, 0 drawn, -1 lost. In the middle of a
 * turn it is that of the best removal. One thread at a time uses a reader. Needs 64 KB of
 * stack. OK, NOT_YET, ILLEGAL, NOT_COVERED, DAMAGED, READ_FAILED; *value is written only with
 * OK. */
int merels_compact_value(struct merels_compact *reader,
                         const struct merels_compact_position *position, int *value);

/* A legal ply, a complete turn, and its value for the side that plays it. `from` is -1 for a
 * placement; `to` is -1, too, for a pass, and in the middle of a turn for the removals that are
 * due. Where the other side chooses the men that are taken, all plies of one step have the
 * value of its choice, and `picked` is 0 for those that it would not choose; else it is 1. In
 * the middle of a turn each has its own value. */
enum { MERELS_COMPACT_REMOVED = 6, MERELS_COMPACT_PLIES = 4096 };
struct merels_compact_ply {
    int8_t from, to, value;
    uint8_t picked, n_removed;
    int8_t removed[MERELS_COMPACT_REMOVED];
};

/* All legal plies of a position, best first: won, drawn, lost; of the same value those that are
 * picked first, then by from, to, and removed men. None if the game is over. `plies` has room
 * for `room` of them: MERELS_COMPACT_PLIES always do, 500 in the standard game. *n_plies is how
 * many there are, written with OK and NO_MEMORY (the room was too small). All have a value, or
 * the call fails as merels_compact_value does. */
int merels_compact_rank(struct merels_compact *reader,
                        const struct merels_compact_position *position,
                        struct merels_compact_ply *plies, size_t room, size_t *n_plies);

/* The position after a legal ply, seen by the side that then moves. */
struct merels_compact_position
merels_compact_play(const struct merels_compact_position *position,
                    const struct merels_compact_ply *ply);

/* What a call returned, in words: "not here yet", "damaged". */
const char *merels_compact_words(int status);

/* The number of points of the board, and the fingerprint of the rules (16 bytes). */
int merels_compact_points(const struct merels_compact *reader);
const uint8_t *merels_compact_fingerprint(const struct merels_compact *reader);

/* The counts of men of positions that the file covers: subspace k of so many. */
struct merels_compact_counts {
    uint8_t own, other, own_hand, other_hand;
};
size_t merels_compact_subspaces(const struct merels_compact *reader);
struct merels_compact_counts merels_compact_subspace(const struct merels_compact *reader,
                                                     size_t k);

/* The rules as text, a line for each fact; *n_bytes of it, without a NUL. It is what the
 * fingerprint is made of. */
const char *merels_compact_rules(const struct merels_compact *reader, size_t *n_bytes);

/* ---- for those that write files ------------------------------------------------------------
 *
 * A writer walks over the same positions, with the same features, as the reader does. */
#ifdef MERELS_COMPACT_WRITER

enum {
    COMPACT_POINTS = 24,
    COMPACT_MILLS = 32,
    COMPACT_MILLS_AT = 6,
    COMPACT_SYMMETRIES = 48,
    COMPACT_INSTANCES = 24,
    COMPACT_PATTERNS = 8,
    COMPACT_PATTERN_POINTS = 9,
    COMPACT_PATTERN_INDICES = 1 << 17,
    COMPACT_COUNTS = 23, /* tables of a model besides those of patterns */
    COMPACT_FEATURES = COMPACT_INSTANCES + COMPACT_COUNTS,
    COMPACT_PARTS = 38,
    COMPACT_PART_COUNTS = 257, /* and one more than what a byte counts */
    COMPACT_PIECE = 1 << 15,   /* columns of a block */
    COMPACT_HEAD = 64,         /* bytes of the fixed part of the head */
    COMPACT_VERSION = 1
};

/* Options of the rules, in the order of the rules text, named values counted from 0. */
enum {
    COMPACT_FLY,
    COMPACT_FLY_COUNT,
    COMPACT_MILL_MEN,
    COMPACT_REMOVALS,
    COMPACT_BLOCKED,
    COMPACT_FULL_BOARD,
    COMPACT_TURN,
    COMPACT_MILL,
    COMPACT_LEAST,
    COMPACT_CHOOSER,
    COMPACT_OPTIONS
};

/* How a subspace is stored: which parities, or all slots in one. 0: derived. */
enum { COMPACT_EVEN = 1, COMPACT_ODD = 2, COMPACT_WHOLE = 4 };

struct compact_instance {
    uint8_t type;
    uint16_t part[3][256]; /* by a byte of a set: its points of the pattern, in base 3 */
};

struct compact_game {
    int n_points, n_mills, n_symmetries, n_types, n_instances;
    uint8_t options[COMPACT_OPTIONS];
    uint32_t points, dark;
    uint32_t neighbours[COMPACT_POINTS], mills[COMPACT_MILLS];
    int n_mates[COMPACT_POINTS];
    uint32_t mates[COMPACT_POINTS][COMPACT_MILLS_AT];
    uint8_t symmetry[COMPACT_SYMMETRIES][COMPACT_POINTS];
    uint32_t image[COMPACT_SYMMETRIES][3][256];
    uint32_t choose[COMPACT_POINTS + 2][COMPACT_POINTS + 2];
    uint32_t rank_low[1 << 12], rank_high[COMPACT_POINTS + 1][1 << 12];
    struct compact_instance instances[COMPACT_INSTANCES];
    uint32_t type_first[COMPACT_PATTERNS]; /* its first place in `classes` */
    uint32_t type_entry[COMPACT_PATTERNS]; /* its first entry in a model */
    uint16_t classes[COMPACT_PATTERN_INDICES];
    uint64_t parts[COMPACT_PARTS][COMPACT_PART_COUNTS]; /* of places in tables, by counts */
    uint64_t kinds[256];                                /* of a node, one in its kind's byte */
    uint8_t evidence[256];                              /* of a node, as it is summed up */
    uint8_t after[16][256];                             /* what a value makes of a node */
    uint8_t bytes[9][70], n_bytes[9];                   /* by the number of their bits */
    uint32_t first_count; /* the first entry of the tables of counts */
    uint32_t n_entries;   /* of a model, for each of the two decisions */
};

/* The counts of a subspace, and one block of it: a part of the slots of one row. */
struct compact_block {
    uint8_t a, b, ha, hb;
    uint8_t stored; /* COMPACT_EVEN | COMPACT_ODD, or COMPACT_WHOLE */
    uint32_t other; /* the row's canonical set */
    uint32_t first_column;
};

/* Room for a walk: a value for each column of a block, the arrivals of a row, weights. */
struct compact_room {
    uint8_t *values;   /* COMPACT_PIECE */
    uint8_t *nodes;    /* merels_compact_nodes */
    uint64_t *weights; /* merels_compact_weights */
    void *row;         /* merels_compact_row_bytes, aligned as a uint64_t */
};

/* Who walks. With a model: a coder, which is told the probability by 65536 of each decision's
 * "yes", "won?" (0) and if it is not "lost?" (1), and says what it is (`decide` 0: the reader
 * itself). Without: a collector,
 * which knows the values (by columns of the row: 0 lost, 1 drawn, 2 won) and takes the entries
 * in a model of those positions that it wants. */
struct compact_walker {
    void *context;
    const int8_t *model;
    int (*decide)(void *context, uint32_t column, int decision, uint32_t p);
    const uint8_t *values;
    int (*wants)(void *context, uint32_t column);
    void (*take)(void *context, uint32_t column, const uint32_t *entries, int n_entries);
};

/* Reads the part of the head that says the rules; returns its length, 0 if it is damaged. */
uint32_t merels_compact_read_game(struct compact_game *game, const uint8_t *bytes,
                                  uint32_t n_bytes);

/* Bytes of compact_room.nodes for a subspace. */
uint32_t merels_compact_nodes(const struct compact_game *game, int a, int b, int ha);

/* 64-bit words of compact_room.weights. */
uint32_t merels_compact_weights(const struct compact_game *game);

/* Bytes of compact_room.row: what a walk works with, some 50 KB. */
size_t merels_compact_row_bytes(void);

/* Walks over the slots of a block. Slots that hold the image of an earlier one of the block are
 * not asked for. room->values holds all values of the block in the end, 3 where they are not
 * known. */
void merels_compact_walk(const struct compact_game *game, const struct compact_block *block,
                         const struct compact_room *room, const struct compact_walker *walker);

/* True if parity of a subspace means something: the board has two colours, and symmetries keep
 * the parity of the men on the dark points. */
int merels_compact_has_parity(const struct compact_game *game, int men);

/* The probability of a decision's "yes" by 65536, from a sum of entries in sixteenths. */
uint32_t merels_compact_squash(int sum);

uint64_t merels_compact_hash(const uint8_t *bytes, size_t n_bytes); /* XXH64 */
uint32_t merels_compact_image(const struct compact_game *game, int symmetry, uint32_t set);

#endif

#ifdef __cplusplus
}
#endif

#endif
