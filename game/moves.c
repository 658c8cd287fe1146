// moves.c: the generator of plies, playing them, and steps back.
//
// A turn is generated in two parts: the step (a placement or a move), then the removals that
// the step makes due. Counting runs the same code without a list to write to.

#include "game/moves.h"

#include <stddef.h>

#include "game/effects.h"

static point_set bit(int point)
{
    return (point_set)1 << point;
}

bool merels_may_place(const struct rules *rules, const struct position *pos)
{
    return merels_hand_places(rules, pos->own_hand);
}

bool merels_may_move(const struct rules *rules, const struct position *pos)
{
    return merels_hand_moves(rules, pos->own_hand);
}

point_set merels_targets(const struct rules *rules, const struct position *pos, int from)
{
    point_set free = merels_position_free(rules, pos);
    return merels_position_flies(rules, pos) ? free : rules->board.neighbours[from] & free;
}

// The removals due after a man has come to `to`; `rest` are the mover's other men on the board.
static int removals_due(const struct rules *rules, point_set rest, int to)
{
    return merels_removals_due(rules, merels_board_mills_closed(&rules->board, rest, to));
}

// A list of plies being made. Without `plies` they are only counted.
struct list {
    const struct rules *rules;
    const struct position *pos;
    point_set removable; // of pos->other
    struct ply *plies;
    int n;
};

static void add(struct list *list, const struct ply *ply)
{
    if (list->plies != NULL) {
        if (list->n == MAX_PLIES) // out of reach, see moves.h
            return;
        list->plies[list->n] = *ply;
    }
    list->n++;
}

static void add_with_one_removal(struct list *list, struct ply *ply)
{
    if (list->plies == NULL) {
        list->n += bit_count(list->removable);
        return;
    }
    ply->n_removed = 1;
    for (point_set rest = list->removable; rest != 0; rest &= rest - 1) {
        ply->removed[0] = (int8_t)bit_lowest(rest);
        add(list, ply);
    }
}

// Can the men of `set` be removed from `other` one after another, in some order?
static bool removable_in_turn(const struct rules *rules, point_set other, point_set set)
{
    if (set == 0)
        return true;
    for (point_set first = set & merels_position_removable(rules, other); first != 0;
         first &= first - 1) {
        point_set man = first & -first;
        if (removable_in_turn(rules, other & ~man, set & ~man))
            return true;
    }
    return false;
}

// Adds the plies that remove `set` (the men already in *ply) and, after `set`, further men from
// point `first` on, `due` in all or fewer if then none may be removed any more.
static void add_removal_sets(struct list *list, struct ply *ply, point_set set, int first,
                             int due)
{
    point_set other = list->pos->other;
    bool all = ply->n_removed == due;
    if ((all || merels_position_removable(list->rules, other & ~set) == 0) &&
        removable_in_turn(list->rules, other, set))
        add(list, ply);
    if (all)
        return;
    for (point_set rest = other & ~(bit(first) - 1); rest != 0; rest &= rest - 1) {
        int man = bit_lowest(rest);
        ply->removed[ply->n_removed++] = (int8_t)man;
        add_removal_sets(list, ply, set | bit(man), man + 1, due);
        ply->n_removed--;
    }
}

// Of the removals due those that are asked for: none after one that leaves too few men.
static int asked_for(const struct rules *rules, const struct position *pos, int due)
{
    int men = bit_count(pos->other) + pos->other_hand, n = 0;
    while (n < due && n < MAX_REMOVED && !merels_too_few(rules, men - n))
        n++;
    return n;
}

static void add_with_removals(struct list *list, struct ply ply, int due)
{
    due = asked_for(list->rules, list->pos, due);
    if (due == 0 || list->removable == 0)
        add(list, &ply);
    else if (due == 1)
        add_with_one_removal(list, &ply);
    else
        add_removal_sets(list, &ply, 0, 0, due);
}

// Adds the plies that bring a man to each of the targets; `rest` are the mover's other men.
static void add_steps(struct list *list, int from, point_set rest, point_set targets)
{
    for (; targets != 0; targets &= targets - 1) {
        int to = bit_lowest(targets);
        struct ply ply = {.from = (int8_t)from, .to = (int8_t)to};
        add_with_removals(list, ply, removals_due(list->rules, rest, to));
    }
}

static int list_plies(const struct rules *rules, const struct position *pos, struct ply *plies)
{
    struct list list = {rules, pos, merels_position_removable(rules, pos->other), plies, 0};
    int value;
    if (pos->due > 0) {
        add_with_removals(&list, (struct ply){.from = -1, .to = -1}, pos->due);
        return list.n;
    }
    if (merels_position_over(rules, pos, &value))
        return 0;
    if (merels_may_place(rules, pos))
        add_steps(&list, -1, pos->own, merels_position_free(rules, pos));
    if (merels_may_move(rules, pos))
        for (point_set men = pos->own; men != 0; men &= men - 1) {
            int from = bit_lowest(men);
            add_steps(&list, from, pos->own & ~bit(from), merels_targets(rules, pos, from));
        }
    if (list.n == 0)
        add(&list, &(struct ply){.from = -1, .to = -1}); // blocked, and not over: a pass
    return list.n;
}

