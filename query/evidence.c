// evidence.c: the record that a complete verify leaves in a tablebase, and what the tables have
// of their own.

#include "query/evidence.h"

#include <stdlib.h>
#include <string.h>

#include "db/file.h"
#include "db/manifest_notes.h"
#include "verify/verify_record.h"

static size_t expected_record(const struct manifest *manifest, char text[VERIFY_RECORD_BYTES])
{
    char root[2 * SHA256_BYTES + 1];
    uint64_t n_slots = 0;
    for (size_t k = 0; k < manifest->n_entries; k++)
        n_slots += manifest->entries[k].header.n_slots;
    merels_hex(manifest->root_hash, SHA256_BYTES, root);
    return (size_t)merels_verify_record(root, manifest->n_entries, n_slots,
                                        manifest->edition == EDITION_WDL, text);
}

static bool record_found(const char *dir, const char *file, const struct manifest *manifest,
                         struct error *why)
{
    char expected[VERIFY_RECORD_BYTES], *path = NULL, *text = NULL;
    size_t n = expected_record(manifest, expected), n_bytes;
    const char *name = manifest->edition == EDITION_WDL ? "CONSISTENT" : "VERIFIED";
    enum status status = STATUS_OK;
    if (file == NULL)
        status = merels_path_join(dir, name, "", &path, why);
    if (status == STATUS_OK)
        status = merels_file_load(file == NULL ? path : file, VERIFY_RECORD_BYTES, &text,
                                  &n_bytes, why);
    if (status == STATUS_MISSING)
        status = merels_error(why, status, "there is no record of a full verify");
    if (status == STATUS_OK && (n_bytes != n || memcmp(text, expected, n) != 0))
        status = merels_error(why, STATUS_MISMATCH,
                              "%s: not the record of a full verify of these tables",
                              file == NULL ? path : file);
    free(text);
    free(path);
    return status == STATUS_OK;
}

// How many tables have evidence that holds; a table without is named.
static size_t count_evidence(const struct rules *rules, const struct manifest *manifest,
                             char lacking[SUBSPACE_NAME_BYTES])
{
    size_t n = 0;
    for (size_t k = manifest->n_entries; k-- > 0;) {
        struct subspace s = manifest->entries[k].subspace;
        if (merels_noted_evidence(manifest, rules, s, VERIFY_VERSION))
            n++;
        else
            merels_subspace_name(s, lacking);
    }
    return n;
}

bool merels_evidence_found(const char *dir, const char *file, const struct rules *rules,
                           const struct manifest *manifest, struct error *why)
{
    char lacking[SUBSPACE_NAME_BYTES];
    struct error reason;
    if (record_found(dir, file, manifest, &reason))
        return true;
    size_t n = file == NULL && edition_has_depths(manifest->edition) && manifest->n_entries > 0
                   ? count_evidence(rules, manifest, lacking)
                   : 0;
    if (n > 0 && n == manifest->n_entries)
        return true;
    if (n == 0)
        merels_error(why, reason.status, "%s", reason.text);
    else
        merels_error(why, STATUS_MISMATCH,
                     "%s, and of %zu tables %zu have no evidence that holds, as %s",
                     reason.text, manifest->n_entries, manifest->n_entries - n, lacking);
    return false;
}
