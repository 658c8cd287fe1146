// rules.c: presets, options, and the canonical text of rules.
//
// Presets and options are tables; nothing outside this file knows a preset's name. Rules that
// give every position the same value are made the same here (see settle), so that they share a
// text and a name.

#include "game/rules.h"

#include <stdio.h>
#include <string.h>

struct preset {
    const char *name;
    enum board_kind kind;
    int men;
    int fly;
    enum fly_count fly_count;
    enum turn turn;
    enum mill mill;
};

static const struct preset presets[] = {
    {.name = "three", .kind = BOARD_THREE, .men = 3, .mill = MILL_WINS},
    {.name = "six", .kind = BOARD_SIX, .men = 6},
    {.name = "five", .kind = BOARD_SIX, .men = 5},
    {.name = "four", .kind = BOARD_SIX, .men = 4},
    {.name = "seven", .kind = BOARD_SEVEN, .men = 7},
    {.name = "nine", .kind = BOARD_NINE, .men = 9, .fly = 3},
    {.name = "ten", .kind = BOARD_NINE, .men = 10, .fly = 3},
    {.name = "eleven", .kind = BOARD_NINE_DIAGONAL, .men = 11, .fly = 3},
    {.name = "twelve", .kind = BOARD_NINE_DIAGONAL, .men = 12, .fly = 3},
    {.name = "morabaraba", .kind = BOARD_NINE_DIAGONAL, .men = 12, .fly = 3},
    {.name = "lasker",
     .kind = BOARD_NINE,
     .men = 10,
     .fly = 3,
     .fly_count = FLY_TOTAL,
     .turn = TURN_PLACE_OR_MOVE},
};

enum { N_PRESETS = sizeof presets / sizeof presets[0], MAX_VALUES = 3 };

// The options in the order of the canonical text.
enum option_key {
    OPTION_FLY,
    OPTION_FLY_COUNT,
    OPTION_MILL_MEN,
    OPTION_REMOVALS,
    OPTION_BLOCKED,
    OPTION_FULL_BOARD,
    OPTION_TURN,
    OPTION_MILL,
    OPTION_LEAST,
    N_OPTIONS
};

struct option {
    const char *name;
    const char *values[MAX_VALUES + 1]; // none: a number from 0 to MAX_POINTS
};

static const struct option options[N_OPTIONS] = {
    [OPTION_FLY] = {"fly", {NULL}},
    [OPTION_FLY_COUNT] = {"fly-count", {"board", "total"}},
    [OPTION_MILL_MEN] = {"mill-men", {"removable-if-all", "removable", "safe"}},
    [OPTION_REMOVALS] = {"removals", {"one", "each"}},
    [OPTION_BLOCKED] = {"blocked", {"loses", "draws"}},
    [OPTION_FULL_BOARD] = {"full-board", {"draws", "mover-loses"}},
    [OPTION_TURN] = {"turn", {"place-then-move", "place-or-move"}},
    [OPTION_MILL] = {"mill", {"removes", "wins"}},
    [OPTION_LEAST] = {"least", {NULL}},
};

// Options that other programs know and that no table of positions can answer.
static const struct {
    const char *name;
    const char *meaning;
} refused[] = {
    {"no-reform", "a mill may not be re-formed at once"},
    {"line-once", "each line counts once per game"},
    {"closed-points", "points of removed men stay closed while placing"},
    {"opponent-chooses", "the opponent chooses the man that is removed"},
    {"repetition", "a repeated position ends the game"},
    {"n-move", "the game ends after n moves without a removal"},
};

static void get_options(const struct rules *rules, int values[N_OPTIONS])
{
    values[OPTION_FLY] = rules->fly;
    values[OPTION_FLY_COUNT] = (int)rules->fly_count;
    values[OPTION_MILL_MEN] = (int)rules->mill_men;
    values[OPTION_REMOVALS] = (int)rules->removals;
    values[OPTION_BLOCKED] = (int)rules->blocked;
    values[OPTION_FULL_BOARD] = (int)rules->full_board;
    values[OPTION_TURN] = (int)rules->turn;
    values[OPTION_MILL] = (int)rules->mill;
    values[OPTION_LEAST] = rules->least;
}

