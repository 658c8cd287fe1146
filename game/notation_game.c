// notation_game.c: reader of plies and of games, in every dialect of docs/NOTATION.md.
//
// words.c takes the text apart; here stands what a game is made of: tags, a position to begin
// with, plies, a result. A ply's text is taken as a whole where it is a whole ply, whatever the
// order of its removals; otherwise part by part, which finds either the fault or a turn that is
// not finished.

#include <stdio.h>
#include <string.h>

#include "game/notation_forms.h"
#include "game/over.h"

enum { MAX_FIRST_BYTES = 1024 }; // a position in front of "moves", spaces included

// ---- dialects ------------------------------------------------------------------------------

// The first dialect that a text is of names it in messages.
struct beginning {
    bool command, tags, first, startpos, moves; // what stands in front of the plies
    struct words words;                         // where the plies begin
};

static bool is_command(const struct beginning *b)
{
    return b->command;
}

static bool has_tags(const struct beginning *b)
{
    return b->tags;
}

static bool has_moves(const struct beginning *b)
{
    return b->startpos || b->moves;
}

static bool is_by_number(const struct beginning *b)
{
    return b->words.form == POINTS_BY_NUMBER;
}

static bool is_reversed(const struct beginning *b)
{
    return b->words.form == POINTS_REVERSED;
}

static bool is_numbered(const struct beginning *b)
{
    return sign_is_digit(merels_sign(&b->words.signs));
}

static bool is_anything(const struct beginning *b)
{
    (void)b;
    return true;
}

static const struct dialect {
    const char *name;
    bool (*is)(const struct beginning *beginning);
} dialects[] = {
    {"position command", is_command},
    {"game with tags", has_tags},
    {"game form", has_moves},
    {"points by number", is_by_number},
    {"points digit first", is_reversed},
    {"numbered plies", is_numbered},
    {"list of plies", is_anything},
};

static const char *dialect_of(const struct beginning *beginning)
{
    const struct dialect *dialect = dialects;
    while (!dialect->is(beginning))
        dialect++;
    return dialect->name;
}

// ---- faults --------------------------------------------------------------------------------

static enum status fault(const struct game_reader *game, enum status status, struct token token,
                         const char *why, struct error *err)
{
    char form[64];
    if (!game->names_lines)
        token.line = 0;
    if (!game->names_plies)
        return merels_token_error(err, status, game->form, token, "%s", why);
    snprintf(form, sizeof form, "%s, ply %d", game->form, game->n_plies + 1);
    return merels_token_error(err, status, form, token, "%s", why);
}

static enum status bad(const struct game_reader *game, struct token token, const char *why,
                       struct error *err)
{
    return fault(game, STATUS_BAD_INPUT, token, why, err);
}

// A piece that stands where a point or a ply was expected.
static enum status unexpected(const struct game_reader *game, const struct piece *piece,
                              const char *expected, struct error *err)
{
    char why[64];
    if (piece->kind == PIECE_BAD && piece->why)
        return bad(game, piece->token, piece->why, err);
    if (piece->kind != PIECE_BAD)
        return bad(game, piece->token, expected, err);
    snprintf(why, sizeof why, "no such point on this board of %d points",
             game->words.board->n_points);
    return bad(game, piece->token, why, err);
}

// ---- a ply as it is written ----------------------------------------------------------------

// A ply as written: `step` points at "d6", "a1-a4" or "pass" and is empty in a removal alone.
struct written {
    struct ply ply;
    struct token step;
    struct token removals[MAX_REMOVED];
};

static struct token joined(struct token first, struct token last)
{
    first.length = (int)(last.text - first.text) + last.length;
    return first;
}

static enum status read_point(struct game_reader *game, struct piece *piece, struct error *err)
{
    *piece = merels_words_next(&game->words);
    return piece->kind == PIECE_POINT ? STATUS_OK
                                      : unexpected(game, piece, "a point is missing", err);
}

// Reads what follows the first point of a ply: where its man goes.
static enum status read_target(struct game_reader *game, struct written *written,
                               struct error *err)
{
    struct piece piece = merels_words_peek(&game->words);
    if (piece.kind != PIECE_TO)
        return STATUS_OK;
    merels_words_next(&game->words);
    enum status status = read_point(game, &piece, err);
    if (status != STATUS_OK)
        return status;
    written->ply.from = written->ply.to;
    written->ply.to = (int8_t)piece.point;
    written->step = joined(written->step, piece.token);
    return STATUS_OK;
}

