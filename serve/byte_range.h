// byte_range.h: which part of a file a client asks for, as in "Range: bytes=0-1023".

#ifndef MERELS_SERVE_BYTE_RANGE_H
#define MERELS_SERVE_BYTE_RANGE_H

#include <stdint.h>

enum range_kind {
    RANGE_NONE, // the whole file: no range, several of them, or nothing that is understood
    RANGE_PART,
    RANGE_BAD // nothing of it is in the file
};

struct byte_range {
    uint64_t first, n_bytes; // of a part
};

// Reads the text of the header, which may be NULL, for a file of n_bytes bytes.
enum range_kind merels_byte_range_read(const char *text, uint64_t n_bytes,
                                       struct byte_range *range);

#endif
