// evidence.c: the record that a complete verify leaves in a tablebase.

#include "query/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/file.h"

enum { RECORD_LIMIT = 4096 };

enum status merels_evidence_read(const char *dir, struct verify_record *record,
                                 struct error *err)
{
    char *path = NULL, *text = NULL;
    size_t n_bytes;
    enum status status = merels_path_join(dir, "VERIFIED", "", &path, err);
    if (status == STATUS_OK)
        status = merels_file_load(path, RECORD_LIMIT, &text, &n_bytes, err);
    int end = 0;
    if (status == STATUS_OK &&
        (sscanf(text,
                "Merels record of a verified tablebase root %64[0-9a-f] verifier-version %d "
                "tables %zu slots %llu %n",
                record->root, &record->version, &record->n_tables, &record->n_slots,
                &end) != 4 ||
         end == 0 || text[end] != '\0' || strlen(record->root) != 2 * SHA256_BYTES))
        status = merels_error(err, STATUS_CORRUPT, "%s: not a record of a verify", path);
    free(text);
    free(path);
    return status;
}
