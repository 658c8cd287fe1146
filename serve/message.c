// message.c: headers, errors, and the comparison with what a client has.

#include "serve/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/text.h"

unsigned merels_method(const char *name)
{
    static const struct {
        const char *name;
        unsigned method;
    } methods[] = {{"GET", METHOD_GET},
                   {"HEAD", METHOD_HEAD},
                   {"POST", METHOD_POST},
                   {"OPTIONS", METHOD_OPTIONS}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(name, methods[i].name) == 0)
            return methods[i].method;
    return METHOD_OTHER;
}

// ---- headers -------------------------------------------------------------------------------

static struct header *find_header(struct response *response, const char *name)
{
    for (int i = 0; i < response->n_headers; i++)
        if (strcmp(response->headers[i].name, name) == 0)
            return &response->headers[i];
    return NULL;
}

void merels_response_header(struct response *response, const char *name, const char *format,
                            ...)
{
    va_list list;
    struct header *header = find_header(response, name);
    if (!header && response->n_headers == MAX_HEADERS)
        return;
    if (!header)
        header = &response->headers[response->n_headers++];
    header->name = name;
    va_start(list, format);
    vsnprintf(header->value, sizeof header->value, format, list);
    va_end(list);
}

const char *merels_response_get(const struct response *response, const char *name)
{
    for (int i = 0; i < response->n_headers; i++)
        if (strcmp(response->headers[i].name, name) == 0)
            return response->headers[i].value;
    return NULL;
}

// ---- errors --------------------------------------------------------------------------------

// The length of the UTF-8 sign at this place, 0 if there is none.
static int sign_bytes(const unsigned char *text)
{
    int n = text[0] < 0x80   ? 1
            : text[0] < 0xC2 ? 0
            : text[0] < 0xE0 ? 2
            : text[0] < 0xF0 ? 3
                             : 4;
    if (text[0] > 0xF4 || (text[0] == 0xE0 && text[1] < 0xA0) ||
        (text[0] == 0xED && text[1] > 0x9F) || (text[0] == 0xF0 && text[1] < 0x90) ||
        (text[0] == 0xF4 && text[1] > 0x8F))
        return 0;
    for (int i = 1; i < n; i++)
        if ((text[i] & 0xC0) != 0x80)
            return 0;
    return n;
}

// Writes a text as the inside of a JSON string: at most 6 bytes for each of its own. Bytes that
// are no UTF-8 become '?'.
static void escape(const char *text, struct text *out)
{
    while (*text) {
        unsigned char c = (unsigned char)*text;
        int n = sign_bytes((const unsigned char *)text);
        if (c == '"' || c == '\\')
            merels_text_add(out, "\\%c", c);
        else if (c < ' ' || c == 0x7F)
            merels_text_add(out, "\\u%04x", c);
        else if (n == 0)
            merels_text_add(out, "?");
        else
            merels_text_add(out, "%.*s", n, text);
        text += n > 0 ? n : 1;
    }
}

// Writes a member of an object, with a comma in front if it is not the first.
static void add_member(const char *name, const char *value, bool first, struct text *out)
{
    merels_text_add(out, "%s\"%s\": \"", first ? "{" : ", ", name);
    escape(value, out);
    merels_text_add(out, "\"");
}

void merels_response_fail_with(struct response *response, int status, const char *words,
                               const char *text, const char *name, const char *value)
{
    size_t room = 6 * (strlen(text) + strlen(words) + strlen(value)) + strlen(name) + 64;
    char *bytes = malloc(room);
    merels_response_free(response);
    response->status = status;
    response->n_headers = 0;
    merels_response_header(response, "Content-Type", "application/json");
    merels_response_header(response, "Cache-Control", "no-store");
    if (!bytes)
        return;
    struct text out = merels_text(bytes, room);
    add_member("error", text, true, &out);
    add_member("status", words, false, &out);
    if (name[0])
        add_member(name, value, false, &out);
    merels_text_add(&out, "}\n");
    response->bytes = bytes;
    response->n_bytes = out.length;
}

void merels_response_fail(struct response *response, int status, const char *words,
                          const char *text)
{
    merels_response_fail_with(response, status, words, text, "", "");
}

// ---- what a client has ---------------------------------------------------------------------

// The end of an entity tag at this place, "..." or W/"..."; NULL if there is none.
static const char *tag_end(const char *text)
{
    text += strncmp(text, "W/", 2) == 0 ? 2 : 0;
    const char *end = *text == '"' ? strchr(text + 1, '"') : NULL;
    return end ? end + 1 : NULL;
}

bool merels_etag_listed(const char *list, const char *etag)
{
    size_t length = strlen(etag);
    for (list += strspn(list, " \t,"); *list; list += strspn(list, " \t,")) {
        if (*list == '*')
            return true;
        const char *end = tag_end(list);
        if (!end)
            return false;
        list += strncmp(list, "W/", 2) == 0 ? 2 : 0;
        if ((size_t)(end - list) == length && strncmp(list, etag, length) == 0)
            return true;
        list = end;
    }
    return false;
}

// The date is compared as a text: a client sends back what it was given.
static bool is_known(const struct request *request, const struct response *response)
{
    const char *etag = merels_response_get(response, "ETag");
    const char *modified = merels_response_get(response, "Last-Modified");
    if (request->if_none_match)
        return etag && merels_etag_listed(request->if_none_match, etag);
    return modified && request->if_modified_since &&
           strcmp(request->if_modified_since, modified) == 0;
}

void merels_response_settle(const struct request *request, struct response *response)
{
    bool reads = request->method & (METHOD_GET | METHOD_HEAD);
    bool found = response->status == HTTP_OK || response->status == HTTP_PART;
    if (!reads || !found || !is_known(request, response))
        return;
    merels_response_free(response);
    response->status = HTTP_NOT_MODIFIED;
}

void merels_response_open(const struct request *request, const char *origin,
                          struct response *response)
{
    merels_response_header(response, "X-Content-Type-Options", "nosniff");
    if (!origin)
        return;
    merels_response_header(response, "Access-Control-Allow-Origin", "%s", origin);
    merels_response_header(response, "Access-Control-Expose-Headers",
                           "Accept-Ranges, Content-Length, Content-Range, ETag");
    const char *allow = merels_response_get(response, "Allow");
    if (request->method != METHOD_OPTIONS || !allow)
        return;
    merels_response_header(response, "Access-Control-Allow-Methods", "%s", allow);
    merels_response_header(response, "Access-Control-Allow-Headers",
                           "Content-Type, If-None-Match, If-Range, Range");
    merels_response_header(response, "Access-Control-Max-Age", "3600");
}

void merels_response_free(struct response *response)
{
    free(response->bytes);
    if (response->stream.close)
        response->stream.close(response->stream.state);
    response->bytes = NULL;
    response->n_bytes = 0;
    response->stream = (struct body_stream){.read = NULL};
}
