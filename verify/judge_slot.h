// judge_slot.h: one position at a time, the slow and plain way: all plies, one after another.
// For samples, for values of two bytes, for plies that are not plain, and to say what is wrong.

#ifndef MERELS_VERIFY_JUDGE_SLOT_H
#define MERELS_VERIFY_JUDGE_SLOT_H

#include "verify/verify_run.h"

// Judges the slots of one table; read only while threads do so.
struct slot_judge {
    const struct verify_run *run;
    const struct checked_table *table;
    struct verify_plies plies;
    const struct checked_table *after[MAX_WAYS]; // where each way leads; NULL: the end
    const uint16_t *values[MAX_WAYS]; // all of their values, where someone has loaded them;
                                      // NULL: read from the files
};

// The classes of the men concerned must have been learned, and the tables that the plies lead
// to must be there.
struct slot_judge merels_verify_judge(const struct verify_run *run,
                                      const struct checked_table *table);

// A ply, by points; from = -1: the man comes from the hand; to = -1: a pass.
struct judged_ply {
    int from, to, n_taken;
    int taken[VERIFY_MILLS_AT];
};

struct verdict {
    int value;             // that the stored values of the successors demand
    bool no_position;      // the mover has a mill that had won before
    bool has_ply;          // else the game is over, or there is no ply
    struct judged_ply ply; // one that leads to it
    int reply_value;       // stored for the position after it
};

// Any thread.
MERELS_CHECKED enum status merels_verify_judge_slot(const struct slot_judge *judge,
                                                    uint64_t slot, struct verdict *verdict,
                                                    struct error *err);

// Makes the mismatch of a slot an error: position, stored and recomputed value, the ply. What
// went wrong if the slot cannot be judged.
enum status merels_verify_accuse(const struct slot_judge *judge, uint64_t slot, int stored,
                                 struct error *err);

// The same for two slots that hold one position and differ.
enum status merels_verify_accuse_twins(const struct slot_judge *judge, uint64_t slot,
                                       int stored, uint64_t twin, int twin_stored,
                                       struct error *err);

// ---- the positions of slots ----------------------------------------------------------------

// The slot's column as a set of the mover's men, and back, in a row whose other side has the
// men `other`.
uint32_t merels_verify_column_set(const struct verify_index *index, uint32_t other, int men,
                                  uint64_t column);
uint64_t merels_verify_set_column(const struct verify_index *index, uint32_t other,
                                  uint32_t own);

#endif
