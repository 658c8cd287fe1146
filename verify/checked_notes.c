// checked_notes.c: two small text files in the directory of the tablebase.
//
// VERIFY.notes, while a check is under way: one line for each table checked, with the hashes of
// its file and of the files that it was checked against. A line counts only while these are the
// hashes that the manifest has and the files were found to have.
//
// VERIFIED, after everything was checked: root hash, version, numbers; no time, so that the
// same tablebase has the same record. A tablebase without depths (edition wdl) never has it:
// what was found there is less (docs/VERIFY.md) and is recorded as CONSISTENT.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "verify/verify_run.h"

static const char notes_name[] = "VERIFY.notes";
static const char proof_name[] = "VERIFIED";
static const char consistent_name[] = "CONSISTENT";

enum { NOTE_BYTES = 3 * (2 * DIGEST_BYTES) + COUNTS_NAME_BYTES + 16, HEAD_BYTES = 64 };

static int put_head(char out[HEAD_BYTES])
{
    return snprintf(out, HEAD_BYTES, "Merels notes of verified tables, verifier version %d\n",
                    VERIFY_VERSION);
}

static const char *file_hash(const struct session *session, struct counts counts)
{
    const struct source_table *t = merels_verify_find(&session->source, counts);
    return t == NULL ? "-" : t->file;
}

static int put_note(const struct session *session, const struct source_table *t,
                    char out[NOTE_BYTES])
{
    struct needs needs = merels_verify_needs(&session->ground->charter, t->counts);
    return snprintf(out, NOTE_BYTES, "%s %s %s %s\n", t->name, t->file,
                    needs.ended ? "-" : file_hash(session, needs.quiet),
                    needs.removes ? file_hash(session, needs.removal) : "-");
}

enum status merels_verify_read_notes(const struct session *session, bool *noted,
                                     struct error *err)
{
    char *text, head[HEAD_BYTES], note[NOTE_BYTES];
    enum status status = merels_verify_load_text(session->source.dir, notes_name, &text, err);
    if (status != STATUS_OK)
        return status;
    int n_head = put_head(head);
    bool known = strncmp(text, head, (size_t)n_head) == 0;
    for (size_t k = 0; k < session->source.n_tables; k++) {
        put_note(session, &session->source.tables[k], note);
        const char *found = known ? strstr(text + n_head - 1, note) : NULL;
        noted[k] = found != NULL && found[-1] == '\n';
    }
    free(text);
    return STATUS_OK;
}

enum status merels_verify_write_notes(const struct session *session, const bool *noted,
                                      struct error *err)
{
    size_t room = HEAD_BYTES + session->source.n_tables * NOTE_BYTES;
    char *text = malloc(room + 1);
    if (text == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the notes");
    size_t n = (size_t)put_head(text);
    for (size_t k = 0; k < session->source.n_tables; k++)
        if (noted[k])
            n += (size_t)put_note(session, &session->source.tables[k], text + n);
    enum status status =
        merels_verify_store_text(session->source.dir, notes_name, text, n, err);
    free(text);
    return status;
}

int merels_verify_record(const char *root, uint64_t n_tables, uint64_t n_slots, bool wdl,
                         char text[VERIFY_RECORD_BYTES])
{
    return snprintf(text, VERIFY_RECORD_BYTES,
                    "Merels record of %s\nroot %s\nverifier-version %d\n"
                    "tables %llu\nslots %llu\n",
                    wdl ? "consistent values without depths" : "a verified tablebase", root,
                    VERIFY_VERSION, (unsigned long long)n_tables, (unsigned long long)n_slots);
}

enum status merels_verify_write_record(const struct session *session, uint64_t n_slots,
                                       struct error *err)
{
    char text[VERIFY_RECORD_BYTES];
    const struct source *source = &session->source;
    int n = merels_verify_record(source->root, source->n_tables, n_slots, source->wdl, text);
    return merels_verify_store_text(source->dir, source->wdl ? consistent_name : proof_name,
                                    text, (size_t)n, err);
}

enum status merels_verify_drop_record(const struct session *session, struct error *err)
{
    const char *dir = session->source.dir;
    enum status status = merels_verify_remove_text(dir, proof_name, err);
    return status == STATUS_OK ? merels_verify_remove_text(dir, consistent_name, err) : status;
}
