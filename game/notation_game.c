// notation_game.c: reader of plies and of the game form, "startpos moves d6 f4 a1-a4 xd7".
//
// A ply's text is taken as a whole where it is a whole ply, whatever the order of its removals;
// otherwise part by part, which finds either the fault or a turn that is not finished.

#include <string.h>

#include "game/notation_forms.h"

static const char FORM[] = "game form";
static const char PLY_FORM[] = "ply";

enum { MAX_FIRST_BYTES = 1024 }; // a position in front of "moves", spaces included

// A ply as written: `step` points at "d6", "a1-a4" or "pass" and is empty in a removal alone.
struct written {
    const char *form;
    struct ply ply;
    struct token step;
    struct token removals[MAX_REMOVED];
};

static enum status read_step(const struct rules *rules, struct written *written,
                             struct error *err)
{
    if (merels_token_is(written->step, PASS_TEXT))
        return STATUS_OK;
    struct token first = merels_token_part(written->step, 0, '-');
    int point = -1;
    enum status status = merels_read_point(rules, written->form, first, &point, err);
    written->ply.to = (int8_t)point;
    if (status != STATUS_OK || first.length == written->step.length)
        return status;
    struct token second = merels_token_part(written->step, first.length + 1, '\0');
    written->ply.from = (int8_t)point;
    status = merels_read_point(rules, written->form, second, &point, err);
    written->ply.to = (int8_t)point;
    return status;
}

// Reads "xd7xd6" (the token from `at` on), adding to the removals already read.
static enum status read_removals(const struct rules *rules, struct token token, int at,
                                 struct written *written, struct error *err)
{
    while (at < token.length) {
        struct token name = merels_token_part(token, at + 1, 'x');
        int point;
        enum status status = merels_read_point(rules, written->form, name, &point, err);
        if (status != STATUS_OK)
            return status;
        if (written->ply.n_removed == MAX_REMOVED)
            return merels_token_error(err, STATUS_BAD_INPUT, written->form, name,
                                      "more than %d removals", MAX_REMOVED);
        written->removals[written->ply.n_removed] = name;
        written->ply.removed[written->ply.n_removed++] = (int8_t)point;
        at += name.length + 1;
    }
    return STATUS_OK;
}

static enum status read_written(const struct rules *rules, const char *form, struct token token,
                                struct written *written, struct error *err)
{
    *written = (struct written){.form = form, .ply = {.from = -1, .to = -1}};
    written->step = merels_token_part(token, 0, 'x');
    if (written->step.length > 0) {
        enum status status = read_step(rules, written, err);
        if (status != STATUS_OK)
            return status;
    }
    return read_removals(rules, token, written->step.length, written, err);
}

static point_set removed_set(const struct ply *ply)
{
    point_set set = 0;
    for (int k = 0; k < ply->n_removed; k++)
        set |= (point_set)1 << ply->removed[k];
    return set;
}

// Finds the legal ply that is written, its removals in any order.
static bool find_ply(const struct rules *rules, const struct position *pos,
                     const struct ply *written, struct ply *found)
{
    struct ply plies[MAX_PLIES];
    int n_plies = merels_plies(rules, pos, plies);
    for (int i = 0; i < n_plies; i++)
        if (plies[i].from == written->from && plies[i].to == written->to &&
            plies[i].n_removed == written->n_removed &&
            removed_set(&plies[i]) == removed_set(written)) {
            *found = plies[i];
            return true;
        }
    return false;
}

static const char *why_no_placement(const struct position *pos, int to)
{
    if (pos->own_hand == 0)
        return "the mover has no man in hand to place";
    if ((pos->own | pos->other) >> to & 1)
        return "the point is not free";
    return NULL;
}

static const char *why_no_move(const struct rules *rules, const struct position *pos, int from,
                               int to)
{
    if (!merels_may_move(rules, pos))
        return "the mover has men in hand and must place one";
    if ((pos->own >> from & 1) == 0)
        return "the mover has no man there to move";
    if ((pos->own | pos->other) >> to & 1)
        return "the point it moves to is not free";
    if ((merels_targets(rules, pos, from) >> to & 1) == 0)
        return "the points are not neighbours, and the mover may not fly";
    return NULL;
}

