// http_server.c: libmicrohttpd.
//
// It reads requests and writes responses; what is longer than it may be, too slow, or one too
// many is found out here. The target is taken as it was sent, before the library decodes it.
//
//     opened -> notify_connection: guarded
//     request line -> begin_exchange -> headers, body: take_request, again and again -> answer
//     sent, or given up -> end_exchange: the log
//     closed -> notify_connection

#include "serve/http_server.h"

#if MERELS_SERVE

#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "serve/guard.h"

enum {
    RESERVE = 32,          // connections beyond the limit, which are told so
    HEAD_BYTES = 48 << 10, // of a request line and its headers
    // Of a connection. Beyond HEAD_BYTES there is room to read what is too long and refuse it
    // in our form: what fits in here no more the library refuses, in words of its own.
    HEADER_ROOM = 256 << 10,
    STREAM_BLOCK = 64 << 10,
    STACK_BYTES = 2 << 20,
    BACKLOG = 128,
    URL_BYTES = 128,
    PATIENCE_MS = 1000, // for running requests when the server stops
    LOOK_MS = 10,
};

struct server {
    struct server_options options;
    struct MHD_Daemon *daemon;
    struct guard *guard;
    atomic_int n_running;       // requests that are being answered
    atomic_size_t n_body_bytes; // of all requests
    char url[URL_BYTES];
};

// A request on its way.
struct exchange {
    struct server *server;
    struct guarded *guarded;
    char *target;
    char method[16], version[16];
    bool begun;
    int refused; // the status with which it ends; 0 while all is well
    char *body;
    size_t n_body, room;
    int status; // of the response
    uint64_t n_sent;
    struct body_stream stream;
};

// ---- the life of an exchange ---------------------------------------------------------------

static void *begin_exchange(void *context, const char *target,
                            struct MHD_Connection *connection)
{
    struct exchange *exchange = calloc(1, sizeof *exchange);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (!exchange)
        return NULL;
    exchange->server = context;
    exchange->guarded = info ? info->socket_context : NULL;
    exchange->target = strdup(target);
    atomic_fetch_add(&exchange->server->n_running, 1);
    return exchange;
}

static void name_client(struct MHD_Connection *connection, char name[64])
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *address = info ? info->client_addr : NULL;
    socklen_t length = address && address->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                                 : sizeof(struct sockaddr_in);
    if (!address || getnameinfo(address, length, name, 64, NULL, 0, NI_NUMERICHOST) != 0)
        strcpy(name, "-");
}

static void log_exchange(const struct exchange *exchange, struct MHD_Connection *connection)
{
    char client[64];
    name_client(connection, client);
    const struct access access = {client,
                                  exchange->method[0] ? exchange->method : "-",
                                  exchange->target ? exchange->target : "-",
                                  exchange->version[0] ? exchange->version : "-",
                                  exchange->status,
                                  exchange->n_sent};
    merels_access_log_write(exchange->server->options.log, &access);
}

static void drop_body(struct exchange *exchange)
{
    atomic_fetch_sub(&exchange->server->n_body_bytes, exchange->room);
    free(exchange->body);
    exchange->body = NULL;
    exchange->n_body = exchange->room = 0;
}

static void end_exchange(void *context, struct MHD_Connection *connection, void **place,
                         enum MHD_RequestTerminationCode code)
{
    struct server *server = context;
    struct exchange *exchange = *place;
    (void)code;
    if (!exchange)
        return;
    log_exchange(exchange, connection);
    if (exchange->stream.close)
        exchange->stream.close(exchange->stream.state);
    if (exchange->guarded)
        merels_guard_renew(server->guard, exchange->guarded);
    drop_body(exchange);
    free(exchange->target);
    free(exchange);
    *place = NULL;
    atomic_fetch_sub(&server->n_running, 1);
}

static void notify_connection(void *context, struct MHD_Connection *connection, void **place,
                              enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (code == MHD_CONNECTION_NOTIFY_STARTED && info) {
        *place = merels_guard_add(server->guard, info->connect_fd);
    } else if (code == MHD_CONNECTION_NOTIFY_CLOSED && *place) {
        merels_guard_remove(server->guard, *place);
        *place = NULL;
    }
}

// ---- responses -----------------------------------------------------------------------------

