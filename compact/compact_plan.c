// compact_plan.c: what is stored, and a proof that derivation ends.
//
// The graph of parts (a subspace, or one parity of it) has an arrow for each way in which a ply
// can lead from one part to another, as counts and colours tell. A walk over the parts that are
// left out finds circles; one part of each is stored after all. What remains has a longest
// path: the depth of derivation.

#include "compact/compact_plan.h"

#include <stdlib.h>

enum { MOST_DEPTH = 64, UNSEEN = -1, OPEN = -2 };

struct planning {
    const struct rules *rules;
    const struct compact_game *game;
    struct compact_plan *plan;
    int *depth; // of part 2 k + parity: UNSEEN, OPEN while the walk is below it, or its depth
    bool counts_hands; // only plies of positions with men in hand count
    bool changed;
};

// ---- what is stored at first ---------------------------------------------------------------

static int part_mask(const struct compact_game *game, struct subspace s)
{
    return merels_compact_has_parity(game, s.a + s.b) ? COMPACT_EVEN | COMPACT_ODD
                                                      : COMPACT_WHOLE;
}

static bool only_moves(const struct rules *rules, struct subspace s)
{
    return merels_hand_moves(rules, s.ha) && !merels_hand_places(rules, s.ha);
}

static uint8_t stored_at_first(const struct planning *p, struct subspace s, int n_plies)
{
    int all = part_mask(p->game, s), own = s.a + s.ha, other = s.b + s.hb;
    if ((s.ha + s.hb) % (n_plies + 1) != 0)
        return 0;
    if (!only_moves(p->rules, s) || own > other || s.hb > 0)
        return (uint8_t)all;
    if (own < other)
        return 0;
    return (uint8_t)(all == COMPACT_WHOLE ? COMPACT_WHOLE : COMPACT_EVEN);
}

// ---- the walk ------------------------------------------------------------------------------

static int place_of(const struct planning *p, struct subspace s)
{
    for (size_t k = 0; k < p->plan->n; k++)
        if (merels_subspace_equal(p->plan->subspaces[k].subspace, s))
            return (int)k;
    return -1;
}

static bool has_hands(struct subspace s)
{
    return s.ha + s.hb > 0;
}

static int depth_of(struct planning *p, int k, int part);

// The parts of a subspace that an effect can lead to from a parity.
static int parts_reached(const struct planning *p, struct subspace s, int part,
                         const struct effect *effect)
{
    int all = part_mask(p->game, effect->after);
    bool slides = effect->kind == PLY_MOVES && effect->n_removed == 0 &&
                  !merels_men_fly(p->rules, s.a, s.ha);
    if (!slides || all == COMPACT_WHOLE)
        return all;
    int reached = part == COMPACT_EVEN ? COMPACT_ODD : COMPACT_EVEN;
    return p->rules->blocked == BLOCKED_PASSES ? reached | part : reached;
}

// The greatest depth of what an effect leads to; -1: there is a circle, or it is not there.
static int depth_after(struct planning *p, struct subspace s, int part,
                       const struct effect *effect)
{
    int most = 0;
    if (effect->ends)
        return 0;
    int k = place_of(p, effect->after);
    if (k < 0)
        return -1;
    int reached = parts_reached(p, s, part, effect);
    for (int next = COMPACT_EVEN; next <= COMPACT_WHOLE; next *= 2) {
        int depth = (reached & next) != 0 ? depth_of(p, k, next) : 0;
        if (depth < 0)
            return -1;
        most = depth > most ? depth : most;
    }
    return most;
}

// The depth of a part, 0 if it is stored. A part that cannot be derived is stored; -1: the walk
// has come round to a part that is open.
static int depth_of(struct planning *p, int k, int part)
{
    struct planned_subspace *s = &p->plan->subspaces[k];
    int *depth = &p->depth[2 * k + (part == COMPACT_ODD)];
    if ((s->stored & part) != 0 || (p->counts_hands && !has_hands(s->subspace)))
        return 0;
    if (*depth != UNSEEN)
        return *depth == OPEN ? -1 : *depth;
    struct effect effects[MAX_EFFECTS];
    int n = merels_effects(p->rules, s->subspace, effects), most = 0;
    *depth = OPEN;
    for (int i = 0; i < n && most >= 0; i++) {
        int after = depth_after(p, s->subspace, part, &effects[i]);
        most = after < 0 ? -1 : after > most ? after : most;
    }
    if (most < 0 || n == 0) {
        s->stored |= (uint8_t)part;
        *depth = UNSEEN;
        p->changed = true;
        return 0;
    }
    return *depth = most + 1;
}

// The greatest depth of all parts, and of those without men in hand.
static void walk(struct planning *p, int *most, int *most_moving)
{
    *most = *most_moving = 0;
    for (size_t k = 0; k < 2 * p->plan->n; k++)
        p->depth[k] = UNSEEN;
    for (size_t k = 0; k < p->plan->n; k++) {
        struct subspace s = p->plan->subspaces[k].subspace;
        int all = part_mask(p->game, s);
        for (int part = COMPACT_EVEN; part <= COMPACT_WHOLE; part *= 2) {
            int depth = (all & part) != 0 ? depth_of(p, (int)k, part) : 0;
            *most = depth > *most ? depth : *most;
            if (!has_hands(s) && depth > *most_moving)
                *most_moving = depth;
        }
    }
}

// Walks until no circle is left.
static void settle(struct planning *p)
{
    int no_moving;
    struct compact_plan *plan = p->plan;
    do {
        p->changed = false;
        walk(p, &plan->most_depth, &plan->most_moving);
    } while (p->changed);
    p->counts_hands = true;
    walk(p, &plan->most_placing, &no_moving);
}

enum status merels_compact_plan(const struct rules *rules, const struct compact_game *game,
                                int n_plies, const struct subspace *list, size_t n,
                                struct compact_plan *plan, struct error *err)
{
    struct planning p = {.rules = rules, .game = game, .plan = plan};
    *plan = (struct compact_plan){.n = n};
    plan->subspaces = calloc(n + 1, sizeof *plan->subspaces);
    p.depth = calloc(2 * n + 1, sizeof *p.depth);
    if (plan->subspaces == NULL || p.depth == NULL) {
        free(p.depth);
        merels_compact_plan_free(plan);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the plan of an export");
    }
    for (size_t k = 0; k < n; k++) {
        plan->subspaces[k].subspace = list[k];
        plan->subspaces[k].stored = stored_at_first(&p, list[k], n_plies);
    }
    settle(&p);
    free(p.depth);
    if (plan->most_depth <= MOST_DEPTH)
        return STATUS_OK;
    merels_compact_plan_free(plan);
    return merels_error(err, STATUS_UNSUPPORTED, "derivation would take more than %d plies",
                        (int)MOST_DEPTH);
}

void merels_compact_plan_free(struct compact_plan *plan)
{
    free(plan->subspaces);
    *plan = (struct compact_plan){0};
}
