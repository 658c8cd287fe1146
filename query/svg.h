// svg.h: a picture as the text of an SVG file, which grows in memory and is written at once.
//
// A writer of elements and escaped text and nothing more: what is drawn where, the pictures
// decide (board_picture, game_picture, depth_picture, result_picture). Every picture brings a
// style of its own, so that it needs no other file: an opaque card, the colours of values, and
// both for browsers that prefer dark ones. A call after memory ran out does nothing; the end
// says so.

#ifndef MERELS_QUERY_SVG_H
#define MERELS_QUERY_SVG_H

#include "query/output.h"

struct svg {
    char *text; // NUL-terminated
    size_t length, room;
    bool failed; // memory ran out
};

// Begins a picture of so many units, which are pixels unless somebody scales it, on a card
// that fills it. `title` is what a screen reader says.
struct svg merels_svg_begin(int width, int height, const char *title);
void merels_svg_end(struct svg *svg);
void merels_svg_free(struct svg *svg);

// Adds markup as printf does; texts in it must be names or numbers.
void merels_svg_add(struct svg *svg, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Adds a text as the contents of an element: what XML keeps for itself is written out, control
// characters and bytes that are not UTF-8 become '?'.
void merels_svg_escape(struct svg *svg, const char *text);

// A whole element <text> with a class of the style: "title", "words", "small", "side" ...;
// the point is where its base line begins, or its middle ("middle") or end ("end").
void merels_svg_text(struct svg *svg, double x, double y, const char *class, const char *text);

// Writes the picture that has ended: to `out` for "-", else it replaces the file in one step.
// STATUS_BAD_INPUT if something that is no regular file has that name, STATUS_IO,
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_svg_write(const struct svg *svg, const char *path,
                                            struct output *out, struct error *err);

#endif
