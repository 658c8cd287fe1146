// judge_slot.c: plain loops over the plies of one position, and the texts of mismatches.

#include "verify/judge_slot.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

static struct place after_ply(const struct place *p, const struct judged_ply *ply)
{
    struct place reply = {p->other, p->own, p->other_hand, p->own_hand};
    if (ply->to >= 0)
        reply.other |= (uint32_t)1 << ply->to;
    if (ply->from >= 0)
        reply.other &= ~((uint32_t)1 << ply->from);
    else if (ply->to >= 0)
        reply.other_hand--;
    for (int k = 0; k < ply->n_taken; k++)
        reply.own &= ~((uint32_t)1 << ply->taken[k]);
    return reply;
}

static enum status value_at(const struct slot_judge *judge, int way, const struct place *place,
                            int *value, struct error *err)
{
    uint16_t stored;
    const struct checked_table *table = judge->after[way];
    uint64_t slot = slot_of(judge->run, table, place);
    if (judge->values[way] != NULL) {
        *value = judge->values[way][slot];
        return STATUS_OK;
    }
    enum status status = merels_verify_read_wide(table, slot, 1, &stored, err);
    *value = stored;
    return status;
}

// The value for the mover that is picked so far, by which ply, and the value of the position
// after that; `worth` is INT_MIN before the first.
struct pick {
    int worth;
    int value, reply;
    struct judged_ply ply;
};

struct trial {
    const struct slot_judge *judge;
    const struct verify_rules *rules;
    struct place place;
    struct pick best;    // over all steps
    struct pick removal; // over the removals of the step at work
    enum status status;
    struct error *err;
};

static void take_if_better(struct pick *pick, const struct pick *other)
{
    if (other->worth > pick->worth)
        *pick = *other;
}

// What a whole ply is worth, among the removals of its step.
static void try_whole(struct trial *t, const struct judged_ply *ply, bool wins)
{
    const struct slot_judge *judge = t->judge;
    struct place reply = after_ply(&t->place, ply);
    int stored = LOSS;
    int way = merels_verify_way(&judge->plies, ply->from < 0 && ply->to >= 0, ply->n_taken);
    if (way < 0) {
        t->status = merels_error(t->err, STATUS_MISMATCH,
                                 "%s: a ply takes %d men, more than the counts of the table "
                                 "allow: the verifier contradicts itself",
                                 judge->table->name, ply->n_taken);
        return;
    }
    if (!wins && !judge->plies.ways[way].ends && t->status == STATUS_OK)
        t->status = value_at(judge, way, &reply, &stored, t->err);
    int value = merels_verify_value_before(stored, judge->table->measure,
                                           judge->plies.ways[way].converts);
    if (!merels_verify_stands(value, judge->table->measure, t->rules->n_move))
        value = DRAW;
    int worth = -merels_verify_worth(value);
    bool first = t->removal.worth == INT_MIN;
    bool picked = t->rules->other_picks ? worth < t->removal.worth : worth > t->removal.worth;
    if (first || picked)
        t->removal = (struct pick){worth, value, stored, *ply};
}

