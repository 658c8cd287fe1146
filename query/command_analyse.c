// command_analyse.c: merels analyse: games, ply by ply, and where a win or a draw was thrown
// away.
//
// Games are read, judged, printed and forgotten one after another; what is kept of them is
// counts.

#include <stdlib.h>
#include <string.h>

#include "query/analysis.h"
#include "query/failure.h"
#include "query/game_picture.h"
#include "query/listing.h"
#include "query/new_text.h"
#include "query/records.h"
#include "query/render.h"
#include "query/value_text.h"

// Plies without a removal that are worth a line: the fewest that a club counts.
enum { LONG_QUIET = 30 };

// A game of those that are analysed.
struct question {
    struct game_record *record;
    uint64_t number; // from 1; 0: the only one, of the command line
    int line;        // of the stream
    const char *label, *text;
    const struct error *fault; // behind its good part; STATUS_OK if there is none
    struct tallies tallies;
};

struct analysis {
    struct context *context;
    struct tallies all;
    uint64_t n_games, n_begun, n_broken, n_failures; // the last: plies without an answer
    struct error first_broken, first_failure;
    struct error first_damage;   // of a ply or of the end: not merely no table
    struct game_picture picture; // of the game at work, with --svg
};

static const char *result_text(enum game_result result)
{
    static const char *const texts[] = {[RESULT_OPEN] = "*",
                                        [RESULT_WHITE] = "1-0",
                                        [RESULT_BLACK] = "0-1",
                                        [RESULT_DRAW] = "1/2-1/2"};
    return texts[result];
}

static void note_damage(struct analysis *analysis, const struct error *failure)
{
    if (analysis->first_damage.status == STATUS_OK && !merels_failure_is_absence(failure))
        analysis->first_damage = *failure;
}

static void judge(struct analysis *analysis, struct question *question, size_t i,
                  struct verdict *v)
{
    merels_analysis_judge(analysis->context, question->record, i, &question->tallies, v);
    if (!v->ranking && analysis->n_failures++ == 0)
        analysis->first_failure = v->failure;
    if (!v->ranking)
        note_damage(analysis, &v->failure);
    if (analysis->context->args->svg)
        merels_game_picture_add(&analysis->picture, v);
}

static struct ending find_end(struct analysis *analysis, const struct game_record *record)
{
    struct ending end = merels_analysis_end(analysis->context, record);
    if (!end.known)
        note_damage(analysis, &end.failure);
    return end;
}

// ---- as text -------------------------------------------------------------------------------

static void print_mistake(const struct verdict *v, struct output *out)
{
    char words[VALUE_TEXT_BYTES];
    struct ranked_ply kept;
    bool win = v->ranking->answer.value == VALUE_WIN;
    merels_print(out, "  ?? throws away the %s; kept by", win ? "win" : "draw");
    for (int i = 0; merels_analysis_kept(v, i, &kept); i++) {
        merels_print(out, "%s %s", i > 0 ? "," : "", kept.text);
        if (win && kept.plies >= 0)
            merels_print(out, " (%s)",
                         merels_value_words(v->rules, kept.value, kept.plies, words));
    }
}

// The mistake of the side that picks the men; its win is the mover's loss.
static void print_pick_mistake(const struct verdict *v, struct output *out)
{
    struct ranked_ply kept;
    bool win = merels_analysis_pick_value(v) == VALUE_LOSS;
    merels_print(out, "  ?? %s's pick throws away the %s; kept by",
                 merels_colour_name((int)merels_side_that_picks(v->rules, v->before)),
                 win ? "win" : "draw");
    for (int i = 0; merels_analysis_pick_kept(v, i, &kept); i++)
        merels_print(out, "%s %s", i > 0 ? "," : "", kept.text);
}