static const char *why_no_pass(const struct rules *rules, const struct position *pos)
{
    if (!merels_position_blocked(rules, pos))
        return "the mover is not blocked and may not pass";
    return NULL;
}

static const char *why_no_step(const struct rules *rules, const struct position *pos,
                               struct ply ply)
{
    int value;
    if (merels_position_over(rules, pos, &value))
        return "the game is over";
    if (pos->due > 0)
        return "the mover has closed a mill and owes a removal first";
    if (ply.to < 0)
        return why_no_pass(rules, pos);
    return ply.from < 0 ? why_no_placement(pos, ply.to)
                        : why_no_move(rules, pos, ply.from, ply.to);
}

static const char *why_no_removal(const struct rules *rules, const struct position *pos,
                                  int point)
{
    if (pos->due == 0)
        return "no removal is due";
    if ((pos->other >> point & 1) == 0)
        return "the other side has no man there to remove";
    if ((merels_position_removable(rules, pos->other) >> point & 1) == 0)
        return "the man stands in a mill and may not be removed";
    return NULL;
}

static enum status fault(const struct written *written, struct token token, const char *why,
                         struct error *err)
{
    return merels_token_error(err, STATUS_ILLEGAL, written->form, token, "%s", why);
}

// Plays the parts of a turn one after another. Once the turn has passed to the other side no
// further removal is due; until then it stays open.
static enum status play_parts(const struct rules *rules, const struct written *written,
                              struct position *pos, struct error *err)
{
    if (written->step.length > 0) {
        const char *why = why_no_step(rules, pos, written->ply);
        if (why != NULL)
            return fault(written, written->step, why, err);
        *pos = merels_step(rules, pos, written->ply.from, written->ply.to);
    }
    for (int k = 0; k < written->ply.n_removed; k++) {
        int point = written->ply.removed[k];
        const char *why = why_no_removal(rules, pos, point);
        if (why != NULL)
            return fault(written, written->removals[k], why, err);
        *pos = merels_remove(rules, pos, point);
    }
    return STATUS_OK;
}

// Plays a token of a game: a whole ply or a part of one. *ply is what was played, the removals
// of a whole ply in point order.
static enum status play_token(const struct rules *rules, struct token token,
                              struct position *pos, struct ply *ply, struct error *err)
{
    struct written written;
    enum status status = read_written(rules, FORM, token, &written, err);
    if (status != STATUS_OK)
        return status;
    if (find_ply(rules, pos, &written.ply, ply)) {
        *pos = merels_play(rules, pos, *ply);
        return STATUS_OK;
    }
    *ply = written.ply;
    return play_parts(rules, &written, pos, err);
}

static enum status read_start(const struct rules *rules, const struct start *start,
                              struct token token, struct position *pos, struct error *err)
{
    int n_points = rules->board.n_points;
    if (start == NULL)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                  "the number of men at the start is not known here");
    if (start->first_men < 0 || start->first_men > n_points || start->second_men < 0 ||
        start->second_men > n_points)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                  "a side starts with 0 to %d men, not %d and %d", n_points,
                                  start->first_men, start->second_men);
    *pos = merels_position_start(start);
    struct error bad_start;
    enum status status = merels_position_check(rules, pos, &bad_start);
    if (status != STATUS_OK)
        return merels_token_error(err, status, FORM, token, "%s", bad_start.text);
    return STATUS_OK;
}

// Where "moves" stands in the text; its length is 0 if it is not there.
static struct token find_moves(const char *text)
{
    struct reader reader = {text, 0};
    struct token token = merels_token_next(&reader);
    while (token.length > 0 && !merels_token_is(token, "moves"))
        token = merels_token_next(&reader);
    return token;
}

bool merels_game_is(const char *text)
{
    struct token first = merels_token_next(&(struct reader){text, 0});
    return merels_token_is(first, "startpos") || find_moves(text).length > 0;
}

// Reads the position in front of "moves" by its own form.
static enum status read_first_position(const struct rules *rules, const char *text,
                                       struct token moves, struct position *pos,
                                       struct error *err)
{
    char first[MAX_FIRST_BYTES];
    size_t length = (size_t)(moves.text - text);
    if (moves.length == 0 || length >= sizeof first)
        return merels_token_error(err, STATUS_BAD_INPUT, FORM, moves,
                                  "no position of at most %d bytes stands in front",
                                  MAX_FIRST_BYTES - 1);
    memcpy(first, text, length);
    first[length] = '\0';
    return merels_position_parse(rules, NULL, first, pos, err);
}

