// own_boards.h: boards of one's own, as facts.

#ifndef MERELS_TESTS_OWN_BOARDS_H
#define MERELS_TESTS_OWN_BOARDS_H

#include <string.h>

//     3  .---.---.        no symmetry
//        |   |   |
//     2  .---.---.
//        | / |   |
//     1  .---.---.---.
//        a   b   c   d
#define BOARD_TRIVIAL                                                                \
    "points a1 b1 c1 a2 b2 c2 a3 b3 c3 d1\n"                                         \
    "edges a1-b1 b1-c1 a2-b2 b2-c2 a3-b3 b3-c3 a1-a2 a2-a3 b1-b2 b2-b3 c1-c2 c2-c3 " \
    "c1-d1 a1-b2\n"                                                                  \
    "mills a1-b1-c1 a2-b2-c2 a3-b3-c3 a1-a2-a3 b1-b2-b3 b1-c1-d1 a1-b2-c3\n"

//     4      .---.---.      c3 is on three lines; one mirror
//            |   |   |
//     3  .---.---.---.---.
//            |   |   |
//     2      .---.---.
//                |
//     1          .
//        a   b   c   d   e
#define BOARD_THREE_LINES                                                            \
    "points a3 b2 b3 b4 c1 c2 c3 c4 d2 d3 d4 e3\n"                                   \
    "edges a3-b3 b3-c3 c3-d3 d3-e3 c1-c2 c2-c3 c3-c4 b2-b3 b3-b4 d2-d3 d3-d4 b4-c4 " \
    "c4-d4 b2-c2 c2-d2\n"                                                            \
    "mills a3-b3-c3 c3-d3-e3 c1-c2-c3 b2-b3-b4 d2-d3-d4 b4-c4-d4\n"

// A cube, a..d 1 below and a..d 2 above; a mill is three corners of a tetrahedron: a point and
// the next are never in one. 48 symmetries.
#define BOARD_CUBE                                                                    \
    "points a1 b1 c1 d1 a2 b2 c2 d2\n"                                                \
    "edges a1-b1 b1-c1 c1-d1 d1-a1 a2-b2 b2-c2 c2-d2 d2-a2 a1-a2 b1-b2 c1-c2 d1-d2\n" \
    "mills a1-c1-b2 a1-c1-d2 a1-b2-d2 c1-b2-d2 b1-d1-a2 b1-d1-c2 b1-a2-c2 d1-a2-c2\n"

// Two parts: a line of three and a triangle, joined by nothing.
#define BOARD_TWO_PARTS                     \
    "points a1 b1 c1 a2 b2 c2\n"            \
    "edges a1-b1 b1-c1 a2-b2 b2-c2 a2-c2\n" \
    "mills a1-b1-c1 a2-b2-c2\n"

// Facts from a board and options as "fly=3,least=2".
static inline const char *own_rules(const char *board, const char *options, char out[2048])
{
    strcpy(out, board);
    char *at = out + strlen(out);
    for (; *options != '\0'; options++)
        *at++ = (char)(*options == '=' ? ' ' : *options == ',' ? '\n' : *options);
    strcpy(at, "\n");
    return out;
}

#endif
