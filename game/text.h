// text.h: a text put together in room of a known size.
//
// What does not fit is cut off: the text always ends with a NUL inside its room, and `length`
// says how much stands there.

#ifndef MERELS_GAME_TEXT_H
#define MERELS_GAME_TEXT_H

#include <stddef.h>

struct text {
    char *out;
    size_t room, length; // length < room
};

// An empty text in `room` bytes (at least one) of the caller.
struct text merels_text(char *out, size_t room);

// Adds what printf would print.
void merels_text_add(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
