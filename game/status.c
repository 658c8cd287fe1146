// status.c: names of outcomes and the text of errors.

#include "game/status.h"

#include <stdarg.h>
#include <stdio.h>

// An error is one line, whatever text it repeats.
static void keep_to_one_line(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = '?';
}

enum status merels_error(struct error *err, enum status status, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(err->text, sizeof err->text, format, arguments);
        va_end(arguments);
        keep_to_one_line(err->text);
        err->status = status;
    }
    return status;
}

const char *merels_status_name(enum status status)
{
    static const char *const names[] = {
        [STATUS_OK] = "ok",
        [STATUS_BAD_INPUT] = "bad input",
        [STATUS_ILLEGAL] = "illegal position",
        [STATUS_NOT_COVERED] = "not covered",
        [STATUS_MISSING] = "missing",
        [STATUS_CORRUPT] = "corrupt",
        [STATUS_NEWER] = "newer version",
        [STATUS_OLDER] = "older version",
        [STATUS_OTHER_RULES] = "other rules",
        [STATUS_NO_MEMORY] = "out of memory",
        [STATUS_IO] = "input or output error",
        [STATUS_TOO_LITTLE] = "too little memory or disk",
        [STATUS_UNSUPPORTED] = "unsupported",
        [STATUS_INTERRUPTED] = "interrupted",
        [STATUS_MISMATCH] = "mismatch",
        [STATUS_NOT_YET] = "not here yet",
        [STATUS_UNDECIDED] = "not decided",
    };
    if ((unsigned)status >= sizeof names / sizeof names[0])
        return "unknown status";
    return names[status];
}
