// judge_slot.c: plain loops over the plies of one position, and the texts of mismatches.

#include "verify/judge_slot.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

// ---- slots ---------------------------------------------------------------------------------

// A position as its mover sees it.
struct place {
    uint32_t own, other;
    int own_hand, other_hand;
};

// The way back from a column (docs/FORMAT.md, section 5): its number is taken apart, largest
// point first, and spread over the points outside the row's set.
uint32_t merels_verify_column_set(const struct verify_index *index, uint32_t other, int men,
                                  uint64_t column)
{
    int free[VERIFY_POINTS], n_free = 0;
    uint32_t own = 0;
    for (int p = 0; p < index->rules.n_points; p++)
        if (!(other >> p & 1))
            free[n_free++] = p;
    assert(men <= n_free && column < index->choose[n_free][men]);
    for (int i = men, q = n_free - 1; i > 0; i--, q--) {
        while (index->choose[q][i] > column)
            q--;
        column -= index->choose[q][i];
        own |= (uint32_t)1 << free[q];
    }
    return own;
}

// The column by its definition: a sum over the mover's points, numbered without the other
// side's.
uint64_t merels_verify_set_column(const struct verify_index *index, uint32_t other,
                                  uint32_t own)
{
    uint64_t column = 0;
    assert((own & other) == 0);
    for (int p = 0, a = 0, q = 0; p < index->rules.n_points; p++) {
        if (own >> p & 1)
            column += index->choose[q][++a];
        q += !(other >> p & 1);
    }
    return column;
}

static struct place place_of(const struct slot_judge *judge, uint64_t slot)
{
    const struct checked_table *t = judge->table;
    struct counts k = t->counts;
    assert(slot < t->n_slots);
    uint32_t other = judge->run->classes[k.b].smallest[slot / t->n_columns];
    uint32_t own = merels_verify_column_set(judge->run->index, other, k.a, slot % t->n_columns);
    return (struct place){own, other, k.ha, k.hb};
}

static uint64_t slot_of(const struct verify_run *run, const struct checked_table *table,
                        const struct place *place)
{
    const struct verify_index *index = run->index;
    const struct classes *rows = &run->classes[table->counts.b];
    uint32_t entry = rows->entries[verify_rank(index, rows->men, place->other)];
    uint32_t own = verify_image(index, (int)(entry & 255), place->own);
    uint64_t column = merels_verify_set_column(index, rows->smallest[entry >> 8], own);
    assert(column < table->n_columns);
    return (entry >> 8) * table->n_columns + column;
}

// ---- plies ---------------------------------------------------------------------------------

static struct place after_ply(const struct place *p, struct judged_ply ply)
{
    uint32_t own = p->own | (uint32_t)1 << ply.to;
    uint32_t victims = ply.taken < 0 ? p->other : p->other & ~((uint32_t)1 << ply.taken);
    if (ply.from >= 0)
        own &= ~((uint32_t)1 << ply.from);
    return (struct place){victims, own, p->other_hand, p->own_hand - (ply.from < 0)};
}

static enum status value_at(const struct verify_run *run, const struct checked_table *table,
                            const uint16_t *values, const struct place *place, int *value,
                            struct error *err)
{
    uint16_t stored;
    uint64_t slot = slot_of(run, table, place);
    if (values != NULL) {
        *value = values[slot];
        return STATUS_OK;
    }
    enum status status = merels_verify_read_wide(table, slot, 1, &stored, err);
    *value = stored;
    return status;
}

struct trial {
    const struct slot_judge *judge;
    struct place place;
    struct verdict *verdict;
    int best; // worth of the best ply so far
    struct error *err;
};

// One ply: what it leads to, and the best so far.
static enum status try_ply(struct trial *t, struct judged_ply ply)
{
    const struct slot_judge *judge = t->judge;
    struct place reply = after_ply(&t->place, ply);
    int value = LOSS;
    enum status status = STATUS_OK;
    if (ply.taken < 0)
        status =
            value_at(judge->run, judge->quiet, judge->quiet_values, &reply, &value, t->err);
    else if (!judge->plies.removal_ends)
        status =
            value_at(judge->run, judge->removal, judge->removal_values, &reply, &value, t->err);
    if (status != STATUS_OK || merels_verify_worth(value) <= t->best)
        return status;
    t->best = merels_verify_worth(value);
    t->verdict->has_ply = true;
    t->verdict->ply = ply;
    t->verdict->reply_value = value;
    return STATUS_OK;
}

// A man goes to a point: with all removals if that closes a mill and some man can be taken.
static enum status try_arrival(struct trial *t, int from, int to)
{
    const struct verify_rules *rules = &t->judge->run->index->rules;
    struct place reply = after_ply(&t->place, (struct judged_ply){from, to, -1});
    uint32_t takable = 0;
    if (merels_verify_in_mills(rules, reply.other) >> to & 1)
        takable =
            verify_takable(rules->taking, reply.own, merels_verify_in_mills(rules, reply.own));
    if (takable == 0)
        return try_ply(t, (struct judged_ply){from, to, -1});
    enum status status = STATUS_OK;
    for (int p = 0; p < rules->n_points && status == STATUS_OK; p++)
        if (takable >> p & 1)
            status = try_ply(t, (struct judged_ply){from, to, p});
    return status;
}

static enum status try_moves(struct trial *t, int to)
{
    const struct verify_rules *rules = &t->judge->run->index->rules;
    enum status status = STATUS_OK;
    for (int from = 0; from < rules->n_points && status == STATUS_OK; from++)
        if (t->place.own >> from & 1 &&
            (t->judge->plies.flies || rules->joined[from] >> to & 1))
            status = try_arrival(t, from, to);
    return status;
}