static void print_verdict(const struct verdict *v, struct output *out)
{
    char words[VALUE_TEXT_BYTES];
    const char *colour = merels_colour_name(v->before->mover);
    merels_print(out, "%4zu. %s  %-12s  ", v->number + 1, colour, v->text);
    if (!v->ranking)
        merels_print(out, "no answer: %s", v->failure.text);
    else if (!v->entry)
        merels_print(out, "the removal is missing");
    else
        merels_print(
            out, "%s %s", colour,
            merels_value_words(v->rules, v->entry->pick_value, v->entry->pick_plies, words));
    if (v->mistake)
        print_mistake(v, out);
    if (v->pick_mistake)
        print_pick_mistake(v, out);
    merels_print(out, "\n");
}

// "Mistakes: White placing 1 of 9, moving 0 of 4; Black placing 0 of 9."
static void print_tallies(const struct tallies *tallies, struct output *out)
{
    merels_print(out, "Mistakes:");
    for (int side = WHITE; side <= BLACK; side++) {
        const char *before = "";
        merels_print(out, "%s %s", side == BLACK ? ";" : "", merels_colour_name(side));
        for (int phase = 0; phase < N_GAME_PHASES; phase++) {
            const struct tally *t = &tallies->of[phase][side];
            if (t->plies == 0)
                continue;
            merels_print(out, "%s %s %llu of %llu", before,
                         merels_game_phase_name((enum game_phase)phase),
                         (unsigned long long)(t->wins_thrown + t->draws_thrown),
                         (unsigned long long)t->plies);
            before = ",";
        }
        merels_print(out, "%s", before[0] ? "" : " none");
    }
    merels_print(out, ".\n");
}

static void print_end(const struct ending *end, struct output *out)
{
    static const char *const values[] = {"lost for White", "drawn", "won for White"};
    if (end->over)
        merels_print(out, "The game is over (%s): it is %s.\n", end->over,
                     values[1 + end->value]);
    if (!end->agrees)
        merels_print(out, "The game claims %s, but its last position is %s.\n",
                     result_text(end->claimed), values[1 + end->value]);
}

static void print_counted(const struct counted *counted, struct output *out)
{
    if (counted->n_thirds > 0)
        merels_print(out,
                     "After ply %zu a position was there for the third time: a draw could be "
                     "claimed.\n",
                     counted->first_third);
    if (counted->n_quiet >= LONG_QUIET)
        merels_print(out, "%zu plies without a removal, from ply %zu on.\n", counted->n_quiet,
                     counted->quiet_from);
}

static void print_head(const struct question *question, struct output *out)
{
    char text[POSITION_TEXT_BYTES];
    const struct game_record *record = question->record;
    if (question->number > 0)
        merels_print(out, "%sGame %llu, line %d%s%s\n", question->number > 1 ? "\n" : "",
                     (unsigned long long)question->number, question->line,
                     question->label ? ": " : "", question->label ? question->label : "");
    if (!record)
        return;
    merels_position_format(record->rules, &record->first, text);
    merels_print(out, "%s\n\n", text);
}

static enum status print_game(struct analysis *analysis, struct question *question,
                              struct error *err)
{
    (void)err;
    struct output *out = analysis->context->out;
    size_t n = question->record ? question->record->n_turns : 0;
    print_head(question, out);
    for (size_t i = 0; i < n; i++) {
        struct verdict v;
        judge(analysis, question, i, &v);
        print_verdict(&v, out);
    }
    if (question->fault->status != STATUS_OK)
        merels_print(out, "Not read further: %s\n", question->fault->text);
    if (!question->record)
        return STATUS_OK;
    struct tally all = merels_tallies_all(&question->tallies);
    struct ending end = find_end(analysis, question->record);
    merels_print(out, "\n%zu %s, %llu of them threw away a win or a draw.\n", n,
                 n == 1 ? "ply" : "plies",
                 (unsigned long long)(all.wins_thrown + all.draws_thrown));
    if (n > 0)
        print_tallies(&question->tallies, out);
    const struct counted counted = merels_analysis_count(question->record);
    print_counted(&counted, out);
    print_end(&end, out);
    return STATUS_OK;
}

