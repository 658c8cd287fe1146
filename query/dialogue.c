// dialogue.c: the commands of merels play.

#include "query/dialogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "game/over.h"
#include "query/game_past.h"
#include "query/game_text.h"
#include "query/player.h"
#include "query/render.h"
#include "query/value_text.h"

static const struct position *now(const struct dialogue *dialogue)
{
    return merels_game_record_position(&dialogue->context->game);
}

enum colour merels_dialogue_side(const struct dialogue *dialogue)
{
    return merels_side_to_choose(dialogue->context->game.rules, now(dialogue));
}

static struct past past_of(const struct dialogue *dialogue)
{
    return (struct past){.record = &dialogue->context->game, .rules.repetition = true};
}

static bool is_over(const struct dialogue *dialogue, int *value)
{
    *value = 0;
    return dialogue->claimed ||
           merels_position_over(dialogue->context->game.rules, now(dialogue), value);
}

// ---- showing -------------------------------------------------------------------------------

static void print_removals(const struct dialogue *dialogue)
{
    struct output *out = dialogue->context->out;
    const struct rules *rules = dialogue->context->game.rules;
    point_set men = merels_position_removable(rules, now(dialogue)->other);
    const char *picker = merels_colour_name((int)merels_dialogue_side(dialogue));
    if (merels_dialogue_side(dialogue) == now(dialogue)->mover)
        merels_print(out, "A mill: enter the man to remove:");
    else
        merels_print(out, "A mill: %s picks which of its men is taken:", picker);
    for (; men != 0; men &= men - 1)
        merels_print(out, " x%s", rules->board.names[bit_lowest(men)]);
    merels_print(out, "\n");
}

static void print_end(const struct dialogue *dialogue)
{
    int value;
    struct output *out = dialogue->context->out;
    const struct position *pos = now(dialogue);
    const char *over = merels_over_reason(dialogue->context->game.rules, pos, &value);
    const struct past past = past_of(dialogue);
    if (dialogue->claimed)
        merels_print(out, "The game is over: a draw (repetition).\n");
    else if (over && value == 0)
        merels_print(out, "The game is over: a draw (%s).\n", over);
    else if (over)
        merels_print(out, "The game is over: %s wins (%s).\n",
                     merels_colour_name(value > 0 ? pos->mover : !pos->mover), over);
    else if (now(dialogue)->due > 0)
        print_removals(dialogue);
    else if (merels_past_is_draw(&past))
        merels_print(out, "This position is here for the third time: draw claims a draw; or "
                          "play on.\n");
}

void merels_dialogue_show(const struct dialogue *dialogue)
{
    const struct game_record *record = &dialogue->context->game;
    const struct render_style style = {dialogue->unicode, merels_game_record_last(record)};
    merels_print(dialogue->context->out, "\n");
    merels_print_board(dialogue->context->out, record->rules,
                       merels_game_record_position(record), style);
    print_end(dialogue);
}

// A ply and what it is worth; where the other side picks the men, each pick with what is left
// then. Values are the mover's: where another side chooses, its name stands before them.
static void print_value(const struct dialogue *dialogue, const struct ranked_ply *entry)
{
    char words[VALUE_TEXT_BYTES];
    struct output *out = dialogue->context->out;
    const struct rules *rules = dialogue->context->game.rules;
    bool picks = merels_other_side_picks(rules, &entry->ply);
    bool others = picks || merels_dialogue_side(dialogue) != now(dialogue)->mover;
    merels_print(out, "  %s  %s%s%s", entry->text,
                 others ? merels_colour_name(now(dialogue)->mover) : "", others ? " " : "",
                 entry->known
                     ? merels_value_words(rules, entry->pick_value, entry->pick_plies, words)
                     : "unknown");
    if (picks)
        merels_print(out, entry->picked ? " (%s's best pick)" : " (a pick of %s's)",
                     merels_colour_name((int)merels_side_that_picks(rules, now(dialogue))));
    merels_print(out, "\n");
}

// ---- the commands --------------------------------------------------------------------------

