// engine_options.c: the table of options, and what each does.

#include "query/engine_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { KIND_CHECK, KIND_SPIN, KIND_BUTTON, KIND_IGNORED };

// What a value means; false if the rules that it stands for are not to be had.
typedef bool apply_function(struct engine *engine, int value);

struct option_row {
    const char *name;
    unsigned dialects;
    enum kind kind;
    int min, max;
    apply_function *apply;
    int (*get)(const struct engine *engine); // the value at the start
    bool rule;                               // a value that is none leaves no rules to play by
};

// ---- settings ------------------------------------------------------------------------------

static bool set_skill(struct engine *engine, int value)
{
    engine->settings.skill = value;
    return true;
}

static int get_skill(const struct engine *engine)
{
    return engine->settings.skill;
}

static bool set_repetition(struct engine *engine, int value)
{
    engine->settings.draws.repetition = value != 0;
    return true;
}

static int get_repetition(const struct engine *engine)
{
    return engine->settings.draws.repetition;
}

static int get_quiet(const struct engine *engine)
{
    int counted = engine->first.values[RULE_N_MOVE];
    return counted > 0 ? counted : engine->settings.draws.quiet_plies;
}

static bool set_quiet_flown(struct engine *engine, int value)
{
    engine->settings.draws.quiet_plies_flown = value;
    return true;
}

static int get_quiet_flown(const struct engine *engine)
{
    return engine->settings.draws.quiet_plies_flown;
}

static bool set_shuffling(struct engine *engine, int value)
{
    engine->settings.shuffling = value != 0;
    return true;
}

static int get_shuffling(const struct engine *engine)
{
    return engine->settings.shuffling;
}

static bool set_seed(struct engine *engine, int value)
{
    engine->settings.seed = (uint64_t)value;
    engine->random = engine->settings.seed;
    return true;
}

static int get_seed(const struct engine *engine)
{
    return (int)engine->settings.seed;
}

static bool set_seconds(struct engine *engine, int value)
{
    engine->settings.move_ms = 1000 * (uint64_t)value;
    return true;
}

static bool set_milliseconds(struct engine *engine, int value)
{
    engine->settings.move_ms = (uint64_t)value;
    return true;
}

static int get_zero(const struct engine *engine)
{
    (void)engine;
    return 0;
}

static int get_one(const struct engine *engine)
{
    (void)engine;
    return 1;
}

static bool take_anything(struct engine *engine, int value)
{
    (void)engine;
    (void)value;
    return true;
}

// ---- rules ---------------------------------------------------------------------------------

static bool want(struct engine *engine, enum rule_option option, int value)
{
    engine->wanted.values[option] = value;
    engine->wanted_changed = true;
    return true;
}

// Where the rules of the command line count plies another number asks for the tables of that
// one; else it is a rule of play beside the tables.
static bool set_quiet(struct engine *engine, int value)
{
    engine->settings.draws.quiet_plies = value;
    if (engine->first.values[RULE_N_MOVE] == 0)
        return true;
    if (value > MAX_N_MOVE)
        return false;
    want(engine, RULE_METRIC, value > 0 ? METRIC_DTC : METRIC_DTM);
    return want(engine, RULE_N_MOVE, value);
}

static bool set_men(struct engine *engine, int value)
{
    engine->wanted.start = (struct start){value, value};
    engine->wanted_changed = true;
    return true;
}

static int get_men(const struct engine *engine)
{
    return engine->first.start.first_men;
}

static bool has_rings(const struct engine *engine)
{
    return engine->wanted.board == BOARD_NINE || engine->wanted.board == BOARD_NINE_DIAGONAL;
}

static bool set_diagonals(struct engine *engine, int value)
{
    if (!has_rings(engine))
        return value == 0;
    engine->wanted.board = value ? BOARD_NINE_DIAGONAL : BOARD_NINE;
    engine->wanted_changed = true;
    return true;
}

static int get_diagonals(const struct engine *engine)
{
    return engine->first.board == BOARD_NINE_DIAGONAL;
}

