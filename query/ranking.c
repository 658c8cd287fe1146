// ranking.c: looks up every successor of a position and sorts its plies.
//
// The position's own table and those of its successors were written apart from each other, so
// that the best ply has to give the position's value is a check of both, and costs one look-up.

#include "query/ranking.h"

#include <stdlib.h>
#include <string.h>

#include "query/value_text.h"

// The result after a ply, seen by who played it and counted from before it.
static void take_result(struct answer mine, struct ranked_ply *entry)
{
    entry->value = entry->pick_value = mine.value;
    entry->plies = entry->pick_plies = mine.plies;
}

// < 0 if the first result is better for the mover. Of one value the longer and shorter depths;
// an unknown depth comes last.
static int compare_results(enum value x, int x_plies, enum value y, int y_plies)
{
    if (x != y)
        return x > y ? -1 : 1;
    if (x_plies == y_plies)
        return 0;
    if (x_plies < 0 || y_plies < 0)
        return x_plies < 0 ? 1 : -1;
    int shorter = x_plies < y_plies ? -1 : 1;
    return x == VALUE_WIN ? shorter : -shorter;
}

static int compare_picks(const struct ranked_ply *x, const struct ranked_ply *y)
{
    return compare_results(x->pick_value, x->pick_plies, y->pick_value, y->pick_plies);
}

// < 0 if x comes before y. Two plies of a position never have the same text, so the order is
// total and does not depend on how the sort works.
static int compare(const void *first, const void *second)
{
    const struct ranked_ply *x = first, *y = second;
    int results = compare_results(x->value, x->plies, y->value, y->plies);
    return results != 0 ? results : strcmp(x->text, y->text);
}

// The same where the other side picks: what it prefers comes first in each step. The texts of
// a step begin with the same points and go on with an x, so no other text stands among them.
static int compare_steps(const void *first, const void *second)
{
    const struct ranked_ply *x = first, *y = second;
    int picks = plies_share_step(&x->ply, &y->ply) ? compare_picks(y, x) : 0;
    return picks != 0 ? picks : compare(x, y);
}

static void sort(const struct rules *rules, struct ranked_ply *plies, int n)
{
    qsort(plies, (size_t)n, sizeof *plies,
          rules->chooser == CHOOSER_OPPONENT ? compare_steps : compare);
}

// Fills the next entry. A position in the middle of a turn is of the edition of its successors.
static enum status look_up(struct tablebase *base, const struct rules *rules,
                           const struct position *pos, struct ranking *ranking, struct ply ply,
                           struct error *err)
{
    struct ranked_ply *entry = &ranking->plies[ranking->n_ranked];
    struct answer theirs;
    struct position after = merels_play(rules, pos, ply);
    enum status status = base ? merels_tablebase_probe(base, &after, &theirs, err)
                              : merels_error(err, STATUS_MISSING, "there are no tables");
    if (status != STATUS_OK)
        return status;
    if (pos->due > 0 && !edition_has_depths(theirs.edition))
        ranking->answer.edition = theirs.edition;
    entry->ply = ply;
    entry->known = entry->picked = true;
    take_result(merels_answer_before(rules, pos, &ply, theirs), entry);
    merels_ply_format(rules, ply, entry->text);
    ranking->n_ranked++;
    return STATUS_OK;
}

// The other side picks among the plies of a choice, which stand together: all become worth what
// it picks, the worst for the mover.
static void let_the_other_side_pick(const struct rules *rules, struct ranked_ply *plies, int n)
{
    for (int first = 0, last; first < n; first = last) {
        int worst = first;
        for (last = first + 1;
             last < n && merels_same_choice(rules, &plies[first].ply, &plies[last].ply); last++)
            worst = compare_picks(&plies[last], &plies[worst]) > 0 ? last : worst;
        for (int k = first; k < last; k++) {
            plies[k].value = plies[worst].pick_value;
            plies[k].plies = plies[worst].pick_plies;
        }
    }
}

// After sorting: the first ply of each step is the one that is picked.
static void mark_picked(struct ranked_ply *plies, int n)
{
    for (int i = 1; i < n; i++)
        plies[i].picked = !plies_share_step(&plies[i - 1].ply, &plies[i].ply);
}

static enum status mismatch(const struct rules *rules, const struct position *pos,
                            const struct ranking *ranking, struct error *err)
{
    char text[POSITION_TEXT_BYTES], name[SUBSPACE_NAME_BYTES];
    char own_words[VALUE_TEXT_BYTES], best_words[VALUE_TEXT_BYTES];
    const struct answer *own = &ranking->answer;
    const struct ranked_ply *best = &ranking->plies[0];
    merels_position_format(rules, pos, text);
    merels_subspace_name(merels_subspace_of(pos), name);
    return merels_error(
        err, STATUS_CORRUPT,
        "mismatch: by the table of subspace %s the mover of %s %s, by those "
        "behind it, with its best ply %s, it %s; a table is damaged or belongs "
        "elsewhere",
        name, text, merels_value_words(rules, own->value, own->plies, own_words), best->text,
        merels_value_words(rules, best->value, best->plies, best_words));
}

