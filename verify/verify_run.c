// verify_run.c: memory, classes and progress of a run.

#include "verify/verify_run.h"

#include <omp.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "verify/check_levels.h"

enum status merels_verify_run_start(struct verify_run *run, const char *rules_text,
                                    bool any_board, const char *cpu_level, int n_threads,
                                    struct error *err)
{
    run->n_threads = n_threads;
    run->checks = merels_verify_row_checks(cpu_level);
    if (run->checks == NULL)
        return merels_error(
            err, STATUS_BAD_INPUT,
            "--cpu %s: this processor has no such level, or the verifier has none: it "
            "knows portable, v3-slow-pext and v3",
            cpu_level);
    return merels_verify_index_create(rules_text, any_board, &run->index, err);
}

void merels_verify_run_free(struct verify_run *run)
{
    for (int men = 0; men <= VERIFY_POINTS; men++)
        merels_verify_classes_free(&run->classes[men]);
    free(run->values.data);
    free(run->pairs.data);
    for (int w = 0; w < MAX_WAYS; w++)
        free(run->successors[w].data);
    merels_verify_files_close(&run->files);
    free(run->index);
    *run = (struct verify_run){0};
}

enum status merels_verify_grow(struct buffer *buffer, uint64_t n_bytes, struct error *err)
{
    enum { HUGE_PAGE = VERIFY_ROUNDING_BYTES };
    if (buffer->data != NULL && n_bytes <= buffer->n_bytes)
        return STATUS_OK;
    free(buffer->data);
    buffer->n_bytes = (size_t)(n_bytes + HUGE_PAGE) / HUGE_PAGE * HUGE_PAGE;
    buffer->data = aligned_alloc(HUGE_PAGE, buffer->n_bytes);
    if (buffer->data == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory: %zu bytes for a table",
                            buffer->n_bytes);
#ifdef MADV_HUGEPAGE
    (void)madvise(buffer->data, buffer->n_bytes, MADV_HUGEPAGE); // advice only
#endif
    return STATUS_OK;
}

static enum status learn_men(struct verify_run *run, int men, struct error *err)
{
    return run->classes[men].entries != NULL
               ? STATUS_OK
               : merels_verify_classes(run->index, men, &run->classes[men], err);
}

enum status merels_verify_learn(struct verify_run *run, struct counts counts, struct error *err)
{
    struct verify_plies plies = merels_verify_plies(&run->index->rules, counts);
    enum status status = learn_men(run, counts.b, err);
    for (int w = 0; w < plies.n_ways && status == STATUS_OK; w++)
        status = learn_men(run, plies.ways[w].after.b, err);
    return status;
}

enum status merels_verify_tick(struct verify_run *run, double part, struct error *err)
{
    bool stop = omp_get_thread_num() == 0 && merels_meter_tick(&run->meter, part);
    return stop ? merels_error(err, STATUS_INTERRUPTED, "stopped") : STATUS_OK;
}
