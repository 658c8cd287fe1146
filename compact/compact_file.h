// compact_file.h: writes a file of edition compact: head, models, groups with their index.
//
//     | head | model | groups of a subspace | its index | groups | index | model | groups ...
//
// The head's length is known before, so room is left for it, and it is written last.

#ifndef MERELS_COMPACT_COMPACT_FILE_H
#define MERELS_COMPACT_COMPACT_FILE_H

#include "compact/compact_plan.h"
#include "db/file.h"
#include "db/index.h"

struct compact_place {
    uint64_t offset, hash;
    uint32_t n_bytes;
};

struct compact_entry { // of a stored subspace
    uint16_t model;
    uint32_t rows_in_group;
    uint64_t index; // its offset
    uint64_t n_bytes;
};

struct compact_file {
    const struct rules *rules;
    const struct compact_plan *plan;
    struct index *rows;
    struct file file;
    char *path; // of the file being written
    uint64_t end;
    struct compact_entry *entries; // one for each subspace of the plan
    struct compact_place *models;
    size_t n_models;
    uint32_t most_group;
};

// Opens `path`, with room for the head of n_models models; what is there already stays until it
// is written over. `path` must live as long.
MERELS_CHECKED enum status merels_compact_file_create(struct compact_file *file,
                                                      const struct rules *rules,
                                                      const struct compact_plan *plan,
                                                      struct index *rows, size_t n_models,
                                                      char *path, struct error *err);

// Appends bytes and says where they are; groups and models count for the longest one.
MERELS_CHECKED enum status merels_compact_file_append(struct compact_file *file,
                                                      const struct bytes *bytes, bool is_index,
                                                      struct compact_place *place,
                                                      struct error *err);

// Says what all bytes of the file follow from, besides the tables: rules, plan, patterns.
MERELS_CHECKED enum status merels_compact_file_identity(struct compact_file *file,
                                                        uint64_t *identity, struct error *err);

// Writes the head, cuts off what may lie behind the end, syncs and closes.
MERELS_CHECKED enum status merels_compact_file_finish(struct compact_file *file,
                                                      struct error *err);
void merels_compact_file_drop(struct compact_file *file); // gives up, or frees what is left

#endif
