// compact_groups.h: the rows of one table, coded by a model in groups, by all threads.

#ifndef MERELS_COMPACT_COMPACT_GROUPS_H
#define MERELS_COMPACT_COMPACT_GROUPS_H

#include "compact/compact_file.h"
#include "compact/compact_rows.h"
#include "work/progress.h"

struct compact_groups {
    const struct compact_game *game;
    struct tablebase *base;
    const struct planned_subspace *planned;
    const int8_t *model;
    int n_threads;
    struct meter *meter; // counts slots of the piece at work
};

// Appends all groups of a stored subspace and their index, and fills its entry but for the
// model. STATUS_INTERRUPTED, and what reading and writing give.
MERELS_CHECKED enum status merels_compact_write_groups(const struct compact_groups *groups,
                                                       struct compact_file *file,
                                                       struct compact_entry *entry,
                                                       struct error *err);

#endif
