// http_server.h: requests from the network to a function that answers them, and back. The only
// room of libmicrohttpd.
//
// Every connection has a thread, so that an answer that takes long keeps no other waiting, and
// a client that is slow only itself. The answering function gets a request once it has come
// whole.

#ifndef MERELS_SERVE_HTTP_SERVER_H
#define MERELS_SERVE_HTTP_SERVER_H

#include "serve/access_log.h"
#include "serve/message.h"

struct server_options {
    const char *address; // a name or number of this machine
    unsigned port;       // 0: any that is free
    unsigned n_connections, idle_seconds, request_seconds;
    size_t body_bytes;      // of one request; of all together MAX_BODIES times that
    const char *origin;     // of pages from elsewhere that may read answers; NULL: none
    struct access_log *log; // must outlive the server
    void (*answer)(void *site, const struct request *request, struct response *response);
    void *site;
};

enum { MAX_BODIES = 8 };

struct server;

// Starts to serve. STATUS_BAD_INPUT (the address is none), STATUS_IO (it is in use, or not of
// this machine), STATUS_NO_MEMORY; STATUS_UNSUPPORTED if the program was built without
// libmicrohttpd.
MERELS_CHECKED enum status merels_server_start(const struct server_options *options,
                                               struct server **server, struct error *err);

// "http://127.0.0.1:8080/"; valid as long as the server.
const char *merels_server_url(const struct server *server);

// Takes no more connections, gives running requests a second to be answered, cuts the rest and
// frees everything. NULL is allowed.
void merels_server_stop(struct server *server);

#endif
