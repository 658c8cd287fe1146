// go_words.h: the words behind "go" in protocols of engines.

#ifndef MERELS_QUERY_GO_WORDS_H
#define MERELS_QUERY_GO_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/status.h"

enum { MAX_GO_FAULTS = 8 };

// What the words say; a number that is not said is 0.
struct go_words {
    uint64_t move_ms, n_nodes, n_plies;
    uint64_t left_ms[2], more_ms[2], n_moves_to_go; // clocks of White and Black
    bool clocks, endless;                           // infinite, or to be thought about ahead
    const char *only_moves; // behind "searchmoves", a part of the text; NULL: all moves
    size_t only_bytes;
    struct error faults[MAX_GO_FAULTS]; // the first words that make no sense; each is skipped
    int n_faults;
};

// Reads them all; what makes no sense is a fault and is skipped.
void merels_go_words_read(const char *text, struct go_words *go);

// Milliseconds for a move of `side` (an enum colour) by the clocks, at least 1; 0 if there are
// none: a thirtieth of what is left, or as many moves ask for, and half of what is added.
uint64_t merels_go_words_by_clock(const struct go_words *go, int side);

#endif
