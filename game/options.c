// options.c: the table of options, and reading and printing their values.

#include "game/options.h"

#include <stdio.h>
#include <string.h>

static const struct option_names options[N_RULE_OPTIONS] = {
    [RULE_FLY] = {"fly",
                  {NULL},
                  {"a side with at most so many men moves to any free point; 0: never"},
                  3,
                  MAX_POINTS},
    [RULE_FLY_COUNT] = {"fly-count",
                        {"board", "total"},
                        {"men on the board count, and only an empty hand flies",
                         "men on the board and in hand count; with men in hand, too"},
                        FLY_BOARD,
                        0},
    [RULE_MILL_MEN] = {"mill-men",
                       {"removable-if-all", "removable", "safe"},
                       {"men in mills are taken only if all of that side are in mills",
                        "any man is taken", "men in mills are never taken"},
                       MILL_MEN_REMOVABLE_IF_ALL,
                       0},
    [RULE_REMOVALS] = {"removals",
                       {"one", "each"},
                       {"a ply that closes several mills takes one man",
                        "one man for each mill, one after another; none after the end"},
                       REMOVALS_ONE,
                       0},
    [RULE_BLOCKED] = {"blocked",
                      {"loses", "draws", "passes"},
                      {"a mover that can neither place nor move has lost", "it has a draw",
                       "it passes; if the other side could not move either, a draw"},
                      BLOCKED_LOSES,
                      0},
    [RULE_FULL_BOARD] = {"full-board",
                         {"draws", "mover-loses"},
                         {"a board without free points is a draw", "its mover has lost"},
                         FULL_BOARD_DRAWS,
                         0},
    [RULE_TURN] = {"turn",
                   {"place-then-move", "place-or-move"},
                   {"a side with men in hand places one", "it may also move one"},
                   TURN_PLACE_THEN_MOVE,
                   0},
    [RULE_MILL] = {"mill",
                   {"removes", "wins"},
                   {"who closes a mill takes a man", "who closes a mill has won"},
                   MILL_REMOVES,
                   0},
    [RULE_LEAST] = {"least",
                    {NULL},
                    {"a side with fewer men, on the board and in hand, has lost"},
                    3,
                    MAX_POINTS},
    [RULE_CHOOSER] = {"chooser",
                      {"mover", "opponent"},
                      {"who closes a mill picks the man that is taken",
                       "the other side picks, among those that may be taken"},
                      CHOOSER_MOVER,
                      0},
    [RULE_METRIC] = {"metric",
                     {"dtm", "dtc"},
                     {"depths are plies to the end of the game",
                      "depths are plies to the next removal, placement or the end"},
                     METRIC_DTM,
                     0},
    [RULE_CLOSED_POINTS] = {"closed-points",
                            {"no", "yes"},
                            {"a point whose man was taken is free at once",
                             "it is closed until all men are placed; answered by search"},
                            CLOSED_POINTS_NO,
                            0},
    [RULE_N_MOVE] = {"n-move",
                     {NULL},
                     {"so many plies without a removal or placement are a draw; 0: there is no "
                      "such rule"},
                     0,
                     MAX_N_MOVE},
};

const struct option_names *merels_option(enum rule_option option)
{
    return &options[option];
}

void merels_options_get(const struct rules *rules, int values[N_RULE_OPTIONS])
{
    values[RULE_FLY] = rules->fly;
    values[RULE_FLY_COUNT] = (int)rules->fly_count;
    values[RULE_MILL_MEN] = (int)rules->mill_men;
    values[RULE_REMOVALS] = (int)rules->removals;
    values[RULE_BLOCKED] = (int)rules->blocked;
    values[RULE_FULL_BOARD] = (int)rules->full_board;
    values[RULE_TURN] = (int)rules->turn;
    values[RULE_MILL] = (int)rules->mill;
    values[RULE_LEAST] = rules->least;
    values[RULE_CHOOSER] = (int)rules->chooser;
    values[RULE_METRIC] = (int)rules->metric;
    values[RULE_CLOSED_POINTS] = (int)rules->closed_points;
    values[RULE_N_MOVE] = rules->n_move;
}