static enum status print_total(struct analysis *analysis, struct error *err)
{
    (void)err;
    struct output *out = analysis->context->out;
    struct tally all = merels_tallies_all(&analysis->all);
    merels_print(out,
                 "\nAll: %llu %s, %llu broken; %llu plies, %llu of them threw away a win "
                 "or a draw.\n",
                 (unsigned long long)analysis->n_games,
                 analysis->n_games == 1 ? "game" : "games",
                 (unsigned long long)analysis->n_broken, (unsigned long long)all.plies,
                 (unsigned long long)(all.wins_thrown + all.draws_thrown));
    print_tallies(&analysis->all, out);
    return STATUS_OK;
}

// ---- as JSON -------------------------------------------------------------------------------

// Adds to a list; NULL, as from jansson, if either is NULL or memory runs out.
static json_t *added(json_t *list, json_t *value)
{
    if (!list || json_array_append_new(list, value) != 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *kept_json(const struct verdict *v)
{
    struct ranked_ply kept;
    json_t *list = json_array();
    for (int i = 0; v->mistake && merels_analysis_kept(v, i, &kept); i++)
        list = added(list, json_string(kept.text));
    return list;
}

static json_t *pick_kept_json(const struct verdict *v)
{
    struct ranked_ply kept;
    json_t *list = json_array();
    for (int i = 0; v->pick_mistake && merels_analysis_pick_kept(v, i, &kept); i++)
        list = added(list, json_string(kept.text));
    return list;
}

// Adds what is known of the other side's pick.
static json_t *with_pick(json_t *object, const struct verdict *v)
{
    enum colour picker = merels_side_that_picks(v->rules, v->before);
    if (object && v->picks)
        json_object_update_new(object,
                               json_pack("{s:s, s:b, s:o}", "picked_by",
                                         merels_colour_word((int)picker), "pick_mistake",
                                         v->pick_mistake, "pick_kept_by", pick_kept_json(v)));
    return object;
}

static json_t *verdict_json(const struct verdict *v)
{
    const char *side = merels_colour_word(v->before->mover);
    if (!v->ranking)
        return json_pack("{s:s, s:s, s:o}", "side", side, "move", v->text, "error",
                         merels_json_text(v->failure.text));
    if (!v->entry)
        return json_pack("{s:s, s:s, s:s}", "side", side, "move", v->text, "error",
                         "the removal is missing");
    return with_pick(json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:b, s:o}", "side", side, "move",
                               v->text, "value", merels_value_name(v->entry->pick_value),
                               "plies", merels_json_plies(v->entry->pick_plies), "best_value",
                               merels_value_name(v->ranking->answer.value), "best_plies",
                               merels_json_plies(v->ranking->answer.plies), "mistake",
                               v->mistake, "kept_by", kept_json(v)),
                     v);
}

static json_t *tallies_json(const struct rules *rules, const struct tallies *tallies)
{
    json_t *list = json_array();
    for (int phase = 0; phase < merels_n_game_phases(rules); phase++)
        for (int side = WHITE; side <= BLACK; side++) {
            const struct tally *t = &tallies->of[phase][side];
            list = added(list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I}", "phase",
                                         merels_game_phase_name((enum game_phase)phase), "side",
                                         merels_colour_word(side), "plies",
                                         (json_int_t)t->plies, "judged", (json_int_t)t->judged,
                                         "wins_thrown", (json_int_t)t->wins_thrown,
                                         "draws_thrown", (json_int_t)t->draws_thrown));
        }
    return list;
}

static json_t *text_or_null(const char *text)
{
    return text ? merels_json_text(text) : json_null();
}

// What the game claims, why it is over, and what its last position is worth.
static json_t *end_json(const struct ending *end)
{
    static const char *const values[] = {"black", "draw", "white"};
    bool claims = end->claimed != RESULT_NONE && end->claimed != RESULT_OPEN;
    return json_pack("{s:o, s:o, s:o, s:o}", "result", text_or_null(result_text(end->claimed)),
                     "over", text_or_null(end->over), "value",
                     text_or_null(end->known ? values[1 + end->value] : NULL), "agrees",
                     claims && end->known ? json_boolean(end->agrees) : json_null());
}

