// verify_outcome.h: an outcome that several threads share: the first failure stays.

#ifndef MERELS_VERIFY_VERIFY_OUTCOME_H
#define MERELS_VERIFY_VERIFY_OUTCOME_H

#include <stdbool.h>

#include "game/status.h"

// All zero: no failure yet.
struct outcome {
    enum status status;
    struct error error;
};

// Any thread. STATUS_OK is no failure and changes nothing.
void merels_verify_note(struct outcome *outcome, enum status status, const struct error *error);

// True if some thread failed, so that the others can leave their work. Any thread.
bool merels_verify_failed(const struct outcome *outcome);

// What the threads came to; when they are done.
MERELS_CHECKED enum status merels_verify_outcome(const struct outcome *outcome,
                                                 struct error *err);

#endif
