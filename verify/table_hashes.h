// table_hashes.h: what a table's file and its values hash to, against what manifest and header
// say.

#ifndef MERELS_VERIFY_TABLE_HASHES_H
#define MERELS_VERIFY_TABLE_HASHES_H

#include "verify/table_files.h"

// Compares the SHA-256 of the whole file with the manifest. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_file_hash(const struct table_files *files,
                                                   const struct checked_table *table,
                                                   struct error *err);

// The hash of all values of a table, as read, against the header. STATUS_MISMATCH.
MERELS_CHECKED enum status merels_verify_value_hash(const struct checked_table *table,
                                                    const uint8_t *values, struct error *err);

MERELS_CHECKED enum status merels_verify_wide_hash(const struct checked_table *table,
                                                   const uint16_t *values, struct error *err);

#endif