static ssize_t read_stream(void *context, uint64_t at, char *bytes, size_t room)
{
    struct exchange *exchange = context;
    (void)at;
    if (exchange->guarded && atomic_load(&exchange->guarded->cut))
        return MHD_CONTENT_READER_END_WITH_ERROR;
    ssize_t n = exchange->stream.read(exchange->stream.state, bytes, room);
    if (n <= 0)
        return n == 0 ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
    exchange->n_sent += (uint64_t)n;
    if (exchange->guarded)
        merels_guard_sent(exchange->guarded, (uint64_t)n);
    return n;
}

// Takes the body out of a response; NULL without memory.
static struct MHD_Response *make_response(struct exchange *exchange, struct response *response)
{
    if (response->stream.read) {
        exchange->stream = response->stream;
        response->stream = (struct body_stream){.read = NULL};
        return MHD_create_response_from_callback(exchange->stream.n_bytes < 0
                                                     ? MHD_SIZE_UNKNOWN
                                                     : (uint64_t)exchange->stream.n_bytes,
                                                 STREAM_BLOCK, read_stream, exchange, NULL);
    }
    struct MHD_Response *made = MHD_create_response_from_buffer(
        response->n_bytes, response->bytes ? response->bytes : "",
        response->bytes ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (made) {
        exchange->n_sent = response->n_bytes;
        response->bytes = NULL;
    }
    return made;
}

static bool add_headers(struct MHD_Response *made, const struct response *response)
{
    bool added = true;
    for (int i = 0; i < response->n_headers; i++)
        added = added && MHD_add_response_header(made, response->headers[i].name,
                                                 response->headers[i].value) == MHD_YES;
    return added &&
           (!response->last || MHD_add_response_header(made, "Connection", "close") == MHD_YES);
}

// Sends a response and frees it.
static enum MHD_Result respond(struct exchange *exchange, struct MHD_Connection *connection,
                               struct response *response)
{
    enum MHD_Result result = MHD_NO;
    struct MHD_Response *made = make_response(exchange, response);
    if (made && add_headers(made, response)) {
        exchange->status = response->status;
        result = MHD_queue_response(connection, (unsigned)response->status, made);
    }
    if (made)
        MHD_destroy_response(made);
    merels_response_free(response);
    return result;
}

// ---- requests ------------------------------------------------------------------------------

static void refuse(const struct exchange *exchange, struct response *response)
{
    char text[128];
    switch (exchange->refused) {
    case HTTP_LONG_TARGET:
    case HTTP_LONG_HEAD:
        snprintf(
            text, sizeof text,
            "%s of a request are at most %d bytes long; POST takes long positions and games",
            exchange->refused == HTTP_LONG_TARGET ? "method and address"
                                                  : "address and headers",
            HEAD_BYTES);
        merels_response_fail(response, exchange->refused, "too large", text);
        break;
    case HTTP_TOO_LARGE:
        snprintf(text, sizeof text, "the body of a request is at most %zu bytes long",
                 exchange->server->options.body_bytes);
        merels_response_fail(response, HTTP_TOO_LARGE, "too large", text);
        break;
    default:
        merels_response_fail(response, HTTP_UNAVAILABLE, "busy",
                             exchange->guarded && !exchange->guarded->excess
                                 ? "too many requests at a time; try again"
                                 : "too many connections; try again");
        merels_response_header(response, "Retry-After", "2");
        break;
    }
    response->last = true;
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static void refuse_body(struct exchange *exchange, int status)
{
    exchange->refused = status;
    drop_body(exchange);
}

// Makes room for n bytes and a NUL, as long as all bodies together do not take too much.
static bool make_room(struct exchange *exchange, size_t n)
{
    struct server *server = exchange->server;
    const size_t most = server->options.body_bytes + 1;
    size_t room = 2 * n < most ? 2 * n : most;
    if (n < exchange->room)
        return true;
    size_t more = room - exchange->room;
    size_t all = atomic_fetch_add(&server->n_body_bytes, more) + more;
    char *body = all <= MAX_BODIES * most ? realloc(exchange->body, room) : NULL;
    if (!body) {
        atomic_fetch_sub(&server->n_body_bytes, more);
        return false;
    }
    exchange->body = body;
    exchange->room = room;
    return true;
}

// Keeps a piece of the body; a body that is too long is read to its end and forgotten.
static void keep_body(struct exchange *exchange, const char *bytes, size_t n)
{
    if (exchange->refused)
        return;
    if (n > exchange->server->options.body_bytes - exchange->n_body) {
        refuse_body(exchange, HTTP_TOO_LARGE);
    } else if (!make_room(exchange, exchange->n_body + n)) {
        refuse_body(exchange, HTTP_UNAVAILABLE);
    } else {
        memcpy(exchange->body + exchange->n_body, bytes, n);
        exchange->n_body += n;
        exchange->body[exchange->n_body] = '\0';
    }
}

// The status of a request whose head is too long, 0 of others.
static int refuse_head(const struct exchange *exchange, struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (strlen(exchange->target) > HEAD_BYTES)
        return HTTP_LONG_TARGET;
    return info && info->header_size > HEAD_BYTES ? HTTP_LONG_HEAD : 0;
}

// Looks at a request of which nothing but the headers has come.
static void look(struct exchange *exchange, struct MHD_Connection *connection)
{
    const char *length = header_of(connection, "Content-Length");
    if (!exchange->guarded || exchange->guarded->excess || !exchange->target)
        exchange->refused = HTTP_UNAVAILABLE;
    else if (length && strtoumax(length, NULL, 10) > exchange->server->options.body_bytes)
        exchange->refused = HTTP_TOO_LARGE;
    else
        exchange->refused = refuse_head(exchange, connection);
}

static void run_site(struct exchange *exchange, const struct request *request,
                     struct response *response)
{
    const struct server_options *options = &exchange->server->options;
    atomic_store(&exchange->guarded->busy, true);
    options->answer(options->site, request, response);
    atomic_store(&exchange->guarded->busy, false);
    response->last = atomic_load(&exchange->guarded->cut) != 0;
}

static void answer(struct exchange *exchange, struct MHD_Connection *connection,
                   struct response *response)
{
    static const atomic_int never;
    struct error reason;
    const struct server_options *options = &exchange->server->options;
    struct request request = {
        .method = merels_method(exchange->method),
        .target = exchange->target,
        .if_none_match = header_of(connection, "If-None-Match"),
        .if_modified_since = header_of(connection, "If-Modified-Since"),
        .range = header_of(connection, "Range"),
        .if_range = header_of(connection, "If-Range"),
        .content_type = header_of(connection, "Content-Type"),
        .body = exchange->body,
        .n_body = exchange->n_body,
        .cut = exchange->guarded ? &exchange->guarded->cut : &never,
    };
    if (exchange->refused) {
        refuse(exchange, response);
    } else if (merels_uri_read(exchange->target, &request.uri, &reason) != STATUS_OK) {
        merels_response_fail(response, HTTP_BAD_REQUEST, merels_status_name(reason.status),
                             reason.text);
    } else {
        run_site(exchange, &request, response);
        merels_response_settle(&request, response);
        merels_uri_free(&request.uri);
    }
    merels_response_open(&request, options->origin, response);
}

static enum MHD_Result take_request(void *context, struct MHD_Connection *connection,
                                    const char *url, const char *method, const char *version,
                                    const char *bytes, size_t *n_bytes, void **place)
{
    struct exchange *exchange = *place;
    struct response response = {.status = HTTP_OK};
    (void)context;
    (void)url;
    if (!exchange)
        return MHD_NO;
    if (!exchange->begun) {
        exchange->begun = true;
        snprintf(exchange->method, sizeof exchange->method, "%s", method);
        snprintf(exchange->version, sizeof exchange->version, "%s", version);
        look(exchange, connection);
        if (!exchange->refused)
            return MHD_YES;
    } else if (*n_bytes > 0) {
        keep_body(exchange, bytes, *n_bytes);
        *n_bytes = 0;
        return MHD_YES;
    }
    answer(exchange, connection, &response);
    return respond(exchange, connection, &response);
}

// ---- starting and stopping -----------------------------------------------------------------

static enum status fail_to_listen(const struct server_options *options, struct error *err)
{
    return merels_error(err, STATUS_IO, "cannot listen on %s, port %u: %s", options->address,
                        options->port, strerror(errno));
}

static enum status listen_at(const struct server_options *options,
                             const struct addrinfo *address, int *listener, struct error *err)
{
    const int yes = 1;
    int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return fail_to_listen(options, err);
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
        bind(fd, address->ai_addr, address->ai_addrlen) != 0 || listen(fd, BACKLOG) != 0) {
        enum status status = fail_to_listen(options, err);
        close(fd);
        return status;
    }
    *listener = fd;
    return STATUS_OK;
}

static enum status open_listener(const struct server_options *options, int *listener,
                                 struct error *err)
{
    char port[16];
    struct addrinfo *address;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE};
    snprintf(port, sizeof port, "%u", options->port);
    int failure = getaddrinfo(options->address, port, &hints, &address);
    if (failure == EAI_MEMORY)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for the address '%s'",
                            options->address);
    if (failure != 0)
        return merels_error(err, STATUS_BAD_INPUT, "'%s' is no address to listen on: %s",
                            options->address, gai_strerror(failure));
    enum status status = listen_at(options, address, listener, err);
    freeaddrinfo(address);
    return status;
}