// What rules of draws count: null where no position was there for the third time.
static json_t *counted_json(const struct game_record *record)
{
    const struct counted counted = merels_analysis_count(record);
    return json_pack("{s:o, s:I, s:I}", "third_time_after",
                     counted.n_thirds > 0 ? json_integer((json_int_t)counted.first_third)
                                          : json_null(),
                     "third_times", (json_int_t)counted.n_thirds, "longest_without_removal",
                     (json_int_t)counted.n_quiet);
}

static json_t *head_json(const struct analysis *analysis, const struct question *question)
{
    json_t *object = json_object();
    if (question->number > 0)
        json_object_update_new(
            object, json_pack("{s:I, s:i, s:o}", "game", (json_int_t)question->number, "line",
                              question->line, "label", text_or_null(question->label)));
    json_object_set_new(object, "rules",
                        json_string(merels_variant_label(&analysis->context->variant)));
    return object;
}

// Adds what is known of a game that begins; NULL if memory runs out.
static json_t *game_json(struct analysis *analysis, struct question *question)
{
    char text[POSITION_TEXT_BYTES];
    json_t *moves = json_array(), *object = head_json(analysis, question);
    const struct game_record *record = question->record;
    if (record) {
        merels_position_format(record->rules, &record->first, text);
        for (size_t i = 0; i < record->n_turns; i++) {
            struct verdict v;
            judge(analysis, question, i, &v);
            moves = added(moves, verdict_json(&v));
        }
        struct ending end = find_end(analysis, record);
        json_object_update_new(
            object, json_pack("{s:s, s:O, s:o, s:o, s:o}", "position", text, "moves", moves,
                              "mistakes", tallies_json(record->rules, &question->tallies),
                              "counted", counted_json(record), "end", end_json(&end)));
    }
    if (question->fault->status != STATUS_OK)
        json_object_set_new(object, "error", merels_json_text(question->fault->text));
    bool whole = object && moves && (!record || json_object_get(object, "moves"));
    json_decref(moves);
    if (whole)
        return object;
    json_decref(object);
    return NULL;
}

static enum status print_game_json(struct analysis *analysis, struct question *question,
                                   struct error *err)
{
    return merels_print_json(analysis->context->out, game_json(analysis, question), true, err);
}

static enum status print_total_json(struct analysis *analysis, struct error *err)
{
    return merels_print_json(analysis->context->out,
                             json_pack("{s:I, s:I, s:I, s:o}", "games",
                                       (json_int_t)analysis->n_games, "broken",
                                       (json_int_t)analysis->n_broken, "unanswered",
                                       (json_int_t)analysis->n_failures, "mistakes",
                                       tallies_json(analysis->context->rules, &analysis->all)),
                             true, err);
}

// ---- as tab-separated lines ----------------------------------------------------------------

