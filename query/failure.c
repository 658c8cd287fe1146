// failure.c: the reasons for which a legal position has no table.

#include "query/failure.h"

#include <string.h>

static bool begins(const struct error *reason, const char *words)
{
    return reason->status == STATUS_NOT_COVERED &&
           strncmp(reason->text, words, strlen(words)) == 0;
}

bool merels_failure_cannot_arise(const struct error *reason)
{
    return begins(reason, "not covered: cannot arise");
}

const char *merels_failure_kind(const struct error *reason)
{
    if (reason->status != STATUS_NOT_COVERED)
        return merels_status_name(reason->status);
    return merels_failure_cannot_arise(reason) ? "cannot arise"
           : begins(reason, "not kept: ")      ? "not kept"
                                               : "missing";
}

bool merels_failure_is_absence(const struct error *reason)
{
    return reason->status == STATUS_NOT_COVERED || reason->status == STATUS_MISSING ||
           reason->status == STATUS_UNDECIDED;
}
