// text.c: what is added is printed straight into the room that is left.

#include "game/text.h"

#include <stdarg.h>
#include <stdio.h>

struct text merels_text(char *out, size_t room)
{
    out[0] = '\0';
    return (struct text){.out = out, .room = room};
}

void merels_text_add(struct text *text, const char *format, ...)
{
    size_t left = text->room - text->length;
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text->out + text->length, left, format, list);
    va_end(list);
    if (n > 0)
        text->length += (size_t)n < left ? (size_t)n : left - 1;
}