static enum status write_url(int listener, char url[URL_BYTES], struct error *err)
{
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    char host[64], port[16];
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        getnameinfo((struct sockaddr *)&address, length, host, sizeof host, port, sizeof port,
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return merels_error(err, STATUS_IO, "the address of the socket cannot be found out");
    bool colons = strchr(host, ':') != NULL;
    snprintf(url, URL_BYTES, "http://%s%s%s:%s/", colons ? "[" : "", host, colons ? "]" : "",
             port);
    return STATUS_OK;
}

// What the library has to say is about clients.
static void ignore_message(void *context, const char *format, va_list list)
{
    (void)context;
    (void)format;
    (void)list;
}

static struct MHD_Daemon *start_daemon(struct server *server, int listener)
{
    const struct server_options *options = &server->options;
    unsigned flags = MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD |
                     MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ITC | MHD_USE_ERROR_LOG;
    return MHD_start_daemon(
        flags, 0, NULL, NULL, take_request, server, MHD_OPTION_EXTERNAL_LOGGER, ignore_message,
        NULL, MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT,
        options->n_connections + RESERVE, MHD_OPTION_CONNECTION_TIMEOUT, options->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)HEADER_ROOM, MHD_OPTION_THREAD_STACK_SIZE,
        (size_t)STACK_BYTES, MHD_OPTION_URI_LOG_CALLBACK, begin_exchange, server,
        MHD_OPTION_NOTIFY_COMPLETED, end_exchange, server, MHD_OPTION_NOTIFY_CONNECTION,
        notify_connection, server, MHD_OPTION_END);
}

