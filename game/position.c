// position.c: checks of positions, the end of the game, flying, and what may be removed.

#include "game/position.h"

#include "game/effects.h"

struct position merels_position_start(const struct start *start)
{
    return (struct position){.own_hand = (uint8_t)start->first_men,
                             .other_hand = (uint8_t)start->second_men,
                             .mover = WHITE};
}

enum colour merels_side_that_picks(const struct rules *rules, const struct position *pos)
{
    bool white = (pos->mover == WHITE) == (rules->chooser == CHOOSER_MOVER);
    return white ? WHITE : BLACK;
}

enum colour merels_side_to_choose(const struct rules *rules, const struct position *pos)
{
    return pos->due > 0 ? merels_side_that_picks(rules, pos) : (enum colour)pos->mover;
}

point_set merels_position_removable(const struct rules *rules, point_set other)
{
    if (rules->mill_men == MILL_MEN_REMOVABLE)
        return other;
    point_set loose = other & ~merels_board_mill_men(&rules->board, other);
    if (loose != 0 || rules->mill_men == MILL_MEN_SAFE)
        return loose;
    return other;
}

bool merels_position_any_removable(const struct rules *rules, point_set other)
{
    return rules->mill_men == MILL_MEN_SAFE ? merels_position_removable(rules, other) != 0
                                            : other != 0;
}

static int own_men(const struct position *pos)
{
    return bit_count(pos->own) + pos->own_hand;
}

static int other_men(const struct position *pos)
{
    return bit_count(pos->other) + pos->other_hand;
}

bool merels_position_flies(const struct rules *rules, const struct position *pos)
{
    return merels_men_fly(rules, bit_count(pos->own), pos->own_hand);
}

// The most mills that stand through one man of the set.
static int most_mills_at_a_man(const struct board *board, point_set set)
{
    int most = 0;
    for (point_set rest = set; rest != 0; rest &= rest - 1) {
        int n_mills = merels_board_mills_closed(board, set, bit_lowest(rest));
        most = n_mills > most ? n_mills : most;
    }
    return most;
}

static enum status check_sets(const struct rules *rules, const struct position *pos,
                              struct error *err)
{
    const struct board *board = &rules->board;
    if (((pos->own | pos->other) & ~board->points) != 0)
        return merels_error(err, STATUS_ILLEGAL, "a man stands off the board of %d points",
                            board->n_points);
    point_set both = pos->own & pos->other;
    if (both != 0)
        return merels_error(err, STATUS_ILLEGAL, "both sides have a man on %s",
                            board->names[bit_lowest(both)]);
    if (own_men(pos) > board->n_points || other_men(pos) > board->n_points)
        return merels_error(
            err, STATUS_ILLEGAL, "a side has %d men, more than the board has points (%d)",
            own_men(pos) > other_men(pos) ? own_men(pos) : other_men(pos), board->n_points);
    return STATUS_OK;
}

static enum status check_closed(const struct rules *rules, const struct position *pos,
                                struct error *err)
{
    const struct board *board = &rules->board;
    point_set both = pos->closed & (pos->own | pos->other);
    if (pos->closed == 0)
        return STATUS_OK;
    if (rules->closed_points == CLOSED_POINTS_NO)
        return merels_error(err, STATUS_ILLEGAL,
                            "a point is closed, which these rules do not know (closed-points)");
    if ((pos->closed & ~board->points) != 0)
        return merels_error(err, STATUS_ILLEGAL, "a point off the board of %d points is closed",
                            board->n_points);
    if (pos->own_hand + pos->other_hand == 0)
        return merels_error(err, STATUS_ILLEGAL,
                            "a point is closed, though all men are placed: then all are open");
    if (both != 0)
        return merels_error(err, STATUS_ILLEGAL, "a man stands on %s, which is closed",
                            board->names[bit_lowest(both)]);
    return STATUS_OK;
}

static enum status check_due(const struct rules *rules, const struct position *pos,
                             struct error *err)
{
    if (rules->mill == MILL_WINS)
        return merels_error(err, STATUS_ILLEGAL,
                            "a removal is due, but by these rules a mill wins at once");
    int most = most_mills_at_a_man(&rules->board, pos->own);
    if (most == 0)
        return merels_error(err, STATUS_ILLEGAL,
                            "a removal is due, but the mover has no mill on the board");
    most = merels_removals_due(rules, most);
    if (pos->due > most)
        return merels_error(err, STATUS_ILLEGAL, "%d removals are due, but at most %d can be",
                            pos->due, most);
    if (merels_position_removable(rules, pos->other) == 0)
        return merels_error(err, STATUS_ILLEGAL, "a removal is due, but no man may be removed");
    return STATUS_OK;
}