static void set_options(struct rules *rules, const int values[N_OPTIONS])
{
    rules->fly = values[OPTION_FLY];
    rules->fly_count = (enum fly_count)values[OPTION_FLY_COUNT];
    rules->mill_men = (enum mill_men)values[OPTION_MILL_MEN];
    rules->removals = (enum removals)values[OPTION_REMOVALS];
    rules->blocked = (enum blocked)values[OPTION_BLOCKED];
    rules->full_board = (enum full_board)values[OPTION_FULL_BOARD];
    rules->turn = (enum turn)values[OPTION_TURN];
    rules->mill = (enum mill)values[OPTION_MILL];
    rules->least = values[OPTION_LEAST];
}

// A piece of the text: `length` characters from `text`, not terminated.
struct piece {
    const char *text;
    int length;
};

static bool piece_is(struct piece piece, const char *name)
{
    return strlen(name) == (size_t)piece.length &&
           memcmp(piece.text, name, (size_t)piece.length) == 0;
}

static bool piece_starts(struct piece piece, const char *name)
{
    size_t length = strlen(name);
    return (size_t)piece.length >= length && memcmp(piece.text, name, length) == 0;
}

// The piece up to the next of `stops` or the end.
static struct piece piece_until(const char *text, const char *stops)
{
    size_t length = strcspn(text, stops); // texts of over a megabyte are cut: they are wrong
    return (struct piece){text, length < 1 << 20 ? (int)length : 1 << 20};
}

// A growing list of names for a message.
struct names {
    char text[320];
    size_t length;
};

static void add_name(struct names *names, const char *name)
{
    size_t room = sizeof names->text - names->length;
    int n = snprintf(names->text + names->length, room, "%s%s", names->length == 0 ? "" : ", ",
                     name);
    names->length += (size_t)n < room ? (size_t)n : room - 1;
}

enum { SHOWN = 32 }; // characters of a wrong piece that a message repeats

static int shown(struct piece piece)
{
    return piece.length < SHOWN ? piece.length : SHOWN;
}

static enum status unknown_preset(struct piece piece, struct error *err)
{
    struct names known = {.length = 0};
    for (int i = 0; i < N_PRESETS; i++)
        add_name(&known, presets[i].name);
    return merels_error(
        err, STATUS_BAD_INPUT,
        "rules: unknown preset '%.*s'; known: %s, each also with -fly or -nofly", shown(piece),
        piece.text, known.text);
}

static enum status unknown_option(struct piece piece, struct error *err)
{
    struct names known = {.length = 0};
    for (int i = 0; i < N_OPTIONS; i++)
        add_name(&known, options[i].name);
    return merels_error(err, STATUS_BAD_INPUT, "rules: unknown option '%.*s'; known: %s, men",
                        shown(piece), piece.text, known.text);
}

static enum status unknown_value(const struct option *option, struct piece piece,
                                 struct error *err)
{
    struct names known = {.length = 0};
    for (int i = 0; i < MAX_VALUES && option->values[i] != NULL; i++)
        add_name(&known, option->values[i]);
    if (known.length == 0)
        snprintf(known.text, sizeof known.text, "a number from 0 to %d", MAX_POINTS);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules: unknown value '%.*s' of option '%s'; known: %s", shown(piece),
                        piece.text, option->name, known.text);
}

// The number of a named value, or a number's value; -1 if there is none such.
static int find_value(const struct option *option, struct piece piece)
{
    for (int i = 0; i < MAX_VALUES && option->values[i] != NULL; i++)
        if (piece_is(piece, option->values[i]))
            return i;
    if (option->values[0] != NULL || piece.length < 1 || piece.length > 2)
        return -1;
    int value = 0;
    for (int i = 0; i < piece.length; i++) {
        if (piece.text[i] < '0' || piece.text[i] > '9')
            return -1;
        value = 10 * value + piece.text[i] - '0';
    }
    return value <= MAX_POINTS ? value : -1;
}