void merels_options_set(struct rules *rules, const int values[N_RULE_OPTIONS])
{
    rules->fly = values[RULE_FLY];
    rules->fly_count = (enum fly_count)values[RULE_FLY_COUNT];
    rules->mill_men = (enum mill_men)values[RULE_MILL_MEN];
    rules->removals = (enum removals)values[RULE_REMOVALS];
    rules->blocked = (enum blocked)values[RULE_BLOCKED];
    rules->full_board = (enum full_board)values[RULE_FULL_BOARD];
    rules->turn = (enum turn)values[RULE_TURN];
    rules->mill = (enum mill)values[RULE_MILL];
    rules->least = values[RULE_LEAST];
    rules->chooser = (enum chooser)values[RULE_CHOOSER];
    rules->metric = (enum metric)values[RULE_METRIC];
    rules->closed_points = (enum closed_points)values[RULE_CLOSED_POINTS];
    rules->n_move = values[RULE_N_MOVE];
}

void merels_options_settle(int values[N_RULE_OPTIONS])
{
    if (values[RULE_FLY] == 0 || values[RULE_TURN] == TURN_PLACE_THEN_MOVE)
        values[RULE_FLY_COUNT] = FLY_BOARD;
    if (values[RULE_MILL] == MILL_WINS) {
        values[RULE_MILL_MEN] = MILL_MEN_REMOVABLE_IF_ALL;
        values[RULE_REMOVALS] = REMOVALS_ONE;
        values[RULE_CHOOSER] = CHOOSER_MOVER;
        values[RULE_CLOSED_POINTS] = CLOSED_POINTS_NO;
    }
    if (values[RULE_N_MOVE] > 0)
        values[RULE_METRIC] = METRIC_DTC;
}

static bool is(const char *name, const char *text, size_t length)
{
    return strlen(name) == length && memcmp(name, text, length) == 0;
}

enum rule_option merels_option_find(const char *name, size_t length)
{
    int option = 0;
    while (option < N_RULE_OPTIONS && !is(options[option].name, name, length))
        option++;
    return (enum rule_option)option;
}

int merels_option_value(enum rule_option option, const char *text, size_t length)
{
    const char *const *names = options[option].values;
    for (int i = 0; i < MAX_OPTION_VALUES && names[i] != NULL; i++)
        if (is(names[i], text, length))
            return i;
    if (names[0] != NULL || length < 1 || length > 3)
        return -1;
    int value = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = 10 * value + text[i] - '0';
    }
    return value <= options[option].most ? value : -1;
}

bool merels_option_is_flag(enum rule_option option)
{
    const char *const *names = options[option].values;
    return names[0] != NULL && strcmp(names[0], "no") == 0;
}

void merels_option_values(enum rule_option option, char out[OPTION_VALUES_BYTES])
{
    const char *const *names = options[option].values;
    size_t n = 0;
    if (names[0] == NULL)
        snprintf(out, OPTION_VALUES_BYTES, "a number from 0 to %d", options[option].most);
    for (int i = 0; i < MAX_OPTION_VALUES && names[i] != NULL && n < OPTION_VALUES_BYTES; i++)
        n += (size_t)snprintf(out + n, OPTION_VALUES_BYTES - n, "%s%s", i > 0 ? ", " : "",
                              names[i]);
}

// Options that depend on more than a position.
static const struct {
    const char *name, *meaning, *why;
} refused[] = {
    {"no-reform", "a mill may not be re-formed at once",
     "whether a ply closes a mill depends on the mill that was opened before, which is no part "
     "of a position, and no table can answer it"},
    {"line-once", "each line counts once per game",
     "whether a ply closes a mill depends on all mills of the game so far, which are no part "
     "of a position, and no table can answer it"},
    {"repetition", "a repeated position ends the game",
     "it changes the value of no position; play, analyse and engine count repetitions by "
     "themselves"},
};

const char *merels_option_refused(const char *name, size_t length, const char **why)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (is(refused[i].name, name, length)) {
            *why = refused[i].why;
            return refused[i].meaning;
        }
    return NULL;
}

void merels_option_text(enum rule_option option, int value, char out[OPTION_TEXT_BYTES])
{
    const char *const *names = options[option].values;
    if (names[0] != NULL)
        snprintf(out, OPTION_TEXT_BYTES, "%s", names[value]);
    else
        snprintf(out, OPTION_TEXT_BYTES, "%d", value);
}
