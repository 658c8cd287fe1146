// listing.h: a table or a list of facts, stated once and printed in every form.
//
// A command states its columns and gives rows of cells, one for each column. A column has a
// name for machines and a heading for people, and is shown in the forms that it names:
//
//                 text                    TSV                  JSON
//     none        -                       -                    null
//     text        as it is                as it is             "text"
//     words       as it is                as it is             ["one", "two"]
//     number      9,190,123,456           9190123456           9190123456
//     bytes       5.4 GiB                 5798205849           5798205849
//     flag        yes, no                 yes, no              true, false
//     real        with its decimals       with its decimals    all digits

#ifndef MERELS_QUERY_LISTING_H
#define MERELS_QUERY_LISTING_H

#include <stdint.h>

#include "query/output.h"

enum column_kind {
    COLUMN_TEXT,
    COLUMN_WORDS,
    COLUMN_NUMBER,
    COLUMN_BYTES,
    COLUMN_FLAG,
    COLUMN_REAL
};

// Text is aligned to the left, everything else to the right, unless the column says otherwise.
enum alignment { ALIGN_BY_KIND, ALIGN_LEFT, ALIGN_RIGHT };

// The forms in which a column is shown, as a mask.
enum { IN_TEXT = 1, IN_TSV = 2, IN_JSON = 4, IN_ALL = IN_TEXT | IN_TSV | IN_JSON };

struct column {
    const char *name;    // in TSV and JSON
    const char *heading; // in text; NULL: the name
    enum column_kind kind;
    unsigned forms;
    enum alignment alignment;
    int decimals; // of a real
};

// A value as the column's kind wants it; made by the functions below.
struct cell {
    bool none;
    const char *text; // text and words; copied when the row is added
    uint64_t number;  // number, bytes and flag
    double real;
};

static inline struct cell cell_text(const char *text) // NULL: none
{
    return (struct cell){.text = text, .none = text == NULL};
}

static inline struct cell cell_number(uint64_t number) // also bytes
{
    return (struct cell){.number = number};
}

static inline struct cell cell_plies(int plies) // negative: none
{
    return (struct cell){.number = plies < 0 ? 0 : (uint64_t)plies, .none = plies < 0};
}

static inline struct cell cell_flag(bool flag)
{
    return (struct cell){.number = flag};
}

static inline struct cell cell_real(double real)
{
    return (struct cell){.real = real};
}

struct listing;

// Begins a listing; `columns` must outlive it. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_listing_create(const struct column *columns, size_t n_columns,
                                                 struct listing **listing, struct error *err);
void merels_listing_destroy(struct listing *listing); // NULL is allowed

// Adds a row: a cell for each column. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_listing_add(struct listing *listing, const struct cell *cells,
                                              struct error *err);

// Prints the rows as a table with headings, aligned; nothing if there are none.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_listing_print(const struct listing *listing,
                                                struct output *out, struct error *err);

// Prints a line of names, if `names`, and one for each row, tab-separated.
void merels_listing_print_tsv(const struct listing *listing, bool names, struct output *out);

// An array of an object for each row; NULL if memory ran out.
json_t *merels_listing_json(const struct listing *listing);

// A single row, not kept: as facts, a line "heading  value" for each column (STATUS_NO_MEMORY),
// and as a JSON object (NULL if memory ran out).
MERELS_CHECKED enum status merels_facts_print(const struct column *columns, size_t n_columns,
                                              const struct cell *cells, struct output *out,
                                              struct error *err);
json_t *merels_facts_json(const struct column *columns, size_t n_columns,
                          const struct cell *cells);

#endif
