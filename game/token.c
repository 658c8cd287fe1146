// token.c: tokens of a text and the errors that point at them.

#include "game/token.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SHOWN = 40 }; // characters of a token that a message repeats

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

struct token merels_token_next(struct reader *reader)
{
    while (is_space(reader->text[reader->at]))
        reader->at++;
    int begin = reader->at;
    while (reader->text[reader->at] != '\0' && !is_space(reader->text[reader->at]))
        reader->at++;
    return (struct token){reader->text + begin, reader->at - begin, begin + 1, 0};
}

struct token merels_token_part(struct token token, int from, char stop)
{
    int end = from;
    while (end < token.length && lower(token.text[end]) != stop)
        end++;
    return (struct token){token.text + from, end - from, token.column + from, token.line};
}

bool merels_token_is(struct token token, const char *word)
{
    if (strlen(word) != (size_t)token.length)
        return false;
    for (int i = 0; i < token.length; i++)
        if (lower(token.text[i]) != word[i])
            return false;
    return true;
}

bool merels_token_number(struct token token, int *value)
{
    if (token.length < 1 || token.length > 3)
        return false;
    int number = 0;
    for (int i = 0; i < token.length; i++) {
        if (token.text[i] < '0' || token.text[i] > '9')
            return false;
        number = 10 * number + token.text[i] - '0';
    }
    *value = number;
    return true;
}

enum status merels_token_error(struct error *err, enum status status, const char *form,
                               struct token token, const char *format, ...)
{
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const char *illegal = status == STATUS_ILLEGAL ? "illegal: " : "";
    char line[32] = "";
    if (token.line > 0)
        snprintf(line, sizeof line, "line %d, ", token.line);
    if (token.length == 0)
        return merels_error(err, status, "%s, %scolumn %d, %s: %s%s", form, line, token.column,
                            token.text[0] == '\0' ? "end of text" : "nothing there", illegal,
                            reason);
    bool whole = token.length <= MAX_SHOWN;
    return merels_error(err, status, "%s, %scolumn %d, '%.*s%s': %s%s", form, line,
                        token.column, whole ? token.length : MAX_SHOWN, token.text,
                        whole ? "" : "...", illegal, reason);
}