// Looks up the position itself. In the middle of a turn it has no table, and its value is that
// of its best ply.
static enum status look_up_own(struct tablebase *base, const struct rules *rules,
                               const struct position *pos, struct answer *answer,
                               struct error *err)
{
    if (pos->due == 0)
        return merels_tablebase_probe(base, pos, answer, err);
    *answer = (struct answer){.edition = edition_of_rules(rules)};
    return STATUS_OK;
}

static enum status take_or_check_own(const struct rules *rules, const struct position *pos,
                                     struct ranking *ranking, struct error *err)
{
    struct answer *own = &ranking->answer;
    const struct ranked_ply *best = &ranking->plies[0];
    if (ranking->n_ranked == 0)
        return STATUS_OK;
    if (pos->due > 0) {
        own->value = best->value;
        own->plies = best->plies;
        return STATUS_OK;
    }
    bool whole = ranking->n_ranked == ranking->n_plies;
    bool depths_known = whole && own->plies >= 0 && best->plies >= 0;
    if (best->value > own->value || (whole && best->value < own->value) ||
        (depths_known && own->plies != best->plies))
        return mismatch(rules, pos, ranking, err);
    return STATUS_OK;
}

// Which plies may lack a value: none, those whose tables are missing, or any.
enum lacking { LACKING_NONE, LACKING_MISSING, LACKING_ANY };

static bool may_lack(enum lacking lacking, enum status status)
{
    return lacking == LACKING_ANY ||
           (lacking == LACKING_MISSING &&
            (status == STATUS_NOT_COVERED || status == STATUS_UNDECIDED));
}

// A choice of which the other side may pick what is not known is not known as a whole: takes
// its plies out of the ranked ones and puts them to those without a value.
static void drop_half_known(const struct rules *rules, struct ranking *ranking, int *n_lacking)
{
    int n = 0, n_missing = *n_lacking;
    for (int i = 0; i < ranking->n_ranked; i++) {
        const struct ranked_ply entry = ranking->plies[i];
        bool whole = true;
        for (int k = 0; k < n_missing && whole; k++)
            whole = !merels_same_choice(rules, &entry.ply, &ranking->list[k]);
        if (whole)
            ranking->plies[n++] = entry;
        else
            ranking->list[(*n_lacking)++] = entry.ply;
    }
    ranking->n_ranked = n;
}

static void order(const struct rules *rules, struct ranking *ranking, int n_lacking)
{
    sort(rules, ranking->plies, ranking->n_ranked);
    sort(rules, ranking->plies + ranking->n_ranked, n_lacking);
    if (rules->chooser == CHOOSER_OPPONENT)
        mark_picked(ranking->plies, ranking->n_ranked);
}

// Looks up every ply; those without a value, if they may be, come last. Their list is made in
// the part of ranking->list that was read. What a source has to fetch for one ply it is told
// for the others too.
static enum status look_up_plies(struct tablebase *base, const struct rules *rules,
                                 const struct position *pos, enum lacking lacking,
                                 struct ranking *ranking, struct error *err)
{
    int n_lacking = 0;
    bool waits = false;
    ranking->n_ranked = 0;
    for (int i = 0; i < ranking->n_plies; i++) {
        struct ply ply = ranking->list[i];
        struct error reason;
        enum status status = look_up(base, rules, pos, ranking, ply, &reason);
        waits = waits || status == STATUS_NOT_YET;
        if (status != STATUS_OK && status != STATUS_NOT_YET && !may_lack(lacking, status))
            return merels_error(err, status, "%s", reason.text);
        if (status == STATUS_OK)
            continue;
        if (n_lacking == 0)
            ranking->lacking = reason;
        ranking->list[n_lacking++] = ply;
    }
    if (waits && lacking != LACKING_ANY)
        return merels_error(err, STATUS_NOT_YET, "what the plies lead to is not here yet");
    if (rules->chooser == CHOOSER_OPPONENT) {
        drop_half_known(rules, ranking, &n_lacking);
        let_the_other_side_pick(rules, ranking->plies, ranking->n_ranked);
    }
    for (int i = 0; i < n_lacking; i++) {
        struct ranked_ply *entry = &ranking->plies[ranking->n_ranked + i];
        *entry = (struct ranked_ply){.ply = ranking->list[i], .plies = -1, .pick_plies = -1};
        merels_ply_format(rules, entry->ply, entry->text);
    }
    order(rules, ranking, n_lacking);
    return STATUS_OK;
}