static enum status refuse(struct piece name, struct error *err)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (piece_is(name, refused[i].name))
            return merels_error(err, STATUS_BAD_INPUT,
                                "rules: option '%s' (%s) is refused: it depends on more than "
                                "the position, no table can answer it",
                                refused[i].name, refused[i].meaning);
    return unknown_option(name, err);
}

// Applies one "key=value".
static enum status apply_option(struct rules *rules, struct piece piece, struct error *err)
{
    struct piece name = piece_until(piece.text, "=,");
    for (int key = 0; key < N_OPTIONS; key++) {
        if (!piece_is(name, options[key].name))
            continue;
        if (name.length == piece.length)
            return merels_error(err, STATUS_BAD_INPUT, "rules: option '%s' has no value",
                                options[key].name);
        struct piece text = {name.text + name.length + 1, piece.length - name.length - 1};
        int value = find_value(&options[key], text);
        if (value < 0)
            return unknown_value(&options[key], text, err);
        int values[N_OPTIONS];
        get_options(rules, values);
        values[key] = value;
        set_options(rules, values);
        return STATUS_OK;
    }
    return refuse(name, err);
}

// Gives options that cannot matter their default: how men are counted for flying where no side
// flies with men in hand, and what a mill removes where it wins.
static void settle(int values[N_OPTIONS])
{
    if (values[OPTION_FLY] == 0 || values[OPTION_TURN] == TURN_PLACE_THEN_MOVE)
        values[OPTION_FLY_COUNT] = FLY_BOARD;
    if (values[OPTION_MILL] == MILL_WINS) {
        values[OPTION_MILL_MEN] = MILL_MEN_REMOVABLE_IF_ALL;
        values[OPTION_REMOVALS] = REMOVALS_ONE;
    }
}

static void settle_rules(struct rules *rules)
{
    int values[N_OPTIONS];
    get_options(rules, values);
    settle(values);
    set_options(rules, values);
}

static void preset_options(const struct preset *preset, int fly, int values[N_OPTIONS])
{
    memset(values, 0, N_OPTIONS * sizeof *values); // the first of the named values
    values[OPTION_FLY] = fly;
    values[OPTION_FLY_COUNT] = (int)preset->fly_count;
    values[OPTION_TURN] = (int)preset->turn;
    values[OPTION_MILL] = (int)preset->mill;
    values[OPTION_LEAST] = 3;
}

static void apply_preset(struct rules *rules, struct start *start, const struct preset *preset,
                         int fly)
{
    int values[N_OPTIONS];
    merels_board_init(&rules->board, preset->kind);
    preset_options(preset, fly, values);
    set_options(rules, values);
    *start = (struct start){preset->men, preset->men};
}

static enum status find_preset(struct rules *rules, struct start *start, struct piece piece,
                               struct error *err)
{
    for (int i = 0; i < N_PRESETS; i++) {
        if (!piece_starts(piece, presets[i].name))
            continue;
        int length = (int)strlen(presets[i].name);
        struct piece twin = {piece.text + length, piece.length - length};
        int fly = piece_is(twin, "")         ? presets[i].fly
                  : piece_is(twin, "-fly")   ? 3
                  : piece_is(twin, "-nofly") ? 0
                                             : -1;
        if (fly < 0)
            continue;
        apply_preset(rules, start, &presets[i], fly);
        return STATUS_OK;
    }
    return unknown_preset(piece, err);
}

// A number of one or two digits in front of a piece; the rest remains. -1 if there is none.
static int take_number(struct piece *piece)
{
    int value = 0, n = 0;
    for (; n < piece->length && n < 2 && piece->text[n] >= '0' && piece->text[n] <= '9'; n++)
        value = 10 * value + piece->text[n] - '0';
    piece->text += n;
    piece->length -= n;
    return n == 0 ? -1 : value;
}

