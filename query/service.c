// service.c: addresses, and what stands behind them.

#include "query/service.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/merels.h"
#include "query/new_text.h"
#include "query/openapi.h"
#include "query/served_answers.h"
#include "serve/files.h"
#include "serve/routes.h"

struct service {
    const struct arguments *args;
    char *page; // folder
    size_t n_served;
    struct served *served[];
};

// ---- opening -------------------------------------------------------------------------------

// The folder that `cmake --install` fills, seen from the program: bin/../share/merels/web. In a
// build tree there is a link to the sources.
static char *installed_page(void)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    path[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = '\0';
    }
    return merels_new_text("%s/share/merels/web", path);
}

static enum status check_names(const struct service *service, struct error *err)
{
    for (size_t i = 1; i < service->n_served; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(service->served[i]->name, service->served[k]->name) == 0)
                return merels_error(err, STATUS_BAD_INPUT, "serve: '%s' stands twice",
                                    service->served[i]->name);
    return STATUS_OK;
}

static enum status open_all(const struct arguments *args, struct service *service,
                            struct error *err)
{
    service->page = args->page ? strdup(args->page) : installed_page();
    if (!service->page)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the page");
    for (int i = 0; i < args->n_operands; i++) {
        enum status status = merels_served_open(args, i, &service->served[i], err);
        if (status != STATUS_OK)
            return status;
        service->n_served++;
    }
    return check_names(service, err);
}

enum status merels_service_open(const struct arguments *args, struct service **service,
                                struct error *err)
{
    size_t n = (size_t)args->n_operands;
    struct service *made = calloc(1, sizeof *made + n * sizeof made->served[0]);
    if (!made)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the rules");
    made->args = args;
    enum status status = open_all(args, made, err);
    if (status == STATUS_OK)
        *service = made;
    else
        merels_service_close(made);
    return status;
}

void merels_service_close(struct service *service)
{
    if (!service)
        return;
    for (size_t i = 0; i < service->n_served; i++)
        merels_served_close(service->served[i]);
    free(service->page);
    free(service);
}

// ---- what there is -------------------------------------------------------------------------

// The rules that the second part of the path names; NULL after a response that says so.
static struct served *find(const struct service *service, const struct request *request,
                           struct response *response)
{
    char text[256];
    const char *name = request->uri.parts[1];
    for (size_t i = 0; i < service->n_served; i++)
        if (strcmp(service->served[i]->name, name) == 0)
            return service->served[i];
    snprintf(text, sizeof text, "rules '%.150s' are not served here; /v1/ names those that are",
             name);
    merels_response_fail(response, HTTP_NOT_FOUND, "not found", text);
    return NULL;
}

// Edition compact stands beside the directory, with its name and ".mce" behind; the path has a
// '/'. False if the directory's name is no part of an address.
static bool name_beside(const char *dir, char path[PATH_MAX])
{
    size_t length = strlen(dir);
    while (length > 1 && dir[length - 1] == '/')
        length--;
    int n = snprintf(path, PATH_MAX, "%s%.*s.mce", memchr(dir, '/', length) ? "" : "./",
                     (int)length, dir);
    return n < PATH_MAX && merels_file_part(strrchr(path, '/') + 1);
}

static json_t *editions_json(const struct served *served)
{
    char path[PATH_MAX];
    json_t *list = json_array();
    const struct manifest *manifest = &served->manifest;
    for (; manifest && manifest->n_entries > 0; manifest = manifest->beside) {
        char root[2 * SHA256_BYTES + 1];
        merels_hex(manifest->root_hash, SHA256_BYTES, root);
        json_array_append_new(list, json_pack("{s:s, s:i, s:s}", "edition",
                                              merels_edition_name(manifest->edition), "tables",
                                              (int)manifest->n_entries, "root_hash", root));
    }
    if (name_beside(served->context->dir, path) && access(path, R_OK) == 0)
        json_array_append_new(list, json_pack("{s:s, s:s}", "edition", "compact", "file",
                                              strrchr(path, '/') + 1));
    return list;
}

static json_t *served_json(const struct served *served)
{
    char start[POSITION_TEXT_BYTES];
    const struct variant *variant = &served->context->variant;
    const struct position first = merels_position_start(&variant->start);
    merels_position_format(served->context->rules, &first, start);
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:s, s:b, s:o}", "rules", served->name, "name",
                     variant->name, "fingerprint", variant->fingerprint, "first_men",
                     variant->start.first_men, "second_men", variant->start.second_men, "start",
                     start, "whole", served->whole, "editions", editions_json(served));
}

// False after a response that says what is wrong with the parameters.
static bool takes(const struct uri_form *form, const struct request *request,
                  struct response *response)
{
    struct error reason;
    if (merels_uri_check(&request->uri, form, &reason) == STATUS_OK)
        return true;
    merels_response_fail(response, HTTP_BAD_REQUEST, merels_status_name(reason.status),
                         reason.text);
    return false;
}

