// verify_marks.c: marks of values and values of marks, by one rule for both widths.

#include "verify/verify_marks.h"

#include <stdlib.h>

// The marks of a width: a draw, and the other side has lost in 0.
struct scale {
    int draw, ended;
};

static const struct scale narrow_scale = {MARK_DRAW, MARK_ENDED};
static const struct scale wide_scale = {WIDE_MARK_DRAW, WIDE_MARK_ENDED};

// What the maps depend on besides the width.
struct meaning {
    enum measure measure;
    const struct verify_plies *plies;
    int n_move;
};

// After a ply that converts only the result matters.
static int result_mark(const struct scale *scale, int value)
{
    return value == DRAW ? scale->draw : value & 1 ? 1 : scale->ended;
}

// Wins of the other side have the marks from 1 on, or from 2 on where 1 is a conversion.
static int depth_mark(const struct scale *scale, int value, bool conversions)
{
    return value == DRAW ? scale->draw
           : value & 1   ? (value + 1) / 2 + conversions
                         : scale->ended - value / 2;
}

static int mark_after(const struct scale *scale, const struct meaning *meaning, bool converts,
                      int value)
{
    bool conversions = meaning->measure == MEASURE_CONVERSION;
    return conversions && converts ? result_mark(scale, value)
                                   : depth_mark(scale, value, conversions);
}

// The value that follows from the mover's best mark. Without depths each loss of the other side
// is the same win, and the other way round.
static int value_of_mark(const struct scale *scale, const struct meaning *meaning, int mark)
{
    if (mark == MARK_NONE)
        return meaning->plies->blocked_value;
    int value = mark == scale->draw                ? DRAW
                : mark > scale->draw               ? 2 * (scale->ended - mark) + 1
                : meaning->measure == MEASURE_NONE ? LOSS
                                                   : 2 * mark;
    return merels_verify_stands(value, meaning->measure, meaning->n_move) ? value : DRAW;
}

// The low byte of a draw is BYTE_DRAW.
static struct marks *narrow_marks(const struct meaning *meaning)
{
    struct marks *marks = malloc(sizeof *marks);
    bool converts = meaning->plies->quiet_converts;
    for (int v = 0; v < N_NARROW && marks != NULL; v++) {
        int value = verify_widened((uint8_t)v);
        marks->quiet[v] = (uint8_t)mark_after(&narrow_scale, meaning, converts, value);
        marks->taken[v] = (uint8_t)mark_after(&narrow_scale, meaning, true, value);
        marks->values[v] = (uint8_t)value_of_mark(&narrow_scale, meaning, v);
    }
    return marks;
}

static struct wide_marks *wide_marks(const struct meaning *meaning)
{
    struct wide_marks *marks = malloc(sizeof *marks);
    bool converts = meaning->plies->quiet_converts;
    for (int v = 0; v < N_WIDE && marks != NULL; v++) {
        marks->quiet[v] = (uint16_t)mark_after(&wide_scale, meaning, converts, v);
        marks->taken[v] = (uint16_t)mark_after(&wide_scale, meaning, true, v);
        marks->values[v] = (uint16_t)value_of_mark(&wide_scale, meaning, v);
    }
    return marks;
}

enum status merels_verify_marks(int mark_bytes, enum measure measure,
                                const struct verify_plies *plies, int n_move,
                                const void **marks, struct error *err)
{
    const struct meaning meaning = {measure, plies, n_move};
    *marks = mark_bytes == 2 ? (void *)wide_marks(&meaning) : (void *)narrow_marks(&meaning);
    return *marks != NULL ? STATUS_OK
                          : merels_error(err, STATUS_NO_MEMORY, "out of memory for marks");
}
