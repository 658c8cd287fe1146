// command_prove.c: merels prove: what a finished tablebase says about the game, with the
// evidence.
//
// Everything stands in the tables, the manifest and the verify record, and no time or path is
// printed, so the same tables give the same report to the byte.

#include <stdlib.h>
#include <string.h>

#include "db/arise.h"
#include "db/file.h"
#include "db/manifest.h"
#include "game/notation.h"
#include "game/rules_text.h"
#include "query/command.h"
#include "query/evidence.h"
#include "query/listing.h"
#include "query/planning.h"
#include "query/quantity.h"
#include "query/searched_proof.h"
#include "query/value_text.h"
#include "verify/verify.h"
#include "verify/verify_rules.h"

enum { MAX_CLASSES = MAX_POINTS };

// One symmetry class of placements: the first point of the class, and what it is worth.
struct placement_class {
    struct ply ply;
    int n_points;
    struct answer answer; // for the side that places
};

struct phase_total {
    uint64_t n_tables, slots, orbits, win, draw, loss;
    int max_win, max_loss;
    char win_example[POSITION_TEXT_BYTES], loss_example[POSITION_TEXT_BYTES];
};

struct report {
    struct answer start;
    int n_first;
    struct placement_class first[MAX_CLASSES];
    int n_replies[MAX_CLASSES];
    struct placement_class replies[MAX_CLASSES][MAX_CLASSES];
    struct phase_total moving, placing; // of the tables that can arise in this game
    uint64_t n_tables, n_slots;         // of all that the directory holds, or held
    uint64_t n_dropped;                 // of them not kept
    char root[2 * SHA256_BYTES + 1];
    enum edition edition;
    bool recorded;           // a full verify is on record; it is a proof only of edition dtm
    struct error unrecorded; // why not
};

// ---- first placements and replies ----------------------------------------------------------

// True if some symmetry that keeps the position takes the ply's point to an earlier one.
static bool is_repeated(const struct rules *rules, const struct position *pos, int to)
{
    const struct board *board = &rules->board;
    for (int s = 0; s < board->n_symmetries; s++)
        if (board_image(board, s, pos->own) == pos->own &&
            board_image(board, s, pos->other) == pos->other && board->symmetry[s][to] < to)
            return true;
    return false;
}

static int class_size(const struct rules *rules, const struct position *pos, int to)
{
    const struct board *board = &rules->board;
    point_set reached = 0;
    for (int s = 0; s < board->n_symmetries; s++)
        if (board_image(board, s, pos->own) == pos->own &&
            board_image(board, s, pos->other) == pos->other)
            reached |= (point_set)1 << board->symmetry[s][to];
    return bit_count(reached);
}

static enum status fill_classes(struct tablebase *base, const struct rules *rules,
                                const struct position *pos, struct placement_class *classes,
                                int *n, struct error *err)
{
    *n = 0;
    for (int to = 0; to < rules->board.n_points; to++) {
        point_set bit = (point_set)1 << to;
        if ((bit & merels_position_free(rules, pos)) == 0 || is_repeated(rules, pos, to))
            continue;
        struct placement_class *c = &classes[(*n)++];
        c->ply = (struct ply){.from = -1, .to = (int8_t)to};
        c->n_points = class_size(rules, pos, to);
        struct position next = merels_play(rules, pos, c->ply);
        enum status status = merels_tablebase_probe(base, &next, &c->answer, err);
        if (status != STATUS_OK)
            return status;
        c->answer = merels_answer_before(rules, pos, &c->ply, c->answer);
    }
    return STATUS_OK;
}

static enum status fill_opening(const struct context *context, struct report *report,
                                struct error *err)
{
    const struct rules *rules = context->rules;
    struct position pos = merels_position_start(&context->variant.start);
    enum status status = merels_tablebase_probe(context->base, &pos, &report->start, err);
    if (status == STATUS_OK)
        status = fill_classes(context->base, rules, &pos, report->first, &report->n_first, err);
    for (int k = 0; k < report->n_first && status == STATUS_OK; k++) {
        struct position next = merels_play(rules, &pos, report->first[k].ply);
        status = fill_classes(context->base, rules, &next, report->replies[k],
                              &report->n_replies[k], err);
    }
    return status;
}

// ---- totals --------------------------------------------------------------------------------

