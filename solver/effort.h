// effort.h: what a work unit takes, in pieces of work whose time can be measured on a machine.
//
// The number of pieces follows from the shape of the unit and from how much of it a game
// decides. The shape is known; the rest is not before it is solved, and is taken from complete
// solves of the presets (effort.c). A piece takes other times on other processors, its number
// is the same on all of them.

#ifndef MERELS_SOLVER_EFFORT_H
#define MERELS_SOLVER_EFFORT_H

#include "solver/unit.h"

enum work_kind {
    WORK_STEP,   // a row taken a step back on bit planes, as merels_step_work counts
    WORK_SPARSE, // a column of a row in which single arrivals are new
    WORK_TURN,   // a turn sent to another row and carried out there
    WORK_PLACE,  // a row placed, as merels_place_work counts
    WORK_REMOVE, // a row whose removals are chosen, as merels_plane_work counts
    WORK_READ,   // a value of a finished table
    WORK_WRITE,  // a value of a table that is written
    N_WORK_KINDS
};

struct effort {
    double n[N_WORK_KINDS];
};

const char *merels_work_name(enum work_kind kind); // "step back"

void merels_effort_of(const struct rules *rules, const struct work_unit *work,
                      struct effort *effort);

void merels_effort_add(const struct effort *more, struct effort *effort);

// Words of a plane with sets of so many men, times points: what a kernel goes through that
// looks at every point of every word.
double merels_plane_work(int n_points, int n_men);

// A row of a subspace taken a step back, or placed.
double merels_step_work(const struct rules *rules, struct subspace s);
double merels_place_work(const struct rules *rules, struct subspace s);

#endif