// "men=4" or "men=4-3": not a rule but the start, for the side that begins and the other one.
static enum status apply_men(struct start *start, struct piece piece, struct error *err)
{
    struct piece rest = {piece.text + 4, piece.length - 4};
    int first = take_number(&rest), second = first;
    if (rest.length > 0 && rest.text[0] == '-') {
        rest = (struct piece){rest.text + 1, rest.length - 1};
        second = take_number(&rest);
    }
    if (rest.length != 0 || first < 0 || second < 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "rules: '%.*s' is not men=N or men=N-M, as men=9 or men=9-8",
                            shown(piece), piece.text);
    *start = (struct start){first, second};
    return STATUS_OK;
}

static int smaller(int x, int y)
{
    return x < y ? x : y;
}

// The start of a game that is over before its first ply: what would be right instead.
static enum status refuse_start(const struct rules *rules, struct start start,
                                struct error *err)
{
    int fewest = smaller(start.first_men, start.second_men);
    int needed = rules->least > 1 ? rules->least : 1;
    char lower[24] = "", raised[24] = "";
    if (2 * needed <= rules->board.n_points)
        snprintf(raised, sizeof raised, "men=%d", needed);
    if (fewest >= 1)
        snprintf(lower, sizeof lower, "%sleast=%d", raised[0] != '\0' ? " or " : "", fewest);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules: men=%d-%d with least=%d: the game is over before it begins, as "
                        "a side %s %d; right would be %s%s",
                        start.first_men, start.second_men, rules->least,
                        rules->least > 0 ? "has lost with fewer men than" : "needs at least",
                        needed, raised, lower);
}

// More men than points: as many as fit would be right, if they are enough to play.
static enum status refuse_crowd(const struct rules *rules, struct start start,
                                struct error *err)
{
    int most = rules->board.n_points / 2;
    char lower[24] = "";
    if (most < rules->least)
        snprintf(lower, sizeof lower, ",least=%d", most);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules: men=%d-%d: the board has %d points for the men of both sides; "
                        "right would be men=%d%s",
                        start.first_men, start.second_men, rules->board.n_points, most, lower);
}

static enum status check_start(const struct rules *rules, struct start start, struct error *err)
{
    int fewest = smaller(start.first_men, start.second_men);
    if (start.first_men + start.second_men > rules->board.n_points)
        return refuse_crowd(rules, start, err);
    if (fewest < rules->least || fewest < 1)
        return refuse_start(rules, start, err);
    return STATUS_OK;
}

enum status merels_rules_parse(const char *text, struct rules *rules, struct start *start,
                               struct error *err)
{
    struct start read;
    struct piece piece = piece_until(text, ",");
    enum status status = find_preset(rules, &read, piece, err);
    while (status == STATUS_OK && piece.text[piece.length] == ',') {
        piece = piece_until(piece.text + piece.length + 1, ",");
        status = piece_starts(piece, "men=") ? apply_men(&read, piece, err)
                                             : apply_option(rules, piece, err);
    }
    if (status != STATUS_OK)
        return status;
    settle_rules(rules);
    if (start != NULL)
        *start = read;
    return check_start(rules, read, err);
}

// A text being written.
struct text {
    char *out;
    size_t room;
    size_t length;
};

static void put(struct text *text, const char *piece)
{
    size_t length = strlen(piece);
    if (text->length + length >= text->room) // out of reach: the longest texts have room
        return;
    memcpy(text->out + text->length, piece, length + 1);
    text->length += length;
}

// " a7-d7-g7": the points of a set in point order.
static void put_set(struct text *text, const struct board *board, point_set set)
{
    for (const char *before = " "; set != 0; set &= set - 1, before = "-") {
        put(text, before);
        put(text, board->names[bit_lowest(set)]);
    }
}

