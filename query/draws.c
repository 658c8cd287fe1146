// draws.c: chances of wrong replies.

#include "query/draws.h"

#include <stdlib.h>
#include <string.h>

#include "game/effects.h"

// Points of a natural reply, the number of points that halve its likelihood, and the weight of
// the most natural one.
enum {
    POINTS_TAKES = 100,
    POINTS_LEAVES_MILL = -80,
    POINTS_PREPARES = 25,
    POINTS_ROOM = 2,
    POINTS_HALVE = 15,
    WEIGHT_MOST = 4096,
    MAX_HALVINGS = 12
};

// How much of a later chance counts, in percent; how many plies and replies are looked at
// further, while placing and later.
enum { LOOK_UPS_A_QUESTION = 64 };
enum { LATER_PERCENT = 80, WIDE_PLIES = 6, WIDE_REPLIES = 5, PLIES = 4, REPLIES = 4 };

// A reply and what is known of it.
struct reply {
    struct ply ply;
    bool wrong;
    int points, weight;
};

struct level {
    struct ply plies[MAX_PLIES];
    struct reply replies[MAX_PLIES];
    int n;
};

struct search {
    struct tablebase *base;
    const struct rules *rules;
    const struct draw_effort *effort;
    uint64_t n_looked_up;
    bool stopped;           // what was begun is not to be used
    struct level levels[2]; // replies to the first ply, and to the next one
    struct ply own[MAX_PLIES];
};

static bool is_spent(const struct search *search)
{
    return search->stopped || search->n_looked_up >= search->effort->n_look_ups;
}

static bool look_up(struct search *search, const struct position *pos, enum value *value)
{
    struct answer answer;
    const struct draw_effort *effort = search->effort;
    if (search->n_looked_up++ % LOOK_UPS_A_QUESTION == 0 && effort->stops)
        search->stopped = search->stopped || effort->stops(effort->user);
    if (search->stopped ||
        merels_tablebase_probe(search->base, pos, &answer, NULL) != STATUS_OK)
        return false;
    *value = answer.value;
    return true;
}

// Looks up the plies of one choice of the mover's, from plies[*i] on, and goes on behind them:
// what comes of it, and its value for the other side, which picks the best for itself. False if
// one of them cannot be looked up.
static bool look_up_choice(struct search *search, const struct position *pos,
                           const struct ply *plies, int n, int *i, struct ply *ply,
                           enum value *value)
{
    bool known = true;
    const struct ply *first = &plies[*i];
    *ply = *first;
    *value = VALUE_LOSS;
    do {
        enum value theirs = VALUE_LOSS;
        const struct position after = merels_play(search->rules, pos, plies[*i]);
        known = look_up(search, &after, &theirs) && known;
        if (theirs > *value) {
            *value = theirs;
            *ply = plies[*i];
        }
    } while (++*i < n && merels_same_choice(search->rules, first, &plies[*i]));
    return known;
}

// ---- what looks natural --------------------------------------------------------------------

// True if a man of `own` can come to a point from outside of a mill.
static bool can_come(const struct rules *rules, point_set own, int hand, point_set mill,
                     point_set to)
{
    if (merels_hand_places(rules, hand))
        return true;
    point_set from = own & ~mill;
    if (merels_men_fly(rules, bit_count(own), hand))
        return from != 0;
    return (rules->board.neighbours[bit_lowest(to)] & from) != 0;
}

// Mills that lack one man, which can come there next.
static int open_mills(const struct rules *rules, point_set own, point_set other, int hand)
{
    int n = 0;
    for (int m = 0; m < rules->board.n_mills; m++) {
        point_set mill = rules->board.mills[m], lacking = mill & ~own;
        n += bit_count(lacking) == 1 && (lacking & other) == 0 &&
             can_come(rules, own, hand, mill, lacking);
    }
    return n;
}

static int room(const struct rules *rules, point_set own, point_set other)
{
    int n = 0;
    for (point_set men = own; men != 0; men &= men - 1)
        n += bit_count(rules->board.neighbours[bit_lowest(men)] & ~(own | other));
    return n;
}

