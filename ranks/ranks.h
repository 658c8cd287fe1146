// ranks.h: the processes of one run on many machines, and what they say to each other.
//
// A *rank* is one process of a run that was started by mpirun or the like, numbered from 0. All
// of them are the *world*, some of them that work on one thing together a *group*. NULL stands
// for one process alone: it has number 0 of 1, and what all say to each other it says to
// itself. A build without MPI knows nothing else.
//
//     letters        a few bytes from one rank to another, kept until they are received
//     all together   share, sum, swap: every rank of a group makes the same calls in the same
//                    order
//     a call         a rank asks the others of its group to come together
//
// No wait is longer than the patience of the one who watches: while a rank waits it looks at a
// flag of its own (merels_ranks_watch) and for a letter on the line RANKS_STOP, and gives up
// with STATUS_INTERRUPTED. After that a group is good for nothing but merels_ranks_part.
//
// Ranks are processes of one build on machines of one kind: bytes are sent as they stand.
// Failures are STATUS_IO with what MPI says, STATUS_NO_MEMORY and STATUS_INTERRUPTED.

#ifndef MERELS_RANKS_RANKS_H
#define MERELS_RANKS_RANKS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

struct ranks;

// ---- the world -----------------------------------------------------------------------------

// How many processes were started together, as far as whoever did so says; 1 if nobody did.
int merels_ranks_launched(void);

// Joins the other processes that were started with this one; *world is NULL if there are none.
// Once in a process. STATUS_UNSUPPORTED if there are others and this build has no MPI, or
// another one than theirs.
MERELS_CHECKED enum status merels_ranks_begin(struct ranks **world, struct error *err);

// Leaves: the last call, when no group is left. `good`: all ranks come here without a failure.
// Else who stays away is waited for some seconds; the process may end here then.
void merels_ranks_end(struct ranks *world, bool good);

int merels_ranks_count(const struct ranks *ranks);
int merels_ranks_number(const struct ranks *ranks); // of this process
int merels_ranks_beside(const struct ranks *world); // on this machine, with this one

// "rank 3 of 8 on node17"; returns `out`.
enum { RANK_NAME_BYTES = 160 };
const char *merels_ranks_name(const struct ranks *world, char out[RANK_NAME_BYTES]);

// From now on waiting ends when the flag is not 0. NULL: no flag. It must outlive the world.
void merels_ranks_watch(struct ranks *world, const atomic_int *stop);

// The flag is set, or a letter on RANKS_STOP is here. Any thread.
bool merels_ranks_stops(struct ranks *ranks);

// What another machine has put into a shared directory may show here late: whether it is worth
// another look, a moment later; no more after so many seconds, or if the run is to stop. *until
// is 0 at first. Alone: never.
enum { RANKS_SECONDS_TO_APPEAR = 60 };
bool merels_ranks_waits(struct ranks *ranks, int seconds, double *until);

// ---- letters -------------------------------------------------------------------------------

enum ranks_line { RANKS_STOP, RANKS_TO_CHIEF, RANKS_TO_CREW };
enum { LETTER_BYTES = 4096 }; // the longest

// Sends n_bytes to a rank of the world, also to itself. Any thread.
MERELS_CHECKED enum status merels_ranks_send(struct ranks *world, enum ranks_line line, int to,
                                             const void *letter, size_t n_bytes,
                                             struct error *err);

// A letter on RANKS_STOP for every rank, this one included.
void merels_ranks_stop_all(struct ranks *world);

// The next letter of a line, if one comes within so many seconds: its length and sender. It
// must have n_bytes. STATUS_NOT_YET if none comes. One thread for each line.
MERELS_CHECKED enum status merels_ranks_receive(struct ranks *world, enum ranks_line line,
                                                double seconds, void *letter, size_t n_bytes,
                                                int *from, struct error *err);

// ---- groups --------------------------------------------------------------------------------

// The group of some ranks of the world, in their order; each of them makes this call, with a
// number that no other call at the same time has.
MERELS_CHECKED enum status merels_ranks_group(struct ranks *world, const int *members, int n,
                                              int number, struct ranks **group,
                                              struct error *err);
void merels_ranks_part(struct ranks *group); // NULL is allowed

// ---- all together --------------------------------------------------------------------------

// Everyone gives n_bytes and gets those of all, in the order of their numbers.
MERELS_CHECKED enum status merels_ranks_share(struct ranks *ranks, const void *mine,
                                              size_t n_bytes, void *all, struct error *err);

// Numbers added up over all, in place.
MERELS_CHECKED enum status merels_ranks_sum(struct ranks *ranks, uint64_t *numbers, size_t n,
                                            struct error *err);

// Everyone has something for everyone: out_bytes[r] bytes at out + r * room for rank r, at
// most `room`. What rank r has sent is then at in + r * room, in_bytes[r] bytes.
MERELS_CHECKED enum status merels_ranks_swap(struct ranks *ranks, size_t room,
                                             const uint8_t *out, const uint32_t *out_bytes,
                                             uint8_t *in, uint32_t *in_bytes,
                                             struct error *err);

// Asks the others to come together; each of them sees it by merels_ranks_called, once one has
// asked. merels_ranks_answer makes everyone's calls up to here void: all of them make it, when
// they have come. One thread at a time.
void merels_ranks_call(struct ranks *group);
bool merels_ranks_called(struct ranks *group);
MERELS_CHECKED enum status merels_ranks_answer(struct ranks *group, struct error *err);

#endif
