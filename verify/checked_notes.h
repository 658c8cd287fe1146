// checked_notes.h: which tables were checked already: a small text file that is kept while a
// check is under way.
//
// One line for each table checked, with the hashes of its file and of the files that it was
// checked against. A line counts only while these are the hashes that the manifest has and the
// files were found to have.

#ifndef MERELS_VERIFY_CHECKED_NOTES_H
#define MERELS_VERIFY_CHECKED_NOTES_H

#include "verify/verify_record.h"
#include "verify/verify_run.h"

// Fills `noted` by table number: true if the table's own file and its successors' files are the
// same as when it was checked.
MERELS_CHECKED enum status merels_verify_read_notes(const struct verify_run *run,
                                                    const struct verify_place *place,
                                                    bool *noted, struct error *err);
MERELS_CHECKED enum status merels_verify_write_notes(const struct verify_run *run,
                                                     const struct verify_place *place,
                                                     const bool *noted, struct error *err);

#endif
