// game_record.c: a game as a list of turns.

#include "query/game_record.h"

#include <stdlib.h>
#include <string.h>

#include "query/move_numbers.h"

struct game_record merels_game_record_begin(const struct rules *rules,
                                            const struct start *start,
                                            const struct position *first)
{
    return (struct game_record){.rules = rules, .start = start, .first = *first};
}

void merels_game_record_free(struct game_record *record)
{
    free(record->turns);
    *record = (struct game_record){.rules = NULL};
}

const struct position *merels_game_record_position(const struct game_record *record)
{
    size_t n = record->n_turns;
    return n == 0 ? &record->first : &record->turns[n - 1].after;
}

const struct position *merels_game_record_before(const struct game_record *record, size_t i)
{
    return i == 0 ? &record->first : &record->turns[i - 1].after;
}

const struct ply *merels_game_record_last(const struct game_record *record)
{
    return record->n_turns == 0 ? NULL : &record->turns[record->n_turns - 1].ply;
}

static enum status append(struct game_record *record, struct ply ply, struct position after,
                          struct error *err)
{
    if (record->n_turns == record->room) {
        size_t room = record->room == 0 ? 64 : 2 * record->room;
        struct game_turn *turns = realloc(record->turns, room * sizeof *turns);
        if (!turns)
            return merels_error(err, STATUS_NO_MEMORY, "no memory for the game");
        record->turns = turns;
        record->room = room;
    }
    record->turns[record->n_turns++] = (struct game_turn){ply, after};
    return STATUS_OK;
}

// True if the last turn lacks a removal, so that what comes next belongs to it.
static bool is_open(const struct game_record *record)
{
    return record->n_turns > 0 && merels_game_record_position(record)->due > 0;
}

static void complete(struct game_record *record, struct ply part, struct position after)
{
    struct game_turn *turn = &record->turns[record->n_turns - 1];
    for (int k = 0; k < part.n_removed && turn->ply.n_removed < MAX_REMOVED; k++)
        turn->ply.removed[turn->ply.n_removed++] = part.removed[k];
    turn->after = after;
}

static enum status play_turns(struct game_record *record, struct game_reader *game,
                              struct error *err)
{
    struct move_numbers numbers = {.black = record->first.mover == BLACK};
    for (;;) {
        struct ply ply;
        bool read, open = is_open(record);
        if (!open)
            merels_move_numbers_look(&numbers, game, (int)record->n_turns);
        record->note = numbers.first;
        enum status status = merels_game_next(record->rules, game, &ply, &read, err);
        if (status != STATUS_OK || !read)
            return status;
        if (open)
            complete(record, ply, game->pos);
        else if (record->n_turns == MAX_GAME_PLIES)
            return merels_error(
                err, STATUS_BAD_INPUT,
                "the game is over %d plies long; for example: 1. d6 f4 2. d2 b4",
                MAX_GAME_PLIES);
        else
            status = append(record, ply, game->pos, err);
        if (status != STATUS_OK)
            return status;
    }
}

enum status merels_game_record_play(struct game_record *record, const char *text,
                                    struct error *err)
{
    size_t n_before = record->n_turns;
    struct game_turn last = {.after = record->first};
    struct game_reader game =
        merels_game_continue(record->rules, merels_game_record_position(record), text);
    if (n_before > 0)
        last = record->turns[n_before - 1];
    enum status status = play_turns(record, &game, err);
    if (status != STATUS_OK) {
        record->n_turns = n_before;
        if (n_before > 0)
            record->turns[n_before - 1] = last;
    }
    return status;
}

enum status merels_game_record_add(struct game_record *record, struct ply ply,
                                   struct error *err)
{
    const struct position *pos = merels_game_record_position(record);
    struct position after = merels_play(record->rules, pos, ply);
    if (!is_open(record))
        return append(record, ply, after, err);
    complete(record, ply, after);
    return STATUS_OK;
}

bool merels_game_record_back(struct game_record *record)
{
    if (record->n_turns == 0)
        return false;
    record->n_turns--;
    return true;
}

bool merels_game_record_same(const struct position *x, const struct position *y)
{
    return x->own == y->own && x->other == y->other && x->closed == y->closed &&
           x->own_hand == y->own_hand && x->other_hand == y->other_hand && x->due == y->due &&
           x->mover == y->mover;
}

int merels_game_record_times(const struct game_record *record)
{
    int times = 1;
    const struct position *pos = merels_game_record_position(record);
    for (size_t i = 0; i < record->n_turns; i++)
        times += merels_game_record_same(merels_game_record_before(record, i), pos);
    return times;
}

