// options.h: the options of rules by number: names, values, and what counts where none is said.
//
// All that parses, prints or compares rules goes through this table, so that an option is added
// here, in `struct rules`, and where the game asks for it.

#ifndef MERELS_GAME_OPTIONS_H
#define MERELS_GAME_OPTIONS_H

#include "game/rules.h"

// In the order of the rules text (docs/FORMAT.md). A new one comes last.
enum rule_option {
    RULE_FLY,
    RULE_FLY_COUNT,
    RULE_MILL_MEN,
    RULE_REMOVALS,
    RULE_BLOCKED,
    RULE_FULL_BOARD,
    RULE_TURN,
    RULE_MILL,
    RULE_LEAST,
    RULE_CHOOSER,
    RULE_METRIC,
    RULE_CLOSED_POINTS,
    RULE_N_MOVE,
    N_RULE_OPTIONS
};

enum { MAX_OPTION_VALUES = 3, OPTION_TEXT_BYTES = 24, OPTION_VALUES_BYTES = 64 };

struct option_names {
    const char *name;
    const char *values[MAX_OPTION_VALUES + 1]; // none: a number from 0 to `most`
    const char *meanings[MAX_OPTION_VALUES];   // of each value, or of the number
    int usual; // the value that no rules text prints, for all presets and boards the same
    int most;  // of a number
};

const struct option_names *merels_option(enum rule_option option);

// The values of all options: a named one is its place in option_names.values.
void merels_options_get(const struct rules *rules, int values[N_RULE_OPTIONS]);
void merels_options_set(struct rules *rules, const int values[N_RULE_OPTIONS]);

// Gives options that cannot matter their usual value: how men are counted for flying where no
// side flies with men in hand, and what a mill removes, and leaves closed, where it wins; where
// plies without a conversion are counted the metric is dtc. So the same game has the same text.
void merels_options_settle(int values[N_RULE_OPTIONS]);

// The option with this name of `length` characters, or N_RULE_OPTIONS.
enum rule_option merels_option_find(const char *name, size_t length);

// The value that a text of `length` characters says, or -1.
int merels_option_value(enum rule_option option, const char *text, size_t length);

// True if an option is yes or no: its name alone says yes.
bool merels_option_is_flag(enum rule_option option);

// The values that an option has, for a message: "board, total", "a number from 0 to 24".
void merels_option_values(enum rule_option option, char out[OPTION_VALUES_BYTES]);

// What an option of `length` characters would mean that other programs know and that is refused
// ("line-once"), and why, in words that go behind "is refused: "; NULL for all other names.
const char *merels_option_refused(const char *name, size_t length, const char **why);

// The text of a value.
void merels_option_text(enum rule_option option, int value, char out[OPTION_TEXT_BYTES]);

#endif
