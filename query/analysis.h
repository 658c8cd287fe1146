// analysis.h: what the plies of a game are worth, and which of them threw something away.
//
// The value after a ply is what the ranking of the position before it says of that ply, so one
// ranking a ply gives the value, the best there was, and what would have kept it. A ply that
// keeps the value is no mistake, however slow the win or fast the loss that it leads to. Where
// the other side picks the men that are taken, the step is judged for the mover by what the
// best pick leaves, and the pick for the side that picks.

#ifndef MERELS_QUERY_ANALYSIS_H
#define MERELS_QUERY_ANALYSIS_H

#include "query/command.h"

// By the side that plays: it has a man in hand, neither, or it may fly; and of the side that
// picks the men which the other one takes.
enum game_phase { PHASE_PLACING, PHASE_MOVING, PHASE_FLYING, PHASE_PICKING, N_GAME_PHASES };

const char *merels_game_phase_name(enum game_phase phase);
enum game_phase merels_game_phase(const struct rules *rules, const struct position *pos);

// The phases that games of these rules can have: the first so many.
int merels_n_game_phases(const struct rules *rules);

// The plies of a phase and a side.
struct tally {
    uint64_t plies, judged; // all, and those that have an answer
    uint64_t wins_thrown, draws_thrown;
};

struct tallies {
    struct tally of[N_GAME_PHASES][2]; // by enum colour
    uint64_t n_turns;
};

void merels_tallies_add(struct tallies *sum, const struct tallies *part);
struct tally merels_tallies_all(const struct tallies *tallies); // its plies are whole turns

// One turn of a game and what is known of it.
struct verdict {
    size_t number; // of the turn, from 0
    const struct position *before;
    char text[PLY_TEXT_BYTES];
    const struct ranking *ranking;  // of the position before; NULL if it has no answer
    const struct ranked_ply *entry; // of the ply; NULL if there is no answer, or no removal yet
    bool mistake;                   // of the mover
    bool picks;                     // the other side has picked the men that were taken
    bool pick_mistake;              // of that side
    const struct rules *rules;      // of the game
    struct error failure;           // why there is no answer
};

// Judges turn `i` of a game and adds it to the tallies. Uses context->ranking, in which the
// verdict points.
void merels_analysis_judge(struct context *context, const struct game_record *record, size_t i,
                           struct tallies *tallies, struct verdict *verdict);

// The i-th choice (from 0) that would have kept the value: false behind the last. The first is
// of the mover, a step alone where the other side picks the men; the second of the side that
// picks, the men alone.
bool merels_analysis_kept(const struct verdict *verdict, int i, struct ranked_ply *kept);
bool merels_analysis_pick_kept(const struct verdict *verdict, int i, struct ranked_ply *kept);

// What the pick of a verdict was worth at best, for the mover.
enum value merels_analysis_pick_value(const struct verdict *verdict);

// What a game says of its end, held against its last position.
struct ending {
    enum game_result claimed;
    const char *over;     // why it is over; NULL while it goes on
    bool known;           // the value of the last position
    struct error failure; // why not; STATUS_OK where it is
    int value;            // 1 White wins, 0 draw, -1 Black wins, with best play
    int plies;            // as in struct answer; 0 when the game is over
    bool agrees; // that value is what the game claims; true if it claims nothing, and for a
                 // draw where the last position is there for the third time
};

// What the game has of what rules of draws count.
struct counted {
    size_t first_third; // after so many plies a position was there for the third time; 0: none
    size_t n_thirds;    // plies that led to a position that was there twice or more before
    size_t quiet_from, n_quiet; // the longest run of moves that take no man: its first ply
                                // (from 1), and how many there are
};

struct counted merels_analysis_count(const struct game_record *record);

struct ending merels_analysis_end(struct context *context, const struct game_record *record);

#endif
