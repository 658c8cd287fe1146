// support.h: what the tests of solver/ share: whole solves in a temporary directory, and the
// finished tables read back.

#ifndef MERELS_TESTS_SOLVER_SUPPORT_H
#define MERELS_TESTS_SOLVER_SUPPORT_H

#include "db/file.h"
#include "solver/solve.h"
#include "tests/db/support.h"

static const char *const levels[] = {"portable", "v3-slow-pext", "v3", "v4"};
enum { N_LEVELS = 4 };

// Rules with their usual start; the rules are malloc'ed.
static inline struct rules *rules_with_start(const char *text, struct start *start)
{
    struct rules *rules = malloc(sizeof *rules);
    cr_assert_not_null(rules);
    OK(merels_rules_parse(text, rules, start, &test_error));
    return rules;
}

// The moving phase of up to max_men men, by one thread.
static inline struct solve_options moving(const char *dir, int max_men)
{
    return (struct solve_options){
        .dir = dir, .n_threads = 1, .max_men = max_men, .moving_only = true};
}

static inline struct plan plan_of(const struct rules *rules, struct start start,
                                  const struct solve_options *options)
{
    struct plan plan;
    OK(merels_plan_make(rules, &start, options, &plan, &test_error));
    return plan;
}

// Plans and solves, as one call of the program does.
static inline enum status solve_with(const struct rules *rules, struct start start,
                                     const struct solve_options *options,
                                     const struct watch *watch)
{
    struct plan plan;
    enum status status = merels_plan_make(rules, &start, options, &plan, &test_error);
    if (status != STATUS_OK)
        return status;
    status = merels_solve(rules, &plan, options, watch, &test_error);
    merels_plan_free(&plan);
    return status;
}

static inline void solve(const struct rules *rules, struct start start,
                         const struct solve_options *options)
{
    OK(solve_with(rules, start, options, NULL));
}

static inline struct tablebase *open_base(const char *dir, const struct rules *rules)
{
    struct tablebase *base;
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    return base;
}

static inline const struct table *table_of(struct tablebase *base, struct subspace s)
{
    const struct table *table;
    OK(merels_tablebase_table(base, s, &table, &test_error));
    return table;
}

// All values of a table, malloc'ed.
static inline uint8_t *read_values(struct tablebase *base, struct subspace s)
{
    const struct table *table = table_of(base, s);
    uint64_t n_slots = merels_table_header(table)->n_slots;
    uint8_t *values = malloc(n_slots);
    cr_assert_not_null(values);
    OK(merels_table_read(table, 0, n_slots, values, &test_error));
    return values;
}

// All depths of a table of either width, malloc'ed; -1 for a draw.
static inline int *read_plies(struct tablebase *base, struct subspace s)
{
    const struct table *table = table_of(base, s);
    const struct table_header *header = merels_table_header(table);
    size_t n = (size_t)header->n_slots, width = (size_t)header->value_bytes;
    uint8_t *values = malloc(n * width);
    int *plies = malloc(n * sizeof *plies);
    cr_assert(values != NULL && plies != NULL);
    OK(merels_table_read(table, 0, n, values, &test_error));
    for (size_t k = 0; k < n; k++)
        plies[k] = table_value(values + k * width, header->value_bytes);
    free(values);
    return plies;
}

// ---- whole directories ---------------------------------------------------------------------

static inline bool has_file(const char *dir, const char *name)
{
    char path[512];
    struct stat about;
    file_path(path, dir, name);
    return stat(path, &about) == 0;
}

static inline bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);
    return n >= n_end && strcmp(text + n - n_end, end) == 0;
}

static inline bool same_file(const char *dir, const char *other, const char *name)
{
    size_t n, n_other;
    uint8_t *bytes = load_bytes(dir, name, &n),
            *bytes_other = load_bytes(other, name, &n_other);
    bool same = n == n_other && memcmp(bytes, bytes_other, n) == 0;
    free(bytes);
    free(bytes_other);
    return same;
}

// Every file of `dir` but the manifest is in `other`, with the same bytes.
static inline void assert_part_of(const char *dir, const char *other)
{
    struct names names;
    OK(merels_dir_list(dir, &names, &test_error));
    for (size_t k = 0; k < names.n; k++)
        if (strcmp(names.names[k], "MANIFEST") != 0) {
            cr_assert(has_file(other, names.names[k]), "%s", names.names[k]);
            cr_assert(same_file(dir, other, names.names[k]), "%s", names.names[k]);
        }
    merels_names_free(&names);
}

static inline void assert_same_dirs(const char *dir, const char *other)
{
    assert_part_of(dir, other);
    cr_assert_eq(count_files(dir), count_files(other));
    cr_assert(same_file(dir, other, "MANIFEST"));
}

#endif
