// listing.c: rows of cells and their three forms. Text is aligned by libsmartcols, which is
// used here only.

#include "query/listing.h"

#include <inttypes.h>
#include <libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "query/quantity.h"

struct listing {
    const struct column *columns;
    size_t n_columns;
    struct cell *cells; // row after row; their texts are our own
    size_t n_rows, room;
};

enum status merels_listing_create(const struct column *columns, size_t n_columns,
                                  struct listing **listing, struct error *err)
{
    struct listing *made = calloc(1, sizeof *made);
    if (!made)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a list");
    made->columns = columns;
    made->n_columns = n_columns;
    *listing = made;
    return STATUS_OK;
}

void merels_listing_destroy(struct listing *listing)
{
    if (!listing)
        return;
    for (size_t i = 0; i < listing->n_rows * listing->n_columns; i++)
        free((char *)listing->cells[i].text);
    free(listing->cells);
    free(listing);
}

static const struct cell *row_at(const struct listing *listing, size_t row)
{
    return &listing->cells[row * listing->n_columns];
}

static bool make_room(struct listing *listing)
{
    if (listing->n_rows < listing->room)
        return true;
    size_t room = 2 * listing->room + 8;
    struct cell *cells =
        realloc(listing->cells, room * listing->n_columns * sizeof *listing->cells);
    if (!cells)
        return false;
    listing->cells = cells;
    listing->room = room;
    return true;
}

enum status merels_listing_add(struct listing *listing, const struct cell *cells,
                               struct error *err)
{
    bool whole = make_room(listing);
    if (whole) {
        struct cell *row = &listing->cells[listing->n_rows++ * listing->n_columns];
        for (size_t i = 0; i < listing->n_columns; i++) {
            row[i] = cells[i];
            if (cells[i].text)
                row[i].text = strdup(cells[i].text);
            whole = whole && (row[i].text || !cells[i].text);
        }
    }
    return whole ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "no memory for a list");
}

// ---- one cell as text ----------------------------------------------------------------------

// Writes all but text into `out`; returns what is to be shown.
static const char *cell_shown(const struct column *column, const struct cell *cell,
                              bool for_people, char out[QUANTITY_TEXT_BYTES])
{
    if (cell->none)
        return "-";
    switch (column->kind) {
    case COLUMN_TEXT:
    case COLUMN_WORDS:
        return cell->text;
    case COLUMN_FLAG:
        return cell->number ? "yes" : "no";
    case COLUMN_NUMBER:
        if (for_people)
            return merels_count_format(cell->number, out);
        break;
    case COLUMN_BYTES:
        if (for_people)
            return merels_bytes_format(cell->number, out);
        break;
    case COLUMN_REAL:
        snprintf(out, QUANTITY_TEXT_BYTES, "%.*f", column->decimals, cell->real);
        return out;
    }
    snprintf(out, QUANTITY_TEXT_BYTES, "%" PRIu64, cell->number);
    return out;
}

static const char *heading_of(const struct column *column)
{
    return column->heading ? column->heading : column->name;
}

// ---- aligned text --------------------------------------------------------------------------

static int is_right(const struct column *column)
{
    bool words = column->kind == COLUMN_TEXT || column->kind == COLUMN_WORDS;
    return column->alignment == ALIGN_BY_KIND ? !words : column->alignment == ALIGN_RIGHT;
}

// A table being filled; n_signs: the bytes that are no spaces in what it was given.
struct filling {
    struct libscols_table *table;
    bool headings; // are shown
    size_t n_signs;
};

static size_t count_signs(const char *text)
{
    size_t n = 0;
    for (; *text; text++)
        n += *text != ' ' && *text != '\n';
    return n;
}

// A table that is printed the same on a terminal and elsewhere; NULL if memory ran out.
static struct libscols_table *new_table(bool headings)
{
    struct libscols_table *table = scols_new_table();
    if (table && (scols_table_set_column_separator(table, "  ") != 0 ||
                  scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER) != 0 ||
                  scols_table_enable_noheadings(table, !headings) != 0)) {
        scols_unref_table(table);
        table = NULL;
    }
    return table;
}

static bool add_column(struct filling *filling, const char *heading, int flags)
{
    filling->n_signs += filling->headings ? count_signs(heading) : 0;
    return scols_table_new_column(filling->table, heading, 0, flags) != NULL;
}

static bool set_cell(struct filling *filling, struct libscols_line *line, size_t at,
                     const char *text)
{
    filling->n_signs += count_signs(text);
    return scols_line_set_data(line, at, text) == 0;
}

static bool add_columns(struct filling *filling, const struct listing *listing)
{
    for (size_t i = 0; i < listing->n_columns; i++) {
        const struct column *column = &listing->columns[i];
        if ((column->forms & IN_TEXT) &&
            !add_column(filling, heading_of(column), is_right(column) ? SCOLS_FL_RIGHT : 0))
            return false;
    }
    return true;
}

static bool add_line(struct filling *filling, const struct listing *listing,
                     const struct cell *row)
{
    size_t at = 0;
    struct libscols_line *line = scols_table_new_line(filling->table, NULL);
    for (size_t i = 0; line && i < listing->n_columns; i++) {
        char text[QUANTITY_TEXT_BYTES];
        const struct column *column = &listing->columns[i];
        if ((column->forms & IN_TEXT) &&
            !set_cell(filling, line, at++, cell_shown(column, &row[i], true, text)))
            return false;
    }
    return line != NULL;
}

