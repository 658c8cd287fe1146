// access_log.c: the line is made whole and then written.

#include "serve/access_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "game/text.h"

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
static void escape(const char *text, int max_bytes, struct text *line)
{
    for (int i = 0; text[i] && i < max_bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        bool odd = c < ' ' || c > '~' || c == '"' || c == '\\';
        merels_text_add(line, odd ? "\\x%02x" : "%c", c);
    }
}

void merels_access_log_write(struct access_log *log, const struct access *access)
{
    struct tm tm;
    char bytes[LINE_BYTES], date[64];
    struct text line = merels_text(bytes, sizeof bytes);
    time_t now = time(NULL);
    if (log->fd < 0)
        return;
    localtime_r(&now, &tm);
    strftime(date, sizeof date, "%d/%b/%Y:%H:%M:%S %z", &tm);
    merels_text_add(&line, "%.63s - - [%s] \"", access->client, date);
    escape(access->method, 16, &line);
    merels_text_add(&line, " ");
    escape(access->target, MAX_TARGET_BYTES, &line);
    merels_text_add(&line, " ");
    escape(access->version, 16, &line);
    if (access->status > 0)
        merels_text_add(&line, "\" %d %llu\n", access->status,
                        (unsigned long long)access->n_bytes);
    else
        merels_text_add(&line, "\" - -\n");
    if (write(log->fd, bytes, line.length) != (ssize_t)line.length)
        atomic_fetch_add(&log->n_lost, 1);
}

void merels_access_log_close(struct access_log *log)
{
    if (log->fd >= 0)
        close(log->fd);
    log->fd = -1;
}
