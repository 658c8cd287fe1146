// command.c: the frame of every command.

#include "query/command.h"

#include <stdlib.h>
#include <string.h>

#include "db/compact_base.h"
#include "query/compact_place.h"
#include "query/game_text.h"
#include "query/planning.h"

// ---- arguments -----------------------------------------------------------------------------

static uint64_t taken_options(const struct command *command)
{
    return command->takes | TAKES(OPTION_HELP) |
           (command->needs >= NEEDS_RULES ? TAKES(OPTION_RULES) : 0);
}

static void print_help(const struct command *command, struct output *out)
{
    merels_print(out, "merels %s: %s\n\nusage: merels %s%s%s [OPTIONS]\n\n%s\n\n",
                 command->name, command->summary, command->name,
                 command->operands[0] ? " " : "", command->operands, command->details);
    merels_args_help(taken_options(command), out);
    merels_print(out, "\nexample:\n%s\n", command->example);
}

static enum status check_operands(const struct command *command, const struct arguments *args,
                                  struct error *err)
{
    if (args->n_operands > command->max_operands)
        return merels_error(err, STATUS_BAD_INPUT, "%s: unexpected argument '%s'",
                            command->name, args->operands[command->max_operands]);
    if (args->n_operands < command->min_operands)
        return merels_error(err, STATUS_BAD_INPUT, "usage: merels %s %s [OPTIONS]",
                            command->name, command->operands);
    return STATUS_OK;
}

// ---- rules, and what is asked --------------------------------------------------------------

// The rules of the first operand, which is a file if --rules was given.
static enum status read_rules(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    enum status status = args->rules ? merels_variant_load(args->rules, &context->variant, err)
                                     : merels_context_rules(context, args->operands[0], err);
    if (status == STATUS_OK && args->metric)
        status = merels_variant_measure(&context->variant, args->metric, err);
    if (status == STATUS_OK)
        context->rules = &context->variant.rules;
    return status;
}

enum status merels_context_rules(struct context *context, const char *text, struct error *err)
{
    enum status status = merels_variant_read(text, &context->variant, err);
    if (status == STATUS_OK)
        context->rules = &context->variant.rules;
    return status;
}

// The text behind the rules.
static enum status take_text(struct context *context, struct error *err)
{
    char *start = "startpos";
    const struct arguments at_start = {.operands = &start, .n_operands = 1};
    if (context->args->n_operands == 1)
        return merels_game_text_join(&at_start, 0, &context->text, err);
    return merels_game_text_join(context->args, 1, &context->text, err);
}

static enum status take_question(struct context *context, enum asked asked, struct error *err)
{
    const struct arguments *args = context->args;
    const struct start *start = &context->variant.start;
    bool dash = args->n_operands == 2 && strcmp(args->operands[1], "-") == 0;
    if (asked == ASKED_OTHER || (asked != ASKED_GAME && dash))
        return STATUS_OK;
    enum status status = take_text(context, err);
    if (status != STATUS_OK)
        return status;
    if (asked == ASKED_GOOD)
        return merels_game_record_read_good(context->rules, start, context->text, 0,
                                            &context->game, &context->fault, err);
    return merels_game_record_read(context->rules, start, context->text, 0, &context->game,
                                   err);
}

// Tells what is odd in the text.
static void complain(const struct context *context)
{
    if (context->game.note.status != STATUS_OK)
        merels_complain(context->game.note.text);
}

// ---- tables --------------------------------------------------------------------------------

static enum status attach_search(struct context *context, struct error *err)
{
    const struct arguments *args = context->args;
    const struct placing_options options = {.max_nodes = args->max_nodes > 0 ? args->max_nodes
                                                                             : ARGS_NODES};
    return merels_placing_search_create(context->rules, context->base, &options,
                                        &context->search, err);
}

static enum status attach_tables(struct context *context, struct error *err)
{
    struct error reason;
    char advice[PLANNING_ADVICE_BYTES];
    enum status status = merels_tablebase_open(
        context->dir, context->rules, context->args->cache_bytes, &context->base, &reason);
    if (status == STATUS_OK && context->rules->closed_points == CLOSED_POINTS_YES)
        status = attach_search(context, &reason);
    if (status == STATUS_OK) {
        const char *edition = context->args->edition;
        merels_tablebase_begin_from(context->base, context->variant.start);
        if (edition != NULL)
            merels_tablebase_choose(context->base,
                                    merels_edition_named(edition, strlen(edition)));
    } else if (status == STATUS_MISSING)
        merels_error(err, status, "%s%s", reason.text, merels_planning_advice(context, advice));
    else
        merels_error(err, status, "%s", reason.text);
    return status;
}

