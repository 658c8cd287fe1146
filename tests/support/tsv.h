// tsv.h: the tables of figures in data/.
//
// A file is lines of cells between tabs: '#' lines that say what it is, a line of column names,
// then the rows. A cell "-" is a figure that is not known. Every function ends the test with a
// message if the file, row or column is not there, or if a file has not as many rows as tsv.c
// says.

#ifndef MERELS_TESTS_TSV_H
#define MERELS_TESTS_TSV_H

#include <stdbool.h>

struct tsv;

struct tsv *tsv_open(const char *name); // of a file in data/; never NULL
void tsv_close(struct tsv *table);
int tsv_rows(const struct tsv *table);
const char *tsv_text(const struct tsv *table, int row, const char *column);
bool tsv_known(const struct tsv *table, int row, const char *column);
long long tsv_number(const struct tsv *table, int row, const char *column);

// The row whose cell in `column` is `text`.
int tsv_find(const struct tsv *table, const char *column, const char *text);

#endif
