// compact_record.h: what stands finished in a file of edition compact that is being written, in
// a second file beside it, so that an export that was stopped can go on.
//
//     NAME.part       | room for the head | unit 0 | unit 1 | ... | begun unit
//     NAME.progress     identity            end, hash of each; places of models and groups
//
// A unit is a model and the groups of all subspaces that use it; units come in one order,
// whatever happens. The record is replaced as a whole after each, and believed only as far as
// the bytes of the units have the hashes that it says.

#ifndef MERELS_COMPACT_COMPACT_RECORD_H
#define MERELS_COMPACT_COMPACT_RECORD_H

#include "compact/compact_file.h"

struct compact_unit {
    uint64_t end, hash; // where it ends in the file, XXH64 of its bytes
    uint32_t most_group;
};

struct compact_record {
    const char *dir; // the caller's
    char *file_name; // NAME.progress
    struct compact_file *file;
    uint64_t identity;          // of all that the file's bytes follow from
    uint64_t first;             // where the first unit begins
    struct compact_unit *units; // one for each model
    size_t n;                   // that are finished
};

// Starts an empty record of a file that has just been opened; dir and file must live as long.
// STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_record_start(const char *dir, const char *name,
                                               uint64_t identity, struct compact_file *file,
                                               struct compact_record *record,
                                               struct error *err);

// Takes over what an earlier export left: the units whose bytes are as its record says, up to
// the first that are not; none if the record is not there, damaged, or of another identity. The
// file's end, models and entries are then those behind the last unit. STATUS_NO_MEMORY,
// STATUS_IO.
MERELS_CHECKED enum status merels_record_load(struct compact_record *record, struct error *err);

// The next unit is written as a whole: syncs the file and replaces the record.
MERELS_CHECKED enum status merels_record_add(struct compact_record *record, struct error *err);

// Removes the second file; it is no error if there is none.
MERELS_CHECKED enum status merels_record_remove(struct compact_record *record,
                                                struct error *err);
void merels_record_free(struct compact_record *record);

#endif
