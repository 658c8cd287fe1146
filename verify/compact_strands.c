// compact_strands.c: the graph of strands, gone through in depth.
//
//     a-a  even  <-- slide -->  a-a  odd      one is stored, or both
//           \                    /
//            removal: to either strand of (a-1)-a

#include "verify/compact_strands.h"

#include <stdlib.h>

enum { UNKNOWN = -1, AT_WORK = -2, N_STRANDS = 3 }; // strands by number: even, odd, all in one

struct graph {
    const struct compact_file *file;
    int (*n_plies)[N_STRANDS]; // of each subspace
    struct error *err;
};

static enum status wrong(const struct graph *graph, struct counts counts, const char *what)
{
    char name[COUNTS_NAME_BYTES];
    merels_verify_name(counts, name);
    return merels_error(graph->err, STATUS_MISMATCH, "edition compact: %s: %s", name, what);
}

static int strands_of(const struct compact_file *file, struct counts counts)
{
    return merels_verify_has_parity(file, counts) ? STRANDS_BOTH : STRAND_ALL;
}

// The strands that a way can lead to. A slide changes the parity; a flight, a man from the hand
// and a man taken may or may not.
static int arrived_strands(const struct compact_file *file, const struct verify_plies *plies,
                           const struct ply_way *way, int strand)
{
    const struct verify_rules *rules = &file->index->rules;
    int to = strands_of(file, way->after);
    bool slide = !way->places && way->n_taken == 0 && !plies->flies && !rules->blocked_passes;
    return slide && to == STRANDS_BOTH && strand != STRAND_ALL ? STRANDS_BOTH & ~strand : to;
}

static enum status visit(struct graph *graph, const struct compact_subspace *s, int strand);

// The most plies that the strands behind a way take.
static enum status visit_way(struct graph *graph, const struct verify_plies *plies,
                             const struct ply_way *way, int strand, int *most)
{
    const struct compact_file *file = graph->file;
    const struct compact_subspace *after = merels_verify_compact_find(file, way->after);
    if (after == NULL)
        return wrong(graph, way->after, "plies lead there, but it is not in the file");
    int to = arrived_strands(file, plies, way, strand);
    for (int k = 0; k < N_STRANDS; k++) {
        if (!(to >> k & 1))
            continue;
        enum status status = visit(graph, after, 1 << k);
        if (status != STATUS_OK)
            return status;
        int n = graph->n_plies[after - file->subspaces][k];
        *most = n > *most ? n : *most;
    }
    return STATUS_OK;
}

static enum status visit(struct graph *graph, const struct compact_subspace *s, int strand)
{
    const struct compact_file *file = graph->file;
    int *n_plies = &graph->n_plies[s - file->subspaces][strand / 2], most = -1;
    struct verify_plies plies = merels_verify_plies(&file->index->rules, s->counts);
    if (*n_plies == AT_WORK)
        return wrong(graph, s->counts, "what is derived from it is needed to derive it");
    if (*n_plies != UNKNOWN)
        return STATUS_OK;
    *n_plies = AT_WORK;
    if ((s->strands & strand) == 0 && !plies.over)
        for (int w = 0; w < plies.n_ways; w++) {
            enum status status = plies.ways[w].ends
                                     ? STATUS_OK
                                     : visit_way(graph, &plies, &plies.ways[w], strand, &most);
            if (status != STATUS_OK)
                return status;
        }
    *n_plies = plies.over || (s->strands & strand) != 0 ? 0 : most + 1;
    return *n_plies <= file->n_plies
               ? STATUS_OK
               : wrong(graph, s->counts, "is derived by more plies than the head says");
}

// ---- the list ------------------------------------------------------------------------------

static int by_order(const void *x, const void *y)
{
    const struct compact_strand *p = x, *q = y;
    struct counts a = p->subspace->counts, b = q->subspace->counts;
    int keys[] = {a.ha + a.hb - b.ha - b.hb, a.a + a.b - b.a - b.b, p->n_plies - q->n_plies,
                  (p->subspace > q->subspace) - (p->subspace < q->subspace),
                  p->strands - q->strands};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
        if (keys[k] != 0)
            return keys[k];
    return 0;
}

static void list_strands(const struct graph *graph, struct compact_strand *list, int *n)
{
    const struct compact_file *file = graph->file;
    *n = 0;
    for (int k = 0; k < file->n_subspaces; k++) {
        const struct compact_subspace *s = &file->subspaces[k];
        int derived = strands_of(file, s->counts) & ~s->strands;
        if (s->strands != 0)
            list[(*n)++] = (struct compact_strand){s, s->strands, 0};
        for (int i = 0; i < N_STRANDS; i++)
            if (derived >> i & 1)
                list[(*n)++] = (struct compact_strand){s, 1 << i, graph->n_plies[k][i]};
    }
    qsort(list, (size_t)*n, sizeof *list, by_order);
}

static enum status visit_all(struct graph *graph)
{
    const struct compact_file *file = graph->file;
    for (int k = 0; k < file->n_subspaces; k++)
        for (int i = 0; i < N_STRANDS; i++)
            graph->n_plies[k][i] = UNKNOWN;
    for (int k = 0; k < file->n_subspaces; k++)
        for (int i = 0; i < N_STRANDS; i++) {
            if (!(strands_of(file, file->subspaces[k].counts) >> i & 1))
                continue;
            enum status status = visit(graph, &file->subspaces[k], 1 << i);
            if (status != STATUS_OK)
                return status;
        }
    return STATUS_OK;
}

enum status merels_verify_compact_strands(const struct compact_file *file,
                                          struct compact_strand **list, int *n,
                                          struct error *err)
{
    size_t n_subspaces = (size_t)file->n_subspaces;
    struct graph graph = {.file = file, .err = err};
    graph.n_plies = calloc(n_subspaces + 1, sizeof *graph.n_plies);
    *list = calloc(N_STRANDS * n_subspaces + 1, sizeof **list);
    enum status status = graph.n_plies == NULL || *list == NULL
                             ? merels_error(err, STATUS_NO_MEMORY, "out of memory")
                             : visit_all(&graph);
    if (status == STATUS_OK)
        list_strands(&graph, *list, n);
    if (status != STATUS_OK) {
        free(*list);
        *list = NULL;
    }
    free(graph.n_plies);
    return status;
}
