// fuzz_solved.h: the tables of a small game, solved when a target begins and removed when it
// ends.

#ifndef MERELS_TESTS_FUZZ_SOLVED_H
#define MERELS_TESTS_FUZZ_SOLVED_H

#include <dirent.h>
#include <unistd.h>

#include "solver/solve.h"
#include "tests/fuzz/fuzz.h"

static char solved_dir[] = "/tmp/merels-fuzz-XXXXXX", solved_tables[64];

static void remove_solved(void)
{
    struct dirent *entry;
    DIR *stream = opendir(solved_tables);
    char path[512];
    while (stream && (entry = readdir(stream))) {
        snprintf(path, sizeof path, "%s/%s", solved_tables, entry->d_name);
        unlink(path);
    }
    if (stream)
        closedir(stream);
    rmdir(solved_tables);
    rmdir(solved_dir);
}

// Solves the game "three"; returns the folder of its tables. Once.
static char *solved_three(void)
{
    static struct rules rules; // large
    struct start start;
    struct plan plan;
    struct solve_options options = {
        .dir = solved_tables, .n_threads = 1, .memory_bytes = 1 << 30};
    demand(mkdtemp(solved_dir) != NULL);
    snprintf(solved_tables, sizeof solved_tables, "%s/three", solved_dir);
    atexit(remove_solved);
    demand(merels_rules_parse("three", &rules, &start, NULL) == STATUS_OK);
    demand(merels_plan_make(&rules, &start, &options, &plan, NULL) == STATUS_OK);
    demand(merels_solve(&rules, &plan, &options, NULL, NULL) == STATUS_OK);
    merels_plan_free(&plan);
    return solved_tables;
}

#endif