enum status merels_context_tables(struct context *context, enum need needs, struct error *err)
{
    enum status status = STATUS_OK;
    if (needs >= NEEDS_DIRECTORY && !context->dir)
        status = merels_variant_dir(&context->variant, context->args->db, &context->dir, err);
    if (status == STATUS_OK && needs >= NEEDS_TABLES)
        status = merels_compact_settle(context, err);
    if (status == STATUS_OK && needs >= NEEDS_TABLES)
        status = attach_tables(context, err);
    if (status != STATUS_OK || needs < NEEDS_RANKING)
        return status;
    context->ranking = malloc(sizeof *context->ranking);
    return context->ranking ? STATUS_OK
                            : merels_error(err, STATUS_NO_MEMORY, "no memory for the plies");
}

static enum status check_cut(const struct context *context, struct error *err)
{
    return context->cut && atomic_load(context->cut)
               ? merels_error(err, STATUS_INTERRUPTED, "stopped")
               : STATUS_OK;
}

enum status merels_context_rank_known(struct context *context, const struct position *pos,
                                      struct error *err)
{
    enum status status = check_cut(context, err);
    if (status != STATUS_OK)
        return status;
    return context->search
               ? merels_rank_known_plies(context->base, context->rules, pos, context->ranking,
                                         err)
               : merels_rank_plies(context->base, context->rules, pos, context->ranking, err);
}

enum status merels_context_rank(struct context *context, const struct position *pos,
                                struct error *err)
{
    enum status status = check_cut(context, err);
    return status == STATUS_OK
               ? merels_rank_plies(context->base, context->rules, pos, context->ranking, err)
               : status;
}

// ---- the frame -----------------------------------------------------------------------------

void merels_context_free(struct context *context)
{
    free(context->ranking);
    merels_placing_search_destroy(context->search);
    merels_tablebase_close(context->base);
    free(context->dir);
    merels_game_record_free(&context->game);
    free(context->text);
    free(context);
}

// A command that works on tables has nothing to do for rules with closed points.
static enum status refuse_closed(const struct command *command, const struct variant *variant,
                                 struct error *err)
{
    char tables[RULES_NAME_BYTES];
    if (variant->rules.closed_points == CLOSED_POINTS_NO)
        return STATUS_OK;
    enum status status = merels_variant_tables_name(variant, tables, err);
    if (status != STATUS_OK)
        return status;
    return merels_error(
        err, STATUS_BAD_INPUT,
        "%s: %s has no tables of its own: the values of its moving phase stand "
        "in those of %s (merels %s %s), those of its placing phase are searched "
        "(merels search, prove, probe, play, analyse, engine)",
        command->name, variant->name, tables, command->name, tables);
}

static enum status run_in_frame(const struct command *command, struct context *context,
                                struct error *err)
{
    enum status status = STATUS_OK;
    if (command->needs >= NEEDS_RULES && context->args->n_operands > 0) {
        status = read_rules(context, err);
        if (status == STATUS_OK && !command->closed_points)
            status = refuse_closed(command, &context->variant, err);
        if (status == STATUS_OK)
            status = take_question(context, command->asked, err);
        if (status == STATUS_OK)
            complain(context);
        if (status == STATUS_OK)
            status = merels_context_tables(context, command->needs, err);
        if (status == STATUS_OK && command->needs == NEEDS_DIRECTORY && !command->takes_file)
            status = merels_compact_refuse(context, command->name, err);
    }
    return status == STATUS_OK ? command->run(context, err) : status;
}

enum status merels_command_run(const struct command *command, int argc, char **argv,
                               struct output *out, struct error *err)
{
    struct arguments args;
    struct error reason = {.status = STATUS_OK};
    enum status status = merels_args_parse(taken_options(command), argc, argv, &args, &reason);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s: %s", command->name, reason.text);
    if (args.help) {
        print_help(command, out);
        return STATUS_OK;
    }
    status = check_operands(command, &args, err);
    if (status != STATUS_OK)
        return status;
    struct context *context = calloc(1, sizeof *context);
    if (!context)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    context->args = &args;
    context->out = out;
    status = run_in_frame(command, context, err);
    merels_context_free(context);
    return status;
}