static enum status write_deepest(struct tablebase *base, const struct rules *rules,
                                 struct subspace s, uint64_t slot, char *text,
                                 struct error *err)
{
    struct position pos;
    enum status status = merels_index_unrank(merels_tablebase_index(base), s, slot, &pos, err);
    if (status == STATUS_OK)
        merels_position_format(rules, &pos, text);
    return status;
}

static enum status add_table(struct tablebase *base, const struct rules *rules,
                             const struct manifest_entry *entry, struct phase_total *total,
                             struct error *err)
{
    const struct table_header *h = &entry->header;
    const struct table_stats *stats = &h->stats;
    enum status status = STATUS_OK;
    total->n_tables++;
    total->slots += h->n_slots;
    total->orbits += h->n_orbits;
    total->win += stats->win;
    total->draw += stats->draw;
    total->loss += stats->loss;
    if (stats->max_win > total->max_win) {
        total->max_win = stats->max_win;
        status = write_deepest(base, rules, entry->subspace, stats->max_win_slot,
                               total->win_example, err);
    }
    if (status == STATUS_OK && stats->max_loss > total->max_loss) {
        total->max_loss = stats->max_loss;
        status = write_deepest(base, rules, entry->subspace, stats->max_loss_slot,
                               total->loss_example, err);
    }
    return status;
}

// STATUS_MISSING if the manifest does not list all subspaces of the game.
static enum status check_whole(const struct context *context, const struct manifest *manifest,
                               const struct subspace *arising, size_t n, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    for (size_t k = 0; k < n; k++)
        if (merels_manifest_find(manifest, arising[k]) == NULL) {
            merels_subspace_name(arising[k], name);
            return merels_error(err, STATUS_MISSING,
                                "%s: not the whole game: missing: subspace %s", context->dir,
                                name);
        }
    return STATUS_OK;
}

// The tables of this game; a directory may hold those of other starts beside them.
static enum status fill_totals(const struct context *context, const struct manifest *manifest,
                               struct report *report, struct error *err)
{
    struct subspace *arising = NULL;
    size_t n = 0;
    report->moving.max_win = report->moving.max_loss = -1;
    report->placing.max_win = report->placing.max_loss = -1;
    enum status status =
        merels_subspaces_arising(context->rules, context->variant.start, &arising, &n, err);
    if (status == STATUS_OK)
        status = check_whole(context, manifest, arising, n, err);
    for (size_t k = 0; k < manifest->n_entries && status == STATUS_OK; k++) {
        const struct manifest_entry *entry = &manifest->entries[k];
        bool placing = entry->subspace.ha + entry->subspace.hb > 0;
        report->n_tables++;
        report->n_slots += entry->header.n_slots;
        if (merels_subspace_among(arising, n, entry->subspace))
            status = add_table(context->base, context->rules, entry,
                               placing ? &report->placing : &report->moving, err);
    }
    free(arising);
    merels_hex(manifest->root_hash, SHA256_BYTES, report->root);
    report->edition = manifest->edition;
    report->n_dropped = merels_manifest_dropped(manifest);
    return status;
}

// Of edition compact there are values only: no counts, no hashes of tables, no record of a
// verify.
static enum status fill_compact_report(const struct context *context, struct report *report,
                                       struct error *err)
{
    report->edition = EDITION_COMPACT;
    merels_error(
        &report->unrecorded, STATUS_MISMATCH,
        "the edition compact shows values and proves none: it has no counts, no hashes "
        "of tables and no record of a verify");
    return fill_opening(context, report, err);
}

static enum status fill_report(const struct context *context, struct report *report,
                               struct error *err)
{
    struct manifest manifest = {0};
    if (merels_tablebase_edition(context->base) == EDITION_COMPACT)
        return fill_compact_report(context, report, err);
    enum status status = merels_manifest_read(context->dir, context->rules, &manifest, err);
    if (status == STATUS_OK)
        status = merels_manifest_check(context->dir, context->rules, &manifest, err);
    if (status == STATUS_OK)
        status = fill_totals(context, &manifest, report, err);
    if (status == STATUS_OK) // also where it keeps no more than the opening
        merels_tablebase_choose(context->base, manifest.edition);
    if (status == STATUS_OK)
        status = fill_opening(context, report, err);
    report->recorded = status == STATUS_OK &&
                       merels_evidence_found(context->dir, context->args->record,
                                             context->rules, &manifest, &report->unrecorded);
    merels_manifest_free(&manifest);
    return status;
}

