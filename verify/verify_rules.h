// verify_rules.h: the rules of a game, read from their text (docs/FORMAT.md, section 8).
//
// Written from docs/FORMAT.md alone. Nothing in this folder uses or repeats the code that made
// the tables: an error there must not be able to hide here.

#ifndef MERELS_VERIFY_VERIFY_RULES_H
#define MERELS_VERIFY_VERIFY_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "game/status.h"

enum { VERIFY_POINTS = 24, VERIFY_MILLS = 32 };            // at most
enum { MOST_COUNTED = 999 };                               // plies without a conversion
enum { VERIFY_MILLS_AT = 6 };                              // mills through one point at most
enum taking { TAKE_SAFE_LAST, TAKE_ANY, TAKE_NEVER_SAFE }; // "safe" men stand in mills

// Sets of points are integers, bit p = point p.
struct verify_rules {
    int n_points, n_edges, n_mills;
    char names[VERIFY_POINTS][3];
    uint32_t all;                   // every point
    uint32_t joined[VERIFY_POINTS]; // neighbours
    uint32_t mills[VERIFY_MILLS];
    int fly, least;
    enum taking taking;
    bool blocked_loses, blocked_passes, full_board_loses;
    bool fly_total;     // men in hand count for flying, and do not prevent it
    bool each;          // a man for each mill closed
    bool other_picks;   // the men that are taken
    bool place_or_move; // with men in hand
    bool mill_wins;
    bool to_conversion;               // depths count to the next ply that converts
    int n_move;                       // so many plies without one are a draw; 0: any number
    int men_for[VERIFY_MILLS_AT + 1]; // the fewest men that stand in so many mills at a point
};

// Reads the text. STATUS_BAD_INPUT if it is no rules text, STATUS_UNSUPPORTED for a board of 24
// points that is not the one of the verifier's own list, unless any board is believed.
MERELS_CHECKED enum status merels_verify_rules_parse(const char *text, bool any_board,
                                                     struct verify_rules *rules,
                                                     struct error *err);

#endif
