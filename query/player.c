// player.c: the perfect player.

#include "query/player.h"

#include <time.h>

// What a choice may take without a time of its own: look-ups, and milliseconds if they are
// slow.
enum { LOOK_UPS = 40000, LOOK_UPS_EACH_MS = 1000, SLOW_MS = 400 };

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool is_late(void *user)
{
    return now_ms() >= *(const uint64_t *)user;
}

int merels_player_draw(struct context *context, const struct position *pos, int first, int n,
                       uint64_t move_ms, struct draw_chance *chances)
{
    uint64_t end = now_ms() + (move_ms > 0 ? move_ms : SLOW_MS);
    const struct draw_effort effort = {
        .n_look_ups = LOOK_UPS + LOOK_UPS_EACH_MS * move_ms, .stops = is_late, .user = &end};
    return merels_draws_best(context->base, context->rules, pos, context->ranking, first, n,
                             &effort, chances);
}

enum status merels_player_choose(struct context *context, const struct position *pos,
                                 struct ranked_ply *choice, struct error *err)
{
    enum status status = merels_context_rank(context, pos, err);
    if (status != STATUS_OK)
        return status;
    const struct ranking *ranking = context->ranking;
    if (ranking->n_plies == 0)
        return merels_error(err, STATUS_ILLEGAL, "the game is over");
    int best = 0;
    bool own_choice = merels_side_to_choose(context->rules, pos) == pos->mover;
    if (ranking->answer.value == VALUE_DRAW && own_choice) {
        int first, n = merels_rank_draws(ranking, &first);
        best = merels_player_draw(context, pos, first, n, 0, NULL);
    }
    *choice = ranking->plies[best];
    return STATUS_OK;
}
