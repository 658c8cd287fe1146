// arise.c: which subspaces can arise from a start: a breadth-first walk over the four counts.

#include "db/arise.h"

#include <stdlib.h>

enum { COUNTS = MAX_POINTS + 1 };

struct walk {
    struct subspace *found; // those before the place where the walk is are done
    size_t n_found, room;
    uint8_t *seen; // a bit for every four counts
};

int merels_subspace_successors(const struct rules *rules, struct subspace s,
                               struct subspace successors[MAX_SUCCESSORS])
{
    struct effect effects[MAX_EFFECTS];
    int n = 0, n_effects = merels_effects(rules, s, effects);
    for (int k = 0; k < n_effects; k++)
        if (!effects[k].ends)
            successors[n++] = effects[k].after;
    return n;
}

static enum status visit(struct walk *walk, struct subspace s, struct error *err)
{
    size_t place = ((s.a * (size_t)COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb;
    if (walk->seen[place / 8] >> place % 8 & 1)
        return STATUS_OK;
    if (walk->n_found == walk->room) {
        size_t room = walk->room == 0 ? 1024 : 2 * walk->room;
        struct subspace *more = realloc(walk->found, room * sizeof *more);
        if (more == NULL)
            return merels_error(err, STATUS_NO_MEMORY,
                                "out of memory for the list of subspaces");
        walk->found = more;
        walk->room = room;
    }
    walk->seen[place / 8] |= (uint8_t)(1 << place % 8);
    walk->found[walk->n_found++] = s;
    return STATUS_OK;
}

static enum status walk_from(const struct rules *rules, struct start start, struct walk *walk,
                             struct error *err)
{
    struct subspace first = {0, 0, (uint8_t)start.first_men, (uint8_t)start.second_men};
    enum status status = visit(walk, first, err);
    for (size_t k = 0; k < walk->n_found && status == STATUS_OK; k++) {
        struct subspace next[MAX_SUCCESSORS];
        int n = merels_subspace_successors(rules, walk->found[k], next);
        for (int i = 0; i < n && status == STATUS_OK; i++)
            status = visit(walk, next[i], err);
    }
    return status;
}

enum status merels_subspaces_arising(const struct rules *rules, struct start start,
                                     struct subspace **subspaces, size_t *n, struct error *err)
{
    struct walk walk = {.seen = calloc((size_t)COUNTS * COUNTS * COUNTS * COUNTS / 8 + 1, 1)};
    if (walk.seen == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the graph of subspaces");
    enum status status = walk_from(rules, start, &walk, err);
    free(walk.seen);
    if (status != STATUS_OK) {
        free(walk.found);
        return status;
    }
    *subspaces = walk.found;
    *n = walk.n_found;
    return STATUS_OK;
}

bool merels_subspace_arises(const struct rules *rules, struct start start, struct subspace s)
{
    struct subspace *arising;
    size_t n;
    if (merels_subspaces_arising(rules, start, &arising, &n, NULL) != STATUS_OK)
        return true;
    bool found = merels_subspace_among(arising, n, s);
    free(arising);
    return found;
}
