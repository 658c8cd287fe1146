// puzzle.c: the proof that a position is a puzzle.

#include "query/puzzle.h"

#include <string.h>

// More positions of one puzzle than these are not looked at; more defences of one position than
// these do not occur where a ply must be the only one.
enum { MAX_POSITIONS = 5000, MAX_DEFENCES = 128 };

struct proof {
    struct context *context;
    struct puzzle *puzzle;
    int max_plies;
    char *why;
};

// The place of the one right ply in the ranking, -1 if there is none or are several.
static int only_ply(const struct ranking *ranking)
{
    int n = 0;
    const struct ranked_ply *first = &ranking->plies[0];
    enum value value = ranking->answer.value;
    bool ends = value == VALUE_WIN && ranking->answer.plies == 1;
    while (n < ranking->n_plies && ranking->plies[n].value == value &&
           (n == 0 || !ends || plies_share_step(&ranking->plies[n].ply, &first->ply)))
        n++;
    bool more = n < ranking->n_plies && ranking->plies[n].value == value;
    return !more && (n == 1 || (ends && n > 0)) ? 0 : -1;
}

// Writes which plies are right where there are several.
static void say_which(const struct proof *proof, const struct position *pos)
{
    char text[POSITION_TEXT_BYTES];
    const struct ranking *ranking = proof->context->ranking;
    int n = 0, length;
    while (n < ranking->n_plies && ranking->plies[n].value == ranking->answer.value)
        n++;
    merels_position_format(proof->context->rules, pos, text);
    length = snprintf(proof->why, ERROR_TEXT_BYTES, "%d plies %s in %s:", n,
                      ranking->answer.value == VALUE_WIN ? "win" : "hold", text);
    for (int i = 0; i < n && i < 4; i++)
        length += snprintf(proof->why + length, (size_t)(ERROR_TEXT_BYTES - length), " %s",
                           ranking->plies[i].text);
    if (n > 4)
        snprintf(proof->why + length, (size_t)(ERROR_TEXT_BYTES - length), " ...");
}

// Fills in step `k` from the ranking.
static void take_step(const struct proof *proof, int k)
{
    const struct ranking *ranking = proof->context->ranking;
    struct puzzle_step *step = &proof->puzzle->steps[k];
    int n = 0;
    while (n < ranking->n_plies && ranking->plies[n].value == ranking->answer.value)
        n++;
    memcpy(step->text, ranking->plies[0].text, sizeof step->text);
    step->n_others = ranking->n_plies - n;
    step->best_other = n < ranking->n_plies ? ranking->plies[n].value : VALUE_LOSS;
}

// Ranks a position of the solver: *only is false if no ply, or more than one, is right; else
// the step is filled in.
static enum status look(const struct proof *proof, const struct position *pos, int k,
                        bool *only, struct position *after, struct error *err)
{
    enum status status = merels_context_rank(proof->context, pos, err);
    if (status != STATUS_OK)
        return status;
    const struct ranking *ranking = proof->context->ranking;
    proof->puzzle->n_positions++;
    *only = only_ply(ranking) == 0;
    if (!*only) {
        say_which(proof, pos);
        return STATUS_OK;
    }
    take_step(proof, k);
    *after = merels_play(proof->context->rules, pos, ranking->plies[0].ply);
    return STATUS_OK;
}

// The replies that resist the longest, in the order of their texts.
static int list_defences(const struct ranking *ranking, struct ply defences[MAX_DEFENCES])
{
    int n = 0;
    while (n < ranking->n_plies && n < MAX_DEFENCES &&
           ranking->plies[n].plies == ranking->answer.plies)
        n++;
    for (int i = 0; i < n; i++)
        defences[i] = ranking->plies[i].ply;
    return n;
}

// ---- wins ----------------------------------------------------------------------------------

// Looks for a line from step `k` on in which one ply wins each time.
static enum status prove_win(const struct proof *proof, const struct position *pos, int k,
                             bool *only, struct error *err)
{
    struct position after;
    struct ply defences[MAX_DEFENCES];
    struct puzzle *puzzle = proof->puzzle;
    enum status status = look(proof, pos, k, only, &after, err);
    if (status != STATUS_OK || !*only || proof->context->ranking->answer.plies == 1)
        return status;
    status = merels_context_rank(proof->context, &after, err);
    int n = status == STATUS_OK ? list_defences(proof->context->ranking, defences) : 0;
    *only = false;
    for (int i = 0; status == STATUS_OK && !*only && i < n; i++) {
        if (puzzle->n_positions > MAX_POSITIONS) {
            snprintf(proof->why, ERROR_TEXT_BYTES, "there are more lines than are looked at");
            return STATUS_OK;
        }
        const struct position next = merels_play(proof->context->rules, &after, defences[i]);
        status = prove_win(proof, &next, k + 1, only, err);
        if (*only)
            merels_ply_format(proof->context->rules, defences[i], puzzle->replies[k]);
    }
    return status;
}

