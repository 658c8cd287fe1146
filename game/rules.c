// rules.c: presets, reading rules as people say them, and their names.
//
// Presets and options are tables; nothing outside this file knows a preset's name. Rules that
// give every position the same value are made the same here (merels_options_settle), so that
// they share a text and a name.

#include "game/rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "game/options.h"
#include "game/rules_text.h"
#include "game/text.h"

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

enum { N_PRESETS = sizeof presets / sizeof presets[0] };

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

enum { NAMES_BYTES = 320 };

// To a list of names for a message.
static void add_name(struct text *names, const char *name)
{
    merels_text_add(names, "%s%s", names->length == 0 ? "" : ", ", name);
}

enum { SHOWN = 32 }; // characters of a wrong piece that a message repeats

static int shown(struct piece piece)
{
    return piece.length < SHOWN ? piece.length : SHOWN;
}

static enum status unknown_preset(struct piece piece, struct error *err)
{
    char names[NAMES_BYTES];
    struct text known = merels_text(names, sizeof names);
    for (int i = 0; i < N_PRESETS; i++)
        add_name(&known, presets[i].name);
    return merels_error(
        err, STATUS_BAD_INPUT,
        "rules: unknown preset '%.*s'; known: %s, each also with -fly or -nofly", shown(piece),
        piece.text, names);
}

static enum status unknown_option(struct piece piece, struct error *err)
{
    char names[NAMES_BYTES];
    struct text known = merels_text(names, sizeof names);
    for (int i = 0; i < N_RULE_OPTIONS; i++)
        add_name(&known, merels_option((enum rule_option)i)->name);
    return merels_error(err, STATUS_BAD_INPUT, "rules: unknown option '%.*s'; known: %s, men",
                        shown(piece), piece.text, names);
}

static enum status unknown_value(enum rule_option option, struct piece piece, struct error *err)
{
    char known[OPTION_VALUES_BYTES];
    merels_option_values(option, known);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules: unknown value '%.*s' of option '%s'; known: %s", shown(piece),
                        piece.text, merels_option(option)->name, known);
}

static enum status refuse(struct piece name, struct error *err)
{
    const char *why;
    const char *meaning = merels_option_refused(name.text, (size_t)name.length, &why);
    if (meaning == NULL)
        return unknown_option(name, err);
    return merels_error(err, STATUS_BAD_INPUT, "rules: option '%.*s' (%s) is refused: %s",
                        name.length, name.text, meaning, why);
}

// Applies one "key=value".
static enum status apply_option(struct rules *rules, struct piece piece, struct error *err)
{
    struct piece name = piece_until(piece.text, "=,");
    enum rule_option key = merels_option_find(name.text, (size_t)name.length);
    if (key == N_RULE_OPTIONS)
        return refuse(name, err);
    const struct option_names *option = merels_option(key);
    bool alone = name.length == piece.length;
    if (alone && !merels_option_is_flag(key))
        return merels_error(err, STATUS_BAD_INPUT, "rules: option '%s' has no value",
                            option->name);
    struct piece text = {name.text + name.length + 1, piece.length - name.length - 1};
    if (alone)
        text = piece_until("yes", ",");
    int value = merels_option_value(key, text.text, (size_t)text.length);
    if (value < 0)
        return unknown_value(key, text, err);
    int values[N_RULE_OPTIONS];
    merels_options_get(rules, values);
    values[key] = value;
    merels_options_set(rules, values);
    return STATUS_OK;
}

static void settle_rules(struct rules *rules)
{
    int values[N_RULE_OPTIONS];
    merels_options_get(rules, values);
    merels_options_settle(values);
    merels_options_set(rules, values);
}

static void preset_options(const struct preset *preset, int fly, int values[N_RULE_OPTIONS])
{
    for (int key = 0; key < N_RULE_OPTIONS; key++)
        values[key] = merels_option((enum rule_option)key)->usual;
    values[RULE_FLY] = fly;
    values[RULE_FLY_COUNT] = (int)preset->fly_count;
    values[RULE_TURN] = (int)preset->turn;
    values[RULE_MILL] = (int)preset->mill;
}