// One line "heading  value" for each cell.
static bool add_facts(struct filling *filling, const struct column *columns, size_t n_columns,
                      const struct cell *cells)
{
    bool whole = add_column(filling, "fact", 0) && add_column(filling, "value", 0);
    for (size_t i = 0; whole && i < n_columns; i++) {
        char text[QUANTITY_TEXT_BYTES];
        if (!(columns[i].forms & IN_TEXT))
            continue;
        const char *value = cell_shown(&columns[i], &cells[i], true, text);
        struct libscols_line *line = scols_table_new_line(filling->table, NULL);
        whole = line && set_cell(filling, line, 0, heading_of(&columns[i])) &&
                set_cell(filling, line, 1, value);
    }
    return whole;
}

// The text of a filled table, malloc'ed; NULL if memory ran out. Texts are UTF-8 whatever the
// locale of the program: what is none, or cannot be shown, libsmartcols writes as \xHH.
static char *table_text(struct libscols_table *table)
{
    char *text = NULL;
    locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = utf8 ? uselocale(utf8) : (locale_t)0;
    if (scols_print_table_to_string(table, &text) != 0) {
        free(text);
        text = NULL;
    }
    if (utf8) {
        uselocale(before);
        freelocale(utf8);
    }
    return text;
}

// Prints a filled table and frees it. Where memory ends libsmartcols leaves cells out and does
// not say so: then there are fewer signs than it was given (what it cannot show takes more).
static enum status print_table(struct filling *filling, bool filled, struct output *out,
                               struct error *err)
{
    char *text = filled ? table_text(filling->table) : NULL;
    bool whole = text && count_signs(text) >= filling->n_signs;
    if (whole)
        merels_print(out, "%s\n", text);
    scols_unref_table(filling->table);
    free(text);
    return whole ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "no memory for a list");
}

enum status merels_listing_print(const struct listing *listing, struct output *out,
                                 struct error *err)
{
    if (listing->n_rows == 0)
        return STATUS_OK;
    struct filling filling = {.table = new_table(true), .headings = true};
    bool filled = filling.table && add_columns(&filling, listing);
    for (size_t i = 0; filled && i < listing->n_rows; i++)
        filled = add_line(&filling, listing, row_at(listing, i));
    return print_table(&filling, filled, out, err);
}

enum status merels_facts_print(const struct column *columns, size_t n_columns,
                               const struct cell *cells, struct output *out, struct error *err)
{
    struct filling filling = {.table = new_table(false)};
    bool filled = filling.table && add_facts(&filling, columns, n_columns, cells);
    return print_table(&filling, filled, out, err);
}

// ---- TSV -----------------------------------------------------------------------------------

// A line: of the names, or of a row.
static void print_tsv_line(const struct listing *listing, const struct cell *row,
                           struct output *out)
{
    const char *between = "";
    for (size_t i = 0; i < listing->n_columns; i++) {
        char text[QUANTITY_TEXT_BYTES];
        const struct column *column = &listing->columns[i];
        if (!(column->forms & IN_TSV))
            continue;
        merels_print(out, "%s%s", between,
                     row ? cell_shown(column, &row[i], false, text) : column->name);
        between = "\t";
    }
    merels_print(out, "\n");
}

void merels_listing_print_tsv(const struct listing *listing, bool names, struct output *out)
{
    if (names)
        print_tsv_line(listing, NULL, out);
    for (size_t i = 0; i < listing->n_rows; i++)
        print_tsv_line(listing, row_at(listing, i), out);
}

// ---- JSON ----------------------------------------------------------------------------------

static json_t *words_json(const char *words)
{
    json_t *list = json_array();
    for (; list && *words; words += strspn(words, " ")) {
        size_t length = strcspn(words, " ");
        if (json_array_append_new(list, json_stringn(words, length)) != 0) {
            json_decref(list);
            return NULL;
        }
        words += length;
    }
    return list;
}

static json_t *cell_json(const struct column *column, const struct cell *cell)
{
    if (cell->none)
        return json_null();
    switch (column->kind) {
    case COLUMN_TEXT:
        return merels_json_text(cell->text);
    case COLUMN_WORDS:
        return words_json(cell->text);
    case COLUMN_FLAG:
        return json_boolean(cell->number != 0);
    case COLUMN_REAL:
        return json_real(cell->real);
    default:
        return json_integer((json_int_t)cell->number);
    }
}

json_t *merels_facts_json(const struct column *columns, size_t n_columns,
                          const struct cell *cells)
{
    json_t *object = json_object();
    for (size_t i = 0; object && i < n_columns; i++)
        if ((columns[i].forms & IN_JSON) &&
            json_object_set_new(object, columns[i].name, cell_json(&columns[i], &cells[i]))) {
            json_decref(object);
            return NULL;
        }
    return object;
}

json_t *merels_listing_json(const struct listing *listing)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < listing->n_rows; i++) {
        json_t *row =
            merels_facts_json(listing->columns, listing->n_columns, row_at(listing, i));
        if (json_array_append_new(list, row) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}