static enum status rank(struct tablebase *base, const struct rules *rules,
                        const struct position *pos, bool all, struct ranking *ranking,
                        struct error *err)
{
    enum status status = merels_position_check(rules, pos, err);
    merels_tablebase_begin_answer(base);
    if (status == STATUS_OK)
        status = merels_tablebase_prepare(base, pos, err);
    if (status != STATUS_OK)
        return status;
    enum status own = look_up_own(base, rules, pos, &ranking->answer, err);
    if (own != STATUS_OK && own != STATUS_NOT_YET)
        return own;
    ranking->n_plies = merels_plies(rules, pos, ranking->list);
    // In the middle of a turn the value is that of the best ply: no ply may be lacking.
    status = look_up_plies(base, rules, pos,
                           all || pos->due > 0 ? LACKING_NONE : LACKING_MISSING, ranking, err);
    if (status != STATUS_OK || own != STATUS_OK)
        return status != STATUS_OK ? status : own;
    return take_or_check_own(rules, pos, ranking, err);
}

static void reverse(struct ranked_ply *plies, int n)
{
    for (int i = 0; i < n / 2; i++) {
        const struct ranked_ply ply = plies[i];
        plies[i] = plies[n - 1 - i];
        plies[n - 1 - i] = ply;
    }
}

// Moves the plies that are not known to the front if one of them must be better than all known.
static void put_better_first(struct ranking *ranking)
{
    int n = ranking->n_plies, n_known = ranking->n_ranked;
    const struct answer *own = &ranking->answer;
    const struct ranked_ply *best = &ranking->plies[0];
    if (n_known == n || n_known == 0)
        return;
    bool same_depth = own->plies < 0 || best->plies < 0 || own->plies == best->plies;
    if (best->value == own->value && same_depth)
        return;
    reverse(ranking->plies, n);
    reverse(ranking->plies, n - n_known);
    reverse(ranking->plies + n - n_known, n_known);
}

enum status merels_rank_plies(struct tablebase *base, const struct rules *rules,
                              const struct position *pos, struct ranking *ranking,
                              struct error *err)
{
    return rank(base, rules, pos, true, ranking, err);
}

enum status merels_rank_known_plies(struct tablebase *base, const struct rules *rules,
                                    const struct position *pos, struct ranking *ranking,
                                    struct error *err)
{
    enum status status = rank(base, rules, pos, false, ranking, err);
    if (status == STATUS_OK)
        put_better_first(ranking);
    return status;
}

void merels_rank_any_plies(struct tablebase *base, const struct rules *rules,
                           const struct position *pos, struct ranking *ranking)
{
    if (base)
        merels_tablebase_begin_answer(base);
    ranking->n_plies = merels_plies(rules, pos, ranking->list);
    if (base)
        (void)!merels_tablebase_prepare(base, pos, NULL);
    bool own =
        base && look_up_own(base, rules, pos, &ranking->answer, &ranking->lacking) == STATUS_OK;
    (void)!look_up_plies(base, rules, pos, LACKING_ANY, ranking, NULL);
    if (!own || ranking->n_ranked == 0)
        return;
    if (take_or_check_own(rules, pos, ranking, &ranking->lacking) == STATUS_OK)
        put_better_first(ranking);
    else
        ranking->n_ranked = 0; // what contradicts itself is not to be relied on
}

enum status merels_count_replies(struct tablebase *base, const struct rules *rules,
                                 const struct position *pos, struct ply ply, struct ply *list,
                                 struct replies *replies, struct error *err)
{
    struct position after = merels_play(rules, pos, ply);
    struct replies found = {.n = 0};
    int n_plies = merels_plies(rules, &after, list);
    enum status prepared = merels_tablebase_prepare(base, &after, err);
    if (prepared != STATUS_OK)
        return prepared;
    for (int i = 0; i < n_plies;) {
        bool holds = true;
        const struct ply choice = list[i];
        do {
            struct answer answer;
            struct position reply = merels_play(rules, &after, list[i++]);
            enum status status = merels_tablebase_probe(base, &reply, &answer, err);
            if (status != STATUS_OK)
                return status;
            holds = holds && answer.value == VALUE_DRAW;
        } while (i < n_plies && merels_same_choice(rules, &choice, &list[i]));
        found.n++;
        found.hold += holds;
    }
    *replies = found;
    return STATUS_OK;
}

int merels_ranking_choice_end(const struct ranking *ranking, const struct rules *rules,
                              int first)
{
    int end = first + 1;
    while (end < ranking->n_plies &&
           merels_same_choice(rules, &ranking->plies[first].ply, &ranking->plies[end].ply))
        end++;
    return end;
}

int merels_rank_draws(const struct ranking *ranking, int *first)
{
    int begin = 0;
    while (begin < ranking->n_plies &&
           (ranking->plies[begin].value == VALUE_WIN || !ranking->plies[begin].known))
        begin++;
    int end = begin;
    while (end < ranking->n_plies && ranking->plies[end].known &&
           ranking->plies[end].value == VALUE_DRAW)
        end++;
    *first = begin;
    return end - begin;
}