// A record says in a tag under which rules it was played; others would give other values.
static enum status check_rules_tag(const struct rules *rules, const struct start *start,
                                   const char *text, struct error *err)
{
    struct tag tag;
    struct start theirs;
    char name[RULES_NAME_BYTES], other[RULES_NAME_BYTES];
    const char *value = merels_game_tag(text, "rules", &tag);
    struct rules *read = value ? malloc(sizeof *read) : NULL;
    if (!value)
        return STATUS_OK;
    if (!read)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules of the game");
    bool known = merels_rules_parse(value, read, &theirs, NULL) == STATUS_OK;
    merels_rules_name(rules, name);
    if (known)
        merels_rules_name(read, other);
    free(read);
    if (!known || (strcmp(name, other) == 0 && start->first_men == theirs.first_men &&
                   start->second_men == theirs.second_men))
        return STATUS_OK;
    return merels_error(err, STATUS_BAD_INPUT,
                        "game with tags: the game was played by the rules %s, not by %s; for "
                        "example: [Rules \"%s,men=%d-%d\"]",
                        value, name, name, start->first_men, start->second_men);
}

// Begins a record with what a text begins with, and a reader of its plies if it is a game.
static enum status begin(const struct rules *rules, const struct start *start, const char *text,
                         int line, struct game_record *record, struct game_reader *game,
                         struct error *err)
{
    struct position pos;
    bool is_game = merels_game_is(text);
    enum status status = is_game ? check_rules_tag(rules, start, text, err) : STATUS_OK;
    if (status == STATUS_OK && is_game)
        status = merels_game_begin(rules, start, text, line, game, err);
    if (status == STATUS_OK && is_game)
        status = merels_move_numbers_begin(rules, start, game, err);
    else if (status == STATUS_OK)
        status = merels_position_parse(rules, start, text, &pos, err);
    if (status != STATUS_OK)
        return status;
    if (!is_game)
        *game = merels_game_continue(rules, &pos, "");
    *record = merels_game_record_begin(rules, start, &game->pos);
    record->is_game = is_game;
    return STATUS_OK;
}

enum status merels_game_record_read_good(const struct rules *rules, const struct start *start,
                                         const char *text, int line, struct game_record *record,
                                         struct error *fault, struct error *err)
{
    struct game_reader game;
    fault->status = STATUS_OK;
    enum status status = begin(rules, start, text, line, record, &game, err);
    if (status != STATUS_OK)
        return status;
    status = play_turns(record, &game, fault);
    record->result = game.result;
    if (status == STATUS_NO_MEMORY) {
        merels_game_record_free(record);
        return merels_error(err, status, "%s", fault->text);
    }
    return STATUS_OK;
}

enum status merels_game_record_read(const struct rules *rules, const struct start *start,
                                    const char *text, int line, struct game_record *record,
                                    struct error *err)
{
    struct error fault;
    struct game_record made;
    enum status status =
        merels_game_record_read_good(rules, start, text, line, &made, &fault, err);
    if (status != STATUS_OK)
        return status;
    if (fault.status != STATUS_OK) {
        merels_game_record_free(&made);
        return merels_error(err, fault.status, "%s", fault.text);
    }
    *record = made;
    return STATUS_OK;
}

bool merels_game_record_placed(const struct game_record *record)
{
    const struct ply *last = merels_game_record_last(record);
    return is_open(record) && last->from < 0 && last->to >= 0;
}

bool merels_game_record_at_start(const struct game_record *record)
{
    struct position start = merels_position_start(record->start);
    return merels_game_record_same(&start, &record->first);
}

enum status merels_game_record_text(const struct game_record *record, char **text,
                                    struct error *err)
{
    bool at_start = merels_game_record_at_start(record);
    size_t room = POSITION_TEXT_BYTES + 16 + (record->n_turns + 1) * (PLY_TEXT_BYTES + 1);
    char *out = malloc(room);
    if (!out)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the game's text");
    char *end = out;
    if (at_start)
        end = stpcpy(end, "startpos");
    else
        end += merels_position_format(record->rules, &record->first, end);
    if (record->n_turns > 0 || !at_start)
        end = stpcpy(end, " moves");
    for (size_t i = 0; i < record->n_turns; i++) {
        *end++ = ' ';
        end += merels_ply_format(record->rules, record->turns[i].ply, end);
    }
    *text = out;
    return STATUS_OK;
}