static enum status try_all(struct trial *t)
{
    uint32_t taken = t->place.own | t->place.other;
    enum status status = STATUS_OK;
    for (int to = 0; to < t->judge->run->index->rules.n_points && status == STATUS_OK; to++)
        if (!(taken >> to & 1))
            status = t->judge->plies.places ? try_arrival(t, -1, to) : try_moves(t, to);
    return status;
}

struct slot_judge merels_verify_judge(const struct verify_run *run,
                                      const struct checked_table *table)
{
    struct slot_judge judge = {.run = run, .table = table};
    judge.plies = merels_verify_plies(&run->index->rules, table->counts);
    if (!judge.plies.over)
        judge.quiet = merels_verify_find(&run->files, judge.plies.quiet);
    if (judge.plies.removes)
        judge.removal = merels_verify_find(&run->files, judge.plies.removal);
    return judge;
}

enum status merels_verify_judge_slot(const struct slot_judge *judge, uint64_t slot,
                                     struct verdict *verdict, struct error *err)
{
    *verdict = (struct verdict){.value = judge->plies.over_value};
    if (judge->plies.over)
        return STATUS_OK;
    assert(judge->quiet != NULL && (judge->removal != NULL) == judge->plies.removes);
    struct trial trial = {.judge = judge,
                          .place = place_of(judge, slot),
                          .verdict = verdict,
                          .best = INT_MIN,
                          .err = err};
    enum status status = try_all(&trial);
    verdict->value = verdict->has_ply
                         ? merels_verify_value_before(verdict->reply_value, judge->table->wdl)
                         : judge->plies.blocked_value;
    return status;
}

// ---- texts ---------------------------------------------------------------------------------

enum { PLACE_TEXT_BYTES = 96, REASON_TEXT_BYTES = 192 };

static size_t put_men(const struct verify_rules *rules, uint32_t set, char *out)
{
    size_t n = 0;
    for (int p = 0; p < rules->n_points; p++)
        if (set >> p & 1)
            n += (size_t)sprintf(out + n, "%s%s", n > 0 ? "," : "", rules->names[p]);
    return n > 0 ? n : (size_t)sprintf(out, "-");
}

// "w a7,d7 g4 0/0"; White's men come first in the text whoever moves.
static void put_place(const struct verify_rules *rules, const struct place *p, char mover,
                      char out[PLACE_TEXT_BYTES])
{
    bool white = mover == 'w';
    size_t n = (size_t)sprintf(out, "%c ", mover);
    n += put_men(rules, white ? p->own : p->other, out + n);
    out[n++] = ' ';
    n += put_men(rules, white ? p->other : p->own, out + n);
    sprintf(out + n, " %d/%d", white ? p->own_hand : p->other_hand,
            white ? p->other_hand : p->own_hand);
}

static void put_slot(const struct slot_judge *judge, uint64_t slot, char out[PLACE_TEXT_BYTES])
{
    struct place place = place_of(judge, slot);
    put_place(&judge->run->index->rules, &place, 'w', out);
}

static void put_reason(const struct slot_judge *judge, uint64_t slot,
                       const struct verdict *verdict, char out[REASON_TEXT_BYTES])
{
    const struct verify_rules *rules = &judge->run->index->rules;
    struct judged_ply ply = verdict->ply;
    char ply_text[24], reply_text[PLACE_TEXT_BYTES], value[VALUE_TEXT_BYTES];
    if (!verdict->has_ply) {
        snprintf(out, REASON_TEXT_BYTES, ": the game is over or there is no ply");
        return;
    }
    snprintf(ply_text, sizeof ply_text, "%s%s%s%s%s",
             ply.from < 0 ? "" : rules->names[ply.from], ply.from < 0 ? "" : "-",
             rules->names[ply.to], ply.taken < 0 ? "" : "x",
             ply.taken < 0 ? "" : rules->names[ply.taken]);
    struct place place = place_of(judge, slot), reply = after_ply(&place, ply);
    put_place(rules, &reply, 'b', reply_text);
    snprintf(out, REASON_TEXT_BYTES, " by %s, which leads to '%s' (%s)", ply_text, reply_text,
             merels_verify_value_text(verdict->reply_value, judge->table->wdl, value));
}

enum status merels_verify_accuse(const struct slot_judge *judge, uint64_t slot, int stored,
                                 struct error *err)
{
    struct verdict verdict;
    char place[PLACE_TEXT_BYTES], reason[REASON_TEXT_BYTES];
    char left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    bool wdl = judge->table->wdl;
    enum status status = merels_verify_judge_slot(judge, slot, &verdict, err);
    if (status != STATUS_OK)
        return status;
    put_slot(judge, slot, place);
    put_reason(judge, slot, &verdict, reason);
    return merels_error(
        err, STATUS_MISMATCH, "%s slot %" PRIu64 ": '%s': stored %s, recomputed %s%s",
        judge->table->name, slot, place, merels_verify_value_text(stored, wdl, left),
        merels_verify_value_text(verdict.value, wdl, right), reason);
}

enum status merels_verify_accuse_twins(const struct slot_judge *judge, uint64_t slot,
                                       int stored, uint64_t twin, int twin_stored,
                                       struct error *err)
{
    char place[PLACE_TEXT_BYTES], left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    bool wdl = judge->table->wdl;
    put_slot(judge, slot, place);
    return merels_error(err, STATUS_MISMATCH,
                        "%s slots %" PRIu64 " and %" PRIu64 " hold the same position, '%s' and "
                        "an image of it: stored %s and %s",
                        judge->table->name, slot, twin, place,
                        merels_verify_value_text(stored, wdl, left),
                        merels_verify_value_text(twin_stored, wdl, right));
}
