// verify_record.c: the record's text, its place, and writing and removing it.

#include "verify/verify_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/small_files.h"
#include "verify/table_files.h"

static const char record_head[] = "Merels record of ";
static const char proof_name[] = "VERIFIED", consistent_name[] = "CONSISTENT";
static const char proof_notes[] = "VERIFY.notes", consistent_notes[] = "CONSISTENT.notes";
static const char notes_ending[] = ".notes";

int merels_verify_record(const char *root, uint64_t n_tables, uint64_t n_slots, bool wdl,
                         char text[VERIFY_RECORD_BYTES])
{
    return snprintf(text, VERIFY_RECORD_BYTES,
                    "%s%s\nroot %s\nverifier-version %d\ntables %llu\nslots %llu\n",
                    record_head,
                    wdl ? "consistent values without depths" : "a verified tablebase", root,
                    VERIFY_VERSION, (unsigned long long)n_tables, (unsigned long long)n_slots);
}

// ---- the place -----------------------------------------------------------------------------

// "dir" of "dir/name", "/" of "/name", "." of "name"; *name begins behind the last slash.
static char *parent_of(const char *path, const char **name)
{
    const char *slash = strrchr(path, '/');
    *name = slash == NULL ? path : slash + 1;
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static void place_beside(const char *record_file, struct verify_place *place)
{
    const char *name;
    place->dir = parent_of(record_file, &name);
    place->record = strdup(name);
    place->notes = malloc(strlen(name) + sizeof notes_ending);
    if (place->notes != NULL)
        strcat(strcpy(place->notes, name), notes_ending);
}

enum status merels_verify_place_make(const char *dir, const char *record_file, bool wdl,
                                     struct verify_place *place, struct error *err)
{
    *place = (struct verify_place){0};
    if (record_file != NULL)
        place_beside(record_file, place);
    else
        *place = (struct verify_place){.dir = strdup(dir),
                                       .record = strdup(wdl ? consistent_name : proof_name),
                                       .notes = strdup(wdl ? consistent_notes : proof_notes)};
    bool whole = place->dir != NULL && place->notes != NULL && place->record != NULL;
    return whole ? STATUS_OK
                 : merels_error(err, STATUS_NO_MEMORY, "out of memory for the record");
}

void merels_verify_place_free(struct verify_place *place)
{
    free(place->dir);
    free(place->record);
    free(place->notes);
    *place = (struct verify_place){0};
}

// A file of somebody else is neither removed nor written over.
static enum status check_own(const struct verify_place *place, struct error *err)
{
    char *text;
    enum status status = merels_verify_load_text(place->dir, place->record, &text, err);
    if (status != STATUS_OK)
        return status;
    bool own = text[0] == '\0' || strncmp(text, record_head, strlen(record_head)) == 0;
    free(text);
    return own ? STATUS_OK
               : merels_error(err, STATUS_BAD_INPUT,
                              "%s/%s: there already, and no record of a verify", place->dir,
                              place->record);
}

enum status merels_verify_place_check(const struct verify_place *place, struct error *err)
{
    char *text;
    enum status status = check_own(place, err);
    if (status == STATUS_OK)
        status = merels_verify_load_text(place->dir, place->notes, &text, err);
    if (status != STATUS_OK)
        return status;
    status = merels_verify_store_text(place->dir, place->notes, text, strlen(text), err);
    if (status == STATUS_OK && text[0] == '\0')
        status = merels_verify_remove_text(place->dir, place->notes, err);
    free(text);
    return status;
}

// ---- the record ----------------------------------------------------------------------------

enum status merels_verify_record_write(const struct verify_place *place, const char *text,
                                       struct error *err)
{
    return merels_verify_store_text(place->dir, place->record, text, strlen(text), err);
}

enum status merels_verify_record_drop(const struct verify_place *place, struct error *err)
{
    return merels_verify_remove_text(place->dir, place->record, err);
}
