// moves.c: the plies of a position by plain loops over points, edges and mills.

#include "tests/reference/reference.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static uint32_t bit(int point)
{
    return UINT32_C(1) << point;
}

static int count(uint32_t set)
{
    int n = 0;
    for (int p = 0; p < REFERENCE_POINTS; p++)
        n += set >> p & 1;
    return n;
}

void reference_rules_init(struct reference_rules *rules, enum reference_kind kind)
{
    *rules = (struct reference_rules){.fly = 3, .least = 3};
    reference_board_init(&rules->board, kind);
}

struct reference_position reference_position_read(const struct reference_board *board,
                                                  const char *text)
{
    char side[4] = "", white[128] = "", black[128] = "";
    int white_hand = 0, black_hand = 0;
    int n = sscanf(text, "%3s %127s %127s %d/%d", side, white, black, &white_hand, &black_hand);
    assert(n == 5 && (side[0] == 'w' || side[0] == 'b'));
    uint32_t w = reference_set(board, white), b = reference_set(board, black);
    int due = side[1] != '!' ? 0 : side[2] == '\0' ? 1 : side[2] - '0';
    (void)n;
    if (side[0] == 'w')
        return (struct reference_position){w, b, white_hand, black_hand, due};
    return (struct reference_position){b, w, black_hand, white_hand, due};
}

static bool has_mill(const struct reference_board *board, uint32_t set)
{
    for (int m = 0; m < board->n_mills; m++)
        if ((board->mills[m] & set) == board->mills[m])
            return true;
    return false;
}

// How many mills of `set` go through `point`.
static int mills_through(const struct reference_board *board, uint32_t set, int point)
{
    int n = 0;
    for (int m = 0; m < board->n_mills_at[point]; m++)
        if ((board->mills_at[point][m] & ~set) == 0)
            n++;
    return n;
}

static uint32_t removable(const struct reference_rules *rules, uint32_t set)
{
    uint32_t outside = 0;
    for (int p = 0; p < rules->board.n_points; p++)
        if ((set & bit(p)) != 0 && mills_through(&rules->board, set, p) == 0)
            outside |= bit(p);
    if (rules->mill_men == REFERENCE_REMOVABLE)
        return set;
    if (outside == 0 && rules->mill_men == REFERENCE_REMOVABLE_IF_ALL)
        return set;
    return outside;
}

struct ply_list {
    const struct reference_rules *rules;
    uint32_t enemy; // before the removals
    int enemy_hand;
    struct reference_ply *plies;
    int n, first; // first: where the present step's plies begin
};

static void add_ply(struct ply_list *list, struct reference_ply ply)
{
    for (int i = list->first; i < list->n; i++)
        if (list->plies[i].removed == ply.removed)
            return; // the same men in another order
    assert(list->n < REFERENCE_PLIES);
    list->plies[list->n++] = ply;
}

// One removal after the other, each judged on the board then.
static void add_removals(struct ply_list *list, struct reference_ply ply, int due)
{
    uint32_t left = list->enemy & ~ply.removed;
    bool ended = ply.removed != 0 && count(left) + list->enemy_hand < list->rules->least;
    uint32_t choice = due == 0 || ended ? 0 : removable(list->rules, left);
    if (choice == 0) {
        add_ply(list, ply);
        return;
    }
    for (int p = 0; p < list->rules->board.n_points; p++) {
        if ((choice & bit(p)) == 0)
            continue;
        struct reference_ply longer = ply;
        longer.removed |= bit(p);
        add_removals(list, longer, due - 1);
    }
}

static void add_step(struct ply_list *list, const struct reference_position *pos, int from,
                     int to)
{
    uint32_t after = (from < 0 ? pos->own : pos->own & ~bit(from)) | bit(to);
    int due = mills_through(&list->rules->board, after, to);
    if (list->rules->mill_wins)
        due = 0;
    else if (due > 1 && !list->rules->removals_each)
        due = 1;
    list->first = list->n;
    add_removals(list, (struct reference_ply){from, to, 0}, due);
}

