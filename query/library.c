// library.c: the public interface over tablebase and ranking.
//
// A handle owns its rules (530 KB: on the heap, never on a stack) and the tablebase, and counts
// references: one for each merels_open and merels_share, and one for each call that is running,
// so that closing during a call frees nothing that the call still uses.
//
// Positions come in as White and Black and are turned to the mover's view; nothing about them
// is believed before merels_position_check.

#include "query/merels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "query/ranking.h"

struct merels {
    atomic_size_t n_references;
    struct rules rules;
    struct start start;
    struct tablebase *base;
    _Atomic(struct ranking *) spare; // the room of the last ranking, for the next one
};

// ---- outcomes ------------------------------------------------------------------------------

static enum merels_status public_status(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return MERELS_OK;
    case STATUS_BAD_INPUT:
    case STATUS_UNSUPPORTED:
        return MERELS_BAD_INPUT;
    case STATUS_ILLEGAL:
        return MERELS_ILLEGAL;
    case STATUS_NOT_COVERED:
        return MERELS_NOT_COVERED;
    case STATUS_MISSING:
        return MERELS_MISSING;
    case STATUS_NEWER:
        return MERELS_NEWER;
    case STATUS_OLDER:
        return MERELS_OLDER;
    case STATUS_OTHER_RULES:
        return MERELS_OTHER_RULES;
    case STATUS_NO_MEMORY:
        return MERELS_NO_MEMORY;
    case STATUS_CORRUPT:
    case STATUS_MISMATCH:
        return MERELS_CORRUPT;
    default:
        return MERELS_IO;
    }
}

const char *merels_status_text(enum merels_status status)
{
    static const char *const names[] = {"ok",
                                        "bad input",
                                        "illegal position",
                                        "not covered",
                                        "missing",
                                        "corrupt",
                                        "newer version",
                                        "other rules",
                                        "out of memory",
                                        "input or output error",
                                        "older version"};
    if ((unsigned)status >= sizeof names / sizeof names[0])
        return "unknown status";
    return names[status];
}

const char *merels_version(void)
{
    return MERELS_VERSION;
}

_Static_assert((int)ERROR_TEXT_BYTES == (int)MERELS_FAILURE_BYTES, "a line fits");
_Static_assert((int)POSITION_TEXT_BYTES == (int)MERELS_POSITION_BYTES, "the short form fits");
_Static_assert((int)FEN_TEXT_BYTES <= (int)MERELS_POSITION_BYTES, "the FEN fits");
_Static_assert((int)PLY_TEXT_BYTES == (int)MERELS_PLY_BYTES, "a ply fits");

// Hands an internal failure to the caller.
static enum merels_status report(enum status status, const struct error *err,
                                 struct merels_failure *failure)
{
    enum merels_status result = public_status(status);
    if (failure != NULL && status != STATUS_OK) {
        failure->status = result;
        memcpy(failure->text, err->text, sizeof failure->text);
    }
    return result;
}

static enum merels_status refuse_null(struct merels_failure *failure)
{
    struct error err;
    return report(merels_error(&err, STATUS_BAD_INPUT, "a pointer is NULL that must not be"),
                  &err, failure);
}

// ---- handles -------------------------------------------------------------------------------

static void free_handle(struct merels *handle)
{
    merels_tablebase_close(handle->base);
    free(atomic_load(&handle->spare));
    free(handle);
}

static enum status open_handle(const char *rules, const char *dir, size_t cache_bytes,
                               struct merels **handle, struct error *err)
{
    struct merels *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the rules");
    atomic_init(&made->n_references, 1);
    atomic_init(&made->spare, NULL);
    enum status status = merels_rules_parse(rules, &made->rules, &made->start, err);
    if (status == STATUS_OK && made->rules.closed_points == CLOSED_POINTS_YES)
        status =
            merels_error(err, STATUS_BAD_INPUT,
                         "rules: closed-points is answered by the program's search, not by "
                         "this library");
    if (status == STATUS_OK)
        status = merels_tablebase_open(dir, &made->rules, cache_bytes, &made->base, err);
    if (status != STATUS_OK) {
        free_handle(made);
        return status;
    }
    merels_tablebase_begin_from(made->base, made->start);
    *handle = made;
    return STATUS_OK;
}