// The text after a command's word; empty if there is none.
typedef void command_function(struct dialogue *dialogue, const char *rest);

static void give_hint(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    struct error err;
    struct ranked_ply choice;
    const struct past past = past_of(dialogue);
    if (merels_player_choose(dialogue->context, now(dialogue), &past, &choice, &err) ==
        STATUS_OK)
        print_value(dialogue, &choice);
    else
        merels_print(dialogue->context->out, "No hint: %s.\n", err.text);
}

static void show_values(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    struct error err;
    if (merels_context_rank_known(dialogue->context, now(dialogue), &err) != STATUS_OK) {
        merels_print(dialogue->context->out, "No values: %s.\n", err.text);
        return;
    }
    const struct ranking *ranking = dialogue->context->ranking;
    for (int i = 0; i < ranking->n_plies; i++)
        print_value(dialogue, &ranking->plies[i]);
    if (ranking->n_plies == 0)
        merels_print(dialogue->context->out, "The game is over: there is no ply.\n");
}

// Back to the last position in which a person was to move.
static void take_back(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    if (!merels_game_record_back(&dialogue->context->game)) {
        merels_print(dialogue->context->out, "There is nothing to take back.\n");
        return;
    }
    dialogue->claimed = false;
    while (!dialogue->person[merels_dialogue_side(dialogue)] &&
           merels_game_record_back(&dialogue->context->game))
        continue;
    merels_dialogue_show(dialogue);
}

static void show_board(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    merels_dialogue_show(dialogue);
}

static void show_game(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    char *text;
    struct error err;
    if (merels_game_record_text(&dialogue->context->game, &text, &err) != STATUS_OK) {
        merels_print(dialogue->context->out, "%s.\n", err.text);
        return;
    }
    merels_print(dialogue->context->out, "%s\n", text);
    free(text);
}

static enum status write_file(const char *name, const char *text, struct error *err)
{
    FILE *file = fopen(name, "w");
    if (!file)
        return merels_error(err, STATUS_IO, "%s: %s", name, strerror(errno));
    bool failed = fprintf(file, "%s\n", text) < 0;
    failed = fclose(file) != 0 || failed;
    return failed ? merels_error(err, STATUS_IO, "%s: %s", name, strerror(errno)) : STATUS_OK;
}

static enum status save_record(const struct dialogue *dialogue, const char *name,
                               struct error *err)
{
    char *text;
    if (name[0] == '\0')
        return merels_error(err, STATUS_BAD_INPUT, "a file name is missing: save FILE");
    enum status status = merels_game_record_text(&dialogue->context->game, &text, err);
    if (status != STATUS_OK)
        return status;
    status = write_file(name, text, err);
    free(text);
    return status;
}

static void save_game(struct dialogue *dialogue, const char *rest)
{
    struct error err;
    if (save_record(dialogue, rest, &err) == STATUS_OK)
        merels_print(dialogue->context->out, "Saved in %s.\n", rest);
    else
        merels_print(dialogue->context->out, "Not saved: %s.\n", err.text);
}

static enum status read_file(const char *name, char **text, struct error *err)
{
    FILE *file = fopen(name, "r");
    if (!file)
        return merels_error(err, STATUS_IO, "%s: %s", name, strerror(errno));
    enum status status = merels_game_text_load(file, name, text, err);
    fclose(file);
    return status;
}

static enum status load_record(struct dialogue *dialogue, const char *name, struct error *err)
{
    char *text;
    struct game_record loaded, *game = &dialogue->context->game;
    if (name[0] == '\0')
        return merels_error(err, STATUS_BAD_INPUT, "a file name is missing: load FILE");
    enum status status = read_file(name, &text, err);
    if (status != STATUS_OK)
        return status;
    status = merels_game_record_read(game->rules, game->start, text, 1, &loaded, err);
    free(text);
    if (status != STATUS_OK)
        return status;
    merels_game_record_free(game);
    *game = loaded;
    dialogue->claimed = false;
    return STATUS_OK;
}