static void apply_preset(struct rules *rules, struct start *start, const struct preset *preset,
                         int fly)
{
    int values[N_RULE_OPTIONS];
    merels_board_init(&rules->board, preset->kind);
    preset_options(preset, fly, values);
    merels_options_set(rules, values);
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
    int n_points = rules->board.n_points, most = n_points / 2;
    int x = start.first_men, y = start.second_men, needed = rules->least > 1 ? rules->least : 1;
    char lower[24] = "", unequal[48] = "";
    if (most < rules->least)
        snprintf(lower, sizeof lower, ",least=%d", most);
    if (x < y && x >= needed && n_points - x > most)
        snprintf(unequal, sizeof unequal, "men=%d-%d or ", x, n_points - x);
    if (y < x && y >= needed && n_points - y > most)
        snprintf(unequal, sizeof unequal, "men=%d-%d or ", n_points - y, y);
    return merels_error(err, STATUS_BAD_INPUT,
                        "rules: men=%d-%d: the board has %d points for the men of both sides; "
                        "right would be %smen=%d%s",
                        x, y, n_points, unequal, most, lower);
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

// What rules with closed points must have besides, for an answer to exist.
static enum status check_closed(const struct rules *rules, struct error *err)
{
    if (rules->closed_points == CLOSED_POINTS_NO)
        return STATUS_OK;
    if (rules->turn != TURN_PLACE_THEN_MOVE)
        return merels_error(err, STATUS_BAD_INPUT,
                            "rules: closed-points with turn=place-or-move is refused: while "
                            "men move, placing need not end, so that no search decides it");
    if (rules->chooser != CHOOSER_MOVER)
        return merels_error(err, STATUS_BAD_INPUT,
                            "rules: closed-points with chooser=opponent is refused: the "
                            "search that answers it has the mover choose all of its turn");
    return STATUS_OK;
}

void merels_rules_of_tables(const struct rules *rules, struct rules *tables)
{
    *tables = *rules;
    tables->closed_points = CLOSED_POINTS_NO;
}

enum status merels_rules_parse_facts(const char *text, struct rules *rules, struct start *start,
                                     struct error *err)
{
    struct start read;
    enum status status = merels_rules_read_text(text, rules, &read, err);
    if (status != STATUS_OK)
        return status;
    if (start != NULL)
        *start = read;
    status = check_closed(rules, err);
    return status == STATUS_OK ? check_start(rules, read, err) : status;
}

enum status merels_rules_parse(const char *text, struct rules *rules, struct start *start,
                               struct error *err)
{
    struct start read;
    struct piece piece = piece_until(text, ",");
    if (strncmp(text, "points ", 7) == 0 || strstr(text, "\npoints ") != NULL)
        return merels_rules_parse_facts(text, rules, start, err);
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
    status = check_closed(rules, err);
    return status == STATUS_OK ? check_start(rules, read, err) : status;
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
    int values[N_RULE_OPTIONS];
};

static struct base base_of(const struct preset *preset, bool twin)
{
    struct base base = {.preset = preset, .twin = twin};
    int other = preset->fly > 0 ? 0 : 3;
    preset_options(preset, twin ? other : preset->fly, base.values);
    merels_options_settle(base.values);
    return base;
}

// How many options have to follow the base's name; with another number of flying men a twin
// would name one in vain.
static int count_options(const struct base *base, const int values[N_RULE_OPTIONS])
{
    int n = 0;
    for (int key = 0; key < N_RULE_OPTIONS; key++)
        n += base->values[key] != values[key];
    return base->twin && base->values[RULE_FLY] != values[RULE_FLY] ? N_RULE_OPTIONS + 1 : n;
}

// The base on the rules' board that takes the fewest options; of several the first.
static struct base nearest_base(const struct rules *rules, const int values[N_RULE_OPTIONS])
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

// FNV-1a, 64 bits: enough to call a directory by.
static uint64_t hash_of_text(const char *text)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (; *text != '\0'; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(0x100000001B3);
    return hash;
}

static size_t name_of_own(const struct rules *rules, char out[RULES_NAME_BYTES])
{
    char text[RULES_TEXT_BYTES];
    merels_rules_text(rules, text);
    return (size_t)snprintf(out, RULES_NAME_BYTES, "own-%016" PRIx64, hash_of_text(text));
}

size_t merels_rules_name(const struct rules *rules, char out[RULES_NAME_BYTES])
{
    int values[N_RULE_OPTIONS];
    if (rules->board.kind == BOARD_OWN)
        return name_of_own(rules, out);
    merels_options_get(rules, values);
    const struct base base = nearest_base(rules, values);
    const char *twin = !base.twin ? "" : base.values[RULE_FLY] > 0 ? "-fly" : "-nofly";
    size_t n = (size_t)snprintf(out, RULES_NAME_BYTES, "%s%s", base.preset->name, twin);
    for (int key = 0; key < N_RULE_OPTIONS; key++) {
        char value[OPTION_TEXT_BYTES];
        if (base.values[key] == values[key] || (key == RULE_METRIC && rules->n_move > 0))
            continue; // counted plies say which metric it is
        merels_option_text((enum rule_option)key, values[key], value);
        const char *name = merels_option((enum rule_option)key)->name;
        bool alone = merels_option_is_flag((enum rule_option)key) && values[key] == 1;
        n += (size_t)snprintf(out + n, RULES_NAME_BYTES - n, alone ? ",%s" : ",%s=%s", name,
                              value);
    }
    return n;
}