static bool beaten(const struct reference_rules *rules, const struct reference_position *pos)
{
    return count(pos->own) + pos->own_hand < rules->least ||
           (rules->mill_wins && has_mill(&rules->board, pos->other));
}

static bool flies(const struct reference_rules *rules, const struct reference_position *pos)
{
    if (rules->fly_total)
        return count(pos->own) + pos->own_hand <= rules->fly;
    return pos->own_hand == 0 && count(pos->own) <= rules->fly;
}

// True if the mover can put a man on a free point, from the hand or from another point.
static bool has_step(const struct reference_rules *rules, const struct reference_position *pos)
{
    uint32_t taken = pos->own | pos->other;
    for (int to = 0; to < rules->board.n_points; to++) {
        if ((taken & bit(to)) != 0)
            continue;
        if (pos->own_hand > 0)
            return true;
        for (int from = 0; from < rules->board.n_points; from++)
            if ((pos->own & bit(from)) != 0 &&
                (flies(rules, pos) || rules->board.adjacent[from][to]))
                return true;
    }
    return false;
}

int reference_plies(const struct reference_rules *rules, const struct reference_position *pos,
                    struct reference_ply *plies)
{
    struct ply_list list = {rules, pos->other, pos->other_hand, plies, 0, 0};
    uint32_t taken = pos->own | pos->other;
    struct reference_position other_way = {pos->other, pos->own, pos->other_hand, pos->own_hand,
                                           0};
    if (pos->due > 0) {
        add_removals(&list, (struct reference_ply){-1, -1, 0}, pos->due);
        return list.n;
    }
    if (beaten(rules, pos))
        return 0;
    for (int to = 0; to < rules->board.n_points; to++)
        if ((taken & bit(to)) == 0 && pos->own_hand > 0)
            add_step(&list, pos, -1, to);
    if (pos->own_hand > 0 && !rules->place_or_move)
        return list.n;
    bool far = flies(rules, pos);
    for (int from = 0; from < rules->board.n_points; from++)
        for (int to = 0; (pos->own & bit(from)) != 0 && to < rules->board.n_points; to++)
            if ((taken & bit(to)) == 0 && (far || rules->board.adjacent[from][to]))
                add_step(&list, pos, from, to);
    if (rules->blocked_passes && list.n == 0 && has_step(rules, &other_way))
        add_ply(&list, (struct reference_ply){-1, -1, 0});
    return list.n;
}

bool reference_over(const struct reference_rules *rules, const struct reference_position *pos,
                    int *value)
{
    struct reference_ply plies[REFERENCE_PLIES];
    bool full = count(pos->own | pos->other) == rules->board.n_points;
    *value = 0;
    if (pos->due > 0)
        return false;
    if (beaten(rules, pos))
        return true;
    if (full ? !rules->full_board_mover_loses : rules->blocked_draws || rules->blocked_passes)
        *value = REFERENCE_DRAW;
    return reference_plies(rules, pos, plies) == 0;
}

struct reference_position reference_play(const struct reference_position *pos,
                                         struct reference_ply ply)
{
    struct reference_position next = {.own = pos->other & ~ply.removed,
                                      .other = pos->own,
                                      .own_hand = pos->other_hand,
                                      .other_hand = pos->own_hand};
    if (ply.from >= 0)
        next.other &= ~bit(ply.from);
    if (ply.to >= 0)
        next.other |= bit(ply.to);
    if (ply.to >= 0 && ply.from < 0)
        next.other_hand--;
    return next;
}

uint64_t reference_perft(const struct reference_rules *rules,
                         const struct reference_position *pos, int depth)
{
    struct reference_ply plies[REFERENCE_PLIES];
    if (depth == 0)
        return 1;
    int n = reference_plies(rules, pos, plies);
    uint64_t total = 0;
    for (int i = 0; i < n; i++) {
        struct reference_position next = reference_play(pos, plies[i]);
        total += reference_perft(rules, &next, depth - 1);
    }
    return total;
}
