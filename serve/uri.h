// uri.h: the target of a request, taken apart: the parts of the path and the parameters.
//
// Parts and parameters are decoded once and hold no byte of value 0. A decoded part may hold
// anything else, a slash too: who makes a file name of parts checks them (files.h).

#ifndef MERELS_SERVE_URI_H
#define MERELS_SERVE_URI_H

#include <stdbool.h>

#include "game/status.h"

enum { MAX_URI_PARTS = 12, MAX_URI_PARAMETERS = 8 };

struct uri_parameter {
    const char *name, *value; // "" where there is no '='
};

// "/v1/nine/probe?position=startpos" has the parts "v1", "nine", "probe".
struct uri {
    char *room; // of all texts
    int n_parts, n_parameters;
    const char *parts[MAX_URI_PARTS];
    struct uri_parameter parameters[MAX_URI_PARAMETERS];
    bool folder; // the path ends in '/'
};

// Takes a target apart: a path, or a whole address, whose scheme and host are passed over.
// STATUS_BAD_INPUT if it is neither, has an unfinished '%', a byte of value 0, or more parts or
// parameters than there is room for; STATUS_NO_MEMORY. Free with merels_uri_free.
MERELS_CHECKED enum status merels_uri_read(const char *target, struct uri *uri,
                                           struct error *err);
void merels_uri_free(struct uri *uri);

// What the parameters of an address may be.
struct uri_form {
    const char *texts[4], *switches[4]; // names, NULL behind the last; a switch is 0 or 1
    const char *example;                // for messages
};

// STATUS_BAD_INPUT, naming the parameter, if one is not of the form or stands twice.
MERELS_CHECKED enum status merels_uri_check(const struct uri *uri, const struct uri_form *form,
                                            struct error *err);

// The value of a parameter, the first of its name; NULL if there is none.
const char *merels_uri_parameter(const struct uri *uri, const char *name);

#endif