// Twelve men on the board with diagonals, or nine on the other: everything else as the usual
// game has it, unless the rules of the command line are these already.
static bool set_twelve(struct engine *engine, int value)
{
    bool twelve =
        engine->first.board == BOARD_NINE_DIAGONAL && engine->first.start.first_men == 12;
    engine->wanted = engine->first;
    engine->wanted_changed = true;
    if ((value != 0) == twelve || !(value || twelve))
        return true;
    engine->wanted.board = value ? BOARD_NINE_DIAGONAL : BOARD_NINE;
    engine->wanted.start = value ? (struct start){12, 12} : (struct start){9, 9};
    for (int i = 0; i < N_RULE_OPTIONS; i++)
        engine->wanted.values[i] = merels_option((enum rule_option)i)->usual;
    engine->wanted.values[RULE_FLY] = 3;
    engine->wanted.values[RULE_LEAST] = 3;
    engine->wanted.values[RULE_METRIC] = engine->first.values[RULE_METRIC];
    engine->wanted.values[RULE_N_MOVE] = engine->first.values[RULE_N_MOVE];
    return true;
}

static int get_twelve(const struct engine *engine)
{
    return engine->first.board == BOARD_NINE_DIAGONAL && engine->first.start.first_men == 12;
}

static bool set_flying(struct engine *engine, int value)
{
    return want(engine, RULE_FLY,
                !value                               ? 0
                : engine->first.values[RULE_FLY] > 0 ? engine->first.values[RULE_FLY]
                                                     : 3);
}

static int get_flying(const struct engine *engine)
{
    return engine->first.values[RULE_FLY] > 0;
}

// The number counts only while flying is on.
static bool set_flown(struct engine *engine, int value)
{
    return engine->wanted.values[RULE_FLY] == 0 || want(engine, RULE_FLY, value);
}

static int get_flown(const struct engine *engine)
{
    return engine->first.values[RULE_FLY] > 0 ? engine->first.values[RULE_FLY] : 3;
}

// There flying is counted by the men on the board, also while men are in hand.
static bool set_move_early(struct engine *engine, int value)
{
    bool early = engine->first.values[RULE_TURN] == TURN_PLACE_OR_MOVE;
    if (value)
        want(engine, RULE_FLY_COUNT, early ? engine->first.values[RULE_FLY_COUNT] : FLY_BOARD);
    return want(engine, RULE_TURN, value ? TURN_PLACE_OR_MOVE : TURN_PLACE_THEN_MOVE);
}

static int get_move_early(const struct engine *engine)
{
    return engine->first.values[RULE_TURN] == TURN_PLACE_OR_MOVE;
}

static bool set_removals(struct engine *engine, int value)
{
    return want(engine, RULE_REMOVALS, value ? REMOVALS_EACH : REMOVALS_ONE);
}

static int get_removals(const struct engine *engine)
{
    return engine->first.values[RULE_REMOVALS] == REMOVALS_EACH;
}

static bool set_mill_men(struct engine *engine, int value)
{
    return want(engine, RULE_MILL_MEN, value ? MILL_MEN_REMOVABLE : MILL_MEN_REMOVABLE_IF_ALL);
}

static int get_mill_men(const struct engine *engine)
{
    return engine->first.values[RULE_MILL_MEN] == MILL_MEN_REMOVABLE;
}

static bool set_blocked(struct engine *engine, int value)
{
    if (value == 0)
        return want(engine, RULE_BLOCKED, BLOCKED_LOSES);
    if (value == 1)
        return want(engine, RULE_BLOCKED, BLOCKED_PASSES);
    return value == 4 && want(engine, RULE_BLOCKED, BLOCKED_DRAWS);
}

static int get_blocked(const struct engine *engine)
{
    int blocked = engine->first.values[RULE_BLOCKED];
    return blocked == BLOCKED_LOSES ? 0 : blocked == BLOCKED_PASSES ? 1 : 4;
}

static bool set_full(struct engine *engine, int value)
{
    if (value == 0)
        return want(engine, RULE_FULL_BOARD, FULL_BOARD_MOVER_LOSES);
    return value == 4 && want(engine, RULE_FULL_BOARD, FULL_BOARD_DRAWS);
}