static const struct column columns[] = {
    {"game", NULL, COLUMN_TEXT, IN_ALL, ALIGN_BY_KIND, 0},
    {"line", NULL, COLUMN_NUMBER, IN_ALL, ALIGN_BY_KIND, 0},
    {"label", NULL, COLUMN_TEXT, IN_ALL, ALIGN_BY_KIND, 0},
    {"phase", NULL, COLUMN_TEXT, IN_ALL, ALIGN_BY_KIND, 0},
    {"side", NULL, COLUMN_TEXT, IN_ALL, ALIGN_BY_KIND, 0},
    {"plies", NULL, COLUMN_NUMBER, IN_ALL, ALIGN_BY_KIND, 0},
    {"judged", NULL, COLUMN_NUMBER, IN_ALL, ALIGN_BY_KIND, 0},
    {"wins_thrown", NULL, COLUMN_NUMBER, IN_ALL, ALIGN_BY_KIND, 0},
    {"draws_thrown", NULL, COLUMN_NUMBER, IN_ALL, ALIGN_BY_KIND, 0},
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

// Prints a line for each phase and side.
static enum status print_tallies_tsv(const struct context *context,
                                     const struct question *question, const char *game,
                                     const struct tallies *tallies, bool names,
                                     struct error *err)
{
    struct listing *listing;
    int n = 2 * merels_n_game_phases(context->rules);
    enum status status = merels_listing_create(columns, N_COLUMNS, &listing, err);
    for (int i = 0; status == STATUS_OK && i < n; i++) {
        const struct tally *t = &tallies->of[i / 2][i % 2];
        const struct cell cells[N_COLUMNS] = {
            cell_text(game),
            question ? cell_number((uint64_t)question->line) : (struct cell){.none = true},
            cell_text(question ? question->label : NULL),
            cell_text(merels_game_phase_name((enum game_phase)(i / 2))),
            cell_text(merels_colour_word(i % 2)),
            cell_number(t->plies),
            cell_number(t->judged),
            cell_number(t->wins_thrown),
            cell_number(t->draws_thrown)};
        status = merels_listing_add(listing, cells, err);
    }
    if (status == STATUS_OK)
        merels_listing_print_tsv(listing, names, context->out);
    merels_listing_destroy(listing);
    return status;
}

static enum status print_game_tsv(struct analysis *analysis, struct question *question,
                                  struct error *err)
{
    char game[32];
    size_t n = question->record ? question->record->n_turns : 0;
    for (size_t i = 0; i < n; i++) {
        struct verdict v;
        judge(analysis, question, i, &v);
    }
    snprintf(game, sizeof game, "%llu",
             (unsigned long long)(question->number > 0 ? question->number : 1));
    return print_tallies_tsv(analysis->context, question, game, &question->tallies,
                             question->number <= 1, err);
}

static enum status print_total_tsv(struct analysis *analysis, struct error *err)
{
    return print_tallies_tsv(analysis->context, NULL, "all", &analysis->all,
                             analysis->n_games == 0, err);
}

// ---- as a picture --------------------------------------------------------------------------

static bool is_for_output(const char *svg)
{
    return svg && strcmp(svg, "-") == 0;
}

// The picture alone is printed: plies are judged, and nothing is said of them.
static enum status judge_game(struct analysis *analysis, struct question *question,
                              struct error *err)
{
    (void)err;
    for (size_t i = 0; question->record && i < question->record->n_turns; i++) {
        struct verdict v;
        judge(analysis, question, i, &v);
    }
    return STATUS_OK;
}

// "Ann – Bob", the label of the record, or the rules.
static char *title_of(const struct analysis *analysis, const struct question *question)
{
    struct tag white, black;
    const char *text = question->text ? question->text : "";
    const char *name = merels_game_tag(text, "white", &white);
    const char *other = merels_game_tag(text, "black", &black);
    const char *rules = merels_variant_label(&analysis->context->variant);
    return name && other     ? merels_new_text("%s – %s", name, other)
           : question->label ? strdup(question->label)
                             : merels_new_text("A game of %s", rules);
}

// The name of the picture of a game: of one of several "FILE-2.svg".
static char *name_picture(const char *svg, uint64_t number)
{
    const char *slash = strrchr(svg, '/');
    const char *base = slash ? slash + 1 : svg, *dot = strrchr(base, '.');
    int length = (int)(dot && dot > base ? (size_t)(dot - svg) : strlen(svg));
    return number == 0 ? strdup(svg)
                       : merels_new_text("%.*s-%llu%s", length, svg, (unsigned long long)number,
                                         svg + length);
}

static enum status draw_game(struct analysis *analysis, const struct question *question,
                             struct error *err)
{
    struct context *context = analysis->context;
    char *title = title_of(analysis, question);
    char *name = name_picture(context->args->svg, question->number);
    struct ending end = find_end(analysis, question->record);
    enum status status = STATUS_NO_MEMORY;
    if (title && name) {
        struct svg svg = merels_game_picture_draw(&analysis->picture, title, &end);
        status = merels_svg_write(&svg, name, context->out, err);
        merels_svg_free(&svg);
    } else
        status = merels_error(err, status, "no memory for the picture");
    free(title);
    free(name);
    return status;
}

// ---- the command ---------------------------------------------------------------------------

// The forms of the output.
struct form {
    enum status (*game)(struct analysis *analysis, struct question *question,
                        struct error *err);
    enum status (*total)(struct analysis *analysis, struct error *err);
};

static const struct form *form_of(const struct arguments *args)
{
    static const struct form text = {print_game, print_total};
    static const struct form json = {print_game_json, print_total_json};
    static const struct form tsv = {print_game_tsv, print_total_tsv};
    static const struct form picture = {judge_game, NULL}; // of one game
    if (is_for_output(args->svg))
        return &picture;
    return args->json ? &json : args->tsv ? &tsv : &text;
}

static void note_broken(struct analysis *analysis, const struct question *question)
{
    const struct error *fault = question->fault;
    if (analysis->n_broken++ > 0)
        return;
    if (question->number == 0)
        analysis->first_broken = *fault;
    else
        merels_error(&analysis->first_broken, fault->status, "game %llu, line %d: %s",
                     (unsigned long long)question->number, question->line, fault->text);
}

static enum status take_game(struct analysis *analysis, struct question *question,
                             struct error *err)
{
    analysis->n_begun += question->record != NULL;
    if (question->fault->status != STATUS_OK)
        note_broken(analysis, question);
    enum status status = form_of(analysis->context->args)->game(analysis, question, err);
    if (status == STATUS_OK && analysis->context->args->svg && question->record)
        status = draw_game(analysis, question, err);
    merels_game_picture_free(&analysis->picture);
    merels_tallies_add(&analysis->all, &question->tallies);
    analysis->n_games++;
    return status;
}

// Reads and analyses a record of the stream; `reason` is why it has no text, if it has none.
static enum status take_record(struct analysis *analysis, const struct records *records,
                               struct error *reason, struct error *err)
{
    struct context *context = analysis->context;
    struct error fault = {.status = STATUS_OK};
    char label[TAG_VALUE_BYTES];
    struct question question = {.number = records->n, .line = records->line, .fault = reason};
    if (reason->status == STATUS_OK) {
        question.text = records->text;
        question.label = merels_records_label(records->text, label);
        if (merels_game_record_read_good(context->rules, &context->variant.start, records->text,
                                         merels_records_line(records), &context->game, &fault,
                                         reason) == STATUS_OK) {
            merels_records_tell(records, &context->game.note);
            question.record = &context->game;
            question.fault = &fault;
        }
    }
    enum status status = take_game(analysis, &question, err);
    merels_game_record_free(&context->game);
    return status == STATUS_OK ? merels_output_flush(context->out, err) : status;
}

static enum status take_stream(struct analysis *analysis, struct error *err)
{
    bool read = true;
    struct records records = {.lines = {.in = stdin}, .looks_ahead = true};
    enum status status = STATUS_OK;
    while (status == STATUS_OK && read) {
        struct error reason = {.status = STATUS_OK};
        status = merels_records_next(&records, &read, &reason);
        if (read)
            status = take_record(analysis, &records, &reason, err);
        else if (status != STATUS_OK)
            status = merels_error(err, status, "%s", reason.text);
    }
    if (status == STATUS_OK && analysis->n_games == 0)
        status = merels_error(err, STATUS_BAD_INPUT,
                              "standard input holds no game; for example: 1. d6 f4 2. d2 b4");
    else if (status == STATUS_OK)
        status = form_of(analysis->context->args)->total(analysis, err);
    merels_records_free(&records);
    return status;
}

// What the exit status and the last line tell, after all is printed.
static enum status outcome(const struct analysis *analysis, struct error *err)
{
    unsigned long long n_broken = analysis->n_broken, n_games = analysis->n_games;
    struct tally all = merels_tallies_all(&analysis->all);
    if (analysis->first_damage.status != STATUS_OK && analysis->n_failures == 0)
        return merels_error(err, analysis->first_damage.status,
                            "the last position has no answer: %s", analysis->first_damage.text);
    if (analysis->first_damage.status != STATUS_OK)
        return merels_error(err, analysis->first_damage.status,
                            "%llu of %llu plies have no answer, the worst by damage: %s",
                            (unsigned long long)analysis->n_failures,
                            (unsigned long long)all.plies, analysis->first_damage.text);
    if (n_broken == 1 && n_games == 1)
        return merels_error(err, analysis->n_begun ? STATUS_MISMATCH : STATUS_BAD_INPUT,
                            "the game is broken: %s", analysis->first_broken.text);
    if (n_broken > 0)
        return merels_error(err, analysis->n_begun ? STATUS_MISMATCH : STATUS_BAD_INPUT,
                            "%llu of %llu games are broken; the first: %s", n_broken, n_games,
                            analysis->first_broken.text);
    if (analysis->n_failures > 0)
        return merels_error(err, STATUS_NOT_COVERED,
                            "%llu of %llu plies have no answer; the first: %s",
                            (unsigned long long)analysis->n_failures,
                            (unsigned long long)all.plies, analysis->first_failure.text);
    return STATUS_OK;
}

static enum status run_analyse(struct context *context, struct error *err)
{
    struct question question = {
        .record = &context->game, .text = context->text, .fault = &context->fault};
    if (is_for_output(context->args->svg) && (context->args->json || context->args->tsv))
        return merels_error(
            err, STATUS_BAD_INPUT,
            "analyse: --svg - prints the picture alone, without --json and --tsv");
    if (is_for_output(context->args->svg) && !context->text)
        return merels_error(err, STATUS_BAD_INPUT,
                            "analyse: --svg - draws one game, given on the command line");
    struct analysis *analysis = calloc(1, sizeof *analysis);
    if (!analysis)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the counts");
    analysis->context = context;
    enum status status =
        context->text ? take_game(analysis, &question, err) : take_stream(analysis, err);
    if (status == STATUS_OK)
        status = outcome(analysis, err);
    free(analysis);
    return status;
}

const struct command merels_command_analyse = {
    .name = "analyse",
    .operands = "RULES GAME...",
    .min_operands = 2,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_RANKING,
    .asked = ASKED_GOOD,
    .takes = TAKES(OPTION_DB) | TAKES(OPTION_NODES) | TAKES(OPTION_JSON) | TAKES(OPTION_TSV) |
             TAKES(OPTION_CACHE) | TAKES(OPTION_SVG),
    .closed_points = true,
    .summary = "show the value of every ply of games, and their mistakes",
    .details =
        "Shows for every ply of a game what it is worth for the side that plays it, and\n"
        "marks with ?? those that threw away a win or a draw, with all plies that would\n"
        "have kept it; a slower win is no mistake. Then the mistakes of each side in each\n"
        "phase (it has a man in hand; it moves; it flies), and what the game claims of\n"
        "its end if its last position says otherwise. With chooser=opponent the mover is\n"
        "judged by its step, and the other side by the men that it picks (phase picking).\n"
        "GAME is one argument or the rest of the command line in any form\n"
        "(docs/NOTATION.md), or - for all games of standard input, one after another, and\n"
        "then their sums:\n"
        "  startpos moves d6 f4 ...   POSITION moves a1-a4 ...   1. d6 f4 2. d2 b4 ...\n"
        "With --json one object for each game, with --tsv the mistakes alone, a line for\n"
        "each game, phase and side. Of a broken game the part in front of the fault\n"
        "counts. Exit status 1 if a game was broken or a ply has no answer.\n"
        "With --svg FILE the value of the game is drawn ply by ply, with its mistakes; of\n"
        "the games of standard input each has a file, FILE-1.svg, FILE-2.svg for FILE.svg.",
    .example = "  merels analyse nine 'w a7,g7,g4 d7,g1,d1 0/0 moves g4-a1 d7-b6'\n"
               "  merels analyse nine --svg game.svg 'd6 f4 d2 b4 b6 f6'\n"
               "  merels analyse nine - < games.txt",
    .run = run_analyse,
};
