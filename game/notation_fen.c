// notation_fen.c: reader and writer of the FEN of 17 fields, for boards of 24 points.
//
//     ********/********/******** w p p 0 9 0 9 0 0 0 0 0 0 0 0 1
//     1 board                    2 3 4 5 6 7 8 9 10 11 ... 16 17
//
// Fields that a position does not hold (11 to 17, and more of the form letters:text) are read
// and not kept. What the other fields say twice (men on the board, removal due, phase) must
// agree. A finished game is read as one, whichever side stands there as the mover.

#include <stdio.h>
#include <string.h>

#include "game/effects.h"
#include "game/notation_forms.h"

enum { N_FIELDS = 17, MIN_FIELDS = 10, N_RINGS = 3, RING_POINTS = 8, FORM_BYTES = 24 };

// Field numbers as the description counts them.
enum field {
    BOARD = 1,
    SIDE,
    PHASE,
    ACTION,
    WHITE_BOARD,
    WHITE_HAND,
    BLACK_BOARD,
    BLACK_HAND,
    WHITE_DUE,
    BLACK_DUE,
    LAST_NEEDED = BLACK_DUE
};

static const char points[N_RINGS][RING_POINTS][3] = {
    {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5"},
    {"d6", "f6", "f4", "f2", "d2", "b2", "b4", "b6"},
    {"d7", "g7", "g4", "g1", "d1", "a1", "a4", "a7"},
};

struct fen {
    const struct rules *rules;
    struct token fields[N_FIELDS + 1]; // by number, from 1
    int n_fields;
    point_set set[2]; // by enum colour
    point_set closed;
    int hand[2], due[2], count;
    enum colour mover;
};

static enum status fault(const struct fen *fen, int field, enum status status,
                         struct error *err, const char *reason)
{
    char form[FORM_BYTES];
    snprintf(form, sizeof form, "FEN, field %d", field);
    return merels_token_error(err, status, form, fen->fields[field], "%s", reason);
}

static enum status bad(const struct fen *fen, int field, struct error *err, const char *reason)
{
    return fault(fen, field, STATUS_BAD_INPUT, err, reason);
}

static char letter(const struct fen *fen, int field)
{
    return fen->fields[field].text[0];
}

// ---- single fields -------------------------------------------------------------------------

// True for "ids:nodes": letters, a colon, anything.
static bool is_further(struct token token)
{
    struct token name = merels_token_part(token, 0, ':');
    for (int i = 0; i < name.length; i++)
        if (!sign_is_letter(name.text[i]))
            return false;
    return name.length > 0 && name.length < token.length;
}

// Reads the further fields behind the numbered ones.
static enum status read_further(struct reader reader, struct error *err)
{
    for (struct token token; (token = merels_token_next(&reader)).length > 0;)
        if (!is_further(token))
            return merels_token_error(
                err, STATUS_BAD_INPUT, "FEN, field 18", token,
                "behind 17 fields come further ones only as letters:text");
    return STATUS_OK;
}

static enum status split(const char *text, struct fen *fen, struct error *err)
{
    struct reader reader = {text, 0};
    for (int i = 1; i <= N_FIELDS; i++) {
        struct reader before = reader;
        fen->fields[i] = merels_token_next(&reader);
        if (fen->fields[i].length > 0 && i > MIN_FIELDS && is_further(fen->fields[i]))
            return read_further(before, err);
        if (fen->fields[i].length == 0)
            return i > MIN_FIELDS ? STATUS_OK : bad(fen, i, err, "the field is missing");
        fen->n_fields = i;
    }
    return read_further(reader, err);
}

// The character of the board at ring r, place k (0..8, the last one the separator or the end).
static char board_char(struct token board, int r, int k)
{
    int at = r * (RING_POINTS + 1) + k;
    return at < board.length ? board.text[at] : '\0';
}

static enum status bad_board(const struct fen *fen, int r, int k, struct error *err,
                             const char *reason)
{
    char form[FORM_BYTES];
    int at = r * (RING_POINTS + 1) + k;
    struct token board = fen->fields[BOARD];
    struct token culprit = {board.text + at, at < board.length, board.column + at, 0};
    snprintf(form, sizeof form, "FEN, field %d", BOARD);
    return merels_token_error(err, STATUS_BAD_INPUT, form, culprit, "%s", reason);
}

static enum status read_ring(struct fen *fen, int r, struct error *err)
{
    for (int k = 0; k < RING_POINTS; k++) {
        char c = board_char(fen->fields[BOARD], r, k);
        point_set man = (point_set)1 << merels_board_point(&fen->rules->board, points[r][k]);
        if (c == 'O')
            fen->set[WHITE] |= man;
        else if (c == '@')
            fen->set[BLACK] |= man;
        else if (c == 'X' && fen->rules->closed_points == CLOSED_POINTS_YES)
            fen->closed |= man;
        else if (c == 'X')
            return bad_board(fen, r, k, err,
                             "X is a point closed by a removal, which these rules do not know "
                             "(closed-points)");
        else if (c != '*')
            return bad_board(fen, r, k, err,
                             "a point is O (white), @ (black) or * (free), 8 in each ring");
    }
    char end = board_char(fen->fields[BOARD], r, RING_POINTS);
    if (end != (r + 1 < N_RINGS ? '/' : '\0'))
        return bad_board(fen, r, RING_POINTS, err,
                         "three rings of 8 points were expected, with / between them");
    return STATUS_OK;
}

static enum status read_letter(const struct fen *fen, int field, const char *letters,
                               const char *reason, struct error *err)
{
    if (fen->fields[field].length == 1 && strchr(letters, letter(fen, field)) != NULL)
        return STATUS_OK;
    return bad(fen, field, err, reason);
}

static enum status read_letters(struct fen *fen, struct error *err)
{
    enum status status = read_letter(fen, SIDE, "wb", "the side to move is w or b", err);
    if (status == STATUS_OK)
        status =
            read_letter(fen, PHASE, "rpmo",
                        "the phase is r (ready), p (placing), m (moving) or o (over)", err);
    if (status == STATUS_OK)
        status = read_letter(fen, ACTION, letter(fen, PHASE) == 'o' ? "psr?" : "psr",
                             "the action is p (place), s (select) or r (remove)", err);
    fen->mover = letter(fen, SIDE) == 'w' ? WHITE : BLACK;
    return status;
}

static enum status read_number(const struct fen *fen, int field, int max, int *number,
                               struct error *err)
{
    char reason[64];
    if (merels_token_number(fen->fields[field], number) && *number <= max)
        return STATUS_OK;
    snprintf(reason, sizeof reason, "a number from 0 to %d was expected", max);
    return bad(fen, field, err, reason);
}

// The men of a side, on the board and in hand, and the removals it owes.
static enum status read_counts(struct fen *fen, enum colour colour, struct error *err)
{
    static const char *const names[] = {"White", "Black"};
    int on_board = 0, n_points = fen->rules->board.n_points;
    int board = colour == WHITE ? WHITE_BOARD : BLACK_BOARD, hand = board + 1;
    int due = colour == WHITE ? WHITE_DUE : BLACK_DUE;
    char reason[96];
    enum status status = read_number(fen, board, n_points, &on_board, err);
    if (status == STATUS_OK && on_board != bit_count(fen->set[colour])) {
        snprintf(reason, sizeof reason, "field 1 has %d men of %s", bit_count(fen->set[colour]),
                 names[colour]);
        return bad(fen, board, err, reason);
    }
    if (status == STATUS_OK)
        status = read_number(fen, hand, n_points, &fen->hand[colour], err);
    if (status == STATUS_OK && on_board + fen->hand[colour] > n_points) {
        snprintf(reason, sizeof reason, "%s has %d men, more than the board has points (%d)",
                 names[colour], on_board + fen->hand[colour], n_points);
        return fault(fen, hand, STATUS_ILLEGAL, err, reason);
    }
    return status == STATUS_OK ? read_number(fen, due, MAX_REMOVED, &fen->due[colour], err)
                               : status;
}

// Plies since the last removal, where rules count them and they can be counted.
static enum status read_count(struct fen *fen, struct error *err)
{
    char reason[64];
    int field = fen->n_fields - 1, most = fen->rules->n_move;
    const struct subspace s = {(uint8_t)bit_count(fen->set[WHITE]),
                               (uint8_t)bit_count(fen->set[BLACK]), (uint8_t)fen->hand[WHITE],
                               (uint8_t)fen->hand[BLACK]};
    if (most == 0 || fen->n_fields <= MIN_FIELDS + 1 || merels_all_convert(fen->rules, s))
        return STATUS_OK;
    if (merels_token_number(fen->fields[field], &fen->count) && fen->count <= most)
        return STATUS_OK;
    snprintf(reason, sizeof reason, "the game was a draw after %d plies", most);
    return bad(fen, field, err, reason);
}

// Plies since the last removal and the number of the move, the last two fields.
static enum status read_clocks(const struct fen *fen, struct error *err)
{
    for (int i = fen->n_fields - 1; fen->n_fields > MIN_FIELDS + 1 && i <= fen->n_fields; i++)
        for (int k = 0; k < fen->fields[i].length; k++)
            if (fen->fields[i].text[k] < '0' || fen->fields[i].text[k] > '9')
                return bad(fen, i, err, "a number was expected");
    return STATUS_OK;
}

// ---- what fields say together --------------------------------------------------------------

// True if the game was over when the mover had taken a man, and the mover still stands there as
// the side to move, owing that removal or a second one.
static bool ended_by_removal(const struct fen *fen)
{
    enum colour mover = fen->mover;
    int own = bit_count(fen->set[mover]) + fen->hand[mover];
    int other = bit_count(fen->set[!mover]) + fen->hand[!mover];
    return letter(fen, PHASE) == 'o' && merels_too_few(fen->rules, other) &&
           !merels_too_few(fen->rules, own) && fen->due[!mover] == 0;
}

// Turns such a position into what it means: the other side is to move, and has lost.
static void pass_turn(struct fen *fen)
{
    fen->due[fen->mover] = 0;
    fen->mover = fen->mover == WHITE ? BLACK : WHITE;
}

static enum status check_due(const struct fen *fen, struct error *err)
{
    enum colour mover = fen->mover;
    int mover_due = mover == WHITE ? WHITE_DUE : BLACK_DUE;
    int other_due = mover == WHITE ? BLACK_DUE : WHITE_DUE;
    if (fen->due[!mover] > 0)
        return bad(fen, other_due, err, "only the side to move can owe a removal");
    if (letter(fen, ACTION) == 'r' && fen->due[mover] == 0)
        return bad(fen, mover_due, err, "the action is r, but no removal is owed");
    if (letter(fen, ACTION) != 'r' && fen->due[mover] > 0)
        return bad(fen, ACTION, err, "a removal is owed, so the action is r");
    return STATUS_OK;
}

static enum status check_phase(const struct fen *fen, struct error *err)
{
    bool hands = fen->hand[WHITE] + fen->hand[BLACK] > 0, due = letter(fen, ACTION) == 'r';
    bool mixed = fen->rules->turn == TURN_PLACE_OR_MOVE;
    switch (letter(fen, PHASE)) {
    case 'r':
        if ((fen->set[WHITE] | fen->set[BLACK]) != 0)
            return bad(fen, PHASE, err, "the phase is r, but men stand on the board");
        return STATUS_OK;
    case 'p':
        if (!hands && !due)
            return bad(fen, PHASE, err, "the phase is p, but no side has men in hand");
        return STATUS_OK;
    case 'm':
        if (fen->hand[fen->mover] > 0 && !mixed)
            return bad(fen, PHASE, err, "the phase is m, but the side to move has men in hand");
        return STATUS_OK;
    default:
        return STATUS_OK;
    }
}

static enum status check_action(const struct fen *fen, struct error *err)
{
    bool hand = fen->hand[fen->mover] > 0;
    bool over = letter(fen, PHASE) == 'o';
    if (letter(fen, ACTION) == 's' && hand && !over && fen->rules->turn == TURN_PLACE_THEN_MOVE)
        return bad(fen, ACTION, err,
                   "the action is s, but the side to move has men in hand and must place one");
    return STATUS_OK;
}

static struct position position_of(const struct fen *fen)
{
    enum colour mover = fen->mover;
    return (struct position){.own = fen->set[mover],
                             .other = fen->set[!mover],
                             .closed = fen->closed,
                             .own_hand = (uint8_t)fen->hand[mover],
                             .other_hand = (uint8_t)fen->hand[!mover],
                             .due = (uint8_t)fen->due[mover],
                             .mover = (uint8_t)mover,
                             .count = (uint16_t)fen->count};
}

// The field to blame for what merels_position_check found: removals due, else the board.
static enum status check_position(const struct fen *fen, struct position pos, struct error *err)
{
    struct error found = {.text = ""}, without_due = {.text = ""};
    enum status status = merels_position_check(fen->rules, &pos, &found);
    if (status == STATUS_OK)
        return STATUS_OK;
    pos.due = 0;
    bool by_due = merels_position_check(fen->rules, &pos, &without_due) == STATUS_OK ||
                  strcmp(found.text, without_due.text) != 0;
    int due = fen->mover == WHITE ? WHITE_DUE : BLACK_DUE;
    return fault(fen, by_due ? due : BOARD, status, err, found.text);
}

enum status merels_read_fen(const struct rules *rules, const struct start *start,
                            const char *text, struct position *pos, struct error *err)
{
    (void)start;
    struct fen fen = {.rules = rules};
    if (rules->board.n_points != N_RINGS * RING_POINTS)
        return merels_error(err, STATUS_BAD_INPUT,
                            "FEN: the form is for boards of 24 points, and this one has %d",
                            rules->board.n_points);
    enum status status = split(text, &fen, err);
    for (int r = 0; status == STATUS_OK && r < N_RINGS; r++)
        status = read_ring(&fen, r, err);
    if (status == STATUS_OK)
        status = read_letters(&fen, err);
    for (int colour = WHITE; status == STATUS_OK && colour <= BLACK; colour++)
        status = read_counts(&fen, (enum colour)colour, err);
    if (status == STATUS_OK)
        status = read_clocks(&fen, err);
    if (status == STATUS_OK)
        status = read_count(&fen, err);
    if (status == STATUS_OK && ended_by_removal(&fen))
        pass_turn(&fen);
    else if (status == STATUS_OK)
        status = check_due(&fen, err);
    if (status == STATUS_OK)
        status = check_phase(&fen, err);
    if (status == STATUS_OK)
        status = check_action(&fen, err);
    if (status != STATUS_OK)
        return status;
    *pos = position_of(&fen);
    return check_position(&fen, *pos, err);
}

// ---- writing -------------------------------------------------------------------------------

// Writes the board and returns its end.
static char *write_board(const struct board *board, point_set white, point_set black,
                         point_set closed, char *out)
{
    for (int r = 0; r < N_RINGS; r++) {
        for (int k = 0; k < RING_POINTS; k++) {
            point_set man = (point_set)1 << merels_board_point(board, points[r][k]);
            *out++ = (char)(white & man ? 'O' : black & man ? '@' : closed & man ? 'X' : '*');
        }
        *out++ = '/';
    }
    *--out = '\0';
    return out;
}

// The longest text has 26 characters of board, three letters and six numbers of up to three
// digits.
enum status merels_position_format_fen(const struct rules *rules, const struct position *pos,
                                       bool placed, char out[FEN_TEXT_BYTES], struct error *err)
{
    if (rules->board.n_points != N_RINGS * RING_POINTS)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "FEN: the form is for boards of 24 points, and this one has %d",
                            rules->board.n_points);
    int value;
    bool white = pos->mover == WHITE;
    bool over = merels_position_over(rules, pos, &value);
    point_set white_set = white ? pos->own : pos->other;
    point_set black_set = white ? pos->other : pos->own;
    int white_hand = white ? pos->own_hand : pos->other_hand;
    int black_hand = white ? pos->other_hand : pos->own_hand;
    bool hands = white_hand + black_hand > 0;
    bool placing = pos->due > 0 ? hands || placed : pos->own_hand > 0;
    char action = (char)(pos->due > 0 ? 'r' : pos->own_hand > 0 ? 'p' : 's');
    char *end = write_board(&rules->board, white_set, black_set, pos->closed, out);
    snprintf(end, (size_t)(FEN_TEXT_BYTES - (end - out)),
             " %c %c %c %d %d %d %d %d %d 0 0 0 0 0 %d 1", white ? 'w' : 'b',
             over      ? 'o'
             : placing ? 'p'
                       : 'm',
             action, bit_count(white_set), white_hand, bit_count(black_set), black_hand,
             white ? pos->due : 0, white ? 0 : pos->due, pos->count);
    return STATUS_OK;
}
