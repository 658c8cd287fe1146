// command_puzzles.c: merels puzzles: finds puzzles, and checks those of a list.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "db/tablebase.h"
#include "query/lines.h"
#include "query/puzzle_check.h"
#include "query/puzzle_search.h"
#include "query/value_text.h"

enum { DEFAULT_COUNT = 10, DEFAULT_MIN = 3, DEFAULT_MAX = 15, ALL_MEN = 48 };

// ---- finding -------------------------------------------------------------------------------

static int n_men(const struct position *pos)
{
    return bit_count(pos->own) + bit_count(pos->other) + pos->own_hand + pos->other_hand;
}

static const char *phase_name(const struct context *context, const struct puzzle *puzzle)
{
    return merels_game_phase_name(merels_game_phase(context->rules, &puzzle->pos));
}

static void print_proof(const struct puzzle *puzzle, struct output *out)
{
    for (int k = 0; k < puzzle->n_steps; k++) {
        const struct puzzle_step *step = &puzzle->steps[k];
        merels_print(out, "%s%s alone", k > 0 ? ", " : "", step->text);
        if (step->n_others > 0)
            merels_print(out, " of %d (others at best %s)", step->n_others + 1,
                         merels_value_name(step->best_other));
    }
}

static enum status print_puzzle(void *user, const struct puzzle *puzzle, int number,
                                struct error *err)
{
    char text[POSITION_TEXT_BYTES];
    const struct context *context = user;
    struct output *out = context->out;
    merels_position_format(context->rules, &puzzle->pos, text);
    merels_print(out, "%s ; id \"%d\" ; phase %s ; men %d ; ", text, number,
                 phase_name(context, puzzle), n_men(&puzzle->pos));
    if (puzzle->goal == PUZZLE_WIN)
        merels_print(out, "win %d ; solution", puzzle->plies);
    else
        merels_print(out, "hold ; solution");
    for (int k = 0; k < puzzle->n_steps; k++)
        merels_print(out, " %s%s%s", puzzle->steps[k].text, k + 1 < puzzle->n_steps ? " " : "",
                     k + 1 < puzzle->n_steps ? puzzle->replies[k] : "");
    merels_print(out, " ; proof ");
    print_proof(puzzle, out);
    merels_print(out, "\n");
    return merels_output_flush(out, err);
}

static json_t *solution_json(const struct puzzle *puzzle)
{
    json_t *list = json_array();
    for (int k = 0; k < puzzle->n_steps; k++) {
        json_array_append_new(list, json_string(puzzle->steps[k].text));
        if (k + 1 < puzzle->n_steps)
            json_array_append_new(list, json_string(puzzle->replies[k]));
    }
    return list;
}

static json_t *proof_json(const struct puzzle *puzzle)
{
    json_t *list = json_array();
    for (int k = 0; k < puzzle->n_steps; k++) {
        const struct puzzle_step *step = &puzzle->steps[k];
        const char *best = step->n_others > 0 ? merels_value_name(step->best_other) : NULL;
        json_array_append_new(list, json_pack("{s:s, s:i, s:s?}", "move", step->text, "others",
                                              step->n_others, "best_other", best));
    }
    return list;
}

static enum status print_puzzle_json(void *user, const struct puzzle *puzzle, int number,
                                     struct error *err)
{
    char text[POSITION_TEXT_BYTES], id[16];
    const struct context *context = user;
    merels_position_format(context->rules, &puzzle->pos, text);
    snprintf(id, sizeof id, "%d", number);
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:s, s:i, s:s, s:i, s:o, s:o}", "id", id, "rules",
                  merels_variant_label(&context->variant), "position", text, "phase",
                  phase_name(context, puzzle), "men", n_men(&puzzle->pos), "goal",
                  puzzle->goal == PUZZLE_WIN ? "win" : "hold", "plies", puzzle->plies,
                  "solution", solution_json(puzzle), "proof", proof_json(puzzle));
    enum status status = merels_print_json(context->out, object, true, err);
    return status == STATUS_OK ? merels_output_flush(context->out, err) : status;
}

