// rules.h: rules of the game layer as the reference has them.

#ifndef MERELS_TESTS_REFERENCE_RULES_H
#define MERELS_TESTS_REFERENCE_RULES_H

#include "game/rules.h"
#include "tests/reference/reference.h"

static inline void reference_rules_copy(struct reference_rules *reference,
                                        const struct rules *rules)
{
    reference_rules_init(reference, (enum reference_kind)rules->board.kind);
    reference->fly = rules->fly;
    reference->fly_total = rules->fly_count == FLY_TOTAL;
    reference->mill_men = (enum reference_mill_men)rules->mill_men;
    reference->removals_each = rules->removals == REMOVALS_EACH;
    reference->blocked_draws = rules->blocked == BLOCKED_DRAWS;
    reference->full_board_mover_loses = rules->full_board == FULL_BOARD_MOVER_LOSES;
    reference->place_or_move = rules->turn == TURN_PLACE_OR_MOVE;
    reference->mill_wins = rules->mill == MILL_WINS;
    reference->least = rules->least;
    reference->blocked_passes = rules->blocked == BLOCKED_PASSES;
    reference->opponent_chooses = rules->chooser == CHOOSER_OPPONENT;
}

#endif
