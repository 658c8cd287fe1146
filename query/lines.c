// lines.c: reads a byte at a time, so that a program that asks line by line is not kept
// waiting.

#include "query/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Reads up to the end of the line and counts its bytes, those too that have no room.
static size_t read_bytes(struct lines *lines, int *last)
{
    int c;
    size_t n = 0;
    while ((c = getc_unlocked(lines->in)) != EOF && c != '\n') {
        if (n < MAX_LINE_BYTES)
            lines->text[n] = (char)c;
        n++;
    }
    lines->text[n < MAX_LINE_BYTES ? n : MAX_LINE_BYTES] = '\0';
    *last = c;
    return n;
}

static enum status check(const struct lines *lines, size_t n, struct error *err)
{
    if (n > MAX_LINE_BYTES)
        return merels_error(err, STATUS_BAD_INPUT, "the line is over %d bytes long",
                            MAX_LINE_BYTES);
    size_t length = strlen(lines->text);
    if (length < n)
        return merels_error(err, STATUS_BAD_INPUT, "column %zu: a byte of value 0", length + 1);
    return STATUS_OK;
}

enum status merels_lines_next(struct lines *lines, bool *read, struct error *err)
{
    int last;
    *read = false;
    if (!lines->text)
        lines->text = malloc(MAX_LINE_BYTES + 1);
    if (!lines->text)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for a line");
    size_t n = read_bytes(lines, &last);
    if (ferror(lines->in))
        return merels_error(err, STATUS_IO, "cannot read standard input: %s", strerror(errno));
    *read = last != EOF || n > 0;
    lines->n_lines += *read;
    return *read ? check(lines, n, err) : STATUS_OK;
}

void merels_lines_free(struct lines *lines)
{
    free(lines->text);
    lines->text = NULL;
}