// Points of a reply, by the position after it, in which the side that is to err is `other`.
static int points_of(const struct rules *rules, const struct ply *ply,
                     const struct position *after)
{
    int prepared = open_mills(rules, after->other, after->own, after->other_hand);
    bool threatened = open_mills(rules, after->own, after->other, after->own_hand) > 0;
    return POINTS_TAKES * ply->n_removed + (threatened ? POINTS_LEAVES_MILL : 0) +
           POINTS_PREPARES * (prepared < 2 ? prepared : 2) +
           POINTS_ROOM *
               (room(rules, after->other, after->own) - room(rules, after->own, after->other));
}

static void weigh(struct level *level)
{
    int best = level->replies[0].points;
    for (int i = 1; i < level->n; i++)
        best = level->replies[i].points > best ? level->replies[i].points : best;
    for (int i = 0; i < level->n; i++) {
        int halvings = (best - level->replies[i].points) / POINTS_HALVE;
        level->replies[i].weight =
            WEIGHT_MOST >> (halvings < MAX_HALVINGS ? halvings : MAX_HALVINGS);
    }
}

// ---- one turn ------------------------------------------------------------------------------

// Lists the replies in a position that is a draw, one for each choice; false if one of them
// cannot be looked up.
static bool list_replies(struct search *search, const struct position *pos, struct level *level)
{
    int n_plies = merels_plies(search->rules, pos, level->plies);
    level->n = 0;
    for (int i = 0; i < n_plies;) {
        enum value value; // of who has left the replies to the other side
        struct reply *reply = &level->replies[level->n];
        if (!look_up_choice(search, pos, level->plies, n_plies, &i, &reply->ply, &value))
            return false;
        const struct position after = merels_play(search->rules, pos, reply->ply);
        reply->wrong = value == VALUE_WIN;
        reply->points = points_of(search->rules, &reply->ply, &after);
        level->n++;
    }
    if (level->n > 0)
        weigh(level);
    return true;
}

// The chance of a wrong reply among those that are listed.
static int wrong_chance(const struct level *level)
{
    int64_t wrong = 0, all = 0;
    for (int i = 0; i < level->n; i++) {
        all += level->replies[i].weight;
        wrong += level->replies[i].wrong ? level->replies[i].weight : 0;
    }
    return all == 0 ? 0 : (int)(wrong * CHANCE_ALL / all);
}

// The best chance of a wrong reply that the side to move has in a drawn position.
static int best_next(struct search *search, const struct position *pos)
{
    int best = 0, n = merels_plies(search->rules, pos, search->own);
    for (int i = 0; i < n && !is_spent(search);) {
        enum value value;
        struct ply ply;
        if (!look_up_choice(search, pos, search->own, n, &i, &ply, &value) ||
            value != VALUE_DRAW)
            continue;
        const struct position after = merels_play(search->rules, pos, ply);
        if (!list_replies(search, &after, &search->levels[1]))
            continue;
        int chance = wrong_chance(&search->levels[1]);
        best = chance > best ? chance : best;
    }
    return best;
}

// ---- the plies -----------------------------------------------------------------------------

// The most natural of the right (or wrong) replies that were not taken yet; -1: none.
static int most_natural(const struct level *level, bool wrong, const bool *taken)
{
    int best = -1;
    for (int i = 0; i < level->n; i++)
        if (level->replies[i].wrong == wrong && !(taken && taken[i]) &&
            (best < 0 || level->replies[i].weight > level->replies[best].weight))
            best = i;
    return best;
}

// Judges the first turn. False if it cannot be looked up.
static bool judge(struct search *search, const struct position *after,
                  struct draw_chance *chance)
{
    struct level *level = &search->levels[0];
    *chance = (struct draw_chance){.n_replies = 0};
    if (!list_replies(search, after, level))
        return false;
    chance->n_replies = level->n;
    for (int i = 0; i < level->n; i++)
        chance->n_hold += !level->replies[i].wrong;
    chance->wrong = chance->chance = wrong_chance(level);
    int likely = most_natural(level, true, NULL);
    if (likely >= 0)
        merels_ply_format(search->rules, level->replies[likely].ply, chance->likely);
    return true;
}

