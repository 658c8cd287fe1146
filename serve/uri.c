// uri.c: splits first and decodes then, so that an encoded '/' or '&' separates nothing.

#include "serve/uri.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Decodes a text in place; `plus`: a '+' is a space.
static enum status decode(char *text, bool plus, struct error *err)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        char c = *in;
        if (c == '%') {
            int high = digit(in[1]), low = high < 0 ? -1 : digit(in[2]);
            if (low < 0)
                return merels_error(err, STATUS_BAD_INPUT,
                                    "the address has a '%%' without two hexadecimal digits");
            if (high == 0 && low == 0)
                return merels_error(err, STATUS_BAD_INPUT,
                                    "the address holds a byte of value 0");
            c = (char)(high << 4 | low);
            in += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        *out++ = c;
    }
    *out = '\0';
    return STATUS_OK;
}

// The path of "/path" or "http://host/path"; NULL if it is neither.
static const char *path_of(const char *target)
{
    static const char *const schemes[] = {"http://", "https://"};
    for (int i = 0; i < 2; i++) {
        size_t length = strlen(schemes[i]);
        if (strncasecmp(target, schemes[i], length) == 0)
            return target + length + strcspn(target + length, "/?#");
    }
    return target[0] == '/' ? target : NULL;
}

static enum status read_path(char *path, struct uri *uri, struct error *err)
{
    for (char *next = *path == '/' ? path + 1 : NULL; next;) {
        char *part = next;
        next = strchr(part, '/');
        if (next)
            *next++ = '\0';
        else if (*part == '\0')
            break;
        uri->folder = next && *next == '\0';
        if (uri->n_parts == MAX_URI_PARTS)
            return merels_error(err, STATUS_BAD_INPUT, "the path has more than %d parts",
                                MAX_URI_PARTS);
        enum status status = decode(part, false, err);
        if (status != STATUS_OK)
            return status;
        uri->parts[uri->n_parts++] = part;
    }
    uri->folder = uri->folder || uri->n_parts == 0;
    return STATUS_OK;
}

static enum status read_parameter(char *text, struct uri *uri, struct error *err)
{
    if (uri->n_parameters == MAX_URI_PARAMETERS)
        return merels_error(err, STATUS_BAD_INPUT, "the address has more than %d parameters",
                            MAX_URI_PARAMETERS);
    char *value = strchr(text, '=');
    if (value)
        *value++ = '\0';
    else
        value = text + strlen(text);
    enum status status = decode(text, true, err);
    if (status == STATUS_OK)
        status = decode(value, true, err);
    uri->parameters[uri->n_parameters++] = (struct uri_parameter){text, value};
    return status;
}

static enum status read_query(char *query, struct uri *uri, struct error *err)
{
    enum status status = STATUS_OK;
    for (char *next = query; next && status == STATUS_OK;) {
        char *text = next;
        next = strchr(text, '&');
        if (next)
            *next++ = '\0';
        if (*text)
            status = read_parameter(text, uri, err);
    }
    return status;
}

enum status merels_uri_read(const char *target, struct uri *uri, struct error *err)
{
    *uri = (struct uri){.n_parts = 0};
    const char *path = path_of(target);
    if (!path)
        return merels_error(err, STATUS_BAD_INPUT, "the address of a request begins with '/'");
    uri->room = strdup(path);
    if (!uri->room)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for an address");
    uri->room[strcspn(uri->room, "#")] = '\0';
    char *query = strchr(uri->room, '?');
    if (query)
        *query++ = '\0';
    enum status status = read_path(uri->room, uri, err);
    if (status == STATUS_OK)
        status = read_query(query, uri, err);
    if (status != STATUS_OK)
        merels_uri_free(uri);
    return status;
}

void merels_uri_free(struct uri *uri)
{
    free(uri->room);
    *uri = (struct uri){.n_parts = 0};
}

static bool is_one_of(const char *name, const char *const names[4])
{
    for (int i = 0; i < 4 && names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static enum status check_parameter(const struct uri *uri, int i, const struct uri_form *form,
                                   struct error *err)
{
    const char *name = uri->parameters[i].name, *value = uri->parameters[i].value;
    bool is_switch = is_one_of(name, form->switches);
    if (!is_switch && !is_one_of(name, form->texts))
        return merels_error(err, STATUS_BAD_INPUT,
                            "the parameter '%.40s' is not known here; for example: %s", name,
                            form->example);
    if (merels_uri_parameter(uri, name) != value)
        return merels_error(err, STATUS_BAD_INPUT,
                            "the parameter '%s' stands twice; for example: %s", name,
                            form->example);
    if (is_switch && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return merels_error(err, STATUS_BAD_INPUT,
                            "the parameter '%s' is 0 or 1, not '%.40s'; for example: %s", name,
                            value, form->example);
    return STATUS_OK;
}

enum status merels_uri_check(const struct uri *uri, const struct uri_form *form,
                             struct error *err)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < uri->n_parameters && status == STATUS_OK; i++)
        status = check_parameter(uri, i, form, err);
    return status;
}

const char *merels_uri_parameter(const struct uri *uri, const char *name)
{
    for (int i = 0; i < uri->n_parameters; i++)
        if (strcmp(uri->parameters[i].name, name) == 0)
            return uri->parameters[i].value;
    return NULL;
}
