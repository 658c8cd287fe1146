// tsv.c: reads a table of figures into memory as it is, with its tabs and line ends made NULs.

#include "tests/support/tsv.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 16, ROWS = 1024, LINE_BYTES = 1024 };

struct tsv {
    char name[64];
    int n_rows, n_columns;
    char *names[COLUMNS];
    char *cells[ROWS][COLUMNS];
};

// How many rows each file has: a test goes over all of them, and must notice if some are gone.
static const struct {
    const char *name;
    int n_rows;
} files[] = {
    {"closed-points.tsv", 5},
    {"conversions.tsv", 14},
    {"golden.tsv", 8},
    {"nine-3-3-wins-by-ply.tsv", 13},
    {"nine-compact.tsv", 101},
    {"nine-counts.tsv", 49},
    {"nine-dtc.tsv", 49},
    {"nine-moving-known.tsv", 16},
    {"nine-moving.tsv", 49},
    {"nine-sets.tsv", 13},
    {"nine.tsv", 318},
    {"perft.tsv", 27},
    {"placing-known.tsv", 7},
    {"placing-reachable.tsv", 9},
    {"positions.tsv", 13},
    {"presets.tsv", 14},
    {"reachable.tsv", 8},
    {"rules-known.tsv", 3},
    {"small-games-known.tsv", 7},
};

static int known_rows(const char *name)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (strcmp(files[i].name, name) == 0)
            return files[i].n_rows;
    cr_assert_fail("data/%s is not listed in tests/support/tsv.c", name);
    return 0;
}

static int split(char *line, char **cells)
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *cell = strtok(line, "\t"); cell != NULL; cell = strtok(NULL, "\t")) {
        cr_assert(n < COLUMNS);
        cells[n++] = strdup(cell);
    }
    return n;
}

struct tsv *tsv_open(const char *name)
{
    char path[4096], line[LINE_BYTES];
    snprintf(path, sizeof path, "%s/%s", MERELS_DATA_DIR, name);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "data/%s cannot be opened", name);
    struct tsv *table = calloc(1, sizeof *table);
    cr_assert_not_null(table);
    snprintf(table->name, sizeof table->name, "%s", name);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#')
            continue;
        if (table->n_columns == 0) {
            table->n_columns = split(line, table->names);
            continue;
        }
        cr_assert(table->n_rows < ROWS);
        int n = split(line, table->cells[table->n_rows++]);
        cr_assert_eq(n, table->n_columns, "data/%s: row %d has %d cells", name, table->n_rows,
                     n);
    }
    fclose(file);
    cr_assert_eq(table->n_rows, known_rows(name), "data/%s has %d rows, not %d", name,
                 table->n_rows, known_rows(name));
    return table;
}

void tsv_close(struct tsv *table)
{
    for (int column = 0; column < table->n_columns; column++) {
        free(table->names[column]);
        for (int row = 0; row < table->n_rows; row++)
            free(table->cells[row][column]);
    }
    free(table);
}

int tsv_rows(const struct tsv *table)
{
    return table->n_rows;
}

const char *tsv_text(const struct tsv *table, int row, const char *column)
{
    cr_assert(row >= 0 && row < table->n_rows, "data/%s has no row %d", table->name, row);
    for (int i = 0; i < table->n_columns; i++)
        if (strcmp(table->names[i], column) == 0)
            return table->cells[row][i];
    cr_assert_fail("data/%s has no column %s", table->name, column);
    return NULL;
}

bool tsv_known(const struct tsv *table, int row, const char *column)
{
    return strcmp(tsv_text(table, row, column), "-") != 0;
}

long long tsv_number(const struct tsv *table, int row, const char *column)
{
    const char *text = tsv_text(table, row, column);
    char *end;
    long long number = strtoll(text, &end, 10);
    cr_assert(*text != '\0' && *end == '\0', "data/%s: %s is no number", table->name, text);
    return number;
}

int tsv_find(const struct tsv *table, const char *column, const char *text)
{
    for (int row = 0; row < table->n_rows; row++)
        if (strcmp(tsv_text(table, row, column), text) == 0)
            return row;
    cr_assert_fail("data/%s has no row with %s = %s", table->name, column, text);
    return -1;
}
