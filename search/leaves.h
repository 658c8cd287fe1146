// leaves.h: one bit for every position of the moving phase: what the leaves of a search ask.
//
// A plane is one subspace and one question, one bit a slot in the order of its table (118 MB
// for 8-8 and the question "not lost?"). A piece of the table is read the first time a slot
// in it is needed, and its bits stay until the end.

#ifndef MERELS_SEARCH_LEAVES_H
#define MERELS_SEARCH_LEAVES_H

#include "db/tablebase.h"

struct leaves;

enum question { NOT_LOST, NOT_WON, N_QUESTIONS };

// Opens the tables of all subspaces (empty hands) in which a search from `root` can end; no
// value is read. `base` must outlive the result. *n_bytes is what it takes when everything is
// loaded for one question. The rules may close points: the tables are those of the moving
// phase. STATUS_NOT_COVERED names a file that is missing and the subspace; STATUS_CORRUPT and
// so on as merels_table_open; STATUS_UNSUPPORTED for values of two bytes; STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_leaves_create(const struct rules *rules,
                                                struct tablebase *base, struct subspace root,
                                                struct leaves **leaves, uint64_t *n_bytes,
                                                struct error *err);
void merels_leaves_destroy(struct leaves *leaves); // NULL is allowed

// The same for one more root. While no other thread uses the leaves.
MERELS_CHECKED enum status merels_leaves_announce(struct leaves *leaves, struct tablebase *base,
                                                  struct subspace root, struct error *err);

// Frees the planes, not the look-up tables.
void merels_leaves_clear(struct leaves *leaves);

// Where the bit of a position stands.
struct leaf {
    const uint64_t *word;
    int bit;
};

// The place of the answer for a position of a subspace that was announced, both hands empty;
// reads its piece if this is the first such question. Any thread. STATUS_CORRUPT, _IO,
// _NO_MEMORY.
MERELS_CHECKED enum status merels_leaves_find(struct leaves *leaves, enum question question,
                                              const struct position *pos, struct leaf *leaf,
                                              struct error *err);

static inline bool leaf_value(struct leaf leaf)
{
    return *leaf.word >> leaf.bit & 1;
}

#endif
