// rules.h: rules of the game layer as the reference has them.

#ifndef MERELS_TESTS_REFERENCE_RULES_H
#define MERELS_TESTS_REFERENCE_RULES_H

#include <string.h>

#include "game/rules.h"
#include "game/text.h"
#include "tests/reference/reference.h"

// The lists of a board of one's own, its points in reading order: from the top, left to right.
static inline void reference_own_board(struct reference_board *reference,
                                       const struct board *board)
{
    char points[128] = "", edges_bytes[1024], mills_bytes[1024];
    struct text edges = merels_text(edges_bytes, sizeof edges_bytes);
    struct text mills = merels_text(mills_bytes, sizeof mills_bytes);
    for (char rank = '9'; rank >= '0'; rank--)
        for (char file = 'a'; file <= 'w'; file++) {
            const char name[] = {file, rank, ' ', '\0'};
            if (merels_board_point(board, name) >= 0)
                strcat(points, name);
        }
    for (int p = 0; p < board->n_points; p++)
        for (int q = p + 1; q < board->n_points; q++)
            if (board->neighbours[p] >> q & 1)
                merels_text_add(&edges, "%s-%s ", board->names[p], board->names[q]);
    for (int m = 0; m < board->n_mills; m++) {
        const char *before = "";
        for (point_set set = board->mills[m]; set != 0; set &= set - 1, before = "-")
            merels_text_add(&mills, "%s%s", before, board->names[bit_lowest(set)]);
        merels_text_add(&mills, " ");
    }
    reference_board_read(reference, points, edges_bytes, mills_bytes);
}

static inline void reference_rules_copy(struct reference_rules *reference,
                                        const struct rules *rules)
{
    if (rules->board.kind == BOARD_OWN)
        reference_own_board(&reference->board, &rules->board);
    else
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
