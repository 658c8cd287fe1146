// tamper.h: good small tablebases, and copies with wrong values in which everything else is
// right: statistics, hashes, manifest.

#ifndef MERELS_TESTS_VERIFY_TAMPER_H
#define MERELS_TESTS_VERIFY_TAMPER_H

#include "game/bits.h"
#include "game/rules_text.h"
#include "solver/solve.h"
#include "tests/db/support.h"
#include "verify/verify.h"
#include "verify/verify_run.h"

// ---- tablebases ----------------------------------------------------------------------------

// A tablebase under test: rules, their text, directory, and an index.
struct base {
    struct rules *rules;
    char text[RULES_TEXT_BYTES];
    char *dir;
    struct index *index;
};

static inline struct base new_base(const char *rules)
{
    struct base base = {.rules = make_rules(rules), .dir = make_dir("merels verify")};
    merels_rules_text(base.rules, base.text);
    OK(merels_index_create(&base.rules->board, &base.index, &test_error));
    return base;
}

// Solves all subspaces of at most max_men men (0: all) that the directory does not have.
static inline void solve_into(const struct base *base, const char *rules, int max_men,
                              bool moving_only)
{
    struct start start;
    struct plan plan;
    struct rules *again = malloc(sizeof *again);
    const struct solve_options options = {
        .dir = base->dir, .n_threads = 2, .max_men = max_men, .moving_only = moving_only};
    const struct watch watch = {.report = NULL};
    OK(merels_rules_parse(rules, again, &start, &test_error));
    OK(merels_plan_make(base->rules, &start, &options, &plan, &test_error));
    OK(merels_solve(base->rules, &plan, &options, &watch, &test_error));
    merels_plan_free(&plan);
    free(again);
}

static inline struct base solve_base(const char *rules, int max_men, bool moving_only)
{
    struct base base = new_base(rules);
    solve_into(&base, rules, max_men, moving_only);
    return base;
}

static inline void drop_base(struct base *base)
{
    remove_dir(base->dir);
    merels_index_destroy(base->index);
    free(base->rules);
}

static inline struct manifest read_manifest(const struct base *base)
{
    struct manifest manifest;
    OK(merels_manifest_read(base->dir, base->rules, &manifest, &test_error));
    return manifest;
}

// ---- values --------------------------------------------------------------------------------

// One table's values in memory.
struct values {
    struct subspace subspace;
    uint64_t n_slots;
    uint32_t n_columns;
    uint8_t *bytes;
};

static inline struct values load_values_of(const struct base *base, struct subspace s,
                                           enum edition edition)
{
    struct table *table;
    struct values v = {.subspace = s};
    OK(merels_table_open(base->dir, base->rules, s, edition, &table, &test_error));
    v.n_slots = merels_table_header(table)->n_slots;
    v.n_columns = (uint32_t)merels_table_header(table)->n_columns;
    v.bytes = malloc(v.n_slots);
    OK(merels_table_read(table, 0, v.n_slots, v.bytes, &test_error));
    merels_table_close(table);
    return v;
}

static inline struct values load_values(const struct base *base, struct subspace s)
{
    return load_values_of(base, s, edition_of_rules(base->rules));
}

// The slot of an image of a slot's position by a symmetry of the row's stabilizer.
static inline uint64_t twin_of(const struct base *base, const struct values *v, uint64_t slot,
                               int symmetry)
{
    const struct board *board = &base->rules->board;
    struct position pos;
    OK(merels_index_unrank(base->index, v->subspace, slot, &pos, &test_error));
    point_set own = board_image(board, symmetry, pos.own);
    point_set compact = (point_set)bit_extract(own, board->points & ~pos.other);
    return slot / v->n_columns * v->n_columns +
           rank_set(merels_rank_tables(), v->subspace.a, compact);
}

static inline uint64_t stabilizer_of(const struct base *base, const struct values *v,
                                     uint64_t slot)
{
    const struct row_sets *rows;
    OK(merels_index_rows(base->index, v->subspace.b, &rows, &test_error));
    return row_stabilizer(rows, (uint32_t)(slot / v->n_columns));
}