enum status merels_game_begin(const struct rules *rules, const struct start *start,
                              const char *text, struct game_reader *game, struct error *err)
{
    struct reader reader = {text, 0};
    struct token token = merels_token_next(&reader);
    struct position pos;
    enum status status;
    if (merels_token_is(token, "startpos")) {
        status = read_start(rules, start, token, &pos, err);
        token = merels_token_next(&reader);
        if (status == STATUS_OK && token.length > 0 && !merels_token_is(token, "moves"))
            return merels_token_error(err, STATUS_BAD_INPUT, FORM, token,
                                      "after startpos comes nothing, or moves and plies");
    } else {
        token = find_moves(text);
        status = read_first_position(rules, text, token, &pos, err);
    }
    if (status == STATUS_OK)
        *game = (struct game_reader){text, (int)(token.text - text) + token.length, pos};
    return status;
}

// Appends the removals of a token to the turn that it belongs to.
static void add_removals(const struct ply *part, struct ply *ply)
{
    for (int k = 0; k < part->n_removed && ply->n_removed < MAX_REMOVED; k++)
        ply->removed[ply->n_removed++] = part->removed[k];
}

enum status merels_game_next(const struct rules *rules, struct game_reader *game,
                             struct ply *ply, bool *read, struct error *err)
{
    struct reader reader = {game->text, game->at};
    struct position pos = game->pos;
    struct ply whole = {.from = -1, .to = -1};
    bool any = false;
    do {
        struct ply part;
        struct token token = merels_token_next(&reader);
        if (token.length == 0)
            break;
        enum status status = play_token(rules, token, &pos, &part, err);
        if (status != STATUS_OK)
            return status;
        if (any)
            add_removals(&part, &whole);
        else
            whole = part;
        any = true;
    } while (pos.due > 0);
    if (pos.due > 0 || !find_ply(rules, &game->pos, &whole, ply))
        *ply = whole;
    *game = (struct game_reader){game->text, reader.at, pos};
    *read = any;
    return STATUS_OK;
}

enum status merels_read_game(const struct rules *rules, const struct start *start,
                             const char *text, struct position *pos, struct error *err)
{
    struct game_reader game;
    enum status status = merels_game_begin(rules, start, text, &game, err);
    bool read = status == STATUS_OK;
    while (read) {
        struct ply ply;
        status = merels_game_next(rules, &game, &ply, &read, err);
        read = read && status == STATUS_OK;
    }
    if (status == STATUS_OK)
        *pos = game.pos;
    return status;
}

// Reads the ply and, after spaces, further removals.
static enum status read_ply(const struct rules *rules, const char *text,
                            struct written *written, struct error *err)
{
    struct reader reader = {text, 0};
    struct token token = merels_token_next(&reader);
    if (token.length == 0)
        return merels_token_error(err, STATUS_BAD_INPUT, PLY_FORM, token, "the ply is missing");
    enum status status = read_written(rules, PLY_FORM, token, written, err);
    while (status == STATUS_OK && (token = merels_token_next(&reader)).length > 0) {
        if (token.text[0] != 'x' && token.text[0] != 'X')
            return merels_token_error(err, STATUS_BAD_INPUT, PLY_FORM, token,
                                      "one ply was expected, and this begins another");
        status = read_removals(rules, token, 0, written, err);
    }
    return status;
}

enum status merels_ply_parse(const struct rules *rules, const struct position *pos,
                             const char *text, struct ply *ply, struct error *err)
{
    struct written written;
    if (strnlen(text, 256) == 256)
        return merels_error(err, STATUS_BAD_INPUT, "%s: the text is too long", PLY_FORM);
    enum status status = read_ply(rules, text, &written, err);
    if (status != STATUS_OK || find_ply(rules, pos, &written.ply, ply))
        return status;
    struct position after = *pos;
    status = play_parts(rules, &written, &after, err);
    if (status != STATUS_OK)
        return status;
    struct token end = merels_token_next(&(struct reader){text, (int)strlen(text)});
    return merels_token_error(err, STATUS_ILLEGAL, PLY_FORM, end,
                              "a mill is closed and the man to remove is missing");
}
