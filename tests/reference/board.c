// board.c: the boards as lists of names, and their images from the geometry of the drawing.

#include "tests/reference/reference.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct drawing {
    const char *points, *edges, *mills;
    char centre_file, centre_rank; // the middle of the drawing, with or without a point
    int swap_sum;                  // ring r becomes ring swap_sum - r; 0: the rings stay
};

#define NINE_POINTS \
    "a7 d7 g7  b6 d6 f6  c5 d5 e5  a4 b4 c4 e4 f4 g4  c3 d3 e3  b2 d2 f2  a1 d1 g1"
#define NINE_EDGES                                     \
    "a7-d7 d7-g7 g7-g4 g4-g1 g1-d1 d1-a1 a1-a4 a4-a7 " \
    "b6-d6 d6-f6 f6-f4 f4-f2 f2-d2 d2-b2 b2-b4 b4-b6 " \
    "c5-d5 d5-e5 e5-e4 e4-e3 e3-d3 d3-c3 c3-c4 c4-c5 " \
    "d7-d6 d6-d5 g4-f4 f4-e4 d1-d2 d2-d3 a4-b4 b4-c4 "
#define NINE_MILLS                                                             \
    "a7-d7-g7 g7-g4-g1 g1-d1-a1 a1-a4-a7 b6-d6-f6 f6-f4-f2 f2-d2-b2 b2-b4-b6 " \
    "c5-d5-e5 e5-e4-e3 e3-d3-c3 c3-c4-c5 d7-d6-d5 g4-f4-e4 d1-d2-d3 a4-b4-c4 "
#define DIAGONAL_EDGES "a7-b6 b6-c5 g7-f6 f6-e5 g1-f2 f2-e3 a1-b2 b2-c3 "
#define DIAGONAL_MILLS "a7-b6-c5 g7-f6-e5 g1-f2-e3 a1-b2-c3 "

#define SIX_EDGES                                      \
    "a5-c5 c5-e5 e5-e3 e3-e1 e1-c1 c1-a1 a1-a3 a3-a5 " \
    "b4-c4 c4-d4 d4-d3 d3-d2 d2-c2 c2-b2 b2-b3 b3-b4 " \
    "c5-c4 e3-d3 c1-c2 a3-b3 "
#define SIX_MILLS "a5-c5-e5 e5-e3-e1 e1-c1-a1 a1-a3-a5 b4-c4-d4 d4-d3-d2 d2-c2-b2 b2-b3-b4 "

static const struct drawing drawings[] = {
    [REFERENCE_THREE] = {"a3 b3 c3  a2 b2 c2  a1 b1 c1",
                         "a3-b3 b3-c3 a2-b2 b2-c2 a1-b1 b1-c1 a3-a2 a2-a1 b3-b2 b2-b1 c3-c2 "
                         "c2-c1 a3-b2 b2-c1 c3-b2 b2-a1",
                         "a3-b3-c3 a2-b2-c2 a1-b1-c1 a3-a2-a1 b3-b2-b1 c3-c2-c1 a3-b2-c1 "
                         "c3-b2-a1",
                         'b', '2', 0},
    [REFERENCE_SIX] = {"a5 c5 e5  b4 c4 d4  a3 b3 d3 e3  b2 c2 d2  a1 c1 e1", SIX_EDGES,
                       SIX_MILLS, 'c', '3', 3},
    [REFERENCE_SEVEN] = {"a5 c5 e5  b4 c4 d4  a3 b3 c3 d3 e3  b2 c2 d2  a1 c1 e1",
                         SIX_EDGES "c4-c3 d3-c3 c2-c3 b3-c3",
                         SIX_MILLS "c5-c4-c3 e3-d3-c3 c1-c2-c3 a3-b3-c3 c4-c3-c2 b3-c3-d3", 'c',
                         '3', 0},
    [REFERENCE_NINE] = {NINE_POINTS, NINE_EDGES, NINE_MILLS, 'd', '4', 4},
    [REFERENCE_NINE_DIAGONAL] = {NINE_POINTS, NINE_EDGES DIAGONAL_EDGES,
                                 NINE_MILLS DIAGONAL_MILLS, 'd', '4', 4},
};

int reference_point(const struct reference_board *board, const char *name)
{
    for (int p = 0; p < board->n_points; p++)
        if (tolower((unsigned char)name[0]) == board->names[p][0] &&
            name[1] == board->names[p][1])
            return p;
    return -1;
}

uint32_t reference_set(const struct reference_board *board, const char *names)
{
    uint32_t set = 0;
    for (const char *at = names; *at != '\0';) {
        if (!isalpha((unsigned char)*at)) {
            at++;
            continue;
        }
        int p = reference_point(board, at);
        assert(p >= 0);
        set |= UINT32_C(1) << p;
        at += 2;
    }
    return set;
}