static int get_full(const struct engine *engine)
{
    return engine->first.values[RULE_FULL_BOARD] == FULL_BOARD_MOVER_LOSES ? 0 : 4;
}

static bool set_least(struct engine *engine, int value)
{
    return want(engine, RULE_LEAST, value);
}

static int get_least(const struct engine *engine)
{
    return engine->first.values[RULE_LEAST];
}

// What a mill does while men are placed: it takes a man from the board (0), or marks its point,
// which is closed then until all are placed (4).
static bool set_formation(struct engine *engine, int value)
{
    if (value == 0)
        return want(engine, RULE_CLOSED_POINTS, CLOSED_POINTS_NO);
    return value == 4 && want(engine, RULE_CLOSED_POINTS, CLOSED_POINTS_YES);
}

static int get_formation(const struct engine *engine)
{
    return engine->first.values[RULE_CLOSED_POINTS] == CLOSED_POINTS_YES ? 4 : 0;
}

// Rules that Merels does not have: any value but the usual one is refused.
static bool refuse_other(struct engine *engine, int value)
{
    (void)engine;
    return value == 0;
}

// ---- the table -----------------------------------------------------------------------------

enum { BOTH = OPTIONS_GBGP | OPTIONS_UCI, UCI = OPTIONS_UCI };

