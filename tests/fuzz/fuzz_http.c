// fuzz_http.c: fuzz target: any text as a request to "merels serve" over solved tables of a
// small game and its page, behind the library that speaks HTTP. Every request is answered, with
// JSON where the answer says so.
//
// An input is "METHOD TARGET", lines "header: value", an empty line, a body.

#include <jansson.h>

#include "query/service.h"
#include "tests/fuzz/fuzz_solved.h"

static const char *const texts[] = {
    "GET /v1/\n",
    "GET /v1/openapi.json\nIf-None-Match: \"x\", *\n",
    "GET /v1/three/probe?position=startpos+moves+b2+a1&replies=1\n",
    "GET /v1/three/probe?position=w%20a1,b2%20c3,a3%201/1&plies=x\n",
    "POST /v1/three/probe\nContent-Type: text/plain\n\nstartpos\nw a1,b2,c1 a3,b3,c3 0/0\nx\n",
    "GET /v1/three/line?position=startpos&plies=3\n",
    "GET /v1/three/analyse?game=startpos+moves+b2+a1+c3\n",
    "POST /v1/three/analyse\n\n1. b2 a1 2. c3 a3 *\n",
    "GET /v1/three/stats\n",
    "GET /v1/three/rules\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\n",
    "GET /v1/three/play?position=startpos&seed=4\n",
    "HEAD /db/three/MANIFEST\nRange: bytes=0-99\nIf-Range: \"x\"\n",
    "GET /db/three/3-3.mtb\nRange: bytes=-5,0-1\n",
    "GET /index.html\n",
    "GET /../%2e%2e/%2Fetc/passwd?a=b&c\n",
    "OPTIONS /v1/three/probe\n",
    "GET /v1/three/stats?a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1\n", // as many as there may be
    "PUT http://x/v1/none/probe#y\n",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

// ---- what is served ------------------------------------------------------------------------

static struct service *open_service(void)
{
    static char name[] = "three";
    static char *operands[] = {name, NULL};
    static struct arguments args = {.page = MERELS_DATA_DIR,
                                    .cache_bytes = 1 << 20,
                                    .operands = operands,
                                    .n_operands = 1,
                                    .max_batch = 100,
                                    .max_body_bytes = 1 << 16};
    struct service *service;
    struct error err;
    args.db = solved_three();
    if (merels_service_open(&args, &service, &err) != STATUS_OK) {
        fprintf(stderr, "%s\n", err.text);
        abort();
    }
    return service;
}

// ---- a request -----------------------------------------------------------------------------

// Cuts the first line off and returns it.
static char *take_line(char **text)
{
    char *line = *text;
    *text += strcspn(line, "\n");
    if (**text != '\0')
        *(*text)++ = '\0';
    return line;
}

static void take_header(char *line, struct request *request)
{
    char *value = strchr(line, ':');
    if (value == NULL)
        return;
    *value++ = '\0';
    value += strspn(value, " ");
    const struct {
        const char *name, **place;
    } known[] = {{"If-None-Match", &request->if_none_match},
                 {"If-Modified-Since", &request->if_modified_since},
                 {"Range", &request->range},
                 {"If-Range", &request->if_range},
                 {"Content-Type", &request->content_type}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcasecmp(line, known[k].name) == 0)
            *known[k].place = value;
}

// The whole body; it ends in any case.
static size_t read_body(struct response *response)
{
    static char piece[4096];
    size_t n = 0;
    ssize_t got = 0;
    if (response->stream.read == NULL)
        return response->n_bytes;
    while ((got = response->stream.read(response->stream.state, piece, sizeof piece)) > 0) {
        demand((size_t)got <= sizeof piece);
        n += (size_t)got;
    }
    demand(got < 0 || response->stream.n_bytes == UNKNOWN_LENGTH ||
           (int64_t)n == response->stream.n_bytes);
    return n;
}

static void check(struct response *response)
{
    const char *type = merels_response_get(response, "Content-Type");
    demand(response->status >= 200 && response->status <= 503);
    if (type && strcmp(type, "application/json") == 0 && response->bytes &&
        response->n_bytes > 0) {
        json_t *json = json_loadb(response->bytes, response->n_bytes, 0, NULL);
        demand(json != NULL);
        json_decref(json);
    }
    for (int i = 0; i < response->n_headers; i++)
        demand(strpbrk(response->headers[i].value, "\r\n") == NULL);
    (void)read_body(response);
    fuzz_accepted += response->status == HTTP_OK;
}

static void answer(struct service *service, struct request *request)
{
    struct error err = {.text = ""};
    struct response response = {.status = HTTP_OK};
    if (merels_uri_read(request->target, &request->uri, &err) == STATUS_OK) {
        merels_service_answer(service, request, &response);
        merels_response_settle(request, &response);
        merels_response_open(request, "*", &response);
        check(&response);
        merels_response_free(&response);
        merels_uri_free(&request->uri);
    } else {
        demand(err.text[0] != '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct service *service;
    static const atomic_int never;
    if (service == NULL)
        service = open_service();
    char *text = text_of_input(data, size), *rest = text, *line = take_line(&rest);
    char *target = strchr(line, ' ');
    struct request request = {.method = METHOD_GET, .target = line, .cut = &never};
    if (target != NULL) {
        *target++ = '\0';
        request.method = merels_method(line);
        request.target = target;
    }
    while (*rest != '\0' && *(line = take_line(&rest)) != '\0')
        take_header(line, &request);
    if (*rest != '\0') {
        request.body = rest;
        request.n_body = (size_t)(text + size - rest);
    }
    answer(service, &request);
    free(text);
    return 0;
}
