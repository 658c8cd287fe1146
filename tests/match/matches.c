// matches.c: opponents, openings and games.

#include "tests/match/matches.h"

#include <string.h>

enum { MAX_GAME_PLIES = 160, QUIET_PLIES = 60, MAN = 100, ENDED = 100000 };

const struct opponent all_opponents[N_OPPONENTS] = {{"random", OPPONENT_RANDOM, 0},
                                                    {"greedy", OPPONENT_GREEDY, 0},
                                                    {"alpha-beta 2", OPPONENT_SEARCH, 2},
                                                    {"alpha-beta 4", OPPONENT_SEARCH, 4},
                                                    {"alpha-beta 6", OPPONENT_SEARCH, 6}};

const char *const order_names[N_ORDERS] = {"chance", "fewest hold", "first"};

static int random_below(struct match *match, int n)
{
    match->random =
        match->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)((match->random >> 33) % (uint64_t)n);
}

// ---- opponents -----------------------------------------------------------------------------

static int room(const struct rules *rules, point_set own, point_set other)
{
    int n = 0;
    for (point_set men = own; men != 0; men &= men - 1)
        n += bit_count(rules->board.neighbours[bit_lowest(men)] & ~(own | other));
    return n;
}

static int evaluate(const struct rules *rules, const struct position *pos)
{
    int men = bit_count(pos->own) + pos->own_hand - bit_count(pos->other) - pos->other_hand;
    return MAN * men + room(rules, pos->own, pos->other) - room(rules, pos->other, pos->own);
}

static int search(const struct rules *rules, const struct position *pos, int depth, int low,
                  int high)
{
    static struct ply lists[8][MAX_PLIES];
    int value;
    if (merels_position_over(rules, pos, &value))
        return value * (ENDED + depth);
    if (depth == 0)
        return evaluate(rules, pos);
    struct ply *plies = lists[depth];
    int n = merels_plies(rules, pos, plies);
    for (int pass = 1; pass >= 0; pass--) // plies that take first
        for (int i = 0; i < n && low < high; i++) {
            if ((plies[i].n_removed > 0) != pass)
                continue;
            const struct position after = merels_play(rules, pos, plies[i]);
            int score = -search(rules, &after, depth - 1, -high, -low);
            low = score > low ? score : low;
        }
    return low;
}

static struct ply search_ply(struct match *match, const struct position *pos, int depth)
{
    static struct ply plies[MAX_PLIES];
    int n = merels_plies(match->rules, pos, plies), best = -2 * ENDED, n_best = 0, choice = 0;
    for (int i = 0; i < n; i++) {
        const struct position after = merels_play(match->rules, pos, plies[i]);
        int score = -search(match->rules, &after, depth - 1, -2 * ENDED, -best + 1);
        if (score > best)
            n_best = 0;
        if (score >= best && random_below(match, ++n_best) == 0)
            choice = i;
        best = score > best ? score : best;
    }
    return plies[choice];
}

// True if the side to move can close a mill.
static bool threatens(const struct rules *rules, const struct position *pos)
{
    static struct ply plies[MAX_PLIES];
    int n = merels_plies(rules, pos, plies);
    for (int i = 0; i < n; i++)
        if (plies[i].n_removed > 0)
            return true;
    return false;
}

static struct ply greedy_ply(struct match *match, const struct position *pos)
{
    static struct ply plies[MAX_PLIES];
    int n = merels_plies(match->rules, pos, plies), best = -1, n_best = 0, choice = 0;
    for (int i = 0; i < n; i++) {
        const struct position after = merels_play(match->rules, pos, plies[i]);
        int score = 2 * (plies[i].n_removed > 0) + !threatens(match->rules, &after);
        if (score > best)
            n_best = 0;
        if (score >= best && random_below(match, ++n_best) == 0)
            choice = i;
        best = score > best ? score : best;
    }
    return plies[choice];
}

