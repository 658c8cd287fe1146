// tablebase.h: a directory of tables for one set of rules, and the look-up of one position.

#ifndef MERELS_DB_TABLEBASE_H
#define MERELS_DB_TABLEBASE_H

#include "db/index.h"
#include "db/reader.h"
#include "game/moves.h"

struct tablebase;
struct answer;

// Opens a directory lazily (no table is read), or a file of edition compact; a directory with
// such a file and no tables is of that edition. `rules` must outlive it. cache_bytes bounds the
// decompressed blocks kept. STATUS_MISSING if there is no such directory; STATUS_OTHER_RULES if
// its manifest was made for other rules (a directory without a manifest is accepted). The
// tables are those of merels_rules_of_tables.
MERELS_CHECKED enum status merels_tablebase_open(const char *dir, const struct rules *rules,
                                                 size_t cache_bytes, struct tablebase **base,
                                                 struct error *err);

// The same over any source of bytes, which must outlive it. Where a source has to fetch
// (STATUS_NOT_YET), this call and each of the following ones may be made again later; nothing
// is remembered of the failure. A cold look-up takes three rounds: header with the groups of
// the block index, entries of a group, block; opening takes one for the manifest.
MERELS_CHECKED enum status
merels_tablebase_open_source(const struct byte_source *source, const struct rules *rules,
                             size_t cache_bytes, struct tablebase **base, struct error *err);

// Frees it and everything got from it. No other call may be running or come later. NULL is
// allowed.
void merels_tablebase_close(struct tablebase *base);

// Says from how many men the games begin, so that "cannot arise" and "missing" can be told
// apart (values do not depend on it). Before any other thread uses `base`.
void merels_tablebase_begin_from(struct tablebase *base, struct start start);

// Who answers where no table can: for positions with men in hand under `closed-points`.
struct placing_values {
    // As merels_tablebase_probe, for a position that is not over, nothing due. Any thread.
    enum status (*probe)(void *context, const struct position *pos, struct answer *answer,
                         struct error *err);
    void (*begin)(void *context); // an answer begins, of one or more such values
    void *context;
};

// Attaches it; `values` must outlive the tablebase. Before any other thread uses `base`.
void merels_tablebase_attach(struct tablebase *base, const struct placing_values *values);

// Tells what is attached, if anything is, that an answer begins.
void merels_tablebase_begin_answer(struct tablebase *base);

// Reads this edition and no other, where a directory may hold several; of edition compact there
// must be one file then. Before any table is read and any other thread uses `base`.
void merels_tablebase_choose(struct tablebase *base, enum edition edition);

struct index *merels_tablebase_index(struct tablebase *base);

// The edition of all its tables: the manifest's first one, else that of the first table opened;
// that with depths while nothing is known. Any thread.
enum edition merels_tablebase_edition(struct tablebase *base);

// The table of a subspace, opened when first asked for and kept. STATUS_MISSING if there is no
// file; STATUS_UNSUPPORTED in edition compact.
MERELS_CHECKED enum status merels_tablebase_table(struct tablebase *base, struct subspace s,
                                                  const struct table **table,
                                                  struct error *err);

// The subspaces whose files are there (in a source that cannot list: in the manifest), in
// listing order; *subspaces is malloc'ed. In edition compact those that the file covers.
MERELS_CHECKED enum status merels_tablebase_list(struct tablebase *base,
                                                 struct subspace **subspaces, size_t *n,
                                                 struct error *err);

enum value { VALUE_LOSS = -1, VALUE_DRAW = 0, VALUE_WIN = 1 };

struct answer {
    enum value value; // for the mover
    int plies; // to the end of the game, in edition dtc to the next ply that converts; -1 for a
               // draw, where the edition has no depth, and in dtc where every ply converts
    enum edition edition;
};

// What a ply of a position is worth to its mover if the position after it is worth `after`: the
// same result one ply earlier, where depths count so far.
struct answer merels_answer_before(const struct rules *rules, const struct position *pos,
                                   const struct ply *ply, struct answer after);

// Before all plies of a legal position are looked up: makes them ready where that is cheaper
// for all at once, in edition compact; else does nothing. STATUS_NOT_YET as
// merels_tablebase_probe, with all that the plies want; any other failure is told by the
// look-ups themselves.
MERELS_CHECKED enum status
merels_tablebase_prepare(struct tablebase *base, const struct position *pos, struct error *err);

// The value of a position, mid-turn states included (best removal; depth then counts the ply
// that closed the mill). Positions that are over need no table. STATUS_NOT_COVERED names the
// subspace; the text begins with "not covered: cannot arise: " if no game has such counts (told
// only after merels_tablebase_begin_from), else with "missing: ".
// STATUS_ILLEGAL as merels_position_check; STATUS_CORRUPT names the file and the block; after a
// failure *answer is as before. Where a search answers: STATUS_UNDECIDED, and as it fails;
// STATUS_UNSUPPORTED if none is attached. Any number of threads. About 0.3 microseconds if the
// block is in the cache, else one block is read: 0.1 ms; in edition compact some milliseconds,
// one thread at a time. Needs 64 KB of stack. STATUS_NOT_YET if anything of all that is needed
// is not here yet; the source has been told of all that is known to be needed.
MERELS_CHECKED enum status merels_tablebase_probe(struct tablebase *base,
                                                  const struct position *pos,
                                                  struct answer *answer, struct error *err);

#endif
