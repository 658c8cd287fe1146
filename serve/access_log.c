// access_log.c: the line is made whole and then written.

#include "serve/access_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MAX_TARGET_BYTES = 1024, LINE_BYTES = 4 * MAX_TARGET_BYTES + 512 };

enum status merels_access_log_open(const char *path, struct access_log *log, struct error *err)
{
    log->fd = -1;
    atomic_init(&log->n_lost, 0);
    if (!path)
        return STATUS_OK;
    log->fd = strcmp(path, "-") == 0
                  ? dup(STDOUT_FILENO)
                  : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0644);
    return log->fd >= 0 ? STATUS_OK
                        : merels_error(err, STATUS_IO, "%s: the log cannot be opened: %s", path,
                                       strerror(errno));
}

// Writes at most max_bytes of a text, as \xHH what might be taken for something else.
static char *escape(const char *text, int max_bytes, char *out)
{
    for (int i = 0; text[i] && i < max_bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c > '~' || c == '"' || c == '\\')
            out += sprintf(out, "\\x%02x", c);
        else
            *out++ = (char)c;
    }
    *out = '\0';
    return out;
}

void merels_access_log_write(struct access_log *log, const struct access *access)
{
    struct tm tm;
    char line[LINE_BYTES], date[64];
    time_t now = time(NULL);
    if (log->fd < 0)
        return;
    localtime_r(&now, &tm);
    strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S %z", &tm);
    char *end = line + snprintf(line, 128, "%.63s - - [%s] \"", access->client, date);
    end = escape(access->method, 16, end);
    *end++ = ' ';
    end = escape(access->target, MAX_TARGET_BYTES, end);
    *end++ = ' ';
    end = escape(access->version, 16, end);
    if (access->status > 0)
        end +=
            sprintf(end, "\" %d %llu\n", access->status, (unsigned long long)access->n_bytes);
    else
        end += sprintf(end, "\" - -\n");
    if (write(log->fd, line, (size_t)(end - line)) != end - line)
        atomic_fetch_add(&log->n_lost, 1);
}

void merels_access_log_close(struct access_log *log)
{
    if (log->fd >= 0)
        close(log->fd);
    log->fd = -1;
}