static void answer_list(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form form = {.example = "/v1/"};
    const struct service *service = site;
    if (!takes(&form, request, response))
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < service->n_served; i++)
        json_array_append_new(list, served_json(service->served[i]));
    merels_respond_json(json_pack("{s:s, s:o}", "version", merels_version(), "served", list),
                        response);
    merels_response_header(response, "Cache-Control", "no-cache");
}

static void answer_openapi(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form form = {.example = "/v1/openapi.json"};
    (void)site;
    if (!takes(&form, request, response))
        return;
    response->bytes = malloc(merels_openapi_bytes);
    if (!response->bytes) {
        merels_response_fail(response, HTTP_UNAVAILABLE, "out of memory",
                             "no memory for an answer");
        return;
    }
    memcpy(response->bytes, merels_openapi, merels_openapi_bytes);
    response->n_bytes = merels_openapi_bytes;
    merels_response_header(response, "Content-Type", "application/json");
    merels_response_header(response, "Cache-Control", "no-cache");
    merels_response_header(
        response, "ETag", "\"%016llx\"",
        (unsigned long long)merels_xxh64(merels_openapi, merels_openapi_bytes));
}

// ---- answers -------------------------------------------------------------------------------

static void answer_probe(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form position = {.texts = {"position"},
                                             .example = "?position=startpos+moves+d6"},
                                 batch = {.switches = {"replies", "parts"},
                                          .example = "?replies=1&parts=0"};
    struct service *service = site;
    struct served *served = find(service, request, response);
    bool many = request->method == METHOD_POST;
    if (!served || !takes(many ? &batch : &position, request, response))
        return;
    if (many)
        merels_answer_batch(served, request, service->args->max_batch, response);
    else
        merels_answer_position(served, request, response);
}

static void answer_stats(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form form = {.example = "/v1/nine/stats"};
    struct served *served = find(site, request, response);
    if (served && takes(&form, request, response))
        merels_answer_stats(served, request, response);
}

static void answer_rules(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form form = {.example = "/v1/nine/rules"};
    const struct served *served = find(site, request, response);
    if (served && takes(&form, request, response))
        merels_answer_rules(served, response);
}

static void answer_analyse(void *site, const struct request *request, struct response *response)
{
    static const struct uri_form form = {.example = "/v1/nine/analyse"};
    struct served *served = find(site, request, response);
    if (served && takes(&form, request, response))
        merels_answer_game(served, request, response);
}

// ---- files ---------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), n_end = strlen(end);
    return n > n_end && strcmp(text + n - n_end, end) == 0;
}

// Nothing else of the directory is for others.
static bool is_table_file(const char *name)
{
    return merels_file_part(name) &&
           (strcmp(name, "MANIFEST") == 0 || ends_with(name, ".mtb") ||
            ends_with(name, ".wdl") || ends_with(name, ".mce"));
}

static void answer_table(void *site, const struct request *request, struct response *response)
{
    char path[PATH_MAX];
    const char *name = request->uri.parts[2];
    const struct served *served = find(site, request, response);
    if (!served)
        return;
    const char *dir = served->context->dir;
    int n = 0;
    if (!name_beside(dir, path) || strcmp(strrchr(path, '/') + 1, name) != 0)
        n = snprintf(path, sizeof path, "%s/%s", dir, name);
    if (!is_table_file(name) || request->uri.folder || n >= (int)sizeof path)
        merels_response_fail(response, HTTP_NOT_FOUND, "not found",
                             "there is no such file of tables; MANIFEST names them");
    else
        merels_file_respond_path(request, path,
                                 served->whole ? "public, max-age=3600" : "no-cache", response);
}

static void answer_page(void *site, const struct request *request, struct response *response)
{
    const struct service *service = site;
    merels_file_respond(request, service->page, 0, "no-cache", response);
}

void merels_service_answer(void *service, const struct request *request,
                           struct response *response)
{
    static const struct route routes[] = {
        {"/v1", METHOD_GET, answer_list},
        {"/v1/openapi.json", METHOD_GET, answer_openapi},
        {"/v1/*/probe", METHOD_GET | METHOD_POST, answer_probe},
        {"/v1/*/stats", METHOD_GET, answer_stats},
        {"/v1/*/rules", METHOD_GET, answer_rules},
        {"/v1/*/analyse", METHOD_POST, answer_analyse},
        {"/v1/**", 0, NULL},
        {"/db/*/*", METHOD_GET, answer_table},
        {"/db/**", 0, NULL},
        {"/**", METHOD_GET, answer_page},
        {NULL, 0, NULL},
    };
    merels_routes_answer(routes, service, request, response);
}