// Gives all slots of a position one value.
static inline void set_position(const struct base *base, struct values *v, uint64_t slot,
                                uint8_t value)
{
    uint64_t maps = stabilizer_of(base, v, slot);
    for (int s = 0; s < base->rules->board.n_symmetries; s++)
        if (maps >> s & 1)
            v->bytes[twin_of(base, v, slot, s)] = value;
}

static inline bool is_first_twin(const struct base *base, const struct values *v, uint64_t slot)
{
    uint64_t maps = stabilizer_of(base, v, slot);
    for (int s = 1; maps != 1 && s < base->rules->board.n_symmetries; s++)
        if (maps >> s & 1 && twin_of(base, v, slot, s) < slot)
            return false;
    return true;
}

// ---- writing with everything right ----------------------------------------------------------

// Counted and compared by the first slot of each position only.
static inline struct table_stats true_stats(const struct base *base, const struct values *v)
{
    struct table_stats stats = {.max_win = -1, .max_loss = -1};
    for (uint64_t slot = 0; slot < v->n_slots; slot++) {
        bool draw = v->bytes[slot] == DTM_DRAW, win = v->bytes[slot] & 1;
        int plies = value_plies(edition_of_rules(base->rules), v->bytes[slot]);
        int *deepest = win ? &stats.max_win : &stats.max_loss;
        if (!is_first_twin(base, v, slot))
            continue;
        *(draw ? &stats.draw : win ? &stats.win : &stats.loss) += 1;
        if (!draw && plies > *deepest) {
            *deepest = plies;
            *(win ? &stats.max_win_slot : &stats.max_loss_slot) = slot;
        }
    }
    return stats;
}

static inline void store_with(const struct base *base, const struct values *v,
                              const struct table_stats *stats)
{
    struct table_writer *writer;
    uint8_t hash[SHA256_BYTES];
    const enum edition edition = edition_of_rules(base->rules);
    OK(merels_value_hash(edition, 1, v->bytes, v->n_slots, hash, &test_error));
    OK(merels_table_create(base->dir, base->rules, v->subspace, edition, 1, &writer,
                           &test_error));
    append_values(writer, v->bytes, v->n_slots);
    OK(merels_table_finish(writer, stats, hash, &test_error));
    OK(merels_manifest_add(base->dir, base->rules, v->subspace, edition, &test_error));
}

static inline void store_values(const struct base *base, const struct values *v)
{
    struct table_stats stats = true_stats(base, v);
    store_with(base, v, &stats);
}

// ---- verifying -----------------------------------------------------------------------------

static inline enum status verify_with(const struct base *base, uint64_t n_samples,
                                      const char *level, struct verify_result *result)
{
    const struct verify_options options = {
        .dir = base->dir, .n_threads = 2, .n_samples = n_samples, .cpu_level = level};
    return merels_verify(base->text, &options, NULL, result, &test_error);
}

static inline enum status verify(const struct base *base)
{
    struct verify_result result;
    return verify_with(base, 0, NULL, &result);
}

static inline bool has_record(const struct base *base)
{
    char path[512];
    file_path(path, base->dir, "VERIFIED");
    return access(path, F_OK) == 0;
}

static inline bool is_table(struct counts c, struct subspace s)
{
    return c.a == s.a && c.b == s.b && c.ha == s.ha && c.hb == s.hb;
}

// The verifier must accuse a position of the table that was changed, or of one that leads to
// it.
static inline void assert_accused(const struct base *base, struct subspace changed)
{
    struct verify_index *index;
    struct counts accused;
    struct error reason;
    FAILS(verify(base), STATUS_MISMATCH);
    reason = test_error;
    size_t n = strcspn(reason.text, " .");
    cr_assert(merels_verify_parse_name(reason.text, n, &accused), "%s", reason.text);
    OK(merels_verify_index_create(base->text, true, &index, &test_error));
    struct verify_plies plies = merels_verify_plies(&index->rules, accused);
    bool leads = is_table(accused, changed);
    for (int w = 0; w < plies.n_ways; w++)
        leads |= is_table(plies.ways[w].after, changed);
    cr_expect(leads, "%s", reason.text);
    cr_expect(strstr(reason.text, " slot") != NULL && strstr(reason.text, ": stored ") != NULL,
              "%s", reason.text);
    cr_expect(!has_record(base));
    free(index);
}

#endif