static enum status start(struct server *server, struct error *err)
{
    int listener = -1;
    const struct server_options *options = &server->options;
    enum status status = open_listener(options, &listener, err);
    if (status != STATUS_OK)
        return status;
    status = write_url(listener, server->url, err);
    if (status == STATUS_OK)
        status = merels_guard_start(options->n_connections, options->request_seconds,
                                    &server->guard, err);
    if (status == STATUS_OK) {
        server->daemon = start_daemon(server, listener); // takes the socket over
        if (!server->daemon)
            status = merels_error(err, STATUS_IO, "the server cannot be started");
    }
    if (status != STATUS_OK)
        close(listener);
    return status;
}

enum status merels_server_start(const struct server_options *options, struct server **server,
                                struct error *err)
{
    struct server *made = calloc(1, sizeof *made);
    if (!made)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the server");
    made->options = *options;
    enum status status = start(made, err);
    if (status != STATUS_OK) {
        merels_guard_stop(made->guard);
        free(made);
        return status;
    }
    *server = made;
    return STATUS_OK;
}

const char *merels_server_url(const struct server *server)
{
    return server->url;
}

void merels_server_stop(struct server *server)
{
    const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    if (!server)
        return;
    int listener = MHD_quiesce_daemon(server->daemon);
    for (int ms = 0; ms < PATIENCE_MS && atomic_load(&server->n_running) > 0; ms += LOOK_MS)
        nanosleep(&pause, NULL);
    merels_guard_cut(server->guard);
    MHD_stop_daemon(server->daemon);
    merels_guard_stop(server->guard);
    if (listener >= 0)
        close(listener);
    free(server);
}

#else

#include <stddef.h>

enum status merels_server_start(const struct server_options *options, struct server **server,
                                struct error *err)
{
    (void)options;
    *server = NULL;
    return merels_error(err, STATUS_UNSUPPORTED,
                        "this program was built without libmicrohttpd (MERELS_SERVE=OFF) and "
                        "cannot serve");
}

const char *merels_server_url(const struct server *server)
{
    (void)server;
    return "";
}

void merels_server_stop(struct server *server)
{
    (void)server;
}

#endif
