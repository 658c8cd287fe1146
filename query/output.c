// output.c: writing of data, JSON and messages, and the exit status of each outcome.

#include "query/output.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void merels_print(struct output *out, const char *format, ...)
{
    if (out->failure != 0)
        return;
    va_list list;
    va_start(list, format);
    errno = 0;
    if (vfprintf(out->stream, format, list) < 0)
        out->failure = errno != 0 ? errno : EIO;
    va_end(list);
}

enum status merels_output_flush(struct output *out, struct error *err)
{
    errno = 0;
    if (out->failure == 0 && (fflush(out->stream) != 0 || ferror(out->stream)))
        out->failure = errno != 0 ? errno : EIO;
    if (out->failure == 0)
        return STATUS_OK;
    return merels_error(err, STATUS_IO, "cannot write to standard output: %s",
                        strerror(out->failure));
}

enum status merels_print_json(struct output *out, json_t *value, bool one_line,
                              struct error *err)
{
    char *text = value ? json_dumps(value, one_line ? 0 : JSON_INDENT(2)) : NULL;
    json_decref(value);
    if (!text)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the JSON text");
    merels_print(out, "%s\n", text);
    free(text);
    return STATUS_OK;
}

json_t *merels_json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    char *copy = strdup(text);
    if (!copy)
        return NULL;
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    string = json_string(copy);
    free(copy);
    return string;
}

json_t *merels_json_plies(int plies)
{
    return plies < 0 ? json_null() : json_integer(plies);
}

void merels_complain(const char *text)
{
    fputs("merels: ", stderr);
    for (; *text; text++)
        fputc(iscntrl((unsigned char)*text) ? '?' : *text, stderr);
    fputc('\n', stderr);
}

int merels_exit_status(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return 0;
    case STATUS_BAD_INPUT:
    case STATUS_ILLEGAL:
        return 2;
    default:
        return 1;
    }
}
