// fuzz.h: what a fuzz target is: a function that takes any bytes and must come back, as
// libFuzzer wants it, and texts to begin with.

#ifndef MERELS_TESTS_FUZZ_H
#define MERELS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

extern const char *const fuzz_seeds[]; // ends with NULL

#endif
