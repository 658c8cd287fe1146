// position.h: a position, always seen from the mover (the side to move).

#ifndef MERELS_GAME_POSITION_H
#define MERELS_GAME_POSITION_H

#include <stdbool.h>
#include <stdint.h>

#include "game/rules.h"

enum colour { WHITE = 0, BLACK = 1 };

struct position {
    point_set own;    // the mover's men on the board
    point_set other;  // the other side's
    uint8_t own_hand; // the mover's men in hand
    uint8_t other_hand;
    uint8_t due;      // removals that the mover owes now; 0 except in the middle of a turn
    uint8_t mover;    // enum colour of the mover: for text only, the rules never look at it
    point_set closed; // points of removed men, closed until all are placed (`closed-points`)
    uint16_t count;   // plies since the last one that converts, where rules count them; else 0
};

// The empty board of a start, White to move first.
struct position merels_position_start(const struct start *start);

// The points to which a man can be placed, or moved by one that may fly.
static inline point_set merels_position_free(const struct rules *rules,
                                             const struct position *pos)
{
    return rules->board.points & ~(pos->own | pos->other | pos->closed);
}

// Checks a position that came from outside: sets disjoint and on the board, counts within the
// board, points closed only by rules that close them and with men in hand, removals due only
// with a mill on the board, the other side not already beaten, no count where rules have none
// or plies are not counted (STATUS_ILLEGAL, and the text says which). A mover with too few men
// is legal: lost in 0.
MERELS_CHECKED enum status merels_position_check(const struct rules *rules,
                                                 const struct position *pos, struct error *err);

// The value of a position that is over: +1 won, 0 drawn, -1 lost for the mover, with `true`;
// `false` while the game goes on, and always while a removal is due. In this order: the mover
// has fewer than `least` men (-1), the other side has (+1, such positions are illegal); under
// `mill wins` the other side has a mill (-1), the mover has one (+1, illegal); no free point
// (`full-board`, but if some are closed it counts as no step); no step (`blocked`; where a
// blocked mover passes: neither side has one); as many plies without a conversion as make a
// draw.
bool merels_position_over(const struct rules *rules, const struct position *pos, int *value);

// The side that picks the men that the mover takes (`chooser`), and the side whose choice comes
// next: the mover, in the middle of a turn the one that picks.
enum colour merels_side_that_picks(const struct rules *rules, const struct position *pos);
enum colour merels_side_to_choose(const struct rules *rules, const struct position *pos);

// True if the mover can neither place nor move, though there are free points.
bool merels_position_blocked(const struct rules *rules, const struct position *pos);

// True if the mover may fly.
bool merels_position_flies(const struct rules *rules, const struct position *pos);

// The enemy men that the mover may remove now, after closing a mill (empty: nothing is
// removed).
point_set merels_position_removable(const struct rules *rules, point_set other);

// True if there are any. About a nanosecond unless men in mills are safe.
bool merels_position_any_removable(const struct rules *rules, point_set other);

#endif
