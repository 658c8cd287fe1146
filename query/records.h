// records.h: the games and positions of a stream, one after another, in bounded memory.
//
// A record is one line, or several where the text says so:
//
//     [Event "1"]            tags begin one, which ends at the next tag behind plies,
//     1. d6 f4               at a result, or where the numbers begin anew
//     2. d2 b4 1-0
//
//     1. d6 f4 2. d2         so does a number; it ends at an empty line, too, and at a line
//     b4 3. f6               that cannot go on with it
//
//     Place to d6            so do words
//     Place to f4
//
//     startpos moves d6      anything else is one line; if the reader may look ahead, lines
//       f4 d2                that are indented or begin with a move or a removal belong to it
//
// Empty lines and those that begin with # or % are skipped in front of a record.

#ifndef MERELS_QUERY_RECORDS_H
#define MERELS_QUERY_RECORDS_H

#include "game/words.h"
#include "query/lines.h"
#include "query/output.h"

// Begin with {.lines = {.in = stream}, .looks_ahead = ...}; end with merels_records_free.
struct records {
    struct lines lines;
    bool looks_ahead;  // a single line is given only when the next one was read
    char *text;        // the record; valid until the next one is read
    uint64_t n;        // read so far
    int line, n_lines; // of the record: number of its first line in the stream, and how many
    size_t length, room;
    bool waiting; // lines.text holds a line that belongs to no record yet
    bool ended;
    struct error fault, waiting_fault; // of a line of the record, and of the one that waits
};

// Reads the next record; *read is false behind the last. STATUS_BAD_INPUT with *read true: it
// holds a byte of value 0 or is over a megabyte long, and was read to its end. STATUS_IO and
// STATUS_NO_MEMORY with *read false.
MERELS_CHECKED enum status merels_records_next(struct records *records, bool *read,
                                               struct error *err);
void merels_records_free(struct records *records);

// The line for merels_game_begin: 0 for a record of one line, which its reader names.
int merels_records_line(const struct records *records);

// What a record is called: its label (; id "club 7"), else its players, else its event, from
// tags; NULL if it has none of these. `label` is room for it.
const char *merels_records_label(const char *text, char label[TAG_VALUE_BYTES]);

// Tells what is odd in the record (game_record.h), with its line; nothing for STATUS_OK.
void merels_records_tell(const struct records *records, const struct error *note);

// Prints the label as it stands behind a line, ; id "club 7", and reads back; nothing for NULL.
void merels_records_print_label(const char *label, struct output *out);

#endif