// ---- holds ---------------------------------------------------------------------------------

// True if the solver has stood before this position in the line.
static bool is_again(const struct position *line, int n, const struct position *pos)
{
    for (int i = 0; i < n; i++)
        if (line[i].own == pos->own && line[i].other == pos->other &&
            line[i].own_hand == pos->own_hand && line[i].other_hand == pos->other_hand)
            return true;
    return false;
}

// Looks for a reply after which one ply alone holds again; *found is false if there is none.
static enum status find_reply(const struct proof *proof, const struct position *after,
                              const struct position *line, int k, struct position *next,
                              bool *found, struct error *err)
{
    struct ply replies[MAX_DEFENCES];
    enum status status = merels_context_rank(proof->context, after, err);
    int first, n = status == STATUS_OK ? merels_rank_draws(proof->context->ranking, &first) : 0;
    n = n < MAX_DEFENCES ? n : MAX_DEFENCES;
    for (int i = 0; i < n; i++)
        replies[i] = proof->context->ranking->plies[first + i].ply;
    *found = false;
    for (int i = 0; status == STATUS_OK && i < n && !*found; i++) {
        *next = merels_play(proof->context->rules, after, replies[i]);
        status = merels_context_rank(proof->context, next, err);
        const struct ranking *ranking = proof->context->ranking;
        *found = status == STATUS_OK && ranking->n_plies > 1 && only_ply(ranking) == 0 &&
                 !is_again(line, k, next);
        if (*found)
            merels_ply_format(proof->context->rules, replies[i], proof->puzzle->replies[k - 1]);
    }
    return status;
}

static enum status prove_hold(const struct proof *proof, const struct position *pos, bool *only,
                              struct error *err)
{
    struct position after, line[(MAX_PUZZLE_PLIES + 1) / 2 + 1] = {*pos};
    struct puzzle *puzzle = proof->puzzle;
    enum status status = look(proof, pos, 0, only, &after, err);
    bool found = status == STATUS_OK && *only;
    for (puzzle->n_steps = 1; found && 2 * puzzle->n_steps < proof->max_plies;) {
        int n = puzzle->n_steps;
        status = find_reply(proof, &after, line, n, &line[n], &found, err);
        if (status != STATUS_OK || !found)
            break;
        status = look(proof, &line[n], n, &found, &after, err);
        puzzle->n_steps += status == STATUS_OK && found;
    }
    puzzle->plies = 2 * puzzle->n_steps - 1;
    return status;
}

// ---- both ----------------------------------------------------------------------------------

enum status merels_puzzle_prove(struct context *context, const struct position *pos,
                                int max_plies, struct puzzle *puzzle, bool *is_one, char *why,
                                struct error *err)
{
    max_plies = max_plies < MAX_PUZZLE_PLIES ? max_plies : MAX_PUZZLE_PLIES;
    const struct proof proof = {context, puzzle, max_plies, why};
    *is_one = false;
    enum status status = merels_context_rank(context, pos, err);
    if (status != STATUS_OK)
        return status;
    const struct answer answer = context->ranking->answer;
    if (answer.edition != EDITION_DTM)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "puzzles need tables with depths to the end of the game (edition "
                            "dtm)");
    *puzzle = (struct puzzle){.goal = answer.value == VALUE_WIN ? PUZZLE_WIN : PUZZLE_HOLD,
                              .pos = *pos};
    if (answer.value == VALUE_LOSS || context->ranking->n_plies < 2 ||
        answer.plies > MAX_PUZZLE_PLIES) {
        snprintf(why, ERROR_TEXT_BYTES, "%s",
                 answer.value == VALUE_LOSS      ? "the side to move has lost"
                 : context->ranking->n_plies < 2 ? "there is no choice"
                                                 : "the win is too long");
        return STATUS_OK;
    }
    if (answer.value == VALUE_DRAW)
        return prove_hold(&proof, pos, is_one, err);
    puzzle->plies = answer.plies;
    puzzle->n_steps = (answer.plies + 1) / 2;
    return prove_win(&proof, pos, 0, is_one, err);
}

bool merels_puzzle_near(const struct rules *rules, const struct position *x,
                        const struct position *y)
{
    if (x->own_hand != y->own_hand || x->other_hand != y->other_hand)
        return false;
    for (int s = 0; s < rules->board.n_symmetries; s++) {
        point_set own = board_image(&rules->board, s, y->own);
        point_set other = board_image(&rules->board, s, y->other);
        if (bit_count(x->own ^ own) + bit_count(x->other ^ other) <= 2)
            return true;
    }
    return false;
}