static const struct option_row rows[] = {
    {"TwelveMensMorris", OPTIONS_GBGP, KIND_CHECK, 0, 1, set_twelve, get_twelve, true},
    {"Threads", BOTH, KIND_SPIN, 1, 1024, take_anything, get_one, false},
    {"SkillLevel", BOTH, KIND_SPIN, 0, MAX_SKILL, set_skill, get_skill, false},
    {"Shuffling", BOTH, KIND_CHECK, 0, 1, set_shuffling, get_shuffling, false},
    {"Seed", BOTH, KIND_SPIN, 0, 1000000000, set_seed, get_seed, false},
    {"MoveTime", BOTH, KIND_SPIN, 0, 3600, set_seconds, get_zero, false},
    {"MoveTimeMs", BOTH, KIND_SPIN, 0, 3600000, set_milliseconds, get_zero, false},
    {"ThreefoldRepetitionRule", BOTH, KIND_CHECK, 0, 1, set_repetition, get_repetition, false},
    {"NMoveRule", BOTH, KIND_SPIN, 0, 10000, set_quiet, get_quiet, false},
    {"EndgameNMoveRule", BOTH, KIND_SPIN, 0, 10000, set_quiet_flown, get_quiet_flown, false},
    {"PiecesCount", UCI, KIND_SPIN, 3, 12, set_men, get_men, true},
    {"HasDiagonalLines", UCI, KIND_CHECK, 0, 1, set_diagonals, get_diagonals, true},
    {"MayFly", UCI, KIND_CHECK, 0, 1, set_flying, get_flying, true},
    {"flyPieceCount", UCI, KIND_SPIN, 3, 4, set_flown, get_flown, true},
    {"MayMoveInPlacingPhase", UCI, KIND_CHECK, 0, 1, set_move_early, get_move_early, true},
    {"MayRemoveMultiple", UCI, KIND_CHECK, 0, 1, set_removals, get_removals, true},
    {"MayRemoveFromMillsAlways", UCI, KIND_CHECK, 0, 1, set_mill_men, get_mill_men, true},
    {"StalemateAction", UCI, KIND_SPIN, 0, 5, set_blocked, get_blocked, true},
    {"BoardFullAction", UCI, KIND_SPIN, 0, 4, set_full, get_full, true},
    {"PiecesAtLeastCount", UCI, KIND_SPIN, 3, 5, set_least, get_least, true},
    {"MillFormationActionInPlacingPhase", UCI, KIND_SPIN, 0, 5, set_formation, get_formation,
     true},
    {"IsDefenderMoveFirst", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"OneTimeUseMill", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"RestrictRepeatedMillsFormation", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"StopPlacingWhenTwoEmptySquares", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"CustodianCaptureEnabled", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"InterventionCaptureEnabled", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"LeapCaptureEnabled", UCI, KIND_CHECK, 0, 1, refuse_other, get_zero, true},
    {"Clear Hash", BOTH, KIND_BUTTON, 0, 0, take_anything, get_zero, false},
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

_Static_assert(N_ROWS <= 64, "a bit for each option");

// Captures of other kinds, as other programs call them: the kind alone, or with "Capture",
// "Enabled" or both. What goes on behind that is a detail of a kind that is off.
static const char *const captures[] = {"Custodian", "Intervention", "Leap"};

// Options of other engines that mean nothing here.
static const char *const ignored[] = {"AiIsLazy",
                                      "Algorithm",
                                      "DeveloperMode",
                                      "DrawOnHumanExperience",
                                      "Hash",
                                      "IDSEnabled",
                                      "DepthExtension",
                                      "OpeningBook",
                                      "PatchAvoidTraps",
                                      "PatchMakeTraps",
                                      "PatchPath",
                                      "PerfectDatabaseCacheSectors",
                                      "PerfectDatabaseOrdering",
                                      "PerfectDatabasePath",
                                      "Ponder",
                                      "TrapPath",
                                      "UsePerfectDatabase",
                                      "ResignIfMostLose",
                                      "ConsiderMobility",
                                      "FocusOnBlockingPaths",
                                      "GameOptions"};

void merels_engine_options_print(const struct engine *engine, unsigned dialect,
                                 struct output *out)
{
    static const char *const types[] = {"check", "spin", "button"};
    for (int i = 0; i < N_ROWS; i++) {
        const struct option_row *row = &rows[i];
        if (!(row->dialects & dialect))
            continue;
        merels_print(out, "option name %s type %s", row->name, types[row->kind]);
        if (row->kind == KIND_CHECK)
            merels_print(out, " default %s", row->get(engine) ? "true" : "false");
        else if (row->kind == KIND_SPIN)
            merels_print(out, " default %d min %d max %d", row->get(engine), row->min,
                         row->max);
        merels_print(out, "\n");
    }
}

// ---- setting -------------------------------------------------------------------------------

// Splits "name N [value V]": N may hold spaces.
static bool split(const char *text, char name[64], char value[64])
{
    text += strspn(text, " \t");
    if (strncasecmp(text, "name", 4) != 0 || strspn(text + 4, " \t") == 0)
        return false;
    text += 4 + strspn(text + 4, " \t");
    size_t length = strlen(text), end = length;
    value[0] = '\0';
    for (const char *at = text; (at = strcasestr(at, " value")) != NULL; at++)
        if (at[6] == ' ' || at[6] == '\t' || at[6] == '\0') {
            end = (size_t)(at - text);
            at += 6 + strspn(at + 6, " \t");
            snprintf(value, 64, "%.*s", (int)strcspn(at, "\r\n"), at);
            break;
        }
    while (end > 0 && strchr(" \t\r", text[end - 1]))
        end--;
    snprintf(name, 64, "%.*s", (int)(end < 63 ? end : 63), text);
    for (size_t n = strlen(value); n > 0 && strchr(" \t\r", value[n - 1]); n--)
        value[n - 1] = '\0';
    return name[0] != '\0';
}

static bool read_value(const struct option_row *row, const char *text, int *value)
{
    char *end;
    *value = 0;
    if (row->kind == KIND_BUTTON)
        return true;
    if (row->kind == KIND_CHECK) {
        *value = strcasecmp(text, "true") == 0 || strcmp(text, "1") == 0;
        return *value || strcasecmp(text, "false") == 0 || strcmp(text, "0") == 0;
    }
    long number = strtol(text, &end, 10);
    *value = (int)(number < row->min ? row->min : number > row->max ? row->max : number);
    return end > text && *end == '\0' && number == *value;
}

static bool is_ignored(const char *name)
{
    for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
        if (strcasecmp(name, ignored[i]) == 0)
            return true;
    return false;
}

// Why, of an option that means one that is refused as an option of rules, too: " (...)"; else
// "".
static void say_why(const struct option_row *row, char why[256])
{
    static const char *const meanings[][2] = {{"OneTimeUseMill", "line-once"},
                                              {"RestrictRepeatedMillsFormation", "no-reform"}};
    const char *reason;
    why[0] = '\0';
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (strcmp(row->name, meanings[i][0]) == 0 &&
            merels_option_refused(meanings[i][1], strlen(meanings[i][1]), &reason))
            snprintf(why, 256, " (%s)", reason);
}

// What there is to say of an option that was refused.
static void say_refused(const struct engine *engine, int i, const char *value,
                        char words[ERROR_TEXT_BYTES])
{
    const struct option_row *row = &rows[i];
    char right[16], why[256];
    say_why(row, why);
    snprintf(right, sizeof right, "%d", row->get(engine));
    if (row->kind == KIND_CHECK)
        strcpy(right, row->get(engine) ? "true" : "false");
    snprintf(
        words, ERROR_TEXT_BYTES,
        "%s %.60s: these rules are not to be had here%s, and no others are played instead; "
        "for example: setoption name %s value %s",
        row->name, value, why, row->name, right);
}

// Notes that an option was refused, or is no longer; the words for answers are those of the
// first that is.
static void note(struct engine *engine, int i, bool taken, const char *value)
{
    uint64_t bit = UINT64_C(1) << i;
    engine->refused = taken ? engine->refused & ~bit : engine->refused | bit;
    for (int k = 0; k < N_ROWS; k++)
        if (engine->refused >> k & 1) {
            say_refused(engine, k, k == i ? value : "as it was set", engine->refused_text);
            return;
        }
}

static const char *set(struct engine *engine, int i, const char *value,
                       char words[ERROR_TEXT_BYTES])
{
    int number;
    const struct option_row *row = &rows[i];
    bool read = read_value(row, value, &number), taken = read && row->apply(engine, number);
    if (read || row->rule)
        note(engine, i, taken, value);
    if (taken)
        return NULL;
    if (read || row->rule)
        say_refused(engine, i, value, words);
    else if (row->kind == KIND_CHECK)
        snprintf(words, ERROR_TEXT_BYTES,
                 "%s: '%.60s' is not true or false; for example: setoption name %s value true",
                 row->name, value, row->name);
    else
        snprintf(words, ERROR_TEXT_BYTES,
                 "%s: '%.60s' is no number from %d to %d; for example: setoption name %s value "
                 "%d",
                 row->name, value, row->min, row->max, row->name, row->get(engine));
    return words;
}

// The name of a row for a kind of captures; *detail if the option is a detail of it.
static const char *capture_of(const char *name, bool *detail)
{
    static const char *const names[] = {"CustodianCaptureEnabled", "InterventionCaptureEnabled",
                                        "LeapCaptureEnabled"};
    for (int i = 0; i < 3; i++) {
        size_t n = strlen(captures[i]);
        if (strncasecmp(name, captures[i], n) != 0)
            continue;
        n += strncasecmp(name + n, "Capture", 7) == 0 ? 7 : 0;
        n += strncasecmp(name + n, "Enabled", 7) == 0 ? 7 : 0;
        *detail = name[n] != '\0';
        return names[i];
    }
    return name;
}

const char *merels_engine_option_set(struct engine *engine, unsigned dialect, const char *text,
                                     char words[ERROR_TEXT_BYTES])
{
    char name[64], value[64];
    bool detail = false;
    if (!split(text, name, value)) {
        snprintf(words, ERROR_TEXT_BYTES,
                 "setoption: name N value V was expected; for example: setoption name "
                 "SkillLevel value 30");
        return words;
    }
    const char *known = capture_of(name, &detail);
    for (int i = 0; i < N_ROWS && !detail; i++)
        if (strcasecmp(known, rows[i].name) == 0 && (rows[i].dialects & dialect))
            return set(engine, i, value, words);
    if (is_ignored(name))
        return NULL;
    if (detail && (dialect & OPTIONS_UCI))
        snprintf(words, ERROR_TEXT_BYTES,
                 "%s: nothing changes, as such captures are off here; for example: setoption "
                 "name %s value false",
                 name, known);
    else
        snprintf(words, ERROR_TEXT_BYTES,
                 "No such option: %s; for example: setoption name SkillLevel value 30", name);
    return words;
}