// Adds what the most natural right replies leave for the next turn.
static void look_further(struct search *search, const struct position *after, int n_replies,
                         struct draw_chance *chance)
{
    struct level *level = &search->levels[0];
    bool taken[MAX_PLIES] = {false};
    int64_t all = 0, later = 0;
    if (!list_replies(search, after, level))
        return;
    for (int i = 0; i < level->n; i++)
        all += level->replies[i].weight;
    for (int k = 0; k < n_replies; k++) {
        int i = most_natural(level, false, taken);
        if (i < 0 || is_spent(search))
            break;
        taken[i] = true;
        const struct position next = merels_play(search->rules, after, level->replies[i].ply);
        later += (int64_t)level->replies[i].weight * best_next(search, &next);
    }
    if (all > 0 && !is_spent(search))
        chance->chance = chance->wrong + (int)(later / all * LATER_PERCENT / 100);
}

static int best_of(const struct draw_chance *chances, int n, const bool *taken)
{
    int best = -1;
    for (int i = 0; i < n; i++)
        if (!(taken && taken[i]) && (best < 0 || chances[i].chance > chances[best].chance))
            best = i;
    return best;
}

// Judges the first turn of all plies; those that the other side would not pick are passed over.
static void judge_all(struct search *search, const struct position *pos,
                      const struct ranking *ranking, int first, int n,
                      struct draw_chance *chances)
{
    for (int i = 0; i < n; i++) {
        const struct position after =
            merels_play(search->rules, pos, ranking->plies[first + i].ply);
        if (!ranking->plies[first + i].picked || !judge(search, &after, &chances[i]))
            chances[i] = (struct draw_chance){.chance = -1};
    }
}

// Looks further at the most promising n_plies plies, each with n_replies replies.
static void look_at_best(struct search *search, const struct position *pos,
                         const struct ranking *ranking, int first, int n, int n_plies,
                         int n_replies, struct draw_chance *chances)
{
    bool taken[MAX_PLIES] = {false};
    for (int k = 0; k < n_plies && !is_spent(search); k++) {
        int i = best_of(chances, n, taken);
        if (i < 0 || chances[i].chance < 0)
            break;
        taken[i] = true;
        const struct position after =
            merels_play(search->rules, pos, ranking->plies[first + i].ply);
        look_further(search, &after, n_replies, &chances[i]);
    }
}

// Widens the view as long as the next one, some four times as dear, fits in.
static int choose(struct search *search, const struct position *pos,
                  const struct ranking *ranking, int first, int n, struct draw_chance *chances)
{
    bool placing = pos->own_hand + pos->other_hand > 0;
    int n_plies = placing ? WIDE_PLIES : PLIES, n_replies = placing ? WIDE_REPLIES : REPLIES;
    judge_all(search, pos, ranking, first, n, chances);
    for (uint64_t spent = 0; !is_spent(search); n_plies *= 2, n_replies *= 2) {
        uint64_t before = search->n_looked_up;
        look_at_best(search, pos, ranking, first, n, n_plies, n_replies, chances);
        bool all = n_plies >= n && search->n_looked_up - before <= spent;
        spent = search->n_looked_up - before;
        if (all || search->n_looked_up + 4 * spent > search->effort->n_look_ups)
            break;
    }
    return best_of(chances, n, NULL);
}

int merels_draws_best(struct tablebase *base, const struct rules *rules,
                      const struct position *pos, struct ranking *ranking, int first, int n,
                      const struct draw_effort *effort, struct draw_chance *chances)
{
    struct search *search = malloc(sizeof *search);
    struct draw_chance *own = chances ? NULL : calloc((size_t)n, sizeof *own);
    int best = 0;
    for (int i = 0; chances && i < n; i++) // unknown, if there is no memory
        chances[i] = (struct draw_chance){.chance = -1};
    if (search && (chances || own) && n > 0) {
        search->base = base;
        search->rules = rules;
        search->effort = effort;
        search->n_looked_up = 0;
        search->stopped = false;
        best = choose(search, pos, ranking, first, n, chances ? chances : own);
    }
    free(own);
    free(search);
    return first + (best > 0 ? best : 0);
}
