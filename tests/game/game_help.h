// game_help.h: rules, positions and sets from text, for the tests of game/.

#ifndef MERELS_TESTS_GAME_HELP_H
#define MERELS_TESTS_GAME_HELP_H

#include <criterion/criterion.h>
#include <string.h>

#include "game/notation.h"
#include "game/perft.h"

// The checked positions of the standard game.
#define P1 "w a7,d7,g4,b6 a1,d1,g1 0/0"
#define P3 "w a7,g7,d6,d5 a1,b2,c3,f4 5/5"
#define P4 "w a7,d7,g7,a1 a4,d6,g4,d1 0/0"
#define P7 "w a7,d7,f6,d2,c4,e3,b6,a1 g7,d5,g4,f2,b2,e4,c3,d1,c5 1/0"
#define P8 "w a7,d7 - 1/3"
#define P9 "w a7,g7,g4 d7,g1,d1 0/0"
#define P10 "w d7,g4,d1 a7,g7,a1 0/0"
#define P11 "w a7,d7,g7 g4,b6,d6 0/0"
#define P12 "w d7,d1,d6,d2 b6,c5,e5 0/0"
#define G10 "w a7,d7,b6,d5,c4,c3,d3,a1 d6,f6,c5,a4,e3,b2,g1 0/0"
#define G14 "b a7,g1,a1 d6,d2 6/7"

// Rules of one test at a time; each test is a process of its own.
static struct rules the_rules;
static struct start the_start;

static inline const struct rules *rules_of(const char *text)
{
    struct error err = {.text = ""};
    enum status status = merels_rules_parse(text, &the_rules, &the_start, &err);
    cr_assert_eq(status, STATUS_OK, "%s: %s", text, err.text);
    return &the_rules;
}

static inline struct position position_of(const struct rules *rules, const char *text)
{
    struct position pos = {.own = 0};
    struct error err = {.text = ""};
    enum status status = merels_position_parse(rules, &the_start, text, &pos, &err);
    cr_assert_eq(status, STATUS_OK, "%s: %s", text, err.text);
    return pos;
}

// The set of points named in "a7,d7"; names are two characters with any one between.
static inline point_set set_of(const struct board *board, const char *names)
{
    point_set set = 0;
    for (size_t i = 0; i < strlen(names); i += 3)
        set |= (point_set)1 << merels_board_point(board, names + i);
    return set;
}

static inline int plies_of(const struct rules *rules, const char *text, struct ply *plies)
{
    struct position pos = position_of(rules, text);
    int n = merels_plies(rules, &pos, plies);
    cr_assert_eq(merels_count_plies(rules, &pos), n, "%s", text);
    return n;
}

static inline int n_plies_of(const struct rules *rules, const char *text)
{
    struct ply plies[MAX_PLIES];
    return plies_of(rules, text, plies);
}

// Cuts the example off a message about a text, which must fit: as a position or a game, or as a
// ply of `pos` (NULL: of a position in the middle of a game, so that only its form is looked
// at).
static inline void cut_example(const struct rules *rules, const struct position *pos,
                               struct error *err)
{
    static const char words[] = "; for example: ";
    char *end = strstr(err->text, words);
    struct position read;
    struct ply ply;
    cr_assert_not_null(end, "no example: %s", err->text);
    const char *example = end + strlen(words);
    struct error reason = {.text = ""};
    bool fits = merels_position_parse(rules, &the_start, example, &read, &reason) == STATUS_OK;
    if (!fits && pos)
        fits = merels_ply_parse(rules, pos, example, &ply, &reason) == STATUS_OK;
    else if (!fits)
        fits = reason.status == STATUS_ILLEGAL && strchr(example, ' ') == NULL;
    cr_expect(fits, "%s: %s", err->text, reason.text);
    *end = '\0';
}

// True if `ply` is legal in the position, both as text.
static inline bool is_legal(const struct rules *rules, const char *position, const char *ply)
{
    struct position pos = position_of(rules, position);
    struct ply read;
    return merels_ply_parse(rules, &pos, ply, &read, NULL) == STATUS_OK;
}

// The position after a legal ply, as text, in a buffer that the next call overwrites.
static inline const char *after(const struct rules *rules, const char *position,
                                const char *ply)
{
    static char text[POSITION_TEXT_BYTES];
    struct position pos = position_of(rules, position);
    struct ply read = {.from = -1};
    struct error err = {.text = ""};
    enum status status = merels_ply_parse(rules, &pos, ply, &read, &err);
    cr_assert_eq(status, STATUS_OK, "%s in %s: %s", ply, position, err.text);
    struct position next = merels_play(rules, &pos, read);
    merels_position_format(rules, &next, text);
    return text;
}

// The value of a position that is over, 9 if it is not over.
static inline int value_of(const struct rules *rules, const char *text)
{
    struct position pos = position_of(rules, text);
    int value = 9;
    if (!merels_position_over(rules, &pos, &value))
        cr_assert_eq(value, 9);
    return value;
}

#endif