static void read_points(struct reference_board *board, const char *list)
{
    for (const char *at = list; *at != '\0';) {
        if (*at == ' ') {
            at++;
            continue;
        }
        memcpy(board->names[board->n_points++], at, 2);
        at += 2;
    }
}

static void read_edges(struct reference_board *board, const char *list)
{
    for (const char *at = list; strlen(at) >= 5; at += at[5] == ' ' ? 6 : 5) {
        int p = reference_point(board, at), q = reference_point(board, at + 3);
        assert(p >= 0 && q >= 0 && p != q);
        board->edges[board->n_edges][0] = p;
        board->edges[board->n_edges++][1] = q;
        board->adjacent[p][q] = board->adjacent[q][p] = true;
    }
}

static void read_mills(struct reference_board *board, const char *list)
{
    for (const char *at = list; strlen(at) >= 8; at += at[8] == ' ' ? 9 : 8) {
        char names[9] = {0};
        memcpy(names, at, 8);
        uint32_t mill = reference_set(board, names);
        board->mills[board->n_mills++] = mill;
        for (int p = 0; p < board->n_points; p++)
            if ((mill >> p & 1) != 0)
                board->mills_at[p][board->n_mills_at[p]++] = mill;
    }
}

// The point at distance (x, y) from the middle of the drawing.
static int point_at(const struct reference_board *board, const struct drawing *drawing, int x,
                    int y)
{
    char name[3] = {(char)(drawing->centre_file + x), (char)(drawing->centre_rank + y), '\0'};
    return reference_point(board, name);
}

// Image number 0..7: a mirror, then turns; the swap of rings comes on top.
static void add_image(struct reference_board *board, const struct drawing *drawing, int number,
                      bool swap)
{
    int *image = board->images[board->n_images++];
    for (int p = 0; p < board->n_points; p++) {
        int x = board->names[p][0] - drawing->centre_file;
        int y = board->names[p][1] - drawing->centre_rank;
        if (number >= 4)
            x = -x;
        for (int turn = 0; turn < number % 4; turn++) {
            int old_x = x;
            x = y;
            y = -old_x;
        }
        if (swap) {
            int ring = abs(x) > abs(y) ? abs(x) : abs(y);
            x = x / ring * (drawing->swap_sum - ring);
            y = y / ring * (drawing->swap_sum - ring);
        }
        image[p] = point_at(board, drawing, x, y);
        assert(image[p] >= 0);
    }
}

void reference_board_init(struct reference_board *board, enum reference_kind kind)
{
    const struct drawing *drawing = &drawings[kind];
    *board = (struct reference_board){0};
    read_points(board, drawing->points);
    read_edges(board, drawing->edges);
    read_mills(board, drawing->mills);
    for (int number = 0; number < 8; number++)
        add_image(board, drawing, number, false);
    for (int number = 0; number < 8 && drawing->swap_sum != 0; number++)
        add_image(board, drawing, number, true);
}

void reference_board_read(struct reference_board *board, const char *points, const char *edges,
                          const char *mills)
{
    *board = (struct reference_board){.n_images = 1};
    read_points(board, points);
    read_edges(board, edges);
    read_mills(board, mills);
    for (int p = 0; p < board->n_points; p++)
        board->images[0][p] = p;
}

static uint32_t image_of_set(const struct reference_board *board, int i, uint32_t set)
{
    uint32_t image = 0;
    for (int p = 0; p < board->n_points; p++)
        if (set >> p & 1)
            image |= UINT32_C(1) << board->images[i][p];
    return image;
}

struct reference_position reference_image(const struct reference_board *board, int i,
                                          const struct reference_position *pos)
{
    struct reference_position image = *pos;
    image.own = image_of_set(board, i, pos->own);
    image.other = image_of_set(board, i, pos->other);
    return image;
}

int reference_compare(const struct reference_position *x, const struct reference_position *y)
{
    if (x->other != y->other)
        return x->other < y->other ? -1 : 1;
    return x->own < y->own ? -1 : x->own > y->own;
}

static int compare_positions(const void *x, const void *y)
{
    return reference_compare(x, y);
}

struct reference_position reference_canonical(const struct reference_board *board,
                                              const struct reference_position *pos)
{
    struct reference_position images[REFERENCE_IMAGES];
    for (int i = 0; i < board->n_images; i++)
        images[i] = reference_image(board, i, pos);
    qsort(images, (size_t)board->n_images, sizeof images[0], compare_positions);
    return images[0];
}
