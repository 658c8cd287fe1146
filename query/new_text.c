// new_text.c: printed twice, first to measure it.

#include "query/new_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *merels_new_text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    size_t room = (size_t)(n < 0 ? 0 : n) + 1;
    char *text = n < 0 ? NULL : malloc(room);
    if (text != NULL)
        vsnprintf(text, room, format, again);
    va_end(again);
    va_end(list);
    return text;
}