int merels_plies(const struct rules *rules, const struct position *pos, struct ply *plies)
{
    return list_plies(rules, pos, plies);
}

int merels_count_plies(const struct rules *rules, const struct position *pos)
{
    return list_plies(rules, pos, NULL);
}

static struct position turned(const struct position *pos)
{
    return (struct position){.own = pos->other,
                             .other = pos->own,
                             .closed = pos->closed,
                             .own_hand = pos->other_hand,
                             .other_hand = pos->own_hand,
                             .due = 0,
                             .mover = (uint8_t)!pos->mover};
}

bool merels_ply_converts(const struct rules *rules, const struct position *pos,
                         const struct ply *ply)
{
    bool places = ply->from < 0 && ply->to >= 0;
    return places || ply->n_removed > 0 ||
           merels_men_only_place(rules, bit_count(pos->other), pos->other_hand);
}

// The count after a ply of `pos`.
static uint16_t counted(const struct rules *rules, const struct position *pos,
                        const struct ply *ply)
{
    bool counts = rules->n_move > 0 && !merels_ply_converts(rules, pos, ply);
    return counts ? (uint16_t)(pos->count + 1) : 0;
}

static struct position stepped(const struct position *pos, int from, int to)
{
    struct position after = *pos;
    if (from >= 0)
        after.own &= ~bit(from);
    else if (to >= 0)
        after.own_hand--;
    if (to >= 0)
        after.own |= bit(to);
    if (after.own_hand + after.other_hand == 0)
        after.closed = 0; // placing is over
    return after;
}

// Takes a man off the board.
static void take(const struct rules *rules, struct position *pos, int point)
{
    pos->other &= ~bit(point);
    if (rules->closed_points == CLOSED_POINTS_YES && pos->own_hand + pos->other_hand > 0)
        pos->closed |= bit(point);
}

struct position merels_play(const struct rules *rules, const struct position *pos,
                            struct ply ply)
{
    struct position after = stepped(pos, ply.from, ply.to);
    for (int k = 0; k < ply.n_removed; k++)
        take(rules, &after, ply.removed[k]);
    after = turned(&after);
    after.count = counted(rules, pos, &ply);
    return after;
}

struct position merels_step(const struct rules *rules, const struct position *pos, int from,
                            int to)
{
    struct position after = stepped(pos, from, to);
    if (to >= 0 && merels_position_removable(rules, after.other) != 0)
        after.due =
            (uint8_t)asked_for(rules, pos, removals_due(rules, after.own & ~bit(to), to));
    if (after.due > 0)
        return after;
    const struct ply step = {.from = (int8_t)from, .to = (int8_t)to};
    after = turned(&after);
    after.count = counted(rules, pos, &step);
    return after;
}

struct position merels_remove(const struct rules *rules, const struct position *pos, int point)
{
    struct position after = *pos;
    take(rules, &after, point);
    after.due--;
    if (merels_position_removable(rules, after.other) == 0 ||
        merels_too_few(rules, bit_count(after.other) + after.other_hand))
        after.due = 0;
    return after.due > 0 ? after : turned(&after);
}

// Adds `earlier` if the game was not over there and the arrival on `to` removed nothing.
static int add_earlier(const struct rules *rules, struct position earlier, point_set rest,
                       int to, struct position *before, int n)
{
    int value;
    if (removals_due(rules, rest, to) > 0 &&
        merels_position_removable(rules, earlier.other) != 0)
        return n;
    if (n == MAX_PLIES || merels_position_over(rules, &earlier, &value))
        return n;
    before[n] = earlier;
    return n + 1;
}

// Adds the position itself, seen by who has passed.
static int add_passed(const struct rules *rules, const struct position *after,
                      struct position *before, int n)
{
    int value;
    if (n == MAX_PLIES || merels_position_over(rules, after, &value) ||
        !merels_position_blocked(rules, after))
        return n;
    before[n] = *after;
    return n + 1;
}

int merels_unmoves(const struct rules *rules, const struct position *pos,
                   struct position *before)
{
    if (pos->due > 0)
        return 0;
    struct position after = turned(pos); // the men are where they are, seen by who moved them
    bool moved = merels_may_move(rules, &after);
    int n = add_passed(rules, &after, before, 0);
    for (point_set men = after.own; men != 0; men &= men - 1) {
        int to = bit_lowest(men);
        struct position earlier = after;
        point_set rest = after.own & ~bit(to);
        earlier.own = rest;
        earlier.own_hand = (uint8_t)(after.own_hand + 1);
        n = add_earlier(rules, earlier, rest, to, before, n);
        earlier.own_hand = after.own_hand;
        point_set origins = moved ? merels_targets(rules, &after, to) : 0;
        for (; origins != 0; origins &= origins - 1) {
            earlier.own = rest | (origins & -origins);
            n = add_earlier(rules, earlier, rest, to, before, n);
        }
    }
    return n;
}
