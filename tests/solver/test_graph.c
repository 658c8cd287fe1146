// test_graph.c: the subspaces that can arise and their work units, against figures and against
// plain reachability.

#include "solver/graph.h"
#include "tests/solver/support.h"
#include "tests/support/tsv.h"

static const struct solve_options everything = {.dir = "/tmp"};

struct units {
    struct rules *rules;
    struct start start;
    struct work_unit *units;
    size_t n;
    size_t n_subspaces;
    uint64_t n_slots;
};

static struct units units_from(const char *text, const struct start *start,
                               const struct solve_options *options)
{
    struct units u = {.rules = rules_with_start(text, &u.start)};
    if (start != NULL)
        u.start = *start;
    OK(merels_graph_units(u.rules, &u.start, options, &u.units, &u.n, &test_error));
    for (size_t k = 0; k < u.n; k++) {
        u.n_slots += u.units[k].n_slots;
        u.n_subspaces += (size_t)u.units[k].n_subspaces;
    }
    return u;
}

static struct units units_of(const char *text, const struct solve_options *options)
{
    return units_from(text, NULL, options);
}

static void free_units(struct units *u)
{
    free(u->units);
    free(u->rules);
}

// ---- how many ------------------------------------------------------------------------------

static void expect_counts(const char *text, bool moving_only, size_t n_subspaces,
                          size_t n_units)
{
    const struct solve_options options = {.dir = "/tmp", .moving_only = moving_only};
    struct units u = units_of(text, &options);
    cr_expect_eq(u.n_subspaces, n_subspaces, "%s: %zu subspaces", text, u.n_subspaces);
    cr_expect_eq(u.n, n_units, "%s: %zu units", text, u.n);
    if (!moving_only)
        cr_expect_eq(merels_graph_count(u.rules, &u.start), n_subspaces, "%s", text);
    free_units(&u);
}

// 269 subspaces while placing are units of their own.
Test(graph, counts_of_the_standard_game)
{
    expect_counts("nine", true, 49, 28);
    expect_counts("nine", false, 318, 269 + 28);
    expect_counts("ten", true, 64, 36);
}

Test(graph, counts_of_other_rules)
{
    struct tsv *known = tsv_open("rules-known.tsv");
    for (int row = 0; row < tsv_rows(known); row++) {
        const char *name = tsv_text(known, row, "rules");
        struct units u = units_of(name, &everything);
        cr_expect_eq((long long)u.n_subspaces, tsv_number(known, row, "subspaces"), "%s", name);
        if (tsv_known(known, row, "slots"))
            cr_expect_eq((long long)u.n_slots, tsv_number(known, row, "slots"), "%s", name);
        long long orbits = 0;
        for (size_t k = 0; k < u.n; k++)
            for (int i = 0; i < u.units[k].n_subspaces; i++)
                orbits +=
                    (long long)merels_subspace_orbits(&u.rules->board, u.units[k].subspaces[i]);
        if (tsv_known(known, row, "orbits"))
            cr_expect_eq(orbits, tsv_number(known, row, "orbits"), "%s", name);
        free_units(&u);
    }
    tsv_close(known);
}

Test(graph, moving_phase_is_what_the_figures_list)
{
    struct tsv *counts = tsv_open("nine-counts.tsv");
    const struct solve_options options = moving("/tmp", 0);
    struct units u = units_of("nine", &options);
    cr_expect_eq((int)u.n_subspaces, tsv_rows(counts));
    for (size_t k = 0; k < u.n; k++)
        for (int i = 0; i < u.units[k].n_subspaces; i++) {
            char name[SUBSPACE_NAME_BYTES];
            merels_subspace_name(u.units[k].subspaces[i], name);
            cr_expect(tsv_find(counts, "subspace", name) >= 0);
        }
    free_units(&u);
    tsv_close(counts);
}

// ---- order and components ------------------------------------------------------------------

enum { MOST = 700 };

// Place of a subspace in the order of solving, -1 if it is in no unit.
static int unit_of(const struct units *u, struct subspace s)
{
    for (size_t k = 0; k < u->n; k++)
        for (int i = 0; i < u->units[k].n_subspaces; i++)
            if (merels_subspace_equal(u->units[k].subspaces[i], s))
                return (int)k;
    return -1;
}

static void check_order(const struct units *u)
{
    for (size_t k = 0; k < u->n; k++)
        for (int i = 0; i < u->units[k].n_subspaces; i++) {
            struct subspace next[MAX_SUCCESSORS];
            int n = merels_subspace_successors(u->rules, u->units[k].subspaces[i], next);
            for (int j = 0; j < n; j++) {
                int place = unit_of(u, next[j]);
                char name[SUBSPACE_NAME_BYTES], later[SUBSPACE_NAME_BYTES];
                merels_subspace_name(u->units[k].subspaces[i], name);
                merels_subspace_name(next[j], later);
                cr_assert(place >= 0 && place <= (int)k, "%s leads to %s", name, later);
            }
        }
}

