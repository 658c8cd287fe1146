// verify_record.h: what a full check leaves behind, and where.
//
// The record, after everything was checked: root hash, version, numbers; no time, so that the
// same tablebase has the same record. Tables without depths (edition wdl) have another one,
// since what was found there is less (docs/VERIFY.md). The notes, while a check is under way.
//
//     in the directory of the tables    VERIFIED and VERIFY.notes, or CONSISTENT and its notes
//     elsewhere                         FILE, FILE.notes

#ifndef MERELS_VERIFY_VERIFY_RECORD_H
#define MERELS_VERIFY_VERIFY_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "game/status.h"

// Changes when the verifier changes what it checks: notes and records of another version are
// void.
enum { VERIFY_VERSION = 1 };

// The record's text. It depends on nothing but its arguments. Returns the length.
enum { VERIFY_RECORD_BYTES = 256 };
int merels_verify_record(const char *root, uint64_t n_tables, uint64_t n_slots, bool wdl,
                         char text[VERIFY_RECORD_BYTES]);

// Where record and notes stand.
struct verify_place {
    char *dir;
    char *record; // its name in it
    char *notes;
};

// In the directory of the tables, where each edition has its own, or, if record_file is not
// NULL, in and beside that file.
// Free the place also after a failure. STATUS_NO_MEMORY.
MERELS_CHECKED enum status merels_verify_place_make(const char *dir, const char *record_file,
                                                    bool wdl, struct verify_place *place,
                                                    struct error *err);
void merels_verify_place_free(struct verify_place *place);

// Whether something can be written there: leaves the notes as they are.
// STATUS_IO with the reason; STATUS_BAD_INPUT if the record's file is there and is none.
MERELS_CHECKED enum status merels_verify_place_check(const struct verify_place *place,
                                                     struct error *err);

// Writes the text of a record. STATUS_IO.
MERELS_CHECKED enum status merels_verify_record_write(const struct verify_place *place,
                                                      const char *text, struct error *err);

// Removes the record, if there is one: as soon as it is not true.
MERELS_CHECKED enum status merels_verify_record_drop(const struct verify_place *place,
                                                     struct error *err);

#endif
