// columns.h: the columns of a row, and the parts of a plane that hold them.
//
// A plane has one place (a bit or a byte) for every set of a row's n free points, pushed
// together ("compact"), at the number that is the set as an integer. Only sets of so many men
// are columns:
//
//     plane   |.X......|X.......|........|...        X: a column     2^n places
//     words   64 places each; those with a column are listed, with the first column in them
//     cells   what a kernel works on at a time (game/bits.h): all subsets of the lowest
//             cell_points points; the others, the high points, are the bits of its number

#ifndef MERELS_KERNELS_COLUMNS_H
#define MERELS_KERNELS_COLUMNS_H

#include "db/index.h"

// Numbers of cells, ascending.
struct cell_list {
    uint32_t n;
    uint32_t *cells;
};

struct plane_word {
    uint32_t word; // number of the 64-bit word in the plane: the set without its low six points
    uint32_t column; // first column in that word
    int n_low;       // men that its columns have on the six low points
};

struct columns {
    int n_points;
    int n_men;
    uint32_t n_columns;
    uint32_t n_words;         // entries of `words`
    uint32_t *sets;           // n_columns compact sets, ascending
    struct plane_word *words; // ascending
    struct cell_list all;     // cells in use
    struct cell_list
        with[MAX_POINTS]; // those with a high point, by its number less cell_points
    struct cell_list without[MAX_POINTS]; // those without it
    uint32_t *cells;                      // the memory of the lists
};

// Fills *columns for 0 <= n_men <= n_points <= MAX_POINTS. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_columns_create(int n_points, int n_men, int cell_points,
                                                 struct columns *columns, struct error *err);
void merels_columns_destroy(struct columns *columns); // all zero is allowed

// Bytes that they take at most, whatever the cells.
uint64_t merels_columns_bytes(int n_points, int n_men);

#endif
