// manifest_notes.c: optional lines: finding one by its key and table, and putting one in its
// place.

#include "db/manifest_notes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIELD_BYTES = SUBSPACE_NAME_BYTES + 2 * SHA256_BYTES + 2, // " 3-3=<64 digits>"
    NOTE_BYTES = 64 + (1 + MAX_SUCCESSORS) * FIELD_BYTES,
};

static const char made_key[] = "made", evidence_key[] = "evidence";

// ---- lines ---------------------------------------------------------------------------------

// "#? KEY NAME ", with which the line begins; returns the length.
static size_t put_head(char out[NOTE_BYTES], const char *key, struct subspace s)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(s, name);
    return (size_t)snprintf(out, NOTE_BYTES, "#? %s %s ", key, name);
}

// The line that begins so, or NULL.
static const char *find_line(const struct manifest *manifest, const char *head, size_t n_head)
{
    const char *at = manifest->notes;
    while (at != NULL && strncmp(at, head, n_head) != 0) {
        at = strchr(at, '\n');
        at = at == NULL || at[1] == '\0' ? NULL : at + 1;
    }
    return at;
}

static size_t notes_bytes(const struct manifest *manifest)
{
    return manifest->notes == NULL ? 0 : strlen(manifest->notes);
}

// Puts a line with its line feed, or nothing, in the place of the one that begins with the
// head; if there is none, at `place`.
static enum status replace_line(struct manifest *manifest, const char *head, size_t n_head,
                                const char *line, size_t place, struct error *err)
{
    const char *old = find_line(manifest, head, n_head);
    size_t n_notes = notes_bytes(manifest);
    size_t before = old == NULL ? place : (size_t)(old - manifest->notes);
    size_t after = old == NULL ? place : before + strcspn(old, "\n") + 1;
    size_t n_line = strlen(line);
    char *text = malloc(n_notes + n_line + 1);
    if (text == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a manifest");
    if (before > 0)
        memcpy(text, manifest->notes, before);
    memcpy(text + before, line, n_line);
    if (n_notes > after)
        memcpy(text + before + n_line, manifest->notes + after, n_notes - after);
    text[before + n_line + (n_notes - after)] = '\0';
    free(manifest->notes);
    manifest->notes = text[0] == '\0' ? NULL : text;
    if (text[0] == '\0')
        free(text);
    return STATUS_OK;
}

// Behind all, if it is new.
static enum status put_line(struct manifest *manifest, const char *line, size_t n_head,
                            struct error *err)
{
    return replace_line(manifest, line, n_head, line, notes_bytes(manifest), err);
}

// The table of a line of this key; false if it is another line.
static bool line_is_of(const char *line, const char *key, struct subspace *s)
{
    char start[NOTE_BYTES], name[SUBSPACE_NAME_BYTES];
    int n = snprintf(start, sizeof start, "#? %s ", key);
    size_t n_name = strcspn(line, "\n") > (size_t)n ? strcspn(line + n, " \n") : 0;
    if (strncmp(line, start, (size_t)n) != 0 || n_name == 0 || n_name >= sizeof name)
        return false;
    memcpy(name, line + n, n_name);
    name[n_name] = '\0';
    return merels_subspace_parse(name, s, NULL) == STATUS_OK;
}

// The place of a new line among those of its key, in listing order: in whatever order tables
// are made, the manifest is the same.
static size_t place_in_order(const struct manifest *manifest, const char *key,
                             struct subspace s)
{
    struct subspace other;
    for (const char *at = manifest->notes; at != NULL && *at != '\0';) {
        if (line_is_of(at, key, &other) && merels_subspace_compare(other, s) > 0)
            return (size_t)(at - manifest->notes);
        at = strchr(at, '\n');
        at = at == NULL ? NULL : at + 1;
    }
    return notes_bytes(manifest);
}

static bool has_line(const struct manifest *manifest, const char *line, size_t n_head)
{
    const char *found = find_line(manifest, line, n_head);
    return found != NULL && strncmp(found, line, strlen(line)) == 0;
}

// ---- who made a table ----------------------------------------------------------------------

static size_t put_made(char line[NOTE_BYTES], struct subspace s, struct start start)
{
    size_t n_head = put_head(line, made_key, s);
    snprintf(line + n_head, NOTE_BYTES - n_head, "%d-%d\n", start.first_men, start.second_men);
    return n_head;
}

enum status merels_note_made(struct manifest *manifest, struct subspace s, struct start start,
                             struct error *err)
{
    char line[NOTE_BYTES];
    size_t n_head = put_made(line, s, start);
    return put_line(manifest, line, n_head, err);
}

enum status merels_note_unmade(struct manifest *manifest, struct subspace s, struct error *err)
{
    char head[NOTE_BYTES];
    size_t n_head = put_head(head, made_key, s);
    if (find_line(manifest, head, n_head) == NULL)
        return STATUS_OK;
    return replace_line(manifest, head, n_head, "", 0, err);
}

bool merels_noted_made(const struct manifest *manifest, struct subspace s, struct start start)
{
    char line[NOTE_BYTES];
    size_t n_head = put_made(line, s, start);
    return has_line(manifest, line, n_head);
}

// ---- evidence ------------------------------------------------------------------------------

static int compare_subspaces(const void *x, const void *y)
{
    return merels_subspace_compare(*(const struct subspace *)x, *(const struct subspace *)y);
}

// The tables that the plies of a table lead to, each once, in listing order, without itself.
static int list_successors(const struct rules *rules, struct subspace s,
                           struct subspace list[MAX_SUCCESSORS])
{
    struct subspace all[MAX_SUCCESSORS];
    int n_all = merels_subspace_successors(rules, s, all), n = 0;
    for (int k = 0; k < n_all; k++)
        if (!merels_subspace_equal(all[k], s) &&
            !merels_subspace_among(list, (size_t)n, all[k]))
            list[n++] = all[k];
    qsort(list, (size_t)n, sizeof *list, compare_subspaces);
    return n;
}

// The hash of the values of a table in evidence, or NULL.
static const uint8_t *hash_of(const struct evidence *evidence, struct subspace s)
{
    for (int k = 0; k < evidence->n; k++)
        if (merels_subspace_equal(evidence->tables[k].subspace, s))
            return evidence->tables[k].value_hash;
    return NULL;
}

// The line of some evidence; false if it is not of the successors. *n_head as in put_line.
static bool put_evidence(const struct rules *rules, int verifier,
                         const struct evidence *evidence, char line[NOTE_BYTES], size_t *n_head)
{
    struct subspace list[MAX_SUCCESSORS], s = evidence->tables[0].subspace;
    char name[SUBSPACE_NAME_BYTES], hex[2 * SHA256_BYTES + 1];
    int n_list = list_successors(rules, s, list);
    size_t n = *n_head = put_head(line, evidence_key, s);
    merels_hex(evidence->tables[0].value_hash, SHA256_BYTES, hex);
    n += (size_t)snprintf(line + n, NOTE_BYTES - n, "verifier=%d values=%s", verifier, hex);
    for (int k = 0; k < n_list; k++) {
        const uint8_t *hash = hash_of(evidence, list[k]);
        if (hash == NULL)
            return false;
        merels_subspace_name(list[k], name);
        merels_hex(hash, SHA256_BYTES, hex);
        n += (size_t)snprintf(line + n, NOTE_BYTES - n, " %s=%s", name, hex);
    }
    snprintf(line + n, NOTE_BYTES - n, "\n");
    return evidence->n == n_list + 1;
}

enum status merels_note_evidence(struct manifest *manifest, const struct rules *rules,
                                 int verifier, const struct evidence *evidence,
                                 struct error *err)
{
    char line[NOTE_BYTES], name[SUBSPACE_NAME_BYTES];
    size_t n_head;
    struct subspace s = evidence->tables[0].subspace;
    if (put_evidence(rules, verifier, evidence, line, &n_head))
        return replace_line(manifest, line, n_head, line,
                            place_in_order(manifest, evidence_key, s), err);
    merels_subspace_name(evidence->tables[0].subspace, name);
    return merels_error(err, STATUS_MISMATCH,
                        "%s was checked against other tables than its plies lead to", name);
}

// What evidence would have to say to hold.
static bool expect(const struct manifest *manifest, const struct rules *rules,
                   struct subspace s, struct evidence *evidence)
{
    struct subspace list[MAX_SUCCESSORS];
    int n = list_successors(rules, s, list);
    evidence->n = 0;
    for (int k = -1; k < n; k++) {
        struct seen_table *seen = &evidence->tables[evidence->n++];
        seen->subspace = k < 0 ? s : list[k];
        const struct manifest_entry *entry = merels_manifest_find(manifest, seen->subspace);
        if (entry == NULL)
            return false;
        memcpy(seen->value_hash, entry->header.value_hash, SHA256_BYTES);
    }
    return true;
}

bool merels_noted_evidence(const struct manifest *manifest, const struct rules *rules,
                           struct subspace s, int verifier)
{
    const struct manifest *solved = merels_manifest_of(manifest, edition_of_rules(rules));
    char line[NOTE_BYTES];
    size_t n_head;
    struct evidence evidence;
    return solved != NULL && manifest->notes != NULL && expect(solved, rules, s, &evidence) &&
           put_evidence(rules, verifier, &evidence, line, &n_head) &&
           has_line(manifest, line, n_head);
}