// Reads all removals that follow, glued or apart.
static enum status read_removals(struct game_reader *game, struct written *written,
                                 struct error *err)
{
    while (merels_words_peek(&game->words).kind == PIECE_TAKE) {
        struct piece piece;
        merels_words_next(&game->words);
        enum status status = read_point(game, &piece, err);
        if (status != STATUS_OK)
            return status;
        if (written->ply.n_removed == MAX_REMOVED)
            return bad(game, piece.token, "more removals than a ply can have", err);
        written->removals[written->ply.n_removed] = piece.token;
        written->ply.removed[written->ply.n_removed++] = (int8_t)piece.point;
    }
    return STATUS_OK;
}

static enum status read_written(struct game_reader *game, struct written *written,
                                struct error *err)
{
    *written = (struct written){.ply = {.from = -1, .to = -1}};
    struct piece piece = merels_words_peek(&game->words);
    if (piece.kind == PIECE_PASS) {
        written->step = merels_words_next(&game->words).token;
        return STATUS_OK;
    }
    if (piece.kind != PIECE_TAKE) {
        if (piece.kind != PIECE_POINT)
            return unexpected(game, &piece, "a ply was expected", err);
        merels_words_next(&game->words);
        written->ply.to = (int8_t)piece.point;
        written->step = piece.token;
        enum status status = read_target(game, written, err);
        if (status != STATUS_OK)
            return status;
    }
    return read_removals(game, written, err);
}

// ---- what the rules say -------------------------------------------------------------------

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

static const char closed_point[] = "the point of a removed man is closed while men are placed";

static const char *why_no_placement(const struct position *pos, int to)
{
    if (pos->own_hand == 0)
        return "the mover has no man in hand to place";
    if (pos->closed >> to & 1)
        return closed_point;
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
    if (pos->closed >> to & 1)
        return closed_point;
    if ((pos->own | pos->other) >> to & 1)
        return "the point it moves to is not free";
    if ((merels_targets(rules, pos, from) >> to & 1) == 0)
        return "the points are not neighbours, and the mover may not fly";
    return NULL;
}

static const char *why_no_pass(const struct rules *rules, const struct position *pos)
{
    if (rules->blocked != BLOCKED_PASSES)
        return "these rules have no pass (blocked=passes has)";
    if (!merels_position_blocked(rules, pos))
        return "the mover is not blocked and may not pass";
    return NULL;
}

static bool is_over(const struct rules *rules, const struct position *pos, char words[80])
{
    int value;
    const char *reason = merels_over_reason(rules, pos, &value);
    if (reason != NULL)
        snprintf(words, 80, "the game is over (%s)", reason);
    return reason != NULL;
}

