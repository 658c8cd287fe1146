// player.c: the perfect player.

#include "query/player.h"

#include <limits.h>
#include <time.h>

#include "search/ordering.h"

// Look-ups that are possible in a millisecond, at least.
enum { LOOK_UPS_EACH_MS = 1000 };

// The time until which a choice may look further.
struct deadline {
    const struct player_limits *limits;
    uint64_t end_ms; // 0: none
};

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool is_late(void *user)
{
    const struct deadline *deadline = user;
    const struct player_limits *limits = deadline->limits;
    return (deadline->end_ms > 0 && now_ms() >= deadline->end_ms) ||
           (limits->stops && limits->stops(limits->user));
}

static uint64_t look_ups(const struct player_limits *limits)
{
    if (limits->only_replies)
        return 0;
    if (limits->n_look_ups > 0)
        return limits->n_look_ups;
    return limits->endless ? UINT64_MAX / 8
                           : DRAW_LOOK_UPS + LOOK_UPS_EACH_MS * limits->move_ms;
}

// The drawing ply behind which the side looks best, where replies would have to be searched.
static int best_looking(const struct context *context, const struct position *pos, int first,
                        int n)
{
    int best = first, best_order = INT_MIN;
    for (int i = first; i < first + n; i++) {
        const struct position after =
            merels_play(context->rules, pos, context->ranking->plies[i].ply);
        int order = merels_order_value(context->rules, &after);
        if (order > best_order) {
            best_order = order;
            best = i;
        }
    }
    return best;
}

bool merels_player_searches(const struct context *context, const struct position *pos)
{
    return context->search && pos->own_hand + pos->other_hand > 0;
}

int merels_player_draw(struct context *context, const struct position *pos, int first, int n,
                       const struct player_limits *limits, struct draw_chance *chances)
{
    static const struct player_limits none = {.move_ms = 0};
    if (merels_player_searches(context, pos))
        return best_looking(context, pos, first, n);
    struct deadline deadline = {.limits = limits ? limits : &none};
    uint64_t move_ms = deadline.limits->move_ms;
    if (move_ms > 0 && !deadline.limits->endless)
        deadline.end_ms = now_ms() + move_ms;
    const struct draw_effort effort = {
        .n_look_ups = look_ups(deadline.limits), .stops = is_late, .user = &deadline};
    return merels_draws_best(context->base, context->rules, pos, context->ranking, first, n,
                             &effort, chances);
}

// The place of the ply to play, of those in front that have the value of the first.
static int choose_by_past(const struct ranking *ranking, const struct past *past)
{
    int places[MAX_PLIES], n = 0;
    enum value best = ranking->plies[0].value;
    while (n < ranking->n_plies && ranking->plies[n].known && ranking->plies[n].value == best) {
        places[n] = n;
        n++;
    }
    return best == VALUE_WIN ? merels_past_choose_win(past, ranking, places, n)
                             : merels_past_choose_loss(past, ranking, places, n);
}

enum status merels_player_choose(struct context *context, const struct position *pos,
                                 const struct past *past, struct ranked_ply *choice,
                                 struct error *err)
{
    enum status status = merels_context_rank_known(context, pos, err);
    if (status != STATUS_OK)
        return status;
    const struct ranking *ranking = context->ranking;
    if (ranking->n_plies == 0)
        return merels_error(err, STATUS_ILLEGAL, "the game is over");
    if (!ranking->plies[0].known)
        return merels_error(err, ranking->lacking.status, "%s", ranking->lacking.text);
    int best = 0;
    bool own_choice = merels_side_to_choose(context->rules, pos) == pos->mover;
    if (ranking->answer.value == VALUE_DRAW && own_choice) {
        int first, n = merels_rank_draws(ranking, &first);
        best = merels_player_draw(context, pos, first, n, NULL, NULL);
    } else if (past && own_choice) {
        best = choose_by_past(ranking, past);
    }
    *choice = ranking->plies[best];
    return STATUS_OK;
}
