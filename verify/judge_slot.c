// judge_slot.c: one position at a time, with plain loops: for samples, and to say what is wrong.

#include <stdio.h>
#include <string.h>

#include "verify/verify_run.h"

struct needs merels_verify_needs(const struct charter *c, struct counts k)
{
    struct needs needs = {0};
    bool places = k.ha > 0;
    int a = places ? k.a + 1 : k.a, ha = places ? k.ha - 1 : 0;
    if (k.a + k.ha < c->least || k.a + k.b == c->n_points) {
        needs.ended = true;
        needs.ended_value = k.a + k.ha < c->least || c->full_board_loses ? 0 : DRAW;
        return needs;
    }
    needs.quiet = (struct counts){k.b, a, k.hb, ha};
    needs.removal = (struct counts){k.b - 1, a, k.hb, ha};
    needs.removal_ends = k.b - 1 + k.hb < c->least;
    needs.removes = !needs.removal_ends && k.b > 0 && a >= 3;
    return needs;
}

// ---- texts ---------------------------------------------------------------------------------

const char *merels_verify_value_text(const struct session *session, int value, char out[24])
{
    if (value == DRAW)
        return "draw";
    if (session->source.wdl)
        return value & 1 ? "win" : "loss";
    snprintf(out, 24, "%s in %d", value & 1 ? "win" : "loss", value);
    return out;
}

static size_t put_men(const struct charter *c, uint32_t set, char *out)
{
    size_t n = 0;
    for (int p = 0; p < c->n_points; p++)
        if (set >> p & 1)
            n += (size_t)sprintf(out + n, "%s%s", n > 0 ? "," : "", c->names[p]);
    return n > 0 ? n : (size_t)sprintf(out, "-");
}

// A position: the side to move is White.
struct place {
    uint32_t own, other;
    int own_hand, other_hand;
};

// White's men come first in the text whoever moves.
static void put_place(const struct charter *c, const struct place *p, char mover,
                      char out[PLACE_TEXT_BYTES])
{
    bool white = mover == 'w';
    size_t n = (size_t)sprintf(out, "%c ", mover);
    n += put_men(c, white ? p->own : p->other, out + n);
    out[n++] = ' ';
    n += put_men(c, white ? p->other : p->own, out + n);
    sprintf(out + n, " %d/%d", white ? p->own_hand : p->other_hand,
            white ? p->other_hand : p->own_hand);
}

// ---- slots ---------------------------------------------------------------------------------

// The way back from a slot (docs/FORMAT.md, section 5): the column's number is taken apart,
// largest point first, and spread over the points outside the row's set.
static struct place place_of(const struct session *session, const struct source_table *t,
                             uint64_t slot)
{
    const struct ground *g = session->ground;
    struct counts k = t->counts;
    uint32_t other = session->classes[k.b].smallest[slot / t->n_columns], own = 0;
    uint64_t rest = slot % t->n_columns;
    int free[GROUND_POINTS], n_free = 0;
    for (int p = 0; p < g->charter.n_points; p++)
        if (!(other >> p & 1))
            free[n_free++] = p;
    for (int i = k.a, q = n_free - 1; i > 0; i--, q--) {
        while (g->choose[q][i] > rest)
            q--;
        rest -= g->choose[q][i];
        own |= (uint32_t)1 << free[q];
    }
    return (struct place){own, other, k.ha, k.hb};
}

void merels_verify_place(const struct session *session, const struct source_table *table,
                         uint64_t slot, char out[PLACE_TEXT_BYTES])
{
    struct place place = place_of(session, table, slot);
    put_place(&session->ground->charter, &place, 'w', out);
}

// The column by its definition: a sum over the mover's points, numbered without the other
// side's.
static uint64_t slot_of(const struct session *session, const struct place *place)
{
    const struct ground *g = session->ground;
    int n = g->charter.n_points, b = 0, a = 0, q = 0;
    for (int p = 0; p < n; p++)
        b += place->other >> p & 1;
    uint32_t entry = session->classes[b].entries[ground_rank(g, b, place->other)];
    uint32_t other = session->classes[b].smallest[entry >> 8];
    uint32_t own = ground_image(g, (int)(entry & 255), place->own);
    uint64_t column = 0;
    for (int p = 0; p < n; p++) {
        if (own >> p & 1)
            column += g->choose[q][++a];
        q += !(other >> p & 1);
    }
    return (entry >> 8) * g->choose[n - b][a] + column;
}

// ---- plies ---------------------------------------------------------------------------------

struct trial {
    const struct session *session;
    const struct source_table *quiet, *removal; // NULL where not needed
    const struct needs *needs;
    struct place place;
    struct verdict *verdict;
    int best; // mark; MARK_NONE before the first ply
    struct error *err;
};

static int mark_of(int value)
{
    return value == DRAW ? MARK_DRAW : value & 1 ? (value + 1) / 2 : 255 - value / 2;
}

static int value_of_mark(int mark, bool wdl)
{
    if (wdl)
        return mark == MARK_DRAW ? DRAW : mark < MARK_DRAW ? LOSS : WIN;
    return mark == MARK_DRAW ? DRAW : mark < MARK_DRAW ? 2 * mark : 2 * (255 - mark) + 1;
}

