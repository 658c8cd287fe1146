// byte_range.c: one range; a server may answer several with the whole, and this one does.

#include "serve/byte_range.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

// Reads a number, as large as may be; false if there is none.
static bool read_number(const char **text, uint64_t *number)
{
    const char *begin = *text;
    uint64_t n = 0;
    for (; **text >= '0' && **text <= '9'; ++*text) {
        uint64_t digit = (uint64_t)(**text - '0');
        n = n > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * n + digit;
    }
    *number = n;
    return *text != begin;
}

enum range_kind merels_byte_range_read(const char *text, uint64_t n_bytes,
                                       struct byte_range *range)
{
    static const char unit[] = "bytes=";
    uint64_t first, last = UINT64_MAX;
    if (!text || strncasecmp(text, unit, sizeof unit - 1) != 0)
        return RANGE_NONE;
    text += sizeof unit - 1;
    text += strspn(text, " \t");
    bool from_start = read_number(&text, &first);
    if (*text++ != '-')
        return RANGE_NONE;
    bool to_last = read_number(&text, &last);
    text += strspn(text, " \t");
    if (*text != '\0' || (!from_start && !to_last))
        return RANGE_NONE;
    if (!from_start) { // the last bytes
        first = last < n_bytes ? n_bytes - last : 0;
        if (last == 0)
            return RANGE_BAD;
        last = UINT64_MAX;
    } else if (!to_last) {
        last = UINT64_MAX;
    } else if (last < first) {
        return RANGE_NONE;
    }
    if (first >= n_bytes)
        return RANGE_BAD;
    last = last < n_bytes ? last : n_bytes - 1;
    *range = (struct byte_range){first, last - first + 1};
    return RANGE_PART;
}
