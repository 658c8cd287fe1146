// fuzz.h: what a fuzz target is: a function that takes any bytes and must come back, as
// libFuzzer wants it, and inputs to begin with, made by code.
//
// A target aborts where something that must hold does not. It counts the inputs that got to the
// end of what it tests: a target whose own seeds are all refused at the door tests nothing.

#ifndef MERELS_TESTS_FUZZ_H
#define MERELS_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seed {
    const void *bytes;
    size_t n;
};

// The seeds, at most `room` of them; their bytes stay. Returns how many.
enum { MOST_SEEDS = 64 };
size_t fuzz_seeds(struct seed *seeds, size_t room);

extern unsigned long fuzz_accepted; // inputs that were read as what they should be

// What must hold; says what does not and where.
#define demand(holds) ((holds) ? (void)0 : broken(#holds, __FILE__, __LINE__))

static inline void broken(const char *what, const char *file, int line)
{
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

// Texts as seeds; the list ends with NULL.
static inline size_t seeds_of_texts(const char *const *texts, struct seed *seeds, size_t room)
{
    size_t n = 0;
    for (; texts[n] != NULL && n < room; n++)
        seeds[n] = (struct seed){texts[n], strlen(texts[n])};
    return n;
}

// The input as a text with a NUL; free it.
static inline char *text_of_input(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    demand(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

#endif
