// reference.h: slow, obviously right versions of what the program does fast.
//
// This code uses nothing of the layers under test: it has its own boards (written down as lists
// of point names), its own order of the points (reading order, row by row from the top, which
// is not the program's), its own plies, and a solver that knows no symmetry. Where both agree,
// they agree for different reasons.
//
// Positions are seen from the mover. A bit i of a set is point i of the reference board.

#ifndef MERELS_TESTS_REFERENCE_H
#define MERELS_TESTS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    REFERENCE_POINTS = 24,
    REFERENCE_EDGES = 64,
    REFERENCE_MILLS = 32,
    REFERENCE_MILLS_AT = 6, // through the centre of `seven`
    REFERENCE_IMAGES = 16,
    REFERENCE_PLIES = 4096
};

// A value: REFERENCE_DRAW, or the plies to the end of the game; even = loss, odd = win.
enum { REFERENCE_DRAW = 255 };

enum reference_kind {
    REFERENCE_THREE,
    REFERENCE_SIX,
    REFERENCE_SEVEN,
    REFERENCE_NINE,
    REFERENCE_NINE_DIAGONAL
};

struct reference_board {
    int n_points, n_edges, n_mills, n_images;
    char names[REFERENCE_POINTS][3];
    int edges[REFERENCE_EDGES][2];
    uint32_t mills[REFERENCE_MILLS];
    int n_mills_at[REFERENCE_POINTS]; // and the same mills, by the points they go through
    uint32_t mills_at[REFERENCE_POINTS][REFERENCE_MILLS_AT];
    bool adjacent[REFERENCE_POINTS][REFERENCE_POINTS];
    int images[REFERENCE_IMAGES][REFERENCE_POINTS]; // point p goes to images[i][p]
};

// Fills *board from the lists of names; the images come from the geometry of the drawing:
// turns, mirrors and, where it is a symmetry, the swap of the outermost and the innermost ring.
void reference_board_init(struct reference_board *board, enum reference_kind kind);

// The same from lists of any board, "a1 b1 c1", "a1-b1 b1-c1", "a1-b1-c1"; no image but itself.
void reference_board_read(struct reference_board *board, const char *points, const char *edges,
                          const char *mills);

// The number of a point, -1 for an unknown name.
int reference_point(const struct reference_board *board, const char *name);

// The set of a list of names such as "a7 d7" or "a7,d7"; "-" and "" are the empty set.
uint32_t reference_set(const struct reference_board *board, const char *names);

enum reference_mill_men { REFERENCE_REMOVABLE_IF_ALL, REFERENCE_REMOVABLE, REFERENCE_SAFE };

// All zero but board, fly and least is the standard game.
struct reference_rules {
    struct reference_board board;
    int fly;        // at most so many men may fly
    bool fly_total; // men in hand count, and do not prevent flying
    enum reference_mill_men mill_men;
    bool removals_each; // one removal per mill closed
    bool blocked_draws;
    bool full_board_mover_loses;
    bool place_or_move;
    bool mill_wins;
    int least;
    bool blocked_passes;
    bool opponent_chooses; // of the men that may be taken
};

// The standard rules (fly at 3, at least 3 men) on a board.
void reference_rules_init(struct reference_rules *rules, enum reference_kind kind);

struct reference_position {
    uint32_t own, other;
    int own_hand, other_hand;
    int due; // removals owed by the mover
};

struct reference_ply {
    int from, to; // -1 where there is none; a pass has nothing at all
    uint32_t removed;
};

// Reads "w a7,d7 b6 0/0" (side, white men, black men, hands; "w!" and "b!2" for removals due).
struct reference_position reference_position_read(const struct reference_board *board,
                                                  const char *text);

// The plies of a position, none if the game is over; returns their number.
int reference_plies(const struct reference_rules *rules, const struct reference_position *pos,
                    struct reference_ply *plies);

// True if the game is over; *value: 0 lost for the mover, REFERENCE_DRAW drawn.
bool reference_over(const struct reference_rules *rules, const struct reference_position *pos,
                    int *value);

struct reference_position reference_play(const struct reference_position *pos,
                                         struct reference_ply ply);
uint64_t reference_perft(const struct reference_rules *rules,
                         const struct reference_position *pos, int depth);

// The position as image i of the board shows it.
struct reference_position reference_image(const struct reference_board *board, int i,
                                          const struct reference_position *pos);

// The first of all images in order of (other, own).
struct reference_position reference_canonical(const struct reference_board *board,
                                              const struct reference_position *pos);

int reference_compare(const struct reference_position *x, const struct reference_position *y);

// ---- the naive solver ----------------------------------------------------------------------

struct reference_solver;

// NULL if there is no memory. It will take one byte (two while solving) for each pair of an own
// set and another set of every subspace solved, overlapping pairs included.
struct reference_solver *reference_solver_create(const struct reference_rules *rules);
void reference_solver_destroy(struct reference_solver *solver);

// Solves the subspace a-b-ha-hb and everything it leads to. False without memory.
bool reference_solve(struct reference_solver *solver, int a, int b, int ha, int hb);

// The value of a position with nothing due whose subspace is solved.
int reference_value(const struct reference_solver *solver,
                    const struct reference_position *pos);

struct reference_counts {
    uint64_t win, draw, loss;
    int max_win, max_loss;  // -1 if there is none
    uint64_t by_plies[256]; // by_plies[REFERENCE_DRAW]: draws
};

// Counts the positions of a solved subspace: every one, or one of each orbit.
struct reference_counts reference_count(const struct reference_solver *solver, int a, int b,
                                        int ha, int hb, bool orbits);

// ---- the counting solver -------------------------------------------------------------------
//
// What a position is worth with so many plies left until the game is a draw, from none left
// upwards: nothing of depths or of their order is known here. After a ply that converts (takes
// or places a man, or leaves the other side nothing but placements) all n_move are left again.

struct reference_counter;

// n_move plies make a draw; 0: there is no such rule. NULL without memory.
struct reference_counter *reference_counter_create(const struct reference_rules *rules,
                                                   int n_move);
void reference_counter_destroy(struct reference_counter *counter);

// The result for the mover, 1, 0 or -1, and the fewest plies left with which it stands (0 for a
// draw).
struct reference_standing {
    int result, plies;
};

// The subspace of the position and all that it leads to are solved when first asked for.
struct reference_standing reference_stands(struct reference_counter *counter,
                                           const struct reference_position *pos);

// True as long as every result that stood with some plies left also stood with more.
bool reference_is_steady(const struct reference_counter *counter);

#endif
