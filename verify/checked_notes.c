// checked_notes.c: reading and writing the notes of checked tables.

#include "verify/checked_notes.h"
#include "verify/small_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NOTE_BYTES = (1 + MAX_WAYS) * (2 * DIGEST_BYTES + 1) + COUNTS_NAME_BYTES + 2,
    HEAD_BYTES = 64
};

static int put_head(char out[HEAD_BYTES])
{
    return snprintf(out, HEAD_BYTES, "Merels notes of verified tables, verifier version %d\n",
                    VERIFY_VERSION);
}

static const char *file_hash(const struct verify_run *run, struct counts counts)
{
    const struct checked_table *t = merels_verify_find(&run->files, counts);
    return t == NULL ? "-" : t->file;
}

// The table, its file, and the files of all that its plies lead to.
static int put_note(const struct verify_run *run, const struct checked_table *t,
                    char out[NOTE_BYTES])
{
    struct verify_plies plies = merels_verify_plies(&run->index->rules, t->counts);
    int n = snprintf(out, NOTE_BYTES, "%s %s", t->name, t->file);
    for (int w = 0; w < plies.n_ways; w++)
        n += snprintf(out + n, (size_t)(NOTE_BYTES - n), " %s",
                      plies.ways[w].ends ? "-" : file_hash(run, plies.ways[w].after));
    return n + snprintf(out + n, (size_t)(NOTE_BYTES - n), "\n");
}

enum status merels_verify_read_notes(const struct verify_run *run,
                                     const struct verify_place *place, bool *noted,
                                     struct error *err)
{
    char *text, head[HEAD_BYTES], note[NOTE_BYTES];
    enum status status = merels_verify_load_text(place->dir, place->notes, &text, err);
    if (status != STATUS_OK)
        return status;
    int n_head = put_head(head);
    bool known = strncmp(text, head, (size_t)n_head) == 0;
    for (size_t k = 0; k < run->files.n_tables; k++) {
        put_note(run, &run->files.tables[k], note);
        const char *found = known ? strstr(text + n_head - 1, note) : NULL;
        noted[k] = found != NULL && found[-1] == '\n';
    }
    free(text);
    return STATUS_OK;
}

enum status merels_verify_write_notes(const struct verify_run *run,
                                      const struct verify_place *place, const bool *noted,
                                      struct error *err)
{
    size_t room = HEAD_BYTES + run->files.n_tables * NOTE_BYTES;
    char *text = malloc(room + 1);
    if (text == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the notes");
    size_t n = (size_t)put_head(text);
    for (size_t k = 0; k < run->files.n_tables; k++)
        if (noted[k])
            n += (size_t)put_note(run, &run->files.tables[k], text + n);
    enum status status = merels_verify_store_text(place->dir, place->notes, text, n, err);
    free(text);
    return status;
}
