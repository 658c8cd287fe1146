// pgn.c: writing of games with tags.

#include "query/pgn.h"

#include <string.h>

enum { MAX_COLUMNS = 80, WORD_BYTES = 32 };

static void print_tag(struct output *out, const char *name, const char *value)
{
    merels_print(out, "[%s \"", name);
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            merels_print(out, "\\");
        merels_print(out, "%c", *value);
    }
    merels_print(out, "\"]\n");
}

// Prints the tag that the text has, else `otherwise`.
static void print_tag_of(struct output *out, const char *text, const char *name,
                         const char *lower, const char *otherwise)
{
    struct tag tag;
    const char *value = merels_game_tag(text, lower, &tag);
    print_tag(out, name, value ? value : otherwise);
}

// What the game says of its end, else what its last position says.
static const char *result_of(const struct game_record *record)
{
    static const char *const said[] = {[RESULT_WHITE] = "1-0",
                                       [RESULT_BLACK] = "0-1",
                                       [RESULT_DRAW] = "1/2-1/2",
                                       [RESULT_OPEN] = "*"};
    int value;
    const struct position *pos = merels_game_record_position(record);
    if (record->result != RESULT_NONE)
        return said[record->result];
    if (!merels_position_over(record->rules, pos, &value))
        return said[RESULT_OPEN];
    if (value == 0)
        return said[RESULT_DRAW];
    return said[(value > 0) == (pos->mover == WHITE) ? RESULT_WHITE : RESULT_BLACK];
}

static void print_first(struct output *out, const struct game_record *record)
{
    char text[POSITION_TEXT_BYTES];
    if (merels_game_record_at_start(record))
        return;
    if (merels_position_format_fen(record->rules, &record->first, false, text, NULL) !=
        STATUS_OK)
        merels_position_format(record->rules, &record->first, text);
    print_tag(out, "SetUp", "1");
    print_tag(out, "FEN", text);
}

// Prints a word in the line that is being written, or in the next one.
static void print_word(struct output *out, const char *word, int *column)
{
    int length = (int)strlen(word);
    bool fits = *column > 0 && *column + 1 + length <= MAX_COLUMNS;
    merels_print(out, "%s%s", fits ? " " : *column > 0 ? "\n" : "", word);
    *column = fits ? *column + 1 + length : length;
}

static void print_plies(struct output *out, const struct game_record *record, int *column)
{
    size_t black = record->first.mover == BLACK;
    for (size_t i = 0; i < record->n_turns; i++) {
        char word[WORD_BYTES];
        size_t number = 1 + (i + black) / 2;
        if ((i + black) % 2 == 0)
            snprintf(word, sizeof word, "%zu.", number);
        else
            snprintf(word, sizeof word, "%zu...", number);
        if ((i + black) % 2 == 0 || i == 0)
            print_word(out, word, column);
        merels_ply_format(record->rules, record->turns[i].ply, word);
        print_word(out, word, column);
    }
}

void merels_pgn_print(struct output *out, const struct game_record *record, const char *text,
                      const char *rules, const char *label)
{
    static const char *const tags[][3] = {{"Site", "site", "?"},
                                          {"Date", "date", "????.??.??"},
                                          {"Round", "round", "?"},
                                          {"White", "white", "?"},
                                          {"Black", "black", "?"}};
    int column = 0;
    print_tag_of(out, text, "Event", "event", label ? label : "?");
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        print_tag_of(out, text, tags[i][0], tags[i][1], tags[i][2]);
    print_tag(out, "Result", result_of(record));
    print_tag(out, "Rules", rules);
    print_first(out, record);
    merels_print(out, "\n");
    print_plies(out, record, &column);
    print_word(out, result_of(record), &column);
    merels_print(out, "\n");
}
