// failure.c: the two reasons for which a legal position has no table.

#include "query/failure.h"

#include <string.h>

bool merels_failure_cannot_arise(const struct error *reason)
{
    static const char cannot_arise[] = "not covered: cannot arise";
    return reason->status == STATUS_NOT_COVERED &&
           strncmp(reason->text, cannot_arise, strlen(cannot_arise)) == 0;
}

const char *merels_failure_kind(const struct error *reason)
{
    if (reason->status != STATUS_NOT_COVERED)
        return merels_status_name(reason->status);
    return merels_failure_cannot_arise(reason) ? "cannot arise" : "missing";
}
