// signs.h: the characters of a text as people write and paste it, each as one of ASCII.
//
// Text is UTF-8. A sign that means the same as one of ASCII is read as that one: letters and
// digits of full width, dashes and minus signs (-), arrows (>), multiplication signs (x),
// spaces of all kinds, a byte-order mark (a space), line ends of all systems. Anything else is
// SIGN_OTHER. Lines count from 1, columns from 1 in characters, not in bytes, so that a text
// and its plain copy have the same columns.

#ifndef MERELS_GAME_SIGNS_H
#define MERELS_GAME_SIGNS_H

#include <stdbool.h>
#include <stddef.h>

enum { SIGN_OTHER = '~', SIGN_HALF = 0x02 }; // SIGN_HALF: one half, as in drawn games

// A place in a text that ends with a byte of value 0. Begin with {text, 0, 1, 1}.
struct signs {
    const char *text;
    int at; // in bytes
    int line, column;
};

// The sign at this place, '\0' at the end of the text.
char merels_sign(const struct signs *signs);

// Goes on to the next sign; stays at the end.
void merels_sign_skip(struct signs *signs);

// Copies at most `length` bytes of a text, sign by sign, into out, NUL-terminated; false if it
// takes `room` bytes or more.
bool merels_signs_copy(const char *text, size_t length, char *out, size_t room);

static inline bool sign_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n';
}

static inline bool sign_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline char sign_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool sign_is_letter(char c)
{
    return sign_lower(c) >= 'a' && sign_lower(c) <= 'z';
}

#endif