static int n_men(uint32_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

// Takes further men, as long as the ply may and the game is not over by it.
static void try_removals(struct trial *t, struct judged_ply ply, int n_due)
{
    const struct verify_rules *rules = t->rules;
    struct place reply = after_ply(&t->place, &ply);
    bool ended =
        ply.n_taken > 0 && merels_verify_too_few(rules, n_men(reply.own) + reply.own_hand);
    uint32_t takable = 0;
    if (ply.n_taken < n_due && !ended)
        takable =
            verify_takable(rules->taking, reply.own, merels_verify_in_mills(rules, reply.own));
    if (takable == 0) {
        try_whole(t, &ply, false);
        return;
    }
    for (int p = 0; p < rules->n_points; p++)
        if (takable >> p & 1) {
            ply.taken[ply.n_taken++] = p;
            try_removals(t, ply, n_due);
            ply.n_taken--;
        }
}

static int mills_closed(const struct verify_rules *rules, uint32_t set, int to)
{
    int n = 0;
    for (int k = 0; k < rules->n_mills; k++)
        n += (rules->mills[k] >> to & 1) && (rules->mills[k] & ~set) == 0;
    return n;
}

// A man goes to a point: with all removals that the closed mills ask for.
static void try_arrival(struct trial *t, int from, int to)
{
    const struct verify_rules *rules = t->rules;
    struct judged_ply ply = {.from = from, .to = to};
    struct place reply = after_ply(&t->place, &ply);
    int n_closed = mills_closed(rules, reply.other, to);
    t->removal.worth = INT_MIN;
    if (rules->mill_wins)
        try_whole(t, &ply, n_closed > 0);
    else
        try_removals(t, ply, merels_verify_removals_due(rules, n_closed));
    take_if_better(&t->best, &t->removal);
}

static void try_moves(struct trial *t, int to)
{
    for (int from = 0; from < t->rules->n_points; from++)
        if (t->place.own >> from & 1 &&
            (t->judge->plies.flies || t->rules->joined[from] >> to & 1))
            try_arrival(t, from, to);
}

static void try_all(struct trial *t)
{
    uint32_t taken = t->place.own | t->place.other;
    for (int to = 0; to < t->rules->n_points; to++) {
        if (taken >> to & 1)
            continue;
        if (t->judge->plies.places)
            try_arrival(t, -1, to);
        if (t->judge->plies.moves)
            try_moves(t, to);
    }
}

// Could the other side, which is to move after a pass, place or move a man?
static bool other_has_step(const struct trial *t)
{
    const struct place *p = &t->place;
    int men = n_men(p->other), flying = t->rules->fly_total ? men + p->other_hand : men;
    uint32_t free = t->rules->all & ~(p->own | p->other);
    bool step = p->other_hand > 0 || (men > 0 && flying <= t->rules->fly);
    for (int q = 0; q < t->rules->n_points; q++)
        step |= (p->other >> q & 1) && (t->rules->joined[q] & free) != 0;
    return step;
}

// The mover can neither place nor move.
static void try_pass(struct trial *t)
{
    struct judged_ply pass = {.from = -1, .to = -1};
    if (!t->rules->blocked_passes || !other_has_step(t))
        return;
    t->removal.worth = INT_MIN;
    try_whole(t, &pass, false);
    take_if_better(&t->best, &t->removal);
}

struct slot_judge merels_verify_judge(const struct verify_run *run,
                                      const struct checked_table *table)
{
    struct slot_judge judge = {.run = run, .table = table};
    judge.plies = merels_verify_plies(&run->index->rules, table->counts);
    for (int w = 0; w < judge.plies.n_ways; w++)
        if (!judge.plies.ways[w].ends)
            judge.after[w] = merels_verify_find(&run->files, judge.plies.ways[w].after);
    return judge;
}

// A mill that wins ends the game before anything else is asked, apart from too few men.
static bool mill_decides(const struct slot_judge *judge, const struct place *place,
                         struct verdict *verdict)
{
    const struct verify_rules *rules = &judge->run->index->rules;
    if (!rules->mill_wins || merels_verify_too_few(rules, place->own_hand + n_men(place->own)))
        return false;
    verdict->no_position = merels_verify_in_mills(rules, place->own) != 0;
    verdict->value = verdict->no_position ? DRAW : LOSS;
    return verdict->no_position || merels_verify_in_mills(rules, place->other) != 0;
}

enum status merels_verify_judge_slot(const struct slot_judge *judge, uint64_t slot,
                                     struct verdict *verdict, struct error *err)
{
    *verdict = (struct verdict){.value = judge->plies.over_value};
    if (judge->plies.plain && judge->plies.over)
        return STATUS_OK;
    struct trial trial = {.judge = judge,
                          .rules = &judge->run->index->rules,
                          .place = place_of(judge, slot),
                          .best = {.worth = INT_MIN},
                          .err = err};
    if (mill_decides(judge, &trial.place, verdict))
        return STATUS_OK;
    verdict->value = judge->plies.over_value;
    if (judge->plies.over)
        return STATUS_OK;
    try_all(&trial);
    if (trial.best.worth == INT_MIN)
        try_pass(&trial);
    verdict->has_ply = trial.best.worth > INT_MIN;
    verdict->ply = trial.best.ply;
    verdict->reply_value = trial.best.reply;
    verdict->value = verdict->has_ply ? trial.best.value : judge->plies.blocked_value;
    return trial.status;
}

// ---- texts ---------------------------------------------------------------------------------

enum { PLACE_TEXT_BYTES = 96, REASON_TEXT_BYTES = 192, PLY_TEXT_BYTES = 32 };

// What printf would print, behind what stands there; cut off at the end of the room.
__attribute__((format(printf, 3, 4))) static void add(char *out, size_t room,
                                                      const char *format, ...)
{
    size_t n = strlen(out);
    va_list list;
    va_start(list, format);
    vsnprintf(out + n, room - n, format, list);
    va_end(list);
}

static void put_men(const struct verify_rules *rules, uint32_t set, char out[PLACE_TEXT_BYTES])
{
    const char *before = "";
    for (int p = 0; p < rules->n_points; p++)
        if (set >> p & 1) {
            add(out, PLACE_TEXT_BYTES, "%s%s", before, rules->names[p]);
            before = ",";
        }
    add(out, PLACE_TEXT_BYTES, "%s", set == 0 ? "-" : "");
}

// "w a7,d7 g4 0/0"; White's men come first in the text whoever moves.
static void put_place(const struct verify_rules *rules, const struct place *p, char mover,
                      char out[PLACE_TEXT_BYTES])
{
    bool white = mover == 'w';
    out[0] = '\0';
    add(out, PLACE_TEXT_BYTES, "%c ", mover);
    put_men(rules, white ? p->own : p->other, out);
    add(out, PLACE_TEXT_BYTES, " ");
    put_men(rules, white ? p->other : p->own, out);
    add(out, PLACE_TEXT_BYTES, " %d/%d", white ? p->own_hand : p->other_hand,
        white ? p->other_hand : p->own_hand);
}

static void put_slot(const struct slot_judge *judge, uint64_t slot, char out[PLACE_TEXT_BYTES])
{
    struct place place = place_of(judge, slot);
    put_place(&judge->run->index->rules, &place, 'w', out);
}

// "a1-a4xd7", "d7", "pass"
static void put_ply(const struct verify_rules *rules, const struct judged_ply *ply,
                    char out[PLY_TEXT_BYTES])
{
    out[0] = '\0';
    add(out, PLY_TEXT_BYTES, "%s", ply->to < 0 ? "pass" : "");
    if (ply->from >= 0)
        add(out, PLY_TEXT_BYTES, "%s-", rules->names[ply->from]);
    if (ply->to >= 0)
        add(out, PLY_TEXT_BYTES, "%s", rules->names[ply->to]);
    for (int k = 0; k < ply->n_taken; k++)
        add(out, PLY_TEXT_BYTES, "x%s", rules->names[ply->taken[k]]);
}

static void put_reason(const struct slot_judge *judge, uint64_t slot,
                       const struct verdict *verdict, char out[REASON_TEXT_BYTES])
{
    const struct verify_rules *rules = &judge->run->index->rules;
    const struct judged_ply *ply = &verdict->ply;
    char ply_text[PLY_TEXT_BYTES], reply_text[PLACE_TEXT_BYTES], value[VALUE_TEXT_BYTES];
    if (!verdict->has_ply) {
        snprintf(out, REASON_TEXT_BYTES, ": the game is over or there is no ply");
        return;
    }
    put_ply(rules, ply, ply_text);
    struct place place = place_of(judge, slot), reply = after_ply(&place, ply);
    put_place(rules, &reply, 'b', reply_text);
    snprintf(out, REASON_TEXT_BYTES, " by %s, which leads to '%s' (%s)", ply_text, reply_text,
             merels_verify_value_text(verdict->reply_value, judge->table->measure, value));
}

enum status merels_verify_accuse(const struct slot_judge *judge, uint64_t slot, int stored,
                                 struct error *err)
{
    struct verdict verdict;
    char place[PLACE_TEXT_BYTES], reason[REASON_TEXT_BYTES];
    char left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    enum measure measure = judge->table->measure;
    enum status status = merels_verify_judge_slot(judge, slot, &verdict, err);
    if (status != STATUS_OK)
        return status;
    put_slot(judge, slot, place);
    put_reason(judge, slot, &verdict, reason);
    return merels_error(
        err, STATUS_MISMATCH, "%s slot %" PRIu64 ": '%s': stored %s, recomputed %s%s",
        judge->table->name, slot, place, merels_verify_value_text(stored, measure, left),
        merels_verify_value_text(verdict.value, measure, right), reason);
}

enum status merels_verify_accuse_twins(const struct slot_judge *judge, uint64_t slot,
                                       int stored, uint64_t twin, int twin_stored,
                                       struct error *err)
{
    char place[PLACE_TEXT_BYTES], left[VALUE_TEXT_BYTES], right[VALUE_TEXT_BYTES];
    enum measure measure = judge->table->measure;
    put_slot(judge, slot, place);
    return merels_error(err, STATUS_MISMATCH,
                        "%s slots %" PRIu64 " and %" PRIu64 " hold the same position, '%s' and "
                        "an image of it: stored %s and %s",
                        judge->table->name, slot, twin, place,
                        merels_verify_value_text(stored, measure, left),
                        merels_verify_value_text(twin_stored, measure, right));
}
