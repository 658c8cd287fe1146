// placing_search.h: values of positions with men in hand where no table holds any, under
// `closed-points`: each by two yes-or-no searches over the placements, down to the tables of
// the moving phase. What is proved stays for the next value.

#ifndef MERELS_SEARCH_PLACING_SEARCH_H
#define MERELS_SEARCH_PLACING_SEARCH_H

#include "db/tablebase.h"

struct placing_search;

struct placing_options {
    uint64_t max_nodes;   // of one answer (merels_tablebase_begin_answer); 0: any number
    uint64_t table_bytes; // for proofs; 0: 512 MiB, or a quarter of what is free
};

// Makes a search for the rules of `base`, which have closed points, and attaches it; both must
// outlive it, and `base` gives no values of the placing phase after it. Nothing is read yet:
// the bits of the tables take what is needed, for nine at most 2.2 GiB. STATUS_NO_MEMORY,
// STATUS_UNSUPPORTED for a board of more than 16 symmetries.
MERELS_CHECKED enum status merels_placing_search_create(const struct rules *rules,
                                                        struct tablebase *base,
                                                        const struct placing_options *options,
                                                        struct placing_search **search,
                                                        struct error *err);
void merels_placing_search_destroy(struct placing_search *search); // NULL is allowed

// What stops a search besides its limit: asked every few milliseconds, true: no further
// (STATUS_INTERRUPTED). NULL: nothing. While no value is asked for.
void merels_placing_search_stop(struct placing_search *search, bool (*stops)(void *user),
                                void *user);

// The value of a position that is not over, nothing due, men in hand; without depth. One thread
// at a time, others wait. The answer takes its nodes from what its limit has left:
// STATUS_UNDECIDED beyond it, "not decided in N nodes", with equal questions before always at
// the same place. STATUS_UNSUPPORTED for more than 15 men in a hand, STATUS_NOT_COVERED names a
// table of the moving phase that may be needed and is missing; as merels_prover_run.
MERELS_CHECKED enum status merels_placing_search_value(struct placing_search *search,
                                                       const struct position *pos,
                                                       struct answer *answer,
                                                       struct error *err);

// Positions searched so far, of all answers.
uint64_t merels_placing_search_nodes(const struct placing_search *search);

#endif
