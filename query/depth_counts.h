// depth_counts.h: how many positions of a table have each depth.

#ifndef MERELS_QUERY_DEPTH_COUNTS_H
#define MERELS_QUERY_DEPTH_COUNTS_H

#include "db/index.h"
#include "db/reader.h"
#include "work/progress.h"

// Orbits, as in the header: a position and its images once.
struct depth_counts {
    uint64_t *of;  // by the number of the table (db/edition.h): odd ones won, even ones lost
    size_t n;      // numbers from 0
    uint64_t draw; // those that are no position left out
};

// Adds the counts of a table of an edition with depths, reading all of it, and holds them
// against its header; `index` is of its board. The meter is at a piece of as many slots.
// STATUS_CORRUPT, _INTERRUPTED, _NO_MEMORY, and the failures of merels_table_read; what was
// counted is then of no use.
MERELS_CHECKED enum status merels_depth_counts_add(const struct table *table,
                                                   const struct board *board,
                                                   struct index *index, struct meter *meter,
                                                   struct depth_counts *counts,
                                                   struct error *err);

// Adds the counts of another one. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_depth_counts_sum(struct depth_counts *sum,
                                                   const struct depth_counts *part,
                                                   struct error *err);

void merels_depth_counts_free(struct depth_counts *counts);

#endif
