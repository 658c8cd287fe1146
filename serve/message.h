// message.h: a request as it came, and the response that is made for it. Knows nothing of the
// network.
//
// A body is bytes, or a stream that is read as the client takes it: a long answer needs no more
// memory than a short one.

#ifndef MERELS_SERVE_MESSAGE_H
#define MERELS_SERVE_MESSAGE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "serve/uri.h"

enum {
    HTTP_OK = 200,
    HTTP_NO_CONTENT = 204,
    HTTP_PART = 206,
    HTTP_MOVED = 301,
    HTTP_NOT_MODIFIED = 304,
    HTTP_BAD_REQUEST = 400,
    HTTP_NOT_FOUND = 404,
    HTTP_BAD_METHOD = 405,
    HTTP_TOO_LARGE = 413,
    HTTP_LONG_TARGET = 414,
    HTTP_BAD_RANGE = 416,
    HTTP_UNPROCESSABLE = 422,
    HTTP_LONG_HEAD = 431,
    HTTP_FAILED = 500,
    HTTP_UNAVAILABLE = 503,
};

// What a request may ask to be done, for masks.
enum {
    METHOD_GET = 1,
    METHOD_HEAD = 2,
    METHOD_POST = 4,
    METHOD_OPTIONS = 8,
    METHOD_OTHER = 16
};

struct request {
    unsigned method;
    const char *target; // as sent
    struct uri uri;
    const char *if_none_match, *if_modified_since, *range, *if_range, *content_type; // or NULL
    char *body; // n_body bytes and a NUL; NULL if there are none
    size_t n_body;
    const atomic_int *cut; // not 0: nobody waits for the answer any longer
};

// The mask of the method called `name`.
unsigned merels_method(const char *name);

// ---- responses -----------------------------------------------------------------------------

enum { HEADER_VALUE_BYTES = 160, MAX_HEADERS = 16, UNKNOWN_LENGTH = -1 };

struct header {
    const char *name; // a constant
    char value[HEADER_VALUE_BYTES];
};

// The source of a body. `read` writes at least one byte and at most `room`, or returns 0 at the
// end, or -1 if the body cannot go on, which ends the connection. `close` frees `state`.
struct body_stream {
    ssize_t (*read)(void *state, char *bytes, size_t room);
    void (*close)(void *state);
    void *state;
    int64_t n_bytes; // in all, or UNKNOWN_LENGTH
};

struct response {
    int status;
    struct header headers[MAX_HEADERS];
    int n_headers;
    char *bytes; // of the body, malloc'ed
    size_t n_bytes;
    struct body_stream stream; // in place of bytes, if it has a read
    bool last;                 // the connection ends with it
};

// Adds a header, cut off if it is too long. A name stands once: a second value replaces the
// first.
void merels_response_header(struct response *response, const char *name, const char *format,
                            ...) __attribute__((format(printf, 3, 4)));
const char *merels_response_get(const struct response *response, const char *name);

// Makes it an error with the body {"error": TEXT, "status": WORDS} and a newline. Whatever the
// body was is freed; without memory there is none.
void merels_response_fail(struct response *response, int status, const char *words,
                          const char *text);

// The same with one more member, whose name is a constant.
void merels_response_fail_with(struct response *response, int status, const char *words,
                               const char *text, const char *name, const char *value);

// What comes last for every response: 304 without a body if the client has it already.
void merels_response_settle(const struct request *request, struct response *response);

// Headers that every response has; `origin` (NULL: none) is whose pages may read it, as for
// Access-Control-Allow-Origin.
void merels_response_open(const struct request *request, const char *origin,
                          struct response *response);

// Frees the body and closes the stream.
void merels_response_free(struct response *response);

// True if a list of entity tags, as in If-None-Match, holds `etag` or is "*".
bool merels_etag_listed(const char *list, const char *etag);

#endif
