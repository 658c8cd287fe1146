// command_serve.c: merels serve: the page, the files of the tables and an HTTP interface.

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "query/command.h"
#include "query/service.h"
#include "query/stop.h"
#include "serve/http_server.h"

// Signals that end the server, blocked in all threads: they wait for wait_for_end.
static sigset_t block_signals(void)
{
    sigset_t set;
    merels_stop_on_signals();
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return set;
}

static void wait_for_end(sigset_t set)
{
    int number;
    while (sigwait(&set, &number) != 0)
        ;
    signal(SIGINT, SIG_DFL); // the next one ends the program at once
    signal(SIGTERM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static enum status check_origin(const char *origin, struct error *err)
{
    bool printable = true;
    for (const char *c = origin; *c; c++)
        printable = printable && *c > ' ' && *c <= '~';
    if (printable && strlen(origin) < HEADER_VALUE_BYTES)
        return STATUS_OK;
    return merels_error(err, STATUS_BAD_INPUT,
                        "serve: --origin: '%s' is no origin, as https://example.org", origin);
}

// A connection has a socket, and a file that is sent; tables and the rest have OTHER_FILES.
static enum status allow_files(uint64_t n_connections, struct error *err)
{
    enum { OTHER_FILES = 256, LEAST_OTHER_FILES = 20 };
    struct rlimit limit;
    rlim_t wanted = 2 * n_connections + OTHER_FILES;
    rlim_t needed = 2 * n_connections + LEAST_OTHER_FILES;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return STATUS_OK;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    if (needed <= limit.rlim_cur && setrlimit(RLIMIT_NOFILE, &limit) == 0)
        return STATUS_OK;
    return merels_error(err, STATUS_TOO_LITTLE,
                        "%llu connections need %llu open files, and a process here may have "
                        "%llu: see --max-connections",
                        (unsigned long long)n_connections, (unsigned long long)needed,
                        (unsigned long long)limit.rlim_max);
}

// Serves until a signal comes.
static enum status serve(const struct context *context, struct service *service,
                         struct access_log *log, sigset_t set, struct error *err)
{
    struct server *server;
    const struct arguments *args = context->args;
    const struct server_options options = {
        .address = args->listen ? args->listen : "127.0.0.1",
        .port = (unsigned)args->port,
        .n_connections = (unsigned)args->max_connections,
        .idle_seconds = (unsigned)args->idle_seconds,
        .request_seconds = (unsigned)args->max_seconds,
        .body_bytes = args->max_body_bytes,
        .origin = args->origin,
        .log = log,
        .answer = merels_service_answer,
        .site = service,
    };
    enum status status = merels_server_start(&options, &server, err);
    if (status != STATUS_OK)
        return status;
    merels_print(context->out, "listening on %s\n", merels_server_url(server));
    status = merels_output_flush(context->out, err);
    if (status == STATUS_OK)
        wait_for_end(set);
    merels_server_stop(server);
    unsigned long long n_lost = atomic_load(&log->n_lost);
    if (status == STATUS_OK && n_lost > 0)
        status = merels_error(err, STATUS_IO, "%s: %llu lines of the log could not be written",
                              args->log, n_lost);
    return status;
}

static enum status run_serve(struct context *context, struct error *err)
{
    struct access_log log;
    struct service *service = NULL;
    enum status status =
        context->args->origin ? check_origin(context->args->origin, err) : STATUS_OK;
    if (status == STATUS_OK)
        status = allow_files(context->args->max_connections, err);
    if (status != STATUS_OK)
        return status;
    sigset_t set = block_signals();
    status = merels_access_log_open(context->args->log, &log, err);
    if (status == STATUS_OK)
        status = merels_service_open(context->args, &service, err);
    if (status == STATUS_OK)
        status = serve(context, service, &log, set, err);
    merels_service_close(service);
    merels_access_log_close(&log);
    return status;
}

const struct command merels_command_serve = {
    .name = "serve",
    .operands = "RULES...",
    .min_operands = 1,
    .max_operands = ANY_NUMBER,
    .needs = NEEDS_NOTHING,
    .takes = TAKES(OPTION_RULES) | TAKES(OPTION_DB) | TAKES(OPTION_NODES) |
             TAKES(OPTION_CACHE) | TAKES(OPTION_PORT) | TAKES(OPTION_LISTEN) |
             TAKES(OPTION_PAGE) | TAKES(OPTION_LOG) | TAKES(OPTION_ORIGIN) |
             TAKES(OPTION_MAX_BODY) | TAKES(OPTION_MAX_BATCH) | TAKES(OPTION_MAX_CONNECTIONS) |
             TAKES(OPTION_MAX_TIME) | TAKES(OPTION_MAX_IDLE),
    .summary = "serve the page, the tables and an HTTP interface",
    .details =
        "Prints one line with its address when it is ready, and serves until Ctrl-C:\n"
        "  GET  /                            the page\n"
        "  GET  /v1/                         the rules that are served\n"
        "  GET  /v1/RULES/probe?position=P   as probe --json\n"
        "  POST /v1/RULES/probe              positions, one a line, as probe -\n"
        "  GET  /v1/RULES/stats              as stats --json\n"
        "  GET  /v1/RULES/rules              rules and board\n"
        "  POST /v1/RULES/analyse            a game, as analyse --json\n"
        "  GET  /v1/openapi.json             all this for programs\n"
        "  GET  /db/RULES/FILE               files of tables, also parts of them\n"
        "With several RULES, --db names the directory that holds one for each. By rules\n"
        "with closed-points positions with men in hand are searched, one request at a\n"
        "time; one that is not decided in --nodes positions is answered 503, and asked\n"
        "again it goes on from there.",
    .example = "  merels serve nine\n"
               "  curl 'http://127.0.0.1:8017/v1/nine/probe?position=startpos+moves+d6'",
    .run = run_serve,
};
