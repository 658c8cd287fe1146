// evidence.c: the record that a complete verify leaves in a tablebase.

#include "query/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"

enum { RECORD_LIMIT = 4096 };

static const struct {
    const char *name, *first_line;
} kinds[] = {
    [EDITION_DTM] = {"VERIFIED", "Merels record of a verified tablebase\n"},
    [EDITION_WDL] = {"CONSISTENT", "Merels record of consistent values without depths\n"},
};

static bool scan(const char *text, const char *first_line, struct verify_record *record)
{
    int end = 0;
    size_t n = strlen(first_line);
    return strncmp(text, first_line, n) == 0 &&
           sscanf(text + n, "root %64[0-9a-f] verifier-version %d tables %zu slots %llu %n",
                  record->root, &record->version, &record->n_tables, &record->n_slots,
                  &end) == 4 &&
           end > 0 && text[n + (size_t)end] == '\0' && strlen(record->root) == 2 * SHA256_BYTES;
}

enum status merels_evidence_read(const char *dir, enum edition edition,
                                 struct verify_record *record, struct error *err)
{
    char *path = NULL, *text = NULL;
    size_t n_bytes;
    enum status status = merels_path_join(dir, kinds[edition].name, "", &path, err);
    if (status == STATUS_OK)
        status = merels_file_load(path, RECORD_LIMIT, &text, &n_bytes, err);
    if (status == STATUS_OK && !scan(text, kinds[edition].first_line, record))
        status = merels_error(err, STATUS_CORRUPT, "%s: not a record of a verify", path);
    free(text);
    free(path);
    return status;
}