static struct puzzle_wish wish_of(const struct arguments *args)
{
    const char *goal = args->goal, *stage = args->stage;
    struct puzzle_wish wish = {
        .count = args->count > 0 ? (int)args->count : DEFAULT_COUNT,
        .goals = {!goal || strcmp(goal, "win") == 0, !goal || strcmp(goal, "hold") == 0},
        .min_plies = args->min_plies > 0 ? (int)args->min_plies : DEFAULT_MIN,
        .max_plies = args->max_plies > 0 ? (int)args->max_plies : DEFAULT_MAX,
        .max_men = args->max_men > 0 ? (int)args->max_men : ALL_MEN,
        .seed = args->seed > 0 ? args->seed : 1};
    if (wish.max_plies > MAX_PUZZLE_PLIES)
        wish.max_plies = MAX_PUZZLE_PLIES;
    for (int phase = 0; phase < N_GAME_PHASES; phase++)
        wish.phases[phase] =
            !stage || strcmp(stage, merels_game_phase_name((enum game_phase)phase)) == 0;
    return wish;
}

// Counts, for the end.
struct finding {
    struct context *context;
    int n_found;
};

static enum status take_found(void *user, const struct puzzle *puzzle, int number,
                              struct error *err)
{
    struct finding *finding = user;
    finding->n_found = number;
    return finding->context->args->json
               ? print_puzzle_json(finding->context, puzzle, number, err)
               : print_puzzle(finding->context, puzzle, number, err);
}

// Tables that say in how many plies: nothing else tells the one ply that is right from others.
static enum status open_depths(struct context *context, struct error *err)
{
    enum status status = merels_context_tables(context, NEEDS_RANKING, err);
    if (status != STATUS_OK)
        return status;
    enum edition edition = merels_tablebase_edition(context->base);
    if (edition == EDITION_DTM)
        return STATUS_OK;
    return merels_error(err, STATUS_UNSUPPORTED,
                        "puzzles: %s: edition %s has no depths to the end of the game: puzzles "
                        "need tables of edition dtm, as merels solve makes them",
                        context->dir, merels_edition_name(edition));
}

static enum status find(struct context *context, struct error *err)
{
    uint64_t n_tried = 0;
    struct finding finding = {.context = context};
    const struct puzzle_wish wish = wish_of(context->args);
    if (context->rules->chooser == CHOOSER_OPPONENT)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "puzzles: rules with chooser=opponent are not handled");
    enum status status = open_depths(context, err);
    if (status != STATUS_OK)
        return status;
    if (!context->args->json)
        merels_print(context->out, "# rules %s\n", merels_variant_label(&context->variant));
    status = merels_puzzle_search(context, &wish, take_found, &finding, &n_tried, err);
    if (status == STATUS_OK && finding.n_found < wish.count)
        status = merels_error(err, STATUS_MISMATCH,
                              "only %d of %d puzzles were found in %llu positions",
                              finding.n_found, wish.count, (unsigned long long)n_tried);
    return status;
}

// ---- checking ------------------------------------------------------------------------------

enum { RULES_SAID_BYTES = 256 }; // no less than RULES_NAME_BYTES

struct checking {
    struct context *context;
    struct claim claim;
    uint64_t n, n_wrong, n_several, n_failed;
    bool opened;
    char rules_text[RULES_SAID_BYTES]; // that were said, and found to be those of the context
};

static void print_verdict(const struct checking *checking, uint64_t line, const char *verdict,
                          const char *words)
{
    struct output *out = checking->context->out;
    const char *id = checking->claim.id;
    if (!checking->context->args->json) {
        merels_print(out, "line %llu%s%s%s: %s: %s\n", (unsigned long long)line,
                     id[0] ? ", \"" : "", id, id[0] ? "\"" : "", verdict, words);
        return;
    }
    struct error err;
    (void)!merels_print_json(out,
                             json_pack("{s:I, s:o, s:s, s:o}", "line", (json_int_t)line, "id",
                                       id[0] ? merels_json_text(id) : json_null(), "verdict",
                                       verdict, "words", merels_json_text(words)),
                             true, &err);
}

