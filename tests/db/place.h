// place.h: tests of reading that run over the files of a directory and over memory.

#ifndef MERELS_TESTS_DB_PLACE_H
#define MERELS_TESTS_DB_PLACE_H

#include "tests/db/support.h"

#include <criterion/parameterized.h>

#include "db/directory_source.h"
#include "db/memory_source.h"

enum place { IN_FILES, IN_MEMORY };

// A test that runs once for each place: IN_EVERY_PLACE(suite, name) { ... *place ... }
#define IN_EVERY_PLACE(suite, name)                         \
    ParameterizedTestParameters(suite, name)                \
    {                                                       \
        static enum place places[] = {IN_FILES, IN_MEMORY}; \
        return cr_make_param_array(enum place, places, 2);  \
    }                                                       \
    ParameterizedTest(enum place *place, suite, name, .timeout = 280)

// Everything that is in a directory, as a source of bytes.
struct shelf {
    struct directory *directory; // in files
    struct memory_pieces pieces; // in memory: as they were when the shelf was opened
    struct byte_source source;
};

static inline void load_pieces(const char *dir, struct memory_pieces *pieces)
{
    struct memory_piece *list = calloc((size_t)count_files(dir) + 1, sizeof *list);
    DIR *stream = opendir(dir);
    cr_assert(list != NULL && stream != NULL);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        size_t n_bytes;
        if (entry->d_name[0] == '.' && strcmp(entry->d_name, ".mtb") != 0)
            continue;
        uint8_t *bytes = load_bytes(dir, entry->d_name, &n_bytes);
        list[pieces->n++] = (struct memory_piece){strdup(entry->d_name), bytes, n_bytes};
    }
    closedir(stream);
    pieces->pieces = list;
}

static inline struct shelf *open_shelf(enum place place, const char *dir)
{
    struct shelf *shelf = calloc(1, sizeof *shelf);
    cr_assert_not_null(shelf);
    if (place == IN_FILES) {
        OK(merels_directory_create(dir, 8, &shelf->directory, &test_error));
        shelf->source = *merels_directory_source(shelf->directory);
    } else {
        load_pieces(dir, &shelf->pieces);
        shelf->source = merels_memory_source(&shelf->pieces);
    }
    return shelf;
}

static inline void close_shelf(struct shelf *shelf)
{
    for (size_t i = 0; i < shelf->pieces.n; i++) {
        free((char *)shelf->pieces.pieces[i].name);
        free((void *)shelf->pieces.pieces[i].bytes);
    }
    free((void *)shelf->pieces.pieces);
    merels_directory_destroy(shelf->directory);
    free(shelf);
}

#endif