static void note_ply(struct trial *t, int from, int to, int taken, const struct place *reply)
{
    const struct charter *c = &t->session->ground->charter;
    int n = from < 0 ? sprintf(t->verdict->ply, "%s", c->names[to])
                     : sprintf(t->verdict->ply, "%s-%s", c->names[from], c->names[to]);
    if (taken >= 0)
        sprintf(t->verdict->ply + n, "x%s", c->names[taken]);
    put_place(c, reply, 'b', t->verdict->reply);
}

// One ply, taken = -1 if no man is removed: what it leads to, and the best so far.
static enum status try_ply(struct trial *t, int from, int to, int taken)
{
    struct place p = t->place;
    uint8_t value = 0;
    uint32_t own = p.own | (uint32_t)1 << to;
    uint32_t victims = taken < 0 ? p.other : p.other & ~((uint32_t)1 << taken);
    if (from >= 0)
        own &= ~((uint32_t)1 << from);
    struct place reply = {victims, own, p.other_hand, from < 0 ? p.own_hand - 1 : p.own_hand};
    if (taken < 0 || !t->needs->removal_ends) {
        const struct source_table *table = taken < 0 ? t->quiet : t->removal;
        enum status status =
            merels_verify_read(table, slot_of(t->session, &reply), 1, &value, t->err);
        if (status != STATUS_OK)
            return status;
    }
    if (mark_of(value) > t->best) {
        t->best = mark_of(value);
        t->verdict->reply_value = value;
        note_ply(t, from, to, taken, &reply);
    }
    return STATUS_OK;
}

static enum status try_arrival(struct trial *t, int from, int to)
{
    const struct charter *c = &t->session->ground->charter;
    uint32_t own = t->place.own | (uint32_t)1 << to;
    if (from >= 0)
        own &= ~((uint32_t)1 << from);
    bool closed = merels_verify_in_mills(c, own) >> to & 1;
    uint32_t takable = closed ? merels_verify_takable(c, t->place.other) : 0;
    if (takable == 0)
        return try_ply(t, from, to, -1);
    enum status status = STATUS_OK;
    for (int p = 0; p < c->n_points && status == STATUS_OK; p++)
        if (takable >> p & 1)
            status = try_ply(t, from, to, p);
    return status;
}

static enum status try_all(struct trial *t, int n_men)
{
    const struct charter *c = &t->session->ground->charter;
    uint32_t taken = t->place.own | t->place.other;
    enum status status = STATUS_OK;
    for (int to = 0; to < c->n_points; to++) {
        if (taken >> to & 1)
            continue;
        if (t->place.own_hand > 0) {
            status = try_arrival(t, -1, to);
        } else {
            for (int from = 0; from < c->n_points && status == STATUS_OK; from++)
                if (t->place.own >> from & 1 && (n_men <= c->fly || c->joined[from] >> to & 1))
                    status = try_arrival(t, from, to);
        }
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status merels_verify_judge(const struct session *session, const struct source_table *table,
                                uint64_t slot, struct verdict *verdict, struct error *err)
{
    const struct charter *c = &session->ground->charter;
    struct needs needs = merels_verify_needs(c, table->counts);
    *verdict = (struct verdict){.value = needs.ended_value};
    if (needs.ended)
        return STATUS_OK;
    struct trial trial = {.session = session,
                          .quiet = merels_verify_find(&session->source, needs.quiet),
                          .removal = merels_verify_find(&session->source, needs.removal),
                          .needs = &needs,
                          .place = place_of(session, table, slot),
                          .verdict = verdict,
                          .best = MARK_NONE,
                          .err = err};
    enum status status = try_all(&trial, table->counts.a);
    verdict->value = trial.best != MARK_NONE ? value_of_mark(trial.best, table->wdl)
                     : c->blocked_loses      ? 0
                                             : DRAW;
    return status;
}

enum status merels_verify_accuse(const struct session *session,
                                 const struct source_table *table, uint64_t slot, int stored,
                                 struct error *err)
{
    struct verdict verdict;
    char place[PLACE_TEXT_BYTES], left[24], right[24], reply[24], reason[192] = "";
    enum status status = merels_verify_judge(session, table, slot, &verdict, err);
    if (status != STATUS_OK)
        return status;
    merels_verify_place(session, table, slot, place);
    if (verdict.ply[0] != '\0')
        snprintf(reason, sizeof reason, " by %s, which leads to '%s' (%s)", verdict.ply,
                 verdict.reply, merels_verify_value_text(session, verdict.reply_value, reply));
    else
        snprintf(reason, sizeof reason, ": %s", "the game is over or there is no ply");
    return merels_error(err, STATUS_MISMATCH, "%s slot %llu: '%s': stored %s, recomputed %s%s",
                        table->name, (unsigned long long)slot, place,
                        merels_verify_value_text(session, stored, left),
                        merels_verify_value_text(session, verdict.value, right), reason);
}