// The rules that a line "# rules NAME" or the key of an object says; false if it says none.
static bool find_rules(const char *line, char text[RULES_SAID_BYTES])
{
    static const char comment[] = "rules ", key[] = "\"rules\": \"";
    const char *said = NULL;
    if (line[0] == '#' && strncmp(line + 1 + strspn(line + 1, " \t"), comment, 6) == 0)
        said = line + 1 + strspn(line + 1, " \t") + strlen(comment);
    else if (line[0] != '#' && (said = strstr(line, key)) != NULL)
        said += strlen(key);
    if (said)
        snprintf(text, RULES_SAID_BYTES, "%.*s", (int)strcspn(said, "\" \t\r\n"), said);
    return said != NULL;
}

// The name of rules that are said, their own if they are no rules that can be read; false
// without memory.
static bool name_rules(const char *text, char name[RULES_SAID_BYTES])
{
    struct rules *rules = malloc(sizeof *rules);
    if (rules && merels_rules_parse(text, rules, NULL, NULL) == STATUS_OK)
        merels_rules_name(rules, name);
    else
        snprintf(name, RULES_SAID_BYTES, "%s", text);
    free(rules);
    return rules != NULL;
}

// Puzzles of other rules would be judged by values that are not theirs.
static enum status compare_rules(struct checking *checking, const char *text, struct error *err)
{
    char theirs[RULES_SAID_BYTES];
    const char *name = checking->context->variant.name;
    if (strcmp(checking->rules_text, text) == 0)
        return STATUS_OK;
    if (!name_rules(text, theirs))
        return merels_error(err, STATUS_NO_MEMORY, "no memory for rules");
    if (strcmp(theirs, name) != 0)
        return merels_error(err, STATUS_OTHER_RULES,
                            "the puzzles are of the rules %s, not of %s", theirs, name);
    snprintf(checking->rules_text, sizeof checking->rules_text, "%s", text);
    return STATUS_OK;
}

// Takes the rules that a line says, if the command line has none; else they must be the same.
static enum status take_rules(struct checking *checking, const char *line, struct error *err)
{
    char text[RULES_SAID_BYTES];
    if (!find_rules(line, text))
        return STATUS_OK;
    if (checking->context->rules)
        return compare_rules(checking, text, err);
    if (strncmp(text, "own-", 4) == 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "the puzzles are on a board of one's own (%s): merels puzzles "
                            "--rules FILE --check FILE",
                            text);
    memcpy(checking->rules_text, text, sizeof text);
    return merels_context_rules(checking->context, checking->rules_text, err);
}

static enum status open_tables(struct checking *checking, struct error *err)
{
    if (checking->opened)
        return STATUS_OK;
    if (!checking->context->rules)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "the rules are missing; for example: merels puzzles nine --check FILE, or a line "
            "\"# rules nine\" in front");
    checking->opened = true;
    return open_depths(checking->context, err);
}

static enum status check_line(struct checking *checking, const char *text, uint64_t line,
                              struct error *err)
{
    static const char *const names[] = {"right", "several", "wrong"};
    enum verdict_kind verdict = PUZZLE_WRONG;
    char words[ERROR_TEXT_BYTES] = "";
    struct error reason;
    enum status status = take_rules(checking, text, &reason);
    if (status != STATUS_OK)
        return merels_error(err, status, "line %llu: %.400s", (unsigned long long)line,
                            reason.text);
    if (text[strspn(text, " \t\r")] == '\0' || text[0] == '#')
        return status;
    status = open_tables(checking, err);
    if (status != STATUS_OK)
        return status;
    checking->n++;
    status = merels_claim_read(text, &checking->claim, &reason);
    if (status == STATUS_OK)
        status =
            merels_claim_check(checking->context, &checking->claim, &verdict, words, &reason);
    checking->n_failed += status != STATUS_OK;
    checking->n_wrong += status == STATUS_OK && verdict == PUZZLE_WRONG;
    checking->n_several += status == STATUS_OK && verdict == PUZZLE_SEVERAL;
    print_verdict(checking, line, status == STATUS_OK ? names[verdict] : "no answer",
                  status == STATUS_OK ? words : reason.text);
    return merels_output_flush(checking->context->out, err);
}

