// player.c: the perfect player.

#include "query/player.h"

// True if a smaller share of x than of y holds; no replies at all count as all.
static bool is_harder(struct replies x, struct replies y)
{
    if (x.n == 0)
        return false;
    return y.n == 0 || x.hold * y.n < y.hold * x.n;
}

int merels_player_draw(struct context *context, const struct position *pos, int first, int n)
{
    int best = first;
    struct replies hardest = {.n = 0};
    struct ranking *ranking = context->ranking;
    for (int i = first; i < first + n; i++) {
        struct replies replies;
        if (merels_count_replies(context->base, context->rules, pos, ranking->plies[i].ply,
                                 ranking->list, &replies, NULL) == STATUS_OK &&
            is_harder(replies, hardest)) {
            best = i;
            hardest = replies;
        }
    }
    return best;
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
    if (ranking->answer.value == VALUE_DRAW) {
        int first, n = merels_rank_draws(ranking, &first);
        best = merels_player_draw(context, pos, first, n);
    }
    *choice = ranking->plies[best];
    return STATUS_OK;
}
