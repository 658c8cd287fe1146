// verify_outcome.c: the first failure of several threads.

#include "verify/verify_outcome.h"

void merels_verify_note(struct outcome *outcome, enum status status, const struct error *error)
{
    if (status == STATUS_OK)
        return;
#pragma omp critical(verify_outcome)
    if (outcome->status == STATUS_OK) {
        outcome->error = *error;
#pragma omp atomic write
        outcome->status = status;
    }
}

bool merels_verify_failed(const struct outcome *outcome)
{
    enum status status;
#pragma omp atomic read
    status = outcome->status;
    return status != STATUS_OK;
}

enum status merels_verify_outcome(const struct outcome *outcome, struct error *err)
{
    return outcome->status == STATUS_OK
               ? STATUS_OK
               : merels_error(err, outcome->status, "%s", outcome->error.text);
}
