// lines.c: reads a byte at a time and looks at none behind the end of a line, so that a program
// that asks line by line is not kept waiting.

#include "query/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum status merels_line_prepare(struct input_line *line, struct error *err)
{
    if (!line->text)
        line->text = malloc(MAX_LINE_BYTES + 1);
    return line->text ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "no memory for a line");
}

static void finish(struct input_line *line)
{
    line->text[line->n < MAX_LINE_BYTES ? line->n : MAX_LINE_BYTES] = '\0';
    line->ended = true;
}

bool merels_line_take(struct input_line *line, char c)
{
    bool second = c == '\n' && line->after_return;
    line->after_return = c == '\r';
    if (second)
        return false;
    if (line->ended) {
        line->n = 0;
        line->ended = false;
    }
    if (c == '\n' || c == '\r') {
        finish(line);
        return true;
    }
    if (line->n < MAX_LINE_BYTES)
        line->text[line->n] = c;
    line->n++;
    return false;
}

bool merels_line_end(struct input_line *line)
{
    if (line->ended || line->n == 0)
        return false;
    finish(line);
    return true;
}

enum status merels_line_check(const struct input_line *line, struct error *err)
{
    if (line->n > MAX_LINE_BYTES)
        return merels_error(err, STATUS_BAD_INPUT,
                            "the line is over %d bytes long; for example: startpos moves d6 f4",
                            MAX_LINE_BYTES);
    size_t length = strlen(line->text);
    if (length < line->n)
        return merels_error(err, STATUS_BAD_INPUT,
                            "column %zu: a byte of value 0; for example: "
                            "startpos moves d6 f4",
                            length + 1);
    return STATUS_OK;
}

enum status merels_lines_next(struct lines *lines, bool *read, struct error *err)
{
    int c;
    *read = false;
    enum status status = merels_line_prepare(&lines->line, err);
    if (status != STATUS_OK)
        return status;
    while (!*read && (c = getc_unlocked(lines->in)) != EOF)
        *read = merels_line_take(&lines->line, (char)c);
    if (ferror(lines->in))
        return merels_error(err, STATUS_IO, "cannot read standard input: %s", strerror(errno));
    *read = *read || merels_line_end(&lines->line);
    lines->text = lines->line.text;
    lines->n_lines += *read;
    return *read ? merels_line_check(&lines->line, err) : STATUS_OK;
}

void merels_lines_free(struct lines *lines)
{
    free(lines->line.text);
    lines->line.text = NULL;
    lines->text = NULL;
}