static enum status check_lines(struct checking *checking, FILE *in, struct error *err)
{
    bool read = true;
    struct lines lines = {.in = in};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read) {
        struct error reason;
        status = merels_lines_next(&lines, &read, &reason);
        if (read && status != STATUS_OK) {
            checking->n++;
            checking->n_failed++;
            checking->claim.id[0] = '\0';
            print_verdict(checking, lines.n_lines, "no answer", reason.text);
            status = STATUS_OK;
        } else if (read)
            status = check_line(checking, lines.text, lines.n_lines, err);
        else if (status != STATUS_OK)
            status = merels_error(err, status, "%s", reason.text);
    }
    merels_lines_free(&lines);
    return status;
}

static enum status outcome(const struct checking *checking, struct error *err)
{
    if (checking->n_wrong + checking->n_several + checking->n_failed == 0)
        return STATUS_OK;
    return merels_error(
        err, STATUS_MISMATCH,
        "of %llu puzzles %llu are wrong, %llu have several solutions, %llu have "
        "no answer",
        (unsigned long long)checking->n, (unsigned long long)checking->n_wrong,
        (unsigned long long)checking->n_several, (unsigned long long)checking->n_failed);
}

static enum status check(struct context *context, struct error *err)
{
    const char *name = context->args->check;
    bool dash = strcmp(name, "-") == 0;
    struct checking *checking = calloc(1, sizeof *checking);
    if (!checking)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a puzzle");
    checking->context = context;
    FILE *in = dash ? stdin : fopen(name, "r");
    enum status status = in ? check_lines(checking, in, err)
                            : merels_error(err, STATUS_IO, "%s: %s", name, strerror(errno));
    if (in && !dash)
        fclose(in);
    if (status == STATUS_OK)
        status = outcome(checking, err);
    free(checking);
    return status;
}

static enum status run_puzzles(struct context *context, struct error *err)
{
    if (context->args->check)
        return check(context, err);
    if (!context->rules)
        return merels_error(err, STATUS_BAD_INPUT, "usage: merels puzzles RULES [OPTIONS]");
    return find(context, err);
}

const struct command merels_command_puzzles = {
    .name = "puzzles",
    .operands = "[RULES]",
    .min_operands = 0,
    .max_operands = 1,
    .needs = NEEDS_RULES,
    .asked = ASKED_OTHER,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_CACHE) | TAKES(OPTION_JSON) | TAKES(OPTION_COUNT) |
             TAKES(OPTION_GOAL) | TAKES(OPTION_STAGE) | TAKES(OPTION_MIN_PLIES) |
             TAKES(OPTION_PLIES) | TAKES(OPTION_MAX_MEN) | TAKES(OPTION_SEED) |
             TAKES(OPTION_CHECK),
    .summary = "find positions with one right ply at every step, or check a set of them",
    .details =
        "Finds --count positions (else 10) in which the side to move wins, or holds a draw,\n"
        "by one ply alone at every step of a line in which the other side resists as long\n"
        "as it can (of plies that end the game at once by the same step the man that is\n"
        "taken does not count). Phases, goals, depths and numbers of men take\n"
        "turns, and none is a near copy of another: through no symmetry does only one man\n"
        "stand elsewhere. Lines are from --min-plies (else 3) to --plies (else 15) long.\n"
        "Each comes with its solution and, as its proof, what all other plies are worth at\n"
        "each step. Equal --seed, equal puzzles.\n"
        "--check FILE (- for standard input) checks such a list, or one that others made,\n"
        "against the tables: a line is POSITION ; id \"1\" ; win 7 ; solution ..., with win\n"
        "(plies), dm (moves), hold, solution or bm as far as it claims them, or a JSON\n"
        "object. Exit status 1 if a claim is wrong or a solution is not the only one.",
    .example = "  merels puzzles nine --count 20 --goal win --stage moving\n"
               "  merels puzzles nine --check puzzles.txt",
    .run = run_puzzles,
};
