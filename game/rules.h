// rules.h: everything that a position's value depends on, as data.
//
// The men per side at the start are not part of the rules (values depend only on the four
// counts): `nine`, `ten` and every unequal start share one tablebase. A preset is a short name
// for a set of options plus a usual start; the engine never sees the name.

#ifndef MERELS_GAME_RULES_H
#define MERELS_GAME_RULES_H

#include <stddef.h>

#include "game/board.h"
#include "game/status.h"

enum fly_count { FLY_BOARD, FLY_TOTAL };
enum mill_men { MILL_MEN_REMOVABLE_IF_ALL, MILL_MEN_REMOVABLE, MILL_MEN_SAFE };
enum removals { REMOVALS_ONE, REMOVALS_EACH };
enum blocked { BLOCKED_LOSES, BLOCKED_DRAWS, BLOCKED_PASSES };
enum full_board { FULL_BOARD_DRAWS, FULL_BOARD_MOVER_LOSES };
enum turn { TURN_PLACE_THEN_MOVE, TURN_PLACE_OR_MOVE };
enum mill { MILL_REMOVES, MILL_WINS };
enum chooser { CHOOSER_MOVER, CHOOSER_OPPONENT };
enum metric { METRIC_DTM, METRIC_DTC };
enum closed_points { CLOSED_POINTS_NO, CLOSED_POINTS_YES };

enum { MAX_N_MOVE = 999 };

struct rules {
    struct board board;
    int fly;                  // a side with at most so many men may fly; 0 = never
    enum fly_count fly_count; // board: men on board and an empty hand; total: board plus hand
    enum mill_men mill_men;
    enum removals removals;
    enum blocked blocked;
    enum full_board full_board;
    enum turn turn;
    enum mill mill;
    int least;            // a side with fewer men in all has lost
    enum chooser chooser; // of the man that is taken, among those that may be
    enum metric metric;   // what depths count: plies to the end of the game, or to the next ply
                          // that converts (merels_ply_converts); no result depends on it
    enum closed_points closed_points; // a removed man's point is closed until all are placed
    int n_move; // so many plies without one that converts are a draw; 0: any number are
                // played, else metric is dtc
};

// Men per side at the start: what decides which subspaces are needed, not their values.
struct start {
    int first_men; // of the side that begins
    int second_men;
};

enum { RULES_NAME_BYTES = 192 };

// Fills *rules and *start from `text`: a preset name, then any options, as in
// "nine", "nine-nofly", "nine,fly=0,removals=each". STATUS_BAD_INPUT names the unknown preset,
// option or value and lists what is known; an option that a position cannot answer ("a mill may
// not be re-formed at once", ...) is refused by name. The order of options does not matter, but
// of two equal ones the later counts. Options that cannot matter get their default, so that the
// same game has the same text: `fly-count` unless a side may move with men in hand and fly,
// `mill-men`, `removals`, `chooser` and `closed-points` where a mill wins, `metric` where plies
// are counted. An option that is yes or no may stand without a value. "men=4" or "men=4-3" sets
// the start, which is no part of the rules, their text or their fingerprint. A start that no
// game can begin from is refused once all is read: a side has fewer men than `least`, or none,
// or there are more men than points; the message says what would be right. start may be NULL.
// *rules is written even where the text is refused in the end.
MERELS_CHECKED enum status merels_rules_parse(const char *text, struct rules *rules,
                                              struct start *start, struct error *err);

// The same from a text of facts (rules_text.h), which may have a board of its own.
MERELS_CHECKED enum status merels_rules_parse_facts(const char *text, struct rules *rules,
                                                    struct start *start, struct error *err);

// The rules whose tables answer for these: the same without `closed-points`, which changes
// positions with men in hand alone; those have no tables. About a megabyte: for the heap.
void merels_rules_of_tables(const struct rules *rules, struct rules *tables);

// Writes the name of the rules, a text that merels_rules_parse reads as these rules and that is
// the same for equal rules: the first preset (of merels_rules_presets) that is equal, else the
// first of those on this board that take the fewest options, and these in the order of the
// canonical text: "nine" for ten, "nine-nofly" for "ten,fly=0", "nine,removals=each". No start.
// Rules on a board of one's own are called by a hash of their canonical text, which no one can
// read back: "own-53a1c7b4e0d2f689".
// NUL-terminated, at most RULES_NAME_BYTES bytes. Returns its length.
size_t merels_rules_name(const struct rules *rules, char out[RULES_NAME_BYTES]);

// The known preset names, NULL-terminated, in the order of the documentation.
const char *const *merels_rules_presets(void);

#endif
