// verify_unit.c: a table and its successors, opened, checked, closed.

#include "verify/verify_unit.h"

#include <stdlib.h>
#include <string.h>

#include "verify/check_table.h"

struct unit_verifier {
    const char *rules_text;
    struct verify_options options;
    struct verify_run run; // without files between the checks
};

enum status merels_unit_verifier_create(const char *rules_text,
                                        const struct verify_options *options,
                                        struct unit_verifier **verifier, struct error *err)
{
    struct unit_verifier *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a verifier");
    made->rules_text = rules_text;
    made->options = *options;
    enum status status = merels_verify_run_start(&made->run, rules_text, options->any_board,
                                                 options->cpu_level, options->n_threads, err);
    if (status != STATUS_OK) {
        merels_unit_verifier_destroy(made);
        return status;
    }
    *verifier = made;
    return STATUS_OK;
}

void merels_unit_verifier_destroy(struct unit_verifier *verifier)
{
    if (verifier == NULL)
        return;
    merels_verify_run_free(&verifier->run);
    free(verifier);
}

// ---- what is read --------------------------------------------------------------------------

static bool is_among(const struct counts *list, int n, struct counts counts)
{
    for (int k = 0; k < n; k++)
        if (merels_verify_same(list[k], counts))
            return true;
    return false;
}

// The table of a name, then those that its plies lead to, each once; returns how many, 0 if it
// is no name.
static int list_read(const struct unit_verifier *verifier, const char *name,
                     struct counts list[VERIFY_MAX_READ])
{
    _Static_assert((int)VERIFY_MAX_READ > (int)MAX_WAYS,
                   "room for the table and all that follows");
    int n = 0;
    if (!merels_verify_parse_name(name, strlen(name), &list[n++]))
        return 0;
    struct verify_plies plies = merels_verify_plies(&verifier->run.index->rules, list[0]);
    for (int w = 0; w < plies.n_ways; w++)
        if (!plies.ways[w].ends && !is_among(list, n, plies.ways[w].after))
            list[n++] = plies.ways[w].after;
    return n;
}

uint64_t merels_unit_verifier_bytes(struct unit_verifier *verifier, const char *name)
{
    struct counts list[VERIFY_MAX_READ];
    struct table_files *files = &verifier->run.files;
    int n = list_read(verifier, name, list);
    files->tables = calloc(VERIFY_MAX_READ, sizeof *files->tables);
    if (files->tables == NULL)
        return 0;
    for (int k = 0; k < n; k++)
        files->tables[files->n_tables++] =
            merels_verify_memory_table(verifier->run.index, list[k]);
    uint64_t bytes = n > 0 ? merels_verify_table_bytes(&verifier->run, &files->tables[0]) : 0;
    merels_verify_files_close(files);
    return bytes;
}

// ---- checking ------------------------------------------------------------------------------

static enum status check(struct unit_verifier *verifier, const struct watch *watch,
                         struct error *err)
{
    struct verify_run *run = &verifier->run;
    const struct checked_table *t = &run->files.tables[0];
    merels_meter_start(&run->meter, watch, "slots", t->n_slots, 1);
    merels_meter_piece(&run->meter, 0, t->name, t->n_slots);
    enum status status = merels_verify_table_fits(
        &verifier->run, &verifier->run.files.tables[0], verifier->options.memory_bytes, err);
    if (status == STATUS_OK)
        status = merels_verify_learn(run, t->counts, err);
    return status == STATUS_OK ? merels_verify_table(run, t, err) : status;
}

static void say_read(const struct table_files *files, struct read_tables *read)
{
    read->n = (int)files->n_tables;
    for (int k = 0; k < read->n; k++) {
        memcpy(read->tables[k].name, files->tables[k].name, sizeof read->tables[k].name);
        memcpy(read->tables[k].values, files->tables[k].values, VERIFY_HASH_BYTES);
    }
}

static void free_buffers(struct verify_run *run)
{
    struct buffer *buffers[2 + MAX_WAYS] = {&run->values, &run->pairs};
    for (int w = 0; w < MAX_WAYS; w++)
        buffers[2 + w] = &run->successors[w];
    for (int k = 0; k < 2 + MAX_WAYS; k++) {
        free(buffers[k]->data);
        *buffers[k] = (struct buffer){0};
    }
}

enum status merels_verify_one(struct unit_verifier *verifier, const char *name,
                              const struct watch *watch, struct read_tables *read,
                              struct error *err)
{
    struct counts list[VERIFY_MAX_READ];
    struct verify_run *run = &verifier->run;
    int n = list_read(verifier, name, list);
    if (n == 0)
        return merels_error(err, STATUS_BAD_INPUT, "'%s' is no name of a table", name);
    enum status status =
        merels_verify_files_open_some(verifier->options.dir, verifier->rules_text, run->index,
                                      list, (size_t)n, &run->files, err);
    if (status == STATUS_OK)
        status = check(verifier, watch, err);
    if (status == STATUS_OK)
        say_read(&run->files, read);
    merels_verify_files_close(&run->files);
    free_buffers(run);
    return status;
}