static void put_board(struct text *text, const struct board *board)
{
    put(text, "points");
    for (int p = 0; p < board->n_points; p++)
        put_set(text, board, (point_set)1 << p);
    put(text, "\nedges");
    for (int p = 0; p < board->n_points; p++) {
        point_set above = board->neighbours[p] & ~(((point_set)2 << p) - 1);
        for (; above != 0; above &= above - 1)
            put_set(text, board, (point_set)1 << p | (above & -above));
    }
    put(text, "\nmills");
    for (int m = 0; m < board->n_mills; m++)
        put_set(text, board, board->mills[m]);
    put(text, "\n");
}

static void put_option(struct text *text, int key, const char *between, int value)
{
    char number[16];
    const struct option *option = &options[key];
    snprintf(number, sizeof number, "%d", value);
    put(text, option->name);
    put(text, between);
    put(text, option->values[0] == NULL ? number : option->values[value]);
}

size_t merels_rules_text(const struct rules *rules, char out[RULES_TEXT_BYTES])
{
    struct text text = {out, RULES_TEXT_BYTES, 0};
    int values[N_OPTIONS];
    put_board(&text, &rules->board);
    get_options(rules, values);
    for (int key = 0; key < N_OPTIONS; key++) {
        put_option(&text, key, " ", values[key]);
        put(&text, "\n");
    }
    return text.length;
}

const char *const *merels_rules_presets(void)
{
    static const char *const names[] = {
        "three",      "three-fly",        "six",    "six-fly",      "five",   "five-fly",
        "four",       "four-fly",         "seven",  "seven-fly",    "nine",   "nine-nofly",
        "ten",        "ten-nofly",        "eleven", "eleven-nofly", "twelve", "twelve-nofly",
        "morabaraba", "morabaraba-nofly", "lasker", "lasker-nofly", NULL};
    return names;
}

// ---- the canonical name ---------------------------------------------------------------------

// A preset, with or without flying.
struct base {
    const struct preset *preset;
    bool twin; // not as the preset itself has it
    int values[N_OPTIONS];
};

static struct base base_of(const struct preset *preset, bool twin)
{
    struct base base = {.preset = preset, .twin = twin};
    int other = preset->fly > 0 ? 0 : 3;
    preset_options(preset, twin ? other : preset->fly, base.values);
    settle(base.values);
    return base;
}

// How many options have to follow the base's name; with another number of flying men a twin
// would name one in vain.
static int count_options(const struct base *base, const int values[N_OPTIONS])
{
    int n = 0;
    for (int key = 0; key < N_OPTIONS; key++)
        n += base->values[key] != values[key];
    return base->twin && base->values[OPTION_FLY] != values[OPTION_FLY] ? N_OPTIONS + 1 : n;
}

// The base on the rules' board that takes the fewest options; of several the first.
static struct base nearest_base(const struct rules *rules, const int values[N_OPTIONS])
{
    struct base best = {.preset = NULL};
    for (int i = 0; i < 2 * N_PRESETS; i++) {
        struct base base = base_of(&presets[i / 2], i % 2 == 1);
        if (base.preset->kind == rules->board.kind &&
            (best.preset == NULL ||
             count_options(&base, values) < count_options(&best, values)))
            best = base;
    }
    return best;
}

size_t merels_rules_name(const struct rules *rules, char out[RULES_NAME_BYTES])
{
    struct text text = {out, RULES_NAME_BYTES, 0};
    int values[N_OPTIONS];
    get_options(rules, values);
    const struct base base = nearest_base(rules, values);
    put(&text, base.preset->name);
    if (base.twin)
        put(&text, base.values[OPTION_FLY] > 0 ? "-fly" : "-nofly");
    for (int key = 0; key < N_OPTIONS; key++)
        if (base.values[key] != values[key]) {
            put(&text, ",");
            put_option(&text, key, "=", values[key]);
        }
    return text.length;
}