// Without depths a record says only that the values agree with each other.
static bool is_verified(const struct report *report)
{
    return report->recorded && edition_has_depths(report->edition);
}

// ---- totals in all forms --------------------------------------------------------------------

static const struct column total_columns[] = {
    {"phase", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"tables", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"slots", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"orbits", .kind = COLUMN_NUMBER, .forms = IN_ALL},
    {"win", "won", COLUMN_NUMBER, .forms = IN_ALL},
    {"draw", "drawn", COLUMN_NUMBER, .forms = IN_ALL},
    {"loss", "lost", COLUMN_NUMBER, .forms = IN_ALL},
    {"max_win", .kind = COLUMN_NUMBER, .forms = IN_JSON},
    {"max_loss", .kind = COLUMN_NUMBER, .forms = IN_JSON},
    {"max_win_position", .kind = COLUMN_TEXT, .forms = IN_JSON},
    {"max_loss_position", .kind = COLUMN_TEXT, .forms = IN_JSON},
};

static const struct column deepest_columns[] = {
    {"phase", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"deepest", .kind = COLUMN_TEXT, .forms = IN_TEXT},
    {"plies", .kind = COLUMN_NUMBER, .forms = IN_TEXT},
    {"position", .kind = COLUMN_TEXT, .forms = IN_TEXT},
};

enum {
    N_TOTAL_COLUMNS = sizeof total_columns / sizeof *total_columns,
    N_DEEPEST_COLUMNS = sizeof deepest_columns / sizeof *deepest_columns
};

struct total_cells {
    struct cell cells[N_TOTAL_COLUMNS];
};

static struct total_cells state_total(const char *phase, const struct phase_total *t)
{
    return (struct total_cells){
        {cell_text(phase), cell_number(t->n_tables), cell_number(t->slots),
         cell_number(t->orbits), cell_number(t->win), cell_number(t->draw),
         cell_number(t->loss), cell_plies(t->max_win), cell_plies(t->max_loss),
         cell_text(t->win_example), cell_text(t->loss_example)}};
}

