// hands.h: others that do the tables of a long run side by side.
//
// A run that goes through a list of tables, none of which waits for another one, can be given
// hands: it then says what is to be done, and hears what is done.

#ifndef MERELS_WORK_HANDS_H
#define MERELS_WORK_HANDS_H

#include <stddef.h>

#include "game/status.h"

// Table `number` of the list is done, with some bytes that say how: one call at a time, perhaps
// in another thread. STATUS_MISSING if its file is not to be seen here yet: called again then.
typedef enum status hands_done(void *context, size_t number, const void *result, size_t n_bytes,
                               struct error *err);

// Has the tables of these names done, in whatever order; the first failure ends it.
typedef enum status hands_do(void *context, const char *const *names, size_t n,
                             hands_done *done, void *done_context, struct error *err);

struct hands {
    hands_do *go_through;
    void *context;
};

#endif
