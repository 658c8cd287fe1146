// routes.h: which function answers which path, and what is said where none does.

#ifndef MERELS_SERVE_ROUTES_H
#define MERELS_SERVE_ROUTES_H

#include "serve/message.h"

// The parts of `path` are separated by '/'; "*" stands for any one part, "**" at the end for
// any number of them. The first row that fits answers; without methods it says that there is
// nothing.
struct route {
    const char *path;
    unsigned methods; // HEAD goes with GET
    void (*answer)(void *site, const struct request *request, struct response *response);
};

// Answers a request by a table that ends with a row without a path: 404 if no path fits, 405
// with Allow if one does but not its methods; an OPTIONS request is answered with what is
// allowed.
void merels_routes_answer(const struct route *routes, void *site, const struct request *request,
                          struct response *response);

#endif
