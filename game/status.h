// status.h: the one list of outcomes that every layer reports, and the text that goes with one.
//
// Every function that can fail returns an `enum status` and, if the caller passes a non-NULL
// `struct error`, leaves one line of plain text there (no newline) that names the thing and
// where it is. On STATUS_OK the error is left untouched. No function of a library prints or
// exits.

#ifndef MERELS_GAME_STATUS_H
#define MERELS_GAME_STATUS_H

#define MERELS_CHECKED __attribute__((warn_unused_result))

enum status {
    STATUS_OK = 0,
    STATUS_BAD_INPUT, // malformed text, unknown name, a number out of range
    STATUS_ILLEGAL,   // a position that breaks the rules' counts, or whose game was over before
    STATUS_NOT_COVERED, // legal, but its subspace cannot arise or is not in this tablebase
    STATUS_MISSING,     // a file that should be there is not
    STATUS_CORRUPT,     // a file is damaged: wrong length, checksum or structure
    STATUS_NEWER,       // a file of a format version that this program does not know
    STATUS_OLDER,       // a file of a format version that this program no longer reads
    STATUS_OTHER_RULES, // a file made for other rules
    STATUS_NO_MEMORY,   // an allocation failed
    STATUS_IO,          // the system refused a read, write, flush, rename
    STATUS_TOO_LITTLE,  // the plan needs more memory or disk than there is, or is allowed
    STATUS_UNSUPPORTED, // rules that this part of the program does not handle yet
    STATUS_INTERRUPTED, // stopped on request; everything finished is kept
    STATUS_MISMATCH,    // a check found a difference
    STATUS_NOT_YET,     // bytes that a source has still to fetch (db/byte_source.h): call again
    STATUS_UNDECIDED,   // a search has ended at its limit, without a result
};

enum { ERROR_TEXT_BYTES = 512 };

struct error {
    enum status status;
    char text[ERROR_TEXT_BYTES];
};

// Sets *err (if not NULL) from a printf format, cutting off what does not fit; returns
// `status`.
enum status merels_error(struct error *err, enum status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A short constant English name of a status: "bad input", "not covered", ...
const char *merels_status_name(enum status status);

#endif