static struct ply opponent_ply(struct match *match, const struct opponent *opponent,
                               const struct position *pos)
{
    static struct ply plies[MAX_PLIES];
    if (opponent->kind == OPPONENT_SEARCH)
        return search_ply(match, pos, opponent->depth);
    if (opponent->kind == OPPONENT_GREEDY)
        return greedy_ply(match, pos);
    int n = merels_plies(match->rules, pos, plies);
    return plies[random_below(match, n)];
}

// ---- the perfect player --------------------------------------------------------------------

static int fewest_hold(struct match *match, const struct position *pos, struct ranking *ranking,
                       int first, int n)
{
    int best = first;
    struct replies fewest = {.n = 0};
    for (int i = first; i < first + n; i++) {
        struct replies r;
        if (merels_count_replies(match->base, match->rules, pos, ranking->plies[i].ply,
                                 ranking->list, &r, NULL) == STATUS_OK &&
            r.n > 0 && (fewest.n == 0 || r.hold * fewest.n < fewest.hold * r.n)) {
            best = i;
            fewest = r;
        }
    }
    return best;
}

static bool perfect_ply(struct match *match, enum draw_order order, const struct position *pos,
                        struct ply *ply)
{
    static struct ranking ranking;
    const struct draw_effort effort = {.n_look_ups = match->n_look_ups};
    int first, n, place = 0;
    if (merels_rank_plies(match->base, match->rules, pos, &ranking, NULL) != STATUS_OK)
        return false;
    if (ranking.answer.value == VALUE_DRAW) {
        n = merels_rank_draws(&ranking, &first);
        place = order == ORDER_CHANCE        ? merels_draws_best(match->base, match->rules, pos,
                                                                 &ranking, first, n, &effort, NULL)
                : order == ORDER_FEWEST_HOLD ? fewest_hold(match, pos, &ranking, first, n)
                                             : first;
    }
    *ply = ranking.plies[place].ply;
    return true;
}

// ---- games ---------------------------------------------------------------------------------

static bool same(const struct position *x, const struct position *y)
{
    return x->own == y->own && x->other == y->other && x->own_hand == y->own_hand &&
           x->other_hand == y->other_hand;
}

// True if the last position was there twice before, with the same side to move.
static bool is_third(const struct position *game, int n)
{
    int times = 0;
    for (int i = n; i >= 0; i -= 2)
        times += same(&game[i], &game[n]);
    return times >= 3;
}

bool match_game(struct match *match, const struct position *first, bool mover,
                enum draw_order order, const struct opponent *opponent, struct score *score)
{
    static struct position game[MAX_GAME_PLIES + 1];
    int value = 0, quiet = 0, n = 0;
    game[0] = *first;
    while (!merels_position_over(match->rules, &game[n], &value)) {
        struct ply ply;
        bool perfect = (n % 2 == 0) == mover;
        if (n == MAX_GAME_PLIES || quiet == QUIET_PLIES || is_third(game, n)) {
            value = 0;
            break;
        }
        if (perfect && !perfect_ply(match, order, &game[n], &ply))
            return false;
        if (!perfect)
            ply = opponent_ply(match, opponent, &game[n]);
        quiet = ply.n_removed > 0 || ply.from < 0 ? 0 : quiet + 1;
        game[n + 1] = merels_play(match->rules, &game[n], ply);
        n++;
    }
    if ((n % 2 == 0) != mover)
        value = -value;
    score->wins += value > 0;
    score->draws += value == 0;
    score->losses += value < 0;
    return true;
}

bool match_opening(struct match *match, int n_plies, struct position *opening)
{
    static struct ply plies[MAX_PLIES];
    for (int attempt = 0; attempt < 1000; attempt++) {
        struct answer answer = {.value = VALUE_DRAW};
        struct position pos = merels_position_start(&match->start);
        for (int i = 0; i < n_plies && answer.value == VALUE_DRAW; i++) {
            int n = merels_plies(match->rules, &pos, plies);
            if (n == 0)
                return false;
            pos = merels_play(match->rules, &pos, plies[random_below(match, n)]);
            if (merels_tablebase_probe(match->base, &pos, &answer, NULL) != STATUS_OK)
                return false;
        }
        if (answer.value == VALUE_DRAW) {
            *opening = pos;
            return true;
        }
    }
    return false;
}
