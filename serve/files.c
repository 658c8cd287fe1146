// files.c: a file is opened once, and what is said of it and what is sent of it come from the
// same open file.

#include "serve/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "serve/byte_range.h"

// ---- the body ------------------------------------------------------------------------------

struct file_part {
    int fd;
    uint64_t at, left;
};

static ssize_t read_part(void *state, char *bytes, size_t room)
{
    struct file_part *part = state;
    size_t n = room < part->left ? room : (size_t)part->left;
    if (n == 0)
        return 0;
    ssize_t n_read = pread(part->fd, bytes, n, (off_t)part->at);
    if (n_read <= 0) // the file has become shorter, or cannot be read
        return -1;
    part->at += (uint64_t)n_read;
    part->left -= (uint64_t)n_read;
    return n_read;
}

static void close_part(void *state)
{
    struct file_part *part = state;
    close(part->fd);
    free(part);
}

// Takes fd over.
static void send_part(int fd, uint64_t first, uint64_t n_bytes, struct response *response)
{
    struct file_part *part = malloc(sizeof *part);
    if (!part) {
        close(fd);
        merels_response_fail(response, HTTP_UNAVAILABLE, "out of memory",
                             "no memory for a file");
        return;
    }
    *part = (struct file_part){fd, first, n_bytes};
    response->stream =
        (struct body_stream){read_part, close_part, part, .n_bytes = (int64_t)n_bytes};
}

// ---- the headers ---------------------------------------------------------------------------

static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/vnd.microsoft.icon"},
        {".wasm", "application/wasm"},
        {".woff2", "font/woff2"},
        {".txt", "text/plain; charset=utf-8"},
        {".md", "text/plain; charset=utf-8"},
        {"MANIFEST", "text/plain; charset=utf-8"},
    };
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        size_t n = strlen(types[i][0]);
        if (length >= n && strcmp(path + length - n, types[i][0]) == 0)
            return types[i][1];
    }
    return "application/octet-stream";
}

static void add_headers(const struct stat *stat, const char *path, const char *cache,
                        struct response *response)
{
    struct tm tm;
    char date[64];
    gmtime_r(&stat->st_mtime, &tm);
    strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &tm);
    merels_response_header(response, "Content-Type", "%s", type_of(path));
    merels_response_header(response, "Cache-Control", "%s", cache);
    merels_response_header(response, "Last-Modified", "%s", date);
    merels_response_header(response, "ETag", "\"%llx-%llx-%lx\"",
                           (unsigned long long)stat->st_size,
                           (unsigned long long)stat->st_mtime, stat->st_mtim.tv_nsec);
    merels_response_header(response, "Accept-Ranges", "bytes");
}

// A range counts only if the client has the rest of this very file.
static bool range_counts(const struct request *request, const struct response *response)
{
    const char *have = request->if_range;
    return !have || strcmp(have, merels_response_get(response, "ETag")) == 0 ||
           strcmp(have, merels_response_get(response, "Last-Modified")) == 0;
}

// Takes fd over.
static void send_file(const struct request *request, int fd, uint64_t n_bytes,
                      struct response *response)
{
    struct byte_range range = {0, n_bytes};
    const char *text = range_counts(request, response) ? request->range : NULL;
    switch (merels_byte_range_read(text, n_bytes, &range)) {
    case RANGE_BAD:
        close(fd);
        merels_response_fail(response, HTTP_BAD_RANGE, "bad range",
                             "nothing of this range is in the file");
        merels_response_header(response, "Content-Range", "bytes */%llu",
                               (unsigned long long)n_bytes);
        return;
    case RANGE_PART:
        response->status = HTTP_PART;
        merels_response_header(
            response, "Content-Range", "bytes %llu-%llu/%llu", (unsigned long long)range.first,
            (unsigned long long)(range.first + range.n_bytes - 1), (unsigned long long)n_bytes);
        break;
    case RANGE_NONE:
        response->status = HTTP_OK;
        break;
    }
    send_part(fd, range.first, range.n_bytes, response);
}

// ---- finding -------------------------------------------------------------------------------

static void fail(const struct request *request, int failure, struct response *response)
{
    char text[256];
    if (failure == ENOENT || failure == ENOTDIR || failure == ENAMETOOLONG ||
        failure == EACCES || failure == ELOOP || failure == EISDIR) {
        snprintf(text, sizeof text, "there is no file %.200s", request->target);
        merels_response_fail(response, HTTP_NOT_FOUND, "not found", text);
    } else {
        snprintf(text, sizeof text, "the file cannot be read: %s", strerror(failure));
        merels_response_fail(response, HTTP_FAILED, "input or output error", text);
    }
}

void merels_file_respond_path(const struct request *request, const char *path,
                              const char *cache, struct response *response)
{
    struct stat stat;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &stat) != 0 || !S_ISREG(stat.st_mode)) {
        fail(request, fd < 0 ? errno : EISDIR, response);
        if (fd >= 0)
            close(fd);
        return;
    }
    add_headers(&stat, path, cache, response);
    send_file(request, fd, (uint64_t)stat.st_size, response);
}

bool merels_file_part(const char *part)
{
    if (part[0] == '\0' || part[0] == '.')
        return false;
    for (const char *c = part; *c; c++)
        if (*c == '/' || *c == '\\' || (unsigned char)*c < ' ' || *c == 0x7F)
            return false;
    return true;
}

// Writes folder/part/part/...; false if a part cannot stand in a name or there is no room.
static bool make_path(const struct request *request, const char *folder, int first,
                      char path[PATH_MAX])
{
    int n = snprintf(path, PATH_MAX, "%s", folder);
    for (int i = first; n < PATH_MAX && i < request->uri.n_parts; i++) {
        const char *part = request->uri.parts[i];
        if (!merels_file_part(part))
            return false;
        n += snprintf(path + n, (size_t)(PATH_MAX - n), "/%s", part);
    }
    return n < PATH_MAX;
}

// A folder's address without the '/' at its end: says where it is, so that what its page names
// is found.
static void move(const struct request *request, struct response *response)
{
    int n = (int)strcspn(request->target, "?#");
    if (n + 2 > HEADER_VALUE_BYTES) {
        fail(request, ENAMETOOLONG, response);
        return;
    }
    merels_response_fail(response, HTTP_MOVED, "moved", "this is a folder: add a '/'");
    merels_response_header(response, "Location", "%.*s/", n, request->target);
}

void merels_file_respond(const struct request *request, const char *folder, int first,
                         const char *cache, struct response *response)
{
    struct stat at;
    char path[PATH_MAX];
    static const char index[] = "/index.html";
    if (!make_path(request, folder, first, path) || stat(path, &at) != 0) {
        fail(request, ENOENT, response);
        return;
    }
    if (S_ISDIR(at.st_mode) && !request->uri.folder) {
        move(request, response);
        return;
    }
    size_t length = strlen(path);
    if (S_ISDIR(at.st_mode) && length + sizeof index <= sizeof path)
        memcpy(path + length, index, sizeof index);
    else if (request->uri.folder) {
        fail(request, ENOTDIR, response);
        return;
    }
    merels_file_respond_path(request, path, cache, response);
}
