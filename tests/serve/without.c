// without.c: http_server.c as it is without libmicrohttpd says so in words. Exit status 0 if it
// does.

#include <stdio.h>
#include <string.h>

#include "serve/http_server.h"

int main(void)
{
    struct error err = {.status = STATUS_OK};
    struct server *server = NULL;
    const struct server_options options = {.address = "127.0.0.1"};
    enum status status = merels_server_start(&options, &server, &err);
    printf("%d %s\n", status, err.text);
    merels_server_stop(server);
    return status == STATUS_UNSUPPORTED && strstr(err.text, "MERELS_SERVE=OFF") ? 0 : 1;
}