static bool reach[MOST][MOST];

// Marks everything that can be reached from subspace `from` of the list, step by step.
static void spread(const struct rules *rules, const struct subspace *list, int n, int from)
{
    bool more = true;
    reach[from][from] = true;
    while (more) {
        more = false;
        for (int k = 0; k < n; k++) {
            struct subspace next[MAX_SUCCESSORS];
            int n_next = reach[from][k] ? merels_subspace_successors(rules, list[k], next) : 0;
            for (int i = 0; i < n_next; i++)
                for (int m = 0; m < n; m++)
                    if (merels_subspace_equal(list[m], next[i]) && !reach[from][m])
                        more = reach[from][m] = true;
        }
    }
}

// Two subspaces are in one unit exactly if each can be reached from the other.
static void check_components(const struct units *u)
{
    struct subspace list[MOST];
    int unit[MOST], n = 0;
    for (size_t k = 0; k < u->n; k++)
        for (int i = 0; i < u->units[k].n_subspaces; i++) {
            cr_assert(n < MOST);
            unit[n] = (int)k;
            list[n++] = u->units[k].subspaces[i];
        }
    memset(reach, 0, sizeof reach);
    for (int k = 0; k < n; k++)
        spread(u->rules, list, n, k);
    for (int x = 0; x < n; x++)
        for (int y = 0; y < n; y++)
            cr_assert_eq(reach[x][y] && reach[y][x], unit[x] == unit[y]);
}

Test(graph, units_are_components_in_order, .timeout = 240)
{
    static const struct {
        const char *rules;
        struct start start;
    } cases[] = {{"nine", {5, 5}},
                 {"six", {6, 6}},
                 {"nine", {3, 6}},
                 {"nine", {6, 4}},
                 {"lasker", {4, 4}},
                 {"three", {3, 3}},
                 {"nine,removals=each", {4, 4}}};
    for (int i = 0; i < 7; i++) {
        struct units u = units_from(cases[i].rules, &cases[i].start, &everything);
        check_order(&u);
        check_components(&u);
        free_units(&u);
    }
    struct units whole = units_of("nine", &everything);
    check_order(&whole);
    free_units(&whole);
}

Test(graph, no_subspace_twice)
{
    struct units u = units_of("ten", &everything);
    for (size_t k = 0; k < u.n; k++)
        for (int i = 0; i < u.units[k].n_subspaces; i++) {
            cr_assert_eq(unit_of(&u, u.units[k].subspaces[i]), (int)k);
            for (int j = 0; j < i; j++)
                cr_assert(merels_subspace_compare(u.units[k].subspaces[j],
                                                  u.units[k].subspaces[i]) < 0);
        }
    free_units(&u);
}

// ---- filters and starts --------------------------------------------------------------------

static void expect_names(const struct units *u, const char *expected)
{
    char names[1024] = "", name[SUBSPACE_NAME_BYTES];
    for (size_t k = 0; k < u->n; k++)
        for (int i = 0; i < u->units[k].n_subspaces; i++) {
            merels_subspace_name(u->units[k].subspaces[i], name);
            cr_assert(strlen(names) + strlen(name) + 2 < sizeof names);
            strcat(strcat(names, k + (size_t)i == 0 ? "" : i == 0 ? " | " : " "), name);
        }
    cr_expect_str_eq(names, expected);
}

static void expect_units(const char *rules, struct start start, int max_men, bool moving_only,
                         const char *expected)
{
    const struct solve_options options = {
        .dir = "/tmp", .max_men = max_men, .moving_only = moving_only};
    struct units u = units_from(rules, &start, &options);
    expect_names(&u, expected);
    free_units(&u);
}

Test(graph, filters)
{
    expect_units("nine", (struct start){9, 9}, 8, true, "3-3 | 3-4 4-3 | 3-5 5-3 | 4-4");
    expect_units("nine", (struct start){9, 9}, 5, true, "");
    expect_units("three", (struct start){3, 3}, 0, true, "3-3");
    expect_units("three", (struct start){3, 3}, 0, false,
                 "3-3 | 2-3-1-0 | 2-2-1-1 | 1-2-2-1 | 1-1-2-2 | 0-1-3-2 | 0-0-3-3");
}

Test(graph, unequal_starts)
{
    expect_units("nine", (struct start){3, 5}, 0, true, "3-3 | 3-4 4-3 | 3-5 5-3");
    expect_units("nine", (struct start){5, 3}, 0, true, "3-3 | 3-4 4-3 | 3-5 5-3");
    struct units u = units_from("nine", &(struct start){3, 5}, &everything);
    // The first side has placed all men and slides while the other still places.
    cr_expect(unit_of(&u, (struct subspace){3, 4, 0, 1}) >= 0);
    cr_expect(unit_of(&u, (struct subspace){0, 0, 3, 5}) == (int)u.n - 1);
    cr_expect(unit_of(&u, (struct subspace){0, 0, 5, 3}) < 0);
    free_units(&u);
}