enum merels_status merels_open(const char *rules, const char *dir, size_t cache_bytes,
                               struct merels **handle, struct merels_failure *failure)
{
    struct error err;
    if (rules == NULL || dir == NULL || handle == NULL)
        return refuse_null(failure);
    return report(open_handle(rules, dir, cache_bytes, handle, &err), &err, failure);
}

struct merels *merels_share(struct merels *handle)
{
    if (handle != NULL)
        atomic_fetch_add_explicit(&handle->n_references, 1, memory_order_relaxed);
    return handle;
}

void merels_close(struct merels *handle)
{
    if (handle != NULL &&
        atomic_fetch_sub_explicit(&handle->n_references, 1, memory_order_acq_rel) == 1)
        free_handle(handle);
}

// ---- positions -----------------------------------------------------------------------------

static struct position inward(const struct merels_position *p)
{
    bool black = p->black_to_move != 0;
    return (struct position){.own = black ? p->black : p->white,
                             .other = black ? p->white : p->black,
                             .own_hand = black ? p->black_hand : p->white_hand,
                             .other_hand = black ? p->white_hand : p->black_hand,
                             .due = p->removals_due,
                             .count = p->quiet_plies,
                             .mover = black ? BLACK : WHITE};
}

static struct merels_position outward(const struct position *pos)
{
    bool black = pos->mover == BLACK;
    return (struct merels_position){.white = black ? pos->other : pos->own,
                                    .black = black ? pos->own : pos->other,
                                    .white_hand = black ? pos->other_hand : pos->own_hand,
                                    .black_hand = black ? pos->own_hand : pos->other_hand,
                                    .black_to_move = black,
                                    .removals_due = pos->due,
                                    .quiet_plies = pos->count};
}

const char *merels_point_name(const struct merels *handle, int point)
{
    if (handle == NULL || point < 0 || point >= handle->rules.board.n_points)
        return NULL;
    return handle->rules.board.names[point];
}

enum merels_status merels_parse(struct merels *handle, const char *text,
                                struct merels_position *position,
                                struct merels_failure *failure)
{
    struct error err;
    struct position pos;
    if (handle == NULL || text == NULL || position == NULL)
        return refuse_null(failure);
    merels_share(handle);
    enum status status =
        merels_position_parse(&handle->rules, &handle->start, text, &pos, &err);
    if (status == STATUS_OK)
        *position = outward(&pos);
    merels_close(handle);
    return report(status, &err, failure);
}

static enum status format(const struct rules *rules, const struct position *pos,
                          enum merels_form form, char *text, struct error *err)
{
    char written[MERELS_POSITION_BYTES];
    enum status status = merels_position_check(rules, pos, err);
    if (status == STATUS_OK && form == MERELS_FORM_SHORT)
        merels_position_format(rules, pos, written);
    else if (status == STATUS_OK && form == MERELS_FORM_FEN)
        status = merels_position_format_fen(rules, pos, false, written, err);
    else if (status == STATUS_OK)
        status = merels_error(err, STATUS_BAD_INPUT, "there is no form %d", (int)form);
    if (status == STATUS_OK)
        strcpy(text, written);
    return status;
}

enum merels_status merels_format(struct merels *handle, const struct merels_position *position,
                                 enum merels_form form, char *text,
                                 struct merels_failure *failure)
{
    struct error err;
    if (handle == NULL || position == NULL || text == NULL)
        return refuse_null(failure);
    merels_share(handle);
    const struct position pos = inward(position);
    enum status status = format(&handle->rules, &pos, form, text, &err);
    merels_close(handle);
    return report(status, &err, failure);
}

