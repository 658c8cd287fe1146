// verify_manifest.h: the tables that a manifest lists.

#ifndef MERELS_VERIFY_MANIFEST_H
#define MERELS_VERIFY_MANIFEST_H

#include "verify/table_files.h"

// Reads DIR/MANIFEST, opens every table in it that is kept, and compares the rules, the
// manifest's lines, the headers and the closed formulas with each other; root hash and checksum
// are recomputed. Of several editions those of the first one, or with `wdl` those of edition
// wdl; STATUS_BAD_INPUT if there are none. Close the files also after a failure.
MERELS_CHECKED enum status merels_verify_manifest_open(const char *dir, const char *rules_text,
                                                       const struct verify_index *index,
                                                       bool wdl, struct table_files *files,
                                                       struct error *err);

#endif