static const char *why_no_step(const struct rules *rules, const struct position *pos,
                               struct ply ply)
{
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

// Plays the parts of a turn one after another. Once the turn has passed to the other side no
// further removal is due; until then it stays open.
static enum status play_parts(const struct rules *rules, const struct game_reader *game,
                              const struct written *written, struct position *pos,
                              struct error *err)
{
    if (written->step.length > 0) {
        char over[80];
        const char *why =
            is_over(rules, pos, over) ? over : why_no_step(rules, pos, written->ply);
        if (why != NULL)
            return fault(game, STATUS_ILLEGAL, written->step, why, err);
        *pos = merels_step(rules, pos, written->ply.from, written->ply.to);
    }
    for (int k = 0; k < written->ply.n_removed; k++) {
        int point = written->ply.removed[k];
        const char *why = why_no_removal(rules, pos, point);
        if (why != NULL)
            return fault(game, STATUS_ILLEGAL, written->removals[k], why, err);
        *pos = merels_remove(rules, pos, point);
    }
    return STATUS_OK;
}

// ---- how a game begins ---------------------------------------------------------------------

static enum status read_start(const struct rules *rules, const struct start *start,
                              const struct game_reader *game, struct token token,
                              struct position *pos, struct error *err)
{
    char why[96];
    int n_points = rules->board.n_points;
    if (start == NULL)
        return bad(game, token, "the number of men at the start is not known here", err);
    if (start->first_men < 0 || start->first_men > n_points || start->second_men < 0 ||
        start->second_men > n_points) {
        snprintf(why, sizeof why, "a side starts with 0 to %d men, not %d and %d", n_points,
                 start->first_men, start->second_men);
        return bad(game, token, why, err);
    }
    *pos = merels_position_start(start);
    struct error bad_start;
    enum status status = merels_position_check(rules, pos, &bad_start);
    return status == STATUS_OK ? STATUS_OK : fault(game, status, token, bad_start.text, err);
}

static struct token token_between(const struct signs *from, const struct signs *to)
{
    return (struct token){from->text + from->at, to->at - from->at, from->column, from->line};
}

static void skip_blanks(struct signs *signs)
{
    while (sign_is_blank(merels_sign(signs)))
        merels_sign_skip(signs);
}

// Where the word "moves" begins, if it stands near enough for a position in front of it.
static bool find_moves(struct signs signs, struct signs *found)
{
    int first = signs.at;
    while (merels_sign(&signs) != '\0' && signs.at - first < MAX_FIRST_BYTES) {
        skip_blanks(&signs);
        *found = signs;
        if (merels_words_take(&signs, "moves"))
            return true;
        while (merels_sign(&signs) != '\0' && !sign_is_blank(merels_sign(&signs)))
            merels_sign_skip(&signs);
    }
    return false;
}

// Reads the tags in front of a game. The position in a tag FEN is where it begins.
static enum status read_tags(const struct rules *rules, const struct start *start,
                             struct game_reader *game, struct beginning *beginning,
                             struct error *err)
{
    while (merels_words_peek(&game->words).kind == PIECE_TAG) {
        struct tag tag;
        merels_words_next(&game->words); // skips what stands in front
        if (!merels_words_tag(&game->words, &tag))
            return bad(game, tag.token, "a tag is [Name \"value\"]", err);
        beginning->tags = true;
        if (!merels_token_is((struct token){tag.name, (int)strlen(tag.name), 0, 0}, "fen"))
            continue;
        struct error reason;
        enum status status =
            merels_position_parse(rules, start, tag.value, &game->pos, &reason);
        if (status != STATUS_OK)
            return fault(game, status, tag.token, reason.text, err);
        beginning->first = true;
    }
    return STATUS_OK;
}

// Reads the position in front of "moves" by its own form, and goes on behind that word.
static enum status read_first_position(const struct rules *rules, const struct start *start,
                                       struct game_reader *game, struct signs moves,
                                       struct error *err)
{
    char first[MAX_FIRST_BYTES];
    struct signs begin = game->words.signs, behind = moves;
    size_t length = (size_t)(moves.at - begin.at);
    if (length == 0 || length >= sizeof first)
        return bad(game, token_between(&moves, &moves),
                   "no position of at most 1023 bytes stands in front", err);
    memcpy(first, begin.text + begin.at, length);
    first[length] = '\0';
    if (!merels_words_take(&behind, "moves"))
        return bad(game, token_between(&moves, &moves), "moves was expected", err);
    game->words.signs = behind;
    return merels_position_parse(rules, start, first, &game->pos, err);
}

// Reads "startpos" and what may stand behind it.
static enum status read_startpos(const struct rules *rules, const struct start *start,
                                 struct game_reader *game, struct signs begin,
                                 struct error *err)
{
    struct signs *signs = &game->words.signs;
    skip_blanks(&begin);
    enum status status =
        read_start(rules, start, game, token_between(&begin, signs), &game->pos, err);
    if (status != STATUS_OK || merels_words_take(signs, "moves"))
        return status;
    struct piece next = merels_words_peek(&game->words);
    return next.kind == PIECE_END
               ? STATUS_OK
               : bad(game, next.token, "after startpos comes nothing, or moves and plies", err);
}

// Reads what stands in front of the plies.
static enum status read_beginning(const struct rules *rules, const struct start *start,
                                  struct game_reader *game, struct beginning *beginning,
                                  struct error *err)
{
    struct signs moves, *signs = &game->words.signs;
    enum status status = read_tags(rules, start, game, beginning, err);
    if (status != STATUS_OK)
        return status;
    beginning->command = merels_words_take(signs, "position");
    struct signs begin = *signs;
    beginning->startpos = merels_words_take(signs, "startpos");
    beginning->moves = !beginning->startpos && find_moves(*signs, &moves);
    game->form = dialect_of(beginning);
    if (beginning->startpos)
        return read_startpos(rules, start, game, begin, err);
    if (beginning->moves)
        return read_first_position(rules, start, game, moves, err);
    return beginning->first
               ? STATUS_OK
               : read_start(rules, start, game, token_between(&begin, &begin), &game->pos, err);
}

// The plies of a game from the start have numbers from 1, or from 0: what begins later is a
// part of a game, and would be read as another one.
static enum status check_number(const struct game_reader *game,
                                const struct beginning *beginning, struct error *err)
{
    int number = 0;
    struct signs signs = beginning->words.signs, begin = signs;
    if (beginning->first || beginning->moves || !is_numbered(beginning))
        return STATUS_OK;
    for (char c; sign_is_digit(c = merels_sign(&signs)) && number < 100;
         merels_sign_skip(&signs))
        number = 10 * number + c - '0';
    if (number <= 1 || (merels_sign(&signs) != '.' && merels_sign(&signs) != ')'))
        return STATUS_OK;
    return bad(game, token_between(&begin, &signs),
               "a game from the start has numbers from 1 or 0; is this the rest of one?", err);
}

// True if the text is a command with a game in it, or a position with plies behind it.
static bool has_plies(struct signs signs)
{
    struct signs moves;
    merels_words_take(&signs, "position");
    return merels_words_take(&signs, "startpos") || find_moves(signs, &moves) ||
           merels_words_begin_game(signs);
}

bool merels_game_is(const char *text)
{
    return has_plies((struct signs){text, 0, 1, 1});
}

static bool has_line_ends(struct signs signs)
{
    while (merels_sign(&signs) != '\0' && merels_sign(&signs) != '\n')
        merels_sign_skip(&signs);
    skip_blanks(&signs);
    return merels_sign(&signs) != '\0';
}

static struct game_reader reader_of(const struct rules *rules, const char *text, int line)
{
    struct signs signs = {text, 0, line > 0 ? line : 1, 1};
    return (struct game_reader){.words = {.board = &rules->board, .signs = signs, .number = 1},
                                .form = "game",
                                .names_lines = line > 0 || has_line_ends(signs)};
}

enum status merels_game_begin(const struct rules *rules, const struct start *start,
                              const char *text, int line, struct game_reader *reader,
                              struct error *err)
{
    struct game_reader game = reader_of(rules, text, line);
    struct beginning beginning = {.words = game.words};
    enum status status = read_beginning(rules, start, &game, &beginning, err);
    if (status == STATUS_OK) {
        game.words = merels_words_begin(&rules->board, game.words.signs);
        beginning.words = game.words;
        skip_blanks(&beginning.words.signs);
        game.form = dialect_of(&beginning);
        status = check_number(&game, &beginning, err);
    }
    if (status != STATUS_OK) {
        merels_add_example(rules, start, EXAMPLE_GAME, err);
        return status;
    }
    game.names_plies = true;
    *reader = game;
    return STATUS_OK;
}

struct game_reader merels_game_continue(const struct rules *rules, const struct position *pos,
                                        const char *text)
{
    struct game_reader game = reader_of(rules, text, 0);
    game.words = merels_words_begin(&rules->board, game.words.signs);
    game.form = "ply";
    game.pos = *pos;
    return game;
}

// ---- turn by turn --------------------------------------------------------------------------

static enum game_result result_of(struct token token)
{
    if (token.text[0] == '*')
        return RESULT_OPEN;
    if (merels_token_is(token, "1-0"))
        return RESULT_WHITE;
    return merels_token_is(token, "0-1") ? RESULT_BLACK : RESULT_DRAW;
}

// Reads the end of a game: a result, and nothing behind it.
static enum status read_end(struct game_reader *game, struct error *err)
{
    struct piece piece = merels_words_next(&game->words);
    if (piece.kind == PIECE_RESULT) {
        game->result = result_of(piece.token);
        piece = merels_words_next(&game->words);
        if (piece.kind != PIECE_END)
            return bad(game, piece.token, "the game goes on behind its result", err);
    }
    return piece.kind == PIECE_END
               ? STATUS_OK
               : bad(game, piece.token, "another game begins here, and one is expected", err);
}

// Reads the next turn into *ply and the position behind it into *pos.
static enum status read_turn(const struct rules *rules, struct game_reader *game,
                             struct ply *ply, struct position *pos, struct error *err)
{
    struct written written;
    enum status status = read_written(game, &written, err);
    if (status != STATUS_OK)
        return status;
    if (find_ply(rules, pos, &written.ply, ply)) {
        *pos = merels_play(rules, pos, *ply);
        return STATUS_OK;
    }
    *ply = written.ply;
    return play_parts(rules, game, &written, pos, err);
}

enum status merels_game_next(const struct rules *rules, struct game_reader *reader,
                             struct ply *ply, bool *read, struct error *err)
{
    struct game_reader game = *reader;
    enum piece_kind kind = merels_words_peek(&game.words).kind;
    bool ends = kind == PIECE_END || kind == PIECE_RESULT || kind == PIECE_TAG;
    enum status status =
        ends ? read_end(&game, err) : read_turn(rules, &game, ply, &game.pos, err);
    if (status != STATUS_OK) {
        reader->result = game.result;
        merels_add_example_ply(rules, &reader->pos, err);
        return status;
    }
    game.n_plies += !ends;
    game.words.number = game.n_plies + 1;
    *reader = game;
    *read = !ends;
    return STATUS_OK;
}

enum status merels_read_game(const struct rules *rules, const struct start *start,
                             const char *text, struct position *pos, struct error *err)
{
    struct game_reader game;
    enum status status = merels_game_begin(rules, start, text, 0, &game, err);
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

// ---- one ply -------------------------------------------------------------------------------

static enum status read_one_ply(const struct rules *rules, const struct position *pos,
                                struct game_reader *game, struct ply *ply, struct error *err)
{
    struct written written;
    struct piece piece = merels_words_peek(&game->words);
    if (piece.kind == PIECE_END)
        return bad(game, piece.token, "the ply is missing", err);
    enum status status = read_written(game, &written, err);
    if (status != STATUS_OK)
        return status;
    piece = merels_words_next(&game->words);
    if (piece.kind != PIECE_END)
        return bad(game, piece.token, "one ply was expected, and this begins another", err);
    if (find_ply(rules, pos, &written.ply, ply))
        return STATUS_OK;
    struct position after = *pos;
    status = play_parts(rules, game, &written, &after, err);
    if (status != STATUS_OK)
        return status;
    return fault(game, STATUS_ILLEGAL, piece.token,
                 "a mill is closed and the man to remove is missing", err);
}

enum status merels_ply_parse(const struct rules *rules, const struct position *pos,
                             const char *text, struct ply *ply, struct error *err)
{
    if (strnlen(text, 256) == 256)
        return merels_error(err, STATUS_BAD_INPUT, "ply: the text is too long");
    struct game_reader game = merels_game_continue(rules, pos, text);
    enum status status = read_one_ply(rules, pos, &game, ply, err);
    if (status != STATUS_OK)
        merels_add_example_ply(rules, pos, err);
    return status;
}

// ---- tags and labels -----------------------------------------------------------------------

const char *merels_game_tag(const char *text, const char *name, struct tag *tag)
{
    struct words words = {.signs = {text, 0, 1, 1}};
    for (;;) {
        const char *why = NULL;
        while (merels_words_between(&words, &why))
            continue;
        if (merels_sign(&words.signs) != '[' || !merels_words_tag(&words, tag))
            return NULL;
        if (merels_token_is((struct token){tag->name, (int)strlen(tag->name), 0, 0}, name))
            return tag->value;
    }
}

// True if the word id stands behind a semicolon.
static bool is_label(const char *at)
{
    at += 1 + strspn(at + 1, " \t");
    return strncmp(at, "id", 2) == 0 && strspn(at + 2, " \t") > 0;
}

const char *merels_text_label(const char *text, struct tag *tag)
{
    size_t n = 0;
    const char *at = strchr(text, ';');
    while (at && !is_label(at))
        at = strchr(at + 1, ';');
    if (!at)
        return NULL;
    at += 1 + strspn(at + 1, " \t") + 2;
    at += strspn(at, " \t");
    bool quoted = *at == '"';
    at += quoted;
    while (strchr(quoted ? "\"\r\n" : ";\r\n", *at) == NULL) { // or the end
        at += quoted && at[0] == '\\' && (at[1] == '"' || at[1] == '\\');
        if (n + 1 < sizeof tag->value)
            tag->value[n++] = *at;
        at++;
    }
    while (!quoted && n > 0 && (tag->value[n - 1] == ' ' || tag->value[n - 1] == '\t'))
        n--;
    tag->value[n] = '\0';
    return tag->value;
}
