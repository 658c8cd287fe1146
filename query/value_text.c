// value_text.c: values and positions in words.

#include "query/value_text.h"

#include <stdlib.h>
#include <string.h>

const char *merels_value_name(enum value value)
{
    return value == VALUE_WIN ? "win" : value == VALUE_LOSS ? "loss" : "draw";
}

const char *merels_metric_name(enum edition edition)
{
    return edition == EDITION_WDL ? "wdl" : "dtm";
}

const char *merels_value_words(enum value value, int plies, char out[VALUE_TEXT_BYTES])
{
    const char *verb = value == VALUE_WIN ? "wins" : "loses";
    if (value == VALUE_DRAWN)
        return "draws";
    if (plies < 0)
        return verb;
    if (plies == 0)
        return value == VALUE_WIN ? "has won" : "has lost";
    snprintf(out, VALUE_TEXT_BYTES, "%s in %d %s", verb, plies, plies == 1 ? "ply" : "plies");
    return out;
}

static void print_turn(struct output *out, const struct position *pos, bool unicode)
{
    const char *mover = merels_colour_name(pos->mover);
    int white_hand = pos->mover == WHITE ? pos->own_hand : pos->other_hand;
    int black_hand = pos->mover == WHITE ? pos->other_hand : pos->own_hand;
    merels_print(out, "%s. ", merels_render_legend(unicode));
    if (white_hand + black_hand > 0)
        merels_print(out, "In hand: White %d, Black %d. ", white_hand, black_hand);
    if (pos->due == 0)
        merels_print(out, "%s to move.\n", mover);
    else
        merels_print(out, "%s has closed a mill and removes %d.\n", mover, pos->due);
}

void merels_print_board(struct output *out, const struct rules *rules,
                        const struct position *pos, struct render_style style)
{
    char text[POSITION_TEXT_BYTES];
    char drawing[BOARD_TEXT_BYTES];
    merels_position_format(rules, pos, text);
    merels_render_board(&rules->board, pos, style, drawing);
    merels_print(out, "%s\n\n%s\n", text, drawing);
    print_turn(out, pos, style.unicode);
}

enum status merels_join_operands(const struct arguments *args, int first, char **text,
                                 struct error *err)
{
    size_t n_bytes = 1;
    for (int i = first; i < args->n_operands; i++)
        n_bytes += strlen(args->operands[i]) + 1;
    char *joined = malloc(n_bytes);
    if (!joined)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the text");
    char *end = joined;
    for (int i = first; i < args->n_operands; i++) {
        if (i > first)
            *end++ = ' ';
        end = stpcpy(end, args->operands[i]);
    }
    *end = '\0';
    *text = joined;
    return STATUS_OK;
}
