// searched_proof.c: a search for the value, a manifest and a record for what it rests on.
//
// The search asks for each side whether it at least draws. What it ends in are values of the
// moving phase, which a verify has recomputed. Only the search itself has no second program:
// the tests hold it against a naive solver on small boards.

#include "query/searched_proof.h"

#include <stdlib.h>

#include "db/arise.h"
#include "db/manifest.h"
#include "game/notation.h"
#include "game/rules_text.h"
#include "query/evidence.h"
#include "query/start_search.h"
#include "query/value_text.h"
#include "verify/verify.h"

struct searched_report {
    struct search_result search;
    uint64_t n_moving;          // tables of the moving phase that can arise
    uint64_t n_tables, n_slots; // of all that the record speaks of
    char tables[RULES_NAME_BYTES], root[2 * SHA256_BYTES + 1];
    enum edition edition;
    bool recorded;
    struct error unrecorded; // why not
};

// ---- evidence ------------------------------------------------------------------------------

static enum status check_moving(const struct context *context, const struct rules *rules,
                                const struct manifest *manifest, uint64_t *n_moving,
                                struct error *err)
{
    struct subspace *arising = NULL;
    size_t n = 0;
    char name[SUBSPACE_NAME_BYTES];
    enum status status =
        merels_subspaces_arising(rules, context->variant.start, &arising, &n, err);
    for (size_t k = 0; k < n && status == STATUS_OK; k++) {
        if (arising[k].ha + arising[k].hb > 0)
            continue;
        merels_subspace_name(arising[k], name);
        if (merels_manifest_find(manifest, arising[k]))
            ++*n_moving;
        else
            status = merels_error(err, STATUS_MISSING, "%s: missing: subspace %s of %s",
                                  context->dir, name, "the moving phase");
    }
    free(arising);
    return status;
}

static void take_manifest(const struct manifest *manifest, struct searched_report *report)
{
    merels_hex(manifest->root_hash, SHA256_BYTES, report->root);
    report->edition = manifest->edition;
    report->n_tables = manifest->n_entries;
    for (size_t k = 0; k < manifest->n_entries; k++)
        report->n_slots += manifest->entries[k].header.n_slots;
}

static enum status find_evidence(const struct context *context, const struct rules *rules,
                                 struct searched_report *report, struct error *err)
{
    struct manifest manifest = {0};
    enum status status = merels_manifest_read(context->dir, rules, &manifest, err);
    if (status == STATUS_OK)
        status = merels_manifest_check(context->dir, rules, &manifest, err);
    if (status == STATUS_OK)
        status = check_moving(context, rules, &manifest, &report->n_moving, err);
    if (status == STATUS_OK) {
        take_manifest(&manifest, report);
        report->recorded = edition_has_depths(report->edition) &&
                           merels_evidence_found(context->dir, context->args->record, rules,
                                                 &manifest, &report->unrecorded);
        if (!edition_has_depths(report->edition))
            merels_error(&report->unrecorded, STATUS_MISMATCH,
                         "the edition %s has no depths to prove values by",
                         merels_edition_name(report->edition));
    }
    merels_manifest_free(&manifest);
    return status;
}

static enum status fill_report(const struct context *context, struct searched_report *report,
                               struct error *err)
{
    struct rules *rules = malloc(sizeof *rules);
    if (rules == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules of the tables");
    merels_rules_of_tables(context->rules, rules);
    merels_rules_name(rules, report->tables);
    enum status status = find_evidence(context, rules, report, err);
    free(rules);
    return status == STATUS_OK ? merels_start_search(context, &report->search, err) : status;
}

// ---- printing ------------------------------------------------------------------------------

static void print_side(const struct searched_report *report, enum colour side,
                       struct output *out)
{
    merels_print(out, "%s %s.\n", side == WHITE ? "White" : "Black",
                 report->search.sides[side].at_least_draws ? "at least draws" : "loses");
}

static void print_report(const struct context *context, const struct searched_report *report)
{
    char rules_text[RULES_TEXT_BYTES];
    struct output *out = context->out;
    merels_rules_text(context->rules, rules_text);
    merels_print(out, "Rules %s, fingerprint %s, %d men against %d:\n%s\n",
                 context->variant.text, context->variant.fingerprint,
                 context->variant.start.first_men, context->variant.start.second_men,
                 rules_text);
    merels_print(
        out,
        "The empty board: %s for the side that begins, by two searches over the moving "
        "phase of %s:\n",
        merels_value_name(report->search.value), report->tables);
    print_side(report, WHITE, out);
    print_side(report, BLACK, out);
    merels_print(out, "\nThat phase: %llu tables of %s, root hash %s\n",
                 (unsigned long long)report->n_moving, report->tables, report->root);
    if (report->recorded)
        merels_print(out, "verified: %llu tables, %llu slots, verifier version %d\n",
                     (unsigned long long)report->n_tables, (unsigned long long)report->n_slots,
                     VERIFY_VERSION);
    else
        merels_print(out, "unverified: no record of a full verify of these tables (%s)\n",
                     report->unrecorded.text);
}

static json_t *side_json(const struct searched_report *report, enum colour side)
{
    return json_boolean(report->search.sides[side].at_least_draws);
}

static json_t *report_json(const struct context *context, const struct searched_report *report)
{
    char rules_text[RULES_TEXT_BYTES];
    merels_rules_text(context->rules, rules_text);
    return json_pack("{s:s, s:s, s:s, s:[ii], s:s, s:n, s:o, s:o, s:s, s:I, s:s, s:s, s:b}",
                     "rules", context->variant.text, "fingerprint",
                     context->variant.fingerprint, "rules_text", rules_text, "men",
                     context->variant.start.first_men, context->variant.start.second_men,
                     "value", merels_value_name(report->search.value), "plies",
                     "white_at_least_draws", side_json(report, WHITE), "black_at_least_draws",
                     side_json(report, BLACK), "tables_of", report->tables, "moving_tables",
                     (json_int_t)report->n_moving, "root_hash", report->root, "edition",
                     merels_edition_name(report->edition), "verified", (int)report->recorded);
}

enum status merels_searched_proof(const struct context *context, struct error *err)
{
    struct searched_report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the report");
    enum status status = fill_report(context, report, err);
    if (status == STATUS_OK && context->args->json)
        status = merels_print_json(context->out, report_json(context, report), false, err);
    else if (status == STATUS_OK)
        print_report(context, report);
    if (status == STATUS_OK && !report->recorded)
        status = merels_error(err, STATUS_MISMATCH, "%s: unverified: %s", context->dir,
                              report->unrecorded.text);
    free(report);
    return status;
}
