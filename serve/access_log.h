// access_log.h: one line for each request, in the common log form:
//
//     127.0.0.1 - - [30/Nov/2026:14:11:22 +0000] "GET /v1/ HTTP/1.1" 200 412
//
// Control characters, quotes and bytes above 126 of what a client sent stand as \xHH. Any
// number of threads; a line is one write.

#ifndef MERELS_SERVE_ACCESS_LOG_H
#define MERELS_SERVE_ACCESS_LOG_H

#include <stdatomic.h>
#include <stdint.h>

#include "game/status.h"

struct access_log {
    int fd;               // -1: no log
    atomic_ullong n_lost; // lines that could not be written
};

struct access {
    const char *client, *method, *target, *version;
    int status; // 0 if there was no response
    uint64_t n_bytes;
};

// Opens a file to append to; "-" is standard output, NULL no log. STATUS_IO.
MERELS_CHECKED enum status merels_access_log_open(const char *path, struct access_log *log,
                                                  struct error *err);
void merels_access_log_write(struct access_log *log, const struct access *access);
void merels_access_log_close(struct access_log *log);

#endif
