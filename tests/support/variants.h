// variants.h: rules in which every two values of options come together, on known boards and on
// boards of one's own.

#ifndef MERELS_TESTS_VARIANTS_H
#define MERELS_TESTS_VARIANTS_H

#include <stdio.h>

#include "tests/support/own_boards.h"

enum { THREE, SIX, TRIVIAL, THREE_LINES };

// Every two values of two options that can go together, and every value on every board, are in
// one row at least.
static const struct {
    int board;
    const char *options;
} variants[] = {
    {TRIVIAL, "fly=4,fly-count=board,mill-men=removable-if-all,removals=one,blocked=passes,"
              "full-board=draws,turn=place-then-move,mill=wins,least=2,chooser=mover"},
    {THREE_LINES,
     "fly=3,fly-count=total,mill-men=safe,removals=each,blocked=loses,"
     "full-board=mover-loses,turn=place-or-move,mill=removes,least=3,chooser=mover"},
    {THREE, "fly=0,fly-count=board,mill-men=removable,removals=one,blocked=draws,"
            "full-board=draws,turn=place-or-move,mill=removes,least=1,chooser=opponent"},
    {SIX, "fly=4,fly-count=board,mill-men=removable,removals=each,blocked=loses,"
          "full-board=mover-loses,turn=place-then-move,mill=removes,least=2,chooser=opponent"},
    {SIX, "fly=3,fly-count=total,mill-men=removable-if-all,removals=one,blocked=draws,"
          "full-board=mover-loses,turn=place-or-move,mill=wins,least=1,chooser=mover"},
    {TRIVIAL, "fly=0,fly-count=board,mill-men=safe,removals=each,blocked=passes,"
              "full-board=draws,turn=place-then-move,mill=removes,least=3,chooser=opponent"},
    {THREE, "fly=3,fly-count=total,mill-men=removable-if-all,removals=each,blocked=passes,"
            "full-board=draws,turn=place-or-move,mill=removes,least=2,chooser=opponent"},
    {THREE_LINES, "fly=0,fly-count=board,mill-men=removable-if-all,removals=one,blocked=loses,"
                  "full-board=draws,turn=place-then-move,mill=wins,least=1,chooser=mover"},
    {TRIVIAL, "fly=4,fly-count=total,mill-men=removable,removals=each,blocked=draws,"
              "full-board=mover-loses,turn=place-or-move,mill=removes,least=1,chooser=mover"},
    {THREE, "fly=3,fly-count=board,mill-men=removable-if-all,removals=one,blocked=draws,"
            "full-board=mover-loses,turn=place-then-move,mill=wins,least=3,chooser=mover"},
    {THREE_LINES,
     "fly=4,fly-count=board,mill-men=safe,removals=one,blocked=draws,"
     "full-board=mover-loses,turn=place-then-move,mill=removes,least=2,chooser=opponent"},
    {SIX, "fly=0,fly-count=board,mill-men=removable,removals=each,blocked=passes,"
          "full-board=mover-loses,turn=place-then-move,mill=removes,least=3,chooser=opponent"},
    {THREE,
     "fly=4,fly-count=board,mill-men=safe,removals=one,blocked=loses,"
     "full-board=mover-loses,turn=place-then-move,mill=removes,least=1,chooser=opponent"},
    {THREE_LINES,
     "fly=3,fly-count=board,mill-men=removable,removals=each,blocked=passes,"
     "full-board=mover-loses,turn=place-then-move,mill=removes,least=1,chooser=mover"},
    {SIX, "fly=4,fly-count=total,mill-men=safe,removals=each,blocked=loses,"
          "full-board=draws,turn=place-or-move,mill=removes,least=3,chooser=opponent"},
    {TRIVIAL, "fly=3,fly-count=board,mill-men=removable-if-all,removals=one,blocked=loses,"
              "full-board=mover-loses,turn=place-then-move,mill=wins,least=3,chooser=mover"},
    {SIX, "fly=0,fly-count=board,mill-men=removable,removals=one,blocked=loses,"
          "full-board=mover-loses,turn=place-or-move,mill=removes,least=2,chooser=opponent"},
};

enum { N_VARIANTS = sizeof variants / sizeof variants[0], N_PAIRS = 348 };

static inline const char *text_of(int k, char out[2048])
{
    switch (variants[k].board) {
    case THREE:
    case SIX:
        snprintf(out, 2048, "%s,%s,men=%s", variants[k].board == THREE ? "three" : "six",
                 variants[k].options, variants[k].board == THREE ? "5-4" : "3");
        return out;
    case TRIVIAL:
        return own_rules(BOARD_TRIVIAL "men 5\n", variants[k].options, out);
    default:
        return own_rules(BOARD_THREE_LINES "men 4\n", variants[k].options, out);
    }
}

#endif