static enum status print_totals(const struct report *report, struct output *out,
                                struct error *err)
{
    struct listing *listing;
    const struct total_cells placing = state_total("placing", &report->placing);
    const struct total_cells moving = state_total("moving", &report->moving);
    enum status status = merels_listing_create(total_columns, N_TOTAL_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = merels_listing_add(listing, placing.cells, err);
    if (status == STATUS_OK)
        status = merels_listing_add(listing, moving.cells, err);
    if (status == STATUS_OK)
        status = merels_listing_print(listing, out, err);
    merels_listing_destroy(listing);
    return status;
}

static enum status add_deepest(struct listing *listing, const char *phase,
                               const struct phase_total *t, struct error *err)
{
    enum status status = STATUS_OK;
    const struct cell win[N_DEEPEST_COLUMNS] = {
        cell_text(phase), cell_text("win"), cell_plies(t->max_win), cell_text(t->win_example)};
    const struct cell loss[N_DEEPEST_COLUMNS] = {cell_text(phase), cell_text("loss"),
                                                 cell_plies(t->max_loss),
                                                 cell_text(t->loss_example)};
    if (t->max_win >= 0)
        status = merels_listing_add(listing, win, err);
    if (status == STATUS_OK && t->max_loss >= 0)
        status = merels_listing_add(listing, loss, err);
    return status;
}

// A deepest win and loss of each phase; nothing for tables without depths.
static enum status print_deepest(const struct report *report, struct output *out,
                                 struct error *err)
{
    struct listing *listing;
    if (!edition_has_depths(report->edition))
        return STATUS_OK;
    enum status status =
        merels_listing_create(deepest_columns, N_DEEPEST_COLUMNS, &listing, err);
    if (status != STATUS_OK)
        return status;
    status = add_deepest(listing, "placing", &report->placing, err);
    if (status == STATUS_OK)
        status = add_deepest(listing, "moving", &report->moving, err);
    if (status == STATUS_OK) {
        merels_print(out, "\n");
        status = merels_listing_print(listing, out, err);
    }
    merels_listing_destroy(listing);
    return status;
}

static json_t *total_json(const struct phase_total *total)
{
    return merels_facts_json(total_columns, N_TOTAL_COLUMNS, state_total("", total).cells);
}

// ---- as text -------------------------------------------------------------------------------

static const char *answer_text(struct answer answer, char out[QUANTITY_TEXT_BYTES])
{
    if (answer.plies >= 0)
        snprintf(out, QUANTITY_TEXT_BYTES, "%s in %d", merels_value_name(answer.value),
                 answer.plies);
    else
        snprintf(out, QUANTITY_TEXT_BYTES, "%s", merels_value_name(answer.value));
    return out;
}

static void print_opening(const struct context *context, const struct report *report,
                          struct output *out)
{
    const struct board *board = &context->rules->board;
    char text[QUANTITY_TEXT_BYTES];
    for (int k = 0; k < report->n_first; k++) {
        const struct placement_class *first = &report->first[k];
        merels_print(
            out, "%s (%d points): %s for the first side; replies:", board->names[first->ply.to],
            first->n_points, answer_text(first->answer, text));
        for (int i = 0; i < report->n_replies[k]; i++) {
            const struct placement_class *reply = &report->replies[k][i];
            merels_print(out, " %s %s%s", board->names[reply->ply.to],
                         answer_text(reply->answer, text),
                         i + 1 < report->n_replies[k] ? "," : "");
        }
        merels_print(out, "\n");
    }
}

// What is missing, and the command for it unless the verifier would refuse these rules.
static void print_unrecorded(const struct context *context, struct output *out)
{
    struct error reason;
    struct verify_rules rules;
    char text[RULES_TEXT_BYTES], command[PLANNING_ADVICE_BYTES];
    bool kept = context->args->record != NULL || merels_dir_takes_files(context->dir);
    merels_rules_text(context->rules, text);
    bool checked = merels_verify_rules_parse(text, true, &rules, &reason) == STATUS_OK;
    merels_print(out, "unverified: no record of a full verify of these tables (%s%s)\n",
                 checked ? merels_planning_command(context, "verify", command) : reason.text,
                 checked && !kept ? " --record FILE" : "");
}

static void print_record(const struct context *context, const struct report *report,
                         struct output *out)
{
    uint64_t n_others = report->n_tables - report->moving.n_tables - report->placing.n_tables;
    if (n_others > 0)
        merels_print(out, "beside them %llu tables that cannot arise in this game\n",
                     (unsigned long long)n_others);
    if (report->n_dropped > 0)
        merels_print(out, "%llu tables are not kept: of them there is what the manifest says\n",
                     (unsigned long long)report->n_dropped);
    if (report->recorded)
        merels_print(out, "%s: %llu tables, %llu slots, verifier version %d\n",
                     edition_has_depths(report->edition) ? "verified" : "consistent",
                     (unsigned long long)report->n_tables, (unsigned long long)report->n_slots,
                     VERIFY_VERSION);
    else
        print_unrecorded(context, out);
    if (report->recorded && !is_verified(report))
        merels_print(
            out, "unverified: without depths (edition wdl) draws are proved, wins and losses "
                 "only not to be\nthe opposite; the proof takes the edition dtm "
                 "(docs/VERIFY.md)\n");
}

static enum status print_report(const struct context *context, const struct report *report,
                                struct output *out, struct error *err)
{
    char rules_text[RULES_TEXT_BYTES], text[QUANTITY_TEXT_BYTES];
    merels_rules_text(context->rules, rules_text);
    merels_print(out, "Rules %s, fingerprint %s, %d men against %d:\n%s\n",
                 context->variant.text, context->variant.fingerprint,
                 context->variant.start.first_men, context->variant.start.second_men,
                 rules_text);
    merels_print(out, "The empty board: %s for the side that begins.\n\n",
                 answer_text(report->start, text));
    merels_print(out,
                 "First placements, one of each symmetry class, and every class of replies\n"
                 "(values of replies for the second side):\n");
    print_opening(context, report, out);
    merels_print(out, "\n");
    if (report->edition == EDITION_COMPACT) {
        merels_print(out, "unverified: %s\n", report->unrecorded.text);
        return STATUS_OK;
    }
    enum status status = print_totals(report, out, err);
    if (status == STATUS_OK)
        status = print_deepest(report, out, err);
    if (status != STATUS_OK)
        return status;
    merels_print(out, "\nroot hash %s\n", report->root);
    print_record(context, report, out);
    return STATUS_OK;
}

// ---- as JSON -------------------------------------------------------------------------------

static json_t *class_json(const struct context *context, const struct placement_class *c)
{
    return json_pack("{s:s, s:i, s:s, s:o}", "move", context->rules->board.names[c->ply.to],
                     "points", c->n_points, "value", merels_value_name(c->answer.value),
                     "plies", merels_json_plies(c->answer.plies));
}

static json_t *replies_json(const struct context *context, const struct report *report, int k)
{
    json_t *list = json_array();
    for (int i = 0; i < report->n_replies[k]; i++)
        if (json_array_append_new(list, class_json(context, &report->replies[k][i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *opening_json(const struct context *context, const struct report *report)
{
    json_t *list = json_array();
    for (int k = 0; k < report->n_first; k++) {
        json_t *first = class_json(context, &report->first[k]);
        if (json_object_set_new(first, "replies", replies_json(context, report, k)) != 0 ||
            json_array_append_new(list, first) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *record_json(const struct report *report, enum edition edition)
{
    if (!report->recorded || report->edition != edition)
        return json_null();
    return json_pack("{s:I, s:I, s:i}", "tables", (json_int_t)report->n_tables, "slots",
                     (json_int_t)report->n_slots, "verifier_version", VERIFY_VERSION);
}

static json_t *report_json(const struct context *context, const struct report *report)
{
    char rules_text[RULES_TEXT_BYTES];
    merels_rules_text(context->rules, rules_text);
    return json_pack(
        "{s:s, s:s, s:s, s:[ii], s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:s, s:s, s:b, s:o, s:o}",
        "rules", context->variant.text, "fingerprint", context->variant.fingerprint,
        "rules_text", rules_text, "men", context->variant.start.first_men,
        context->variant.start.second_men, "value", merels_value_name(report->start.value),
        "plies", merels_json_plies(report->start.plies), "first_placements",
        opening_json(context, report), "placing", total_json(&report->placing), "moving",
        total_json(&report->moving), "tables", (json_int_t)report->n_tables, "not_kept",
        (json_int_t)report->n_dropped, "root_hash", report->root, "edition",
        merels_edition_name(report->edition), "verified", (int)is_verified(report),
        "verify_record", record_json(report, edition_of_rules(context->rules)),
        "consistency_record", record_json(report, EDITION_WDL));
}

// ---- the command ---------------------------------------------------------------------------

static enum status write_report(const struct context *context, const struct report *report,
                                struct error *err)
{
    enum status status = STATUS_OK;
    if (context->args->json)
        status = merels_print_json(context->out, report_json(context, report), false, err);
    else
        status = print_report(context, report, context->out, err);
    if (status != STATUS_OK || is_verified(report))
        return status;
    if (report->recorded)
        return merels_error(err, STATUS_MISMATCH,
                            "%s: unverified: consistent, but the edition wdl has no depths to "
                            "prove values by",
                            context->dir);
    return merels_error(err, STATUS_MISMATCH, "%s: unverified: %s", context->dir,
                        report->unrecorded.text);
}

static enum status run_prove(struct context *context, struct error *err)
{
    if (context->rules->closed_points == CLOSED_POINTS_YES)
        return merels_searched_proof(context, err);
    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the report");
    enum status status = fill_report(context, report, err);
    if (status == STATUS_OK)
        status = write_report(context, report, err);
    free(report);
    return status;
}

const struct command merels_command_prove = {
    .name = "prove",
    .operands = "RULES",
    .min_operands = 1,
    .max_operands = 1,
    .needs = NEEDS_TABLES,
    .takes =
        TAKES(OPTION_DB) | TAKES(OPTION_METRIC) | TAKES(OPTION_JSON) | TAKES(OPTION_RECORD),
    .closed_points = true,
    .summary = "report the value of the game with its evidence",
    .details =
        "From a finished tablebase: rules and fingerprint, the value of the empty\n"
        "board, of every first placement by symmetry class and of every class of\n"
        "replies, totals and deepest positions of both phases, the root hash, and the\n"
        "record that \"merels verify\" left (in FILE with --record). Without a record\n"
        "that matches the root hash it says \"unverified\" and exits 1, and always for\n"
        "tables without depths (edition wdl), whose record proves less. All files are\n"
        "hashed first and compared with the manifest, so a changed table is no report.\n"
        "The same tables give the same report to the byte. Under closed-points the value\n"
        "is searched (merels search), and the record is that of the tables in which the\n"
        "search ends.",
    .example = "  merels prove nine",
    .run = run_prove,
};
