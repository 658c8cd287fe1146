// inbox.h: lines that come in while something else is done.
//
// A thread of the inbox's own reads a descriptor and keeps each line until its owner takes it:
//
//     descriptor --> reading thread --> line, line, line --> merels_inbox_next
//                         |
//                         +--> arrived(): what cannot wait is done at once
//
// The inbox is a monitor: all that the two threads share, the owner's data too, belongs to who
// holds its lock. The owner holds it from merels_inbox_open to merels_inbox_close, but while it
// waits for a line and between merels_inbox_leave and merels_inbox_enter, so that nothing
// arrives while a line is being done. At most MAX_KEPT lines are kept; then reading pauses.

#ifndef MERELS_QUERY_INBOX_H
#define MERELS_QUERY_INBOX_H

#include <stdbool.h>
#include <stddef.h>

#include "game/status.h"

enum { MAX_KEPT = 1000, MAX_KEPT_BYTES = 2 << 20 };

struct kept_line {
    struct kept_line *next;
    size_t n_bytes;     // of the text, as it came
    struct error fault; // STATUS_OK, else it is no text, as merels_line_check says
    char text[];
};

enum arrival {
    ARRIVAL_LINE, // may be done at once: then true is returned, and it is not kept
    ARRIVAL_FULL, // reading pauses until lines are taken
    ARRIVAL_END   // of the input, or it failed
};

// Called by the reading thread, with the lock.
typedef bool arrived_function(void *user, enum arrival arrival, const char *line);

struct inbox;

// Begins to read `fd`, which stays the caller's; the caller now holds the lock. STATUS_IO,
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_inbox_open(int fd, arrived_function *arrived, void *user,
                                             struct inbox **inbox, struct error *err);
void merels_inbox_close(struct inbox *inbox);

// The next line, which the caller frees; waits for it. NULL behind the last.
struct kept_line *merels_inbox_next(struct inbox *inbox);

// STATUS_IO if the input could not be read to its end, STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_inbox_status(const struct inbox *inbox, struct error *err);

// The first of the lines that are kept, or NULL. One that was done becomes an empty text.
struct kept_line *merels_inbox_kept(const struct inbox *inbox);

void merels_inbox_leave(struct inbox *inbox); // gives the lock away
void merels_inbox_enter(struct inbox *inbox); // takes it again
void merels_inbox_wait(struct inbox *inbox);  // until anything has arrived

#endif
