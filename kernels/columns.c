// columns.c: lists of columns, words and cells.

#include "kernels/columns.h"

#include <assert.h>
#include <stdlib.h>

static uint32_t next_set(uint32_t set) // the next larger integer with as many bits
{
    uint32_t low = set & -set, up = set + low;
    return up | ((set ^ up) / low >> 2);
}

static size_t plane_parts(int n_points, int part_points)
{
    return (size_t)1 << (n_points < part_points ? 0 : n_points - part_points);
}

// All lists together: every cell stands in `all` and for each high point in one of two.
static size_t lists_bytes(int n_points, int cell_points)
{
    int high = n_points < cell_points ? 0 : n_points - cell_points;
    return plane_parts(n_points, cell_points) * (size_t)(high + 1) * sizeof(uint32_t);
}

uint64_t merels_columns_bytes(int n_points, int n_men)
{
    return merels_choose(n_points, n_men) * sizeof(uint32_t) +
           plane_parts(n_points, 6) * sizeof(struct plane_word) + lists_bytes(n_points, 6);
}

static void fill_columns(struct columns *c)
{
    uint32_t set = (uint32_t)low_bits(c->n_men);
    for (uint32_t k = 0; k < c->n_columns; k++) {
        c->sets[k] = set;
        if (c->n_words == 0 || c->words[c->n_words - 1].word != set >> 6)
            c->words[c->n_words++] = (struct plane_word){set >> 6, k, bit_count(set & 63)};
        if (set != 0)
            set = next_set(set);
    }
}

static void fill_lists(struct columns *c, int cell_points)
{
    c->all.cells = c->cells;
    for (uint32_t k = 0; k < c->n_words; k++) {
        uint32_t number = c->words[k].word >> (cell_points - 6);
        if (c->all.n == 0 || c->all.cells[c->all.n - 1] != number)
            c->all.cells[c->all.n++] = number;
    }
    uint32_t *next = c->cells + c->all.n;
    for (int p = 0; p < c->n_points - cell_points; p++)
        for (int has = 0; has < 2; has++) {
            struct cell_list *list = has ? &c->with[p] : &c->without[p];
            list->cells = next;
            for (uint32_t k = 0; k < c->all.n; k++)
                if ((int)(c->all.cells[k] >> p & 1) == has)
                    list->cells[list->n++] = c->all.cells[k];
            next += list->n;
        }
}

enum status merels_columns_create(int n_points, int n_men, int cell_points,
                                  struct columns *columns, struct error *err)
{
    *columns = (struct columns){.n_points = n_points, .n_men = n_men};
    columns->n_columns = (uint32_t)merels_choose(n_points, n_men);
    columns->sets = calloc(columns->n_columns, sizeof *columns->sets);
    columns->words = calloc(plane_parts(n_points, 6), sizeof *columns->words);
    columns->cells = malloc(lists_bytes(n_points, cell_points));
    if (columns->sets == NULL || columns->words == NULL || columns->cells == NULL) {
        merels_columns_destroy(columns);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the columns of %d men",
                            n_men);
    }
    fill_columns(columns);
    fill_lists(columns, cell_points);
    return STATUS_OK;
}

void merels_columns_destroy(struct columns *columns)
{
    free(columns->sets);
    free(columns->words);
    free(columns->cells);
    *columns = (struct columns){0};
}