enum merels_status merels_apply(struct merels *handle, const struct merels_position *before,
                                const char *ply, struct merels_position *after,
                                struct merels_failure *failure)
{
    struct error err;
    struct ply read;
    if (handle == NULL || before == NULL || ply == NULL || after == NULL)
        return refuse_null(failure);
    merels_share(handle);
    const struct position pos = inward(before);
    enum status status = merels_position_check(&handle->rules, &pos, &err);
    if (status == STATUS_OK)
        status = merels_ply_parse(&handle->rules, &pos, ply, &read, &err);
    if (status == STATUS_OK) {
        const struct position next = merels_play(&handle->rules, &pos, read);
        *after = outward(&next);
    }
    merels_close(handle);
    return report(status, &err, failure);
}

// ---- answers -------------------------------------------------------------------------------

static struct merels_answer answer_outward(struct answer answer)
{
    return (struct merels_answer){.value = (enum merels_value)(int)answer.value,
                                  .plies = answer.plies,
                                  .has_depths = edition_has_depths(answer.edition)};
}

enum merels_status merels_probe(struct merels *handle, const struct merels_position *position,
                                struct merels_answer *answer, struct merels_failure *failure)
{
    struct error err;
    struct answer found;
    if (handle == NULL || position == NULL || answer == NULL)
        return refuse_null(failure);
    merels_share(handle);
    const struct position pos = inward(position);
    enum status status = merels_tablebase_probe(handle->base, &pos, &found, &err);
    if (status == STATUS_OK)
        *answer = answer_outward(found);
    merels_close(handle);
    return report(status, &err, failure);
}

static struct merels_ply ply_outward(const struct ranked_ply *entry)
{
    struct merels_ply ply = {.from = entry->ply.from,
                             .to = entry->ply.to,
                             .n_removed = entry->ply.n_removed,
                             .value = (enum merels_value)(int)entry->value,
                             .plies = entry->plies};
    _Static_assert(sizeof ply.removed == sizeof entry->ply.removed, "as many removals");
    memcpy(ply.removed, entry->ply.removed, sizeof ply.removed);
    memcpy(ply.text, entry->text, sizeof ply.text);
    return ply;
}

// The room of a ranking (220 KB): the spare one, else a new one; keep_ranking gives it back.
static struct ranking *take_ranking(struct merels *handle)
{
    struct ranking *spare = atomic_exchange(&handle->spare, NULL);
    return spare != NULL ? spare : malloc(sizeof *spare);
}

static void keep_ranking(struct merels *handle, struct ranking *ranking)
{
    free(atomic_exchange(&handle->spare, ranking));
}

static enum status rank(struct merels *handle, const struct position *pos,
                        struct merels_ply *plies, size_t room, size_t *n_plies,
                        struct merels_answer *answer, struct error *err)
{
    struct ranking *ranking = take_ranking(handle);
    if (ranking == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a ranking");
    enum status status = merels_rank_plies(handle->base, &handle->rules, pos, ranking, err);
    if (status == STATUS_OK) {
        *n_plies = (size_t)ranking->n_plies;
        for (size_t i = 0; i < room && i < *n_plies; i++)
            plies[i] = ply_outward(&ranking->plies[i]);
        if (answer != NULL)
            *answer = answer_outward(ranking->answer);
    }
    keep_ranking(handle, ranking);
    return status;
}

enum merels_status merels_rank(struct merels *handle, const struct merels_position *position,
                               struct merels_ply *plies, size_t room, size_t *n_plies,
                               struct merels_answer *answer, struct merels_failure *failure)
{
    struct error err;
    if (handle == NULL || position == NULL || n_plies == NULL || (plies == NULL && room > 0))
        return refuse_null(failure);
    merels_share(handle);
    const struct position pos = inward(position);
    enum status status = rank(handle, &pos, plies, room, n_plies, answer, &err);
    merels_close(handle);
    return report(status, &err, failure);
}