// Plies are counted where a game can go on without a placement.
static enum status check_count(const struct rules *rules, const struct position *pos,
                               struct error *err)
{
    if (pos->count == 0)
        return STATUS_OK;
    if (rules->n_move == 0)
        return merels_error(
            err, STATUS_ILLEGAL,
            "plies are counted (n%d), but by these rules no number of them is a "
            "draw (n-move)",
            pos->count);
    if (pos->count > rules->n_move)
        return merels_error(err, STATUS_ILLEGAL,
                            "%d plies are counted, and the game was a draw after %d",
                            pos->count, rules->n_move);
    if (!merels_all_convert(rules, merels_subspace_of(pos)))
        return STATUS_OK;
    return merels_error(err, STATUS_ILLEGAL,
                        "plies are counted (n%d), but while men are placed the count is 0",
                        pos->count);
}

enum status merels_position_check(const struct rules *rules, const struct position *pos,
                                  struct error *err)
{
    enum status status = check_sets(rules, pos, err);
    if (status == STATUS_OK)
        status = check_closed(rules, pos, err);
    if (status == STATUS_OK && pos->due != 0)
        status = check_due(rules, pos, err);
    if (status != STATUS_OK)
        return status;
    if (merels_too_few(rules, other_men(pos)))
        return merels_error(err, STATUS_ILLEGAL,
                            "the game was over before: the side not to move has fewer than %d "
                            "men on the board and in hand (%d)",
                            rules->least, other_men(pos));
    if (rules->mill == MILL_WINS && merels_board_mill_men(&rules->board, pos->own) != 0)
        return merels_error(err, STATUS_ILLEGAL,
                            "the game was over before: the mover has a mill, which wins");
    return check_count(rules, pos, err);
}

static bool can_slide(const struct board *board, point_set own, point_set free)
{
    for (; own != 0; own &= own - 1)
        if ((board->neighbours[bit_lowest(own)] & free) != 0)
            return true;
    return false;
}

// True if men on the board `own`, with `hand` more, can be placed or moved.
static bool has_step(const struct rules *rules, point_set own, int hand, point_set free)
{
    if (free == 0 || merels_hand_places(rules, hand))
        return free != 0;
    if (own != 0 && merels_men_fly(rules, bit_count(own), hand))
        return true;
    return can_slide(&rules->board, own, free);
}

bool merels_position_blocked(const struct rules *rules, const struct position *pos)
{
    point_set free = merels_position_free(rules, pos);
    return free != 0 && !has_step(rules, pos->own, pos->own_hand, free);
}

// A blocked mover: true if the game is over by that.
static bool blocked_ends(const struct rules *rules, const struct position *pos, point_set free,
                         int *value)
{
    bool passes = rules->blocked == BLOCKED_PASSES;
    if (passes && has_step(rules, pos->other, pos->other_hand, free))
        return false;
    *value = rules->blocked == BLOCKED_LOSES ? -1 : 0;
    return true;
}

static bool lines_decide(const struct rules *rules, const struct position *pos, int *value)
{
    if (rules->mill != MILL_WINS)
        return false;
    if (merels_board_mill_men(&rules->board, pos->other) != 0)
        *value = -1;
    else if (merels_board_mill_men(&rules->board, pos->own) != 0)
        *value = 1;
    else
        return false;
    return true;
}

bool merels_position_over(const struct rules *rules, const struct position *pos, int *value)
{
    if (pos->due != 0)
        return false;
    point_set free = merels_position_free(rules, pos);
    if (merels_too_few(rules, own_men(pos)))
        *value = -1;
    else if (merels_too_few(rules, other_men(pos)))
        *value = 1;
    else if (lines_decide(rules, pos, value))
        return true;
    else if (free == 0 && pos->closed == 0)
        *value = rules->full_board == FULL_BOARD_DRAWS ? 0 : -1;
    else if (!has_step(rules, pos->own, pos->own_hand, free) &&
             blocked_ends(rules, pos, free, value))
        return true;
    else if (rules->n_move > 0 && pos->count >= rules->n_move)
        *value = 0;
    else
        return false;
    return true;
}
