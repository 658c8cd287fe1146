// wrong_table.h: a good table made wrong in a way that no hash tells.

#ifndef MERELS_TESTS_SUPPORT_WRONG_TABLE_H
#define MERELS_TESTS_SUPPORT_WRONG_TABLE_H

// Gives the first drawn position of a table of `rules` in the directory another value, and
// makes counts, hashes and manifest right for it.
void make_wrong_table(const char *rules, char *dir, const char *subspace);

// Makes the checksum of a directory's manifest right after a change of its text.
void mend_checksum(const char *dir);

#endif