static void load_game(struct dialogue *dialogue, const char *rest)
{
    struct error err;
    if (load_record(dialogue, rest, &err) == STATUS_OK)
        merels_dialogue_show(dialogue);
    else
        merels_print(dialogue->context->out, "Not loaded: %s.\n", err.text);
}

static void choose_side(struct dialogue *dialogue, const char *rest)
{
    if (!merels_dialogue_set_side(dialogue, rest))
        merels_print(dialogue->context->out, "The side is white, black, both or none.\n");
}

// A person claims a draw.
static void claim_draw(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    int value;
    struct output *out = dialogue->context->out;
    const struct past past = past_of(dialogue);
    int times = merels_past_times(&past, now(dialogue));
    if (is_over(dialogue, &value)) {
        merels_print(out, "The game is over.\n");
    } else if (!merels_past_is_draw(&past)) {
        merels_print(out,
                     "No draw can be claimed: this position is here for the %s time, not the "
                     "third.\n",
                     times == 1 ? "first" : "second");
    } else {
        dialogue->claimed = true;
        print_end(dialogue);
    }
}

static void leave(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    dialogue->quit = true;
}

static command_function show_help;

static const struct {
    const char *word, *operand, *help;
    command_function *run;
} commands[] = {
    {"help", "", "this list", show_help},
    {"board", "", "draw the board", show_board},
    {"hint", "", "what the perfect player would play", give_hint},
    {"values", "", "every ply with its value, best first", show_values},
    {"back", "", "take your last ply back", take_back},
    {"side", "SIDE", "play white, black, both or none", choose_side},
    {"game", "", "the text of the game", show_game},
    {"save", "FILE", "write the text of the game to a file", save_game},
    {"load", "FILE", "go on with a game or a position in a file", load_game},
    {"draw", "", "claim a draw: this position is here for the third time", claim_draw},
    {"quit", "", "leave", leave},
};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void show_help(struct dialogue *dialogue, const char *rest)
{
    (void)rest;
    struct output *out = dialogue->context->out;
    merels_print(out, "Enter a ply: d6 places, a1-a4 moves, xd7 removes (d6xd7 in one), or:\n");
    for (int i = 0; i < N_COMMANDS; i++)
        merels_print(out, "  %-6s %-5s %s\n", commands[i].word, commands[i].operand,
                     commands[i].help);
}

// ---- plies ---------------------------------------------------------------------------------

// Adds the step of a ply to the game; the men that it takes are picked by the other side.
static enum status add_step(struct game_record *record, struct ply ply, struct error *err)
{
    char text[PLY_TEXT_BYTES];
    merels_ply_format(record->rules, ply_step(ply), text);
    return merels_game_record_play(record, text, err);
}

// Takes the removals of the last ply back if the person does not pick them.
static void leave_pick(struct dialogue *dialogue)
{
    struct error err;
    struct game_record *record = &dialogue->context->game;
    const struct ply ply = *merels_game_record_last(record);
    const struct position *before = merels_game_record_before(record, record->n_turns - 1);
    enum colour picker = merels_side_that_picks(record->rules, before);
    if (!merels_other_side_picks(record->rules, &ply) || dialogue->person[picker])
        return;
    merels_game_record_back(record);
    merels_print(dialogue->context->out, "%s picks which of its men is taken.\n",
                 merels_colour_name((int)picker));
    if (add_step(record, ply, &err) != STATUS_OK)
        merels_print(dialogue->context->out, "Not played: %s.\n", err.text);
}

// Plays the ply that a person entered. Of several only the first counts.
static void play_text(struct dialogue *dialogue, const char *text)
{
    struct error err;
    struct game_record *record = &dialogue->context->game;
    bool open = record->n_turns > 0 && now(dialogue)->due > 0;
    if (dialogue->claimed) {
        merels_print(dialogue->context->out,
                     "The game is over: a draw was claimed. (back takes a ply back)\n");
        return;
    }
    size_t n_turns = record->n_turns + !open;
    if (merels_game_record_play(record, text, &err) != STATUS_OK) {
        merels_print(dialogue->context->out,
                     "Not played: %s. (help lists what can be entered)\n", err.text);
        return;
    }
    if (record->n_turns > n_turns)
        merels_print(dialogue->context->out, "One ply at a time: only the first is played.\n");
    while (record->n_turns > n_turns)
        merels_game_record_back(record);
    if (!open && record->n_turns == n_turns)
        leave_pick(dialogue);
    merels_dialogue_show(dialogue);
}

