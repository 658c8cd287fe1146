// routes.c: the table is short and read from the top.

#include "serve/routes.h"

#include <stdio.h>
#include <string.h>

static bool fits(const char *path, const struct uri *uri)
{
    int i = 0;
    for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
        size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "**", 2) == 0)
            return true;
        if (i == uri->n_parts)
            return false;
        const char *part = uri->parts[i++];
        bool any = length == 1 && *path == '*';
        if (!any && (strlen(part) != length || strncmp(path, part, length) != 0))
            return false;
        path += length;
    }
    return i == uri->n_parts;
}

static unsigned allowed(const struct route *route)
{
    return route->methods | (route->methods & METHOD_GET ? METHOD_HEAD : 0);
}

static void add_allow(struct response *response, unsigned methods)
{
    merels_response_header(response, "Allow", "%s%sOPTIONS",
                           methods & METHOD_GET ? "GET, HEAD, " : "",
                           methods & METHOD_POST ? "POST, " : "");
}

static void refuse_method(unsigned methods, struct response *response)
{
    merels_response_fail(response, HTTP_BAD_METHOD, "bad method",
                         methods & METHOD_GET ? methods & METHOD_POST
                                                    ? "this address takes GET and POST"
                                                    : "this address takes GET"
                                              : "this address takes POST");
    add_allow(response, methods);
}

static void refuse_path(const struct request *request, struct response *response)
{
    char text[256];
    snprintf(text, sizeof text, "there is nothing at %.200s", request->target);
    merels_response_fail(response, HTTP_NOT_FOUND, "not found", text);
}

void merels_routes_answer(const struct route *routes, void *site, const struct request *request,
                          struct response *response)
{
    const struct route *route = routes;
    while (route->path && !fits(route->path, &request->uri))
        route++;
    if (!route->path || route->methods == 0) {
        refuse_path(request, response);
    } else if (allowed(route) & request->method) {
        route->answer(site, request, response);
    } else if (request->method == METHOD_OPTIONS) {
        response->status = HTTP_NO_CONTENT;
        add_allow(response, route->methods);
    } else {
        refuse_method(route->methods, response);
    }
}
