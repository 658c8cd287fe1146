// needs.c: counts for every subspace of a game how many open ones read it.

#include "solver/needs.h"

#include <stdlib.h>

#include "db/arise.h"

enum { COUNTS = MAX_POINTS + 1, N_PLACES = COUNTS * COUNTS * COUNTS * COUNTS, NOWHERE = -1 };

struct need {
    struct subspace subspace;
    bool open, opening, shared;
    int n_readers; // open ones
    int n_next, next[MAX_SUCCESSORS];
};

struct needs {
    const struct rules *rules;
    struct start start;
    size_t n;
    struct need *list;
    int32_t *places; // over the four counts: the number in the list
};

static size_t place_of(struct subspace s)
{
    return ((s.a * (size_t)COUNTS + s.b) * COUNTS + s.ha) * COUNTS + s.hb;
}

static struct need *find(const struct needs *needs, struct subspace s)
{
    int32_t number = needs->places[place_of(s)];
    return number == NOWHERE ? NULL : &needs->list[number];
}

// ---- making --------------------------------------------------------------------------------

static enum status make_room(struct needs *needs, size_t n, struct error *err)
{
    needs->n = n;
    needs->list = calloc(n, sizeof *needs->list);
    needs->places = malloc(N_PLACES * sizeof *needs->places);
    if (needs->list == NULL || needs->places == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the needs of a game");
    for (size_t k = 0; k < N_PLACES; k++)
        needs->places[k] = NOWHERE;
    return STATUS_OK;
}

static void link_successors(struct needs *needs)
{
    for (size_t k = 0; k < needs->n; k++) {
        struct subspace next[MAX_SUCCESSORS];
        struct need *need = &needs->list[k];
        need->n_next = merels_subspace_successors(needs->rules, need->subspace, next);
        for (int i = 0; i < need->n_next; i++)
            need->next[i] = needs->places[place_of(next[i])];
    }
}

// The start, which comes first in the list, and what two plies lead to.
static void mark_opening(struct needs *needs)
{
    struct need *start = &needs->list[0];
    start->opening = true;
    for (int i = 0; i < start->n_next; i++) {
        struct need *first = &needs->list[start->next[i]];
        first->opening = true;
        for (int j = 0; j < first->n_next; j++)
            needs->list[first->next[j]].opening = true;
    }
}

static enum status fill(struct needs *needs, struct error *err)
{
    struct subspace *arising;
    size_t n;
    enum status status =
        merels_subspaces_arising(needs->rules, needs->start, &arising, &n, err);
    if (status != STATUS_OK)
        return status;
    status = make_room(needs, n, err);
    for (size_t k = 0; k < n && status == STATUS_OK; k++) {
        needs->list[k].subspace = arising[k];
        needs->places[place_of(arising[k])] = (int32_t)k;
    }
    free(arising);
    if (status != STATUS_OK)
        return status;
    link_successors(needs);
    mark_opening(needs);
    return STATUS_OK;
}

enum status merels_needs_create(const struct rules *rules, struct start start,
                                struct needs **needs, struct error *err)
{
    struct needs *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the needs of a game");
    made->rules = rules;
    made->start = start;
    enum status status = fill(made, err);
    if (status != STATUS_OK) {
        merels_needs_destroy(made);
        return status;
    }
    *needs = made;
    return STATUS_OK;
}

void merels_needs_destroy(struct needs *needs)
{
    if (needs == NULL)
        return;
    free(needs->list);
    free(needs->places);
    free(needs);
}

// ---- what is there -------------------------------------------------------------------------

static enum status share_with(struct needs *needs, struct start other, struct error *err)
{
    struct subspace *arising;
    size_t n;
    enum status status = merels_subspaces_arising(needs->rules, other, &arising, &n, err);
    if (status != STATUS_OK)
        return status;
    for (size_t k = 0; k < n; k++) {
        struct need *need = find(needs, arising[k]);
        if (need != NULL)
            need->shared = true;
    }
    free(arising);
    return STATUS_OK;
}

enum status merels_needs_read(struct needs *needs, const struct manifest *manifest,
                              struct error *err)
{
    const struct manifest *solved =
        merels_manifest_of(manifest, edition_of_rules(needs->rules));
    for (size_t k = 0; k < needs->n; k++)
        merels_needs_set(needs, needs->list[k].subspace, true);
    for (size_t k = 0; solved != NULL && k < solved->n_entries; k++)
        merels_needs_set(needs, solved->entries[k].subspace, false);
    enum status status = STATUS_OK;
    for (size_t k = 0; solved != NULL && k < solved->n_starts && status == STATUS_OK; k++)
        if (solved->starts[k].first_men != needs->start.first_men ||
            solved->starts[k].second_men != needs->start.second_men)
            status = share_with(needs, solved->starts[k], err);
    return status;
}

void merels_needs_set(struct needs *needs, struct subspace s, bool open)
{
    struct need *need = find(needs, s);
    if (need == NULL || need->open == open)
        return;
    need->open = open;
    for (int i = 0; i < need->n_next; i++)
        needs->list[need->next[i]].n_readers += open ? 1 : -1;
}

bool merels_needs_is_free(const struct needs *needs, struct subspace s)
{
    const struct need *need = find(needs, s);
    return need != NULL && !need->open && need->n_readers == 0;
}

bool merels_needs_may_go(const struct needs *needs, struct subspace s)
{
    const struct need *need = find(needs, s);
    return need != NULL && !need->opening && !need->shared;
}