// Plays what the perfect player has chosen: of a ply whose men the other side picks the step.
static enum status play_choice(struct dialogue *dialogue, const struct ranked_ply *choice,
                               char text[PLY_TEXT_BYTES], struct error *err)
{
    struct game_record *record = &dialogue->context->game;
    bool step = merels_other_side_picks(record->rules, &choice->ply);
    merels_ply_format(record->rules, step ? ply_step(choice->ply) : choice->ply, text);
    return step ? add_step(record, choice->ply, err)
                : merels_game_record_add(record, choice->ply, err);
}

// True if the perfect player is to claim a draw now: it may, and it does not win.
static bool claims(const struct dialogue *dialogue)
{
    const struct past past = past_of(dialogue);
    return merels_past_is_draw(&past) && dialogue->context->ranking->answer.value != VALUE_WIN;
}

static void claim(struct dialogue *dialogue, const char *side)
{
    dialogue->claimed = true;
    merels_print(dialogue->context->out,
                 "\n%s claims a draw: the position is here for the third time.\n", side);
    print_end(dialogue);
}

void merels_dialogue_play(struct dialogue *dialogue)
{
    struct error err;
    struct ranked_ply choice;
    char text[PLY_TEXT_BYTES];
    const struct past past = past_of(dialogue);
    bool picks = merels_dialogue_side(dialogue) != (enum colour)now(dialogue)->mover;
    const char *side = merels_colour_name((int)merels_dialogue_side(dialogue));
    enum status status =
        merels_player_choose(dialogue->context, now(dialogue), &past, &choice, &err);
    if (status == STATUS_OK && claims(dialogue)) {
        claim(dialogue, side);
        return;
    }
    if (status == STATUS_OK)
        status = play_choice(dialogue, &choice, text, &err);
    dialogue->helpless = status != STATUS_OK;
    if (dialogue->helpless) {
        merels_print(dialogue->context->out,
                     "No perfect ply for %s: %s.\nEnter its ply yourself.\n", side, err.text);
        return;
    }
    merels_print(dialogue->context->out, "\n%s %s %s.\n", side, picks ? "picks" : "plays",
                 text);
    merels_dialogue_show(dialogue);
    if (claims(dialogue))
        claim(dialogue, side);
}

bool merels_dialogue_is_waiting(const struct dialogue *dialogue)
{
    int value;
    if (dialogue->quit || dialogue->helpless || is_over(dialogue, &value))
        return false;
    return !dialogue->person[merels_dialogue_side(dialogue)];
}

bool merels_dialogue_set_side(struct dialogue *dialogue, const char *side)
{
    bool both = strcasecmp(side, "both") == 0;
    bool white = strcasecmp(side, "white") == 0, black = strcasecmp(side, "black") == 0;
    if (!both && !white && !black && strcasecmp(side, "none") != 0)
        return false;
    dialogue->person[WHITE] = both || white;
    dialogue->person[BLACK] = both || black;
    return true;
}

// Cuts spaces off both ends.
static char *trimmed(char *text)
{
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

static void take_text(struct dialogue *dialogue, char *text)
{
    size_t length = strcspn(text, " \t");
    for (int i = 0; i < N_COMMANDS; i++)
        if (strncasecmp(text, commands[i].word, length) == 0 &&
            commands[i].word[length] == '\0') {
            commands[i].run(dialogue, trimmed(text + length));
            return;
        }
    play_text(dialogue, text);
}

void merels_dialogue_take(struct dialogue *dialogue, const char *line)
{
    char *copy = strdup(line);
    if (!copy) {
        merels_print(dialogue->context->out, "No memory for this line.\n");
        return;
    }
    char *text = trimmed(copy);
    dialogue->helpless = false;
    if (text[0] != '\0')
        take_text(dialogue, text);
    free(copy);
}
