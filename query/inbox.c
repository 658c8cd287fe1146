// inbox.c: the reading thread and its lock.

#include "query/inbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "query/lines.h"

enum { CHUNK_BYTES = 1 << 14 };

struct inbox {
    int fd;
    int wake[2]; // a pipe: closed at its writing end, the reading thread ends
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t came, taken; // something has arrived; a line was taken
    arrived_function *arrived;
    void *user;
    struct kept_line *first, **last;
    size_t n_kept, n_kept_bytes;
    bool ended, closing;
    struct error failure;
    struct input_line line; // that is being read; of the reading thread alone
};

// ---- the reading thread, with the lock -----------------------------------------------------

static bool is_full(const struct inbox *inbox)
{
    return inbox->n_kept >= MAX_KEPT || inbox->n_kept_bytes >= MAX_KEPT_BYTES;
}

static void fail(struct inbox *inbox, const struct error *failure)
{
    if (inbox->failure.status == STATUS_OK)
        inbox->failure = *failure;
    inbox->closing = true;
}

static void keep(struct inbox *inbox, const struct error *fault)
{
    struct error failure;
    const char *text = fault->status == STATUS_OK ? inbox->line.text : "";
    size_t n_bytes = strlen(text) + 1;
    struct kept_line *kept = malloc(sizeof *kept + n_bytes);
    if (!kept) {
        merels_error(&failure, STATUS_NO_MEMORY, "no memory for a line");
        fail(inbox, &failure);
        return;
    }
    kept->next = NULL;
    kept->n_bytes = n_bytes;
    kept->fault = *fault;
    memcpy(kept->text, text, n_bytes);
    *inbox->last = kept;
    inbox->last = &kept->next;
    inbox->n_kept++;
    inbox->n_kept_bytes += n_bytes;
}

static void take_line(struct inbox *inbox)
{
    struct error fault = {.status = STATUS_OK};
    bool text = merels_line_check(&inbox->line, &fault) == STATUS_OK;
    if (!text || !inbox->arrived(inbox->user, ARRIVAL_LINE, inbox->line.text))
        keep(inbox, &fault);
    pthread_cond_broadcast(&inbox->came);
    if (is_full(inbox) && !inbox->closing)
        inbox->arrived(inbox->user, ARRIVAL_FULL, NULL);
    while (is_full(inbox) && !inbox->closing)
        pthread_cond_wait(&inbox->taken, &inbox->lock);
}

static bool take_bytes(struct inbox *inbox, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (merels_line_take(&inbox->line, bytes[i])) {
            pthread_mutex_lock(&inbox->lock);
            take_line(inbox);
            bool closing = inbox->closing;
            pthread_mutex_unlock(&inbox->lock);
            if (closing)
                return false;
        }
    return true;
}

static void end(struct inbox *inbox, int failure)
{
    struct error err;
    pthread_mutex_lock(&inbox->lock);
    if (failure != 0) {
        merels_error(&err, STATUS_IO, "cannot read standard input: %s", strerror(failure));
        fail(inbox, &err);
    } else if (!inbox->closing && merels_line_end(&inbox->line))
        take_line(inbox);
    inbox->ended = true;
    inbox->arrived(inbox->user, ARRIVAL_END, NULL);
    pthread_cond_broadcast(&inbox->came);
    pthread_mutex_unlock(&inbox->lock);
}

// ---- the reading thread, without it --------------------------------------------------------

// Waits until there is something to read; false if the inbox is closed.
static bool wait_for_bytes(struct inbox *inbox)
{
    struct pollfd fds[2] = {{.fd = inbox->fd, .events = POLLIN},
                            {.fd = inbox->wake[0], .events = POLLIN}};
    while (poll(fds, 2, -1) < 0)
        if (errno != EINTR)
            return true; // read says what is wrong
    return fds[1].revents == 0;
}

static void *run(void *user)
{
    struct inbox *inbox = user;
    char chunk[CHUNK_BYTES];
    ssize_t n = 1;
    int failure = 0;
    bool more = true;
    while (more && n != 0 && wait_for_bytes(inbox)) {
        n = read(inbox->fd, chunk, sizeof chunk);
        if (n > 0)
            more = take_bytes(inbox, chunk, (size_t)n);
        else if (n < 0 && errno != EINTR && errno != EAGAIN) {
            failure = errno;
            break;
        }
    }
    end(inbox, failure);
    return NULL;
}

// ---- the owner -----------------------------------------------------------------------------

static void free_inbox(struct inbox *inbox)
{
    while (inbox->first) {
        struct kept_line *next = inbox->first->next;
        free(inbox->first);
        inbox->first = next;
    }
    close(inbox->wake[0]);
    pthread_cond_destroy(&inbox->taken);
    pthread_cond_destroy(&inbox->came);
    pthread_mutex_destroy(&inbox->lock);
    free(inbox->line.text);
    free(inbox);
}

enum status merels_inbox_open(int fd, arrived_function *arrived, void *user,
                              struct inbox **inbox, struct error *err)
{
    if (fcntl(fd, F_GETFD) < 0) // closed: a file that is opened next would stand in its place
        return merels_error(err, STATUS_IO, "cannot read standard input: %s", strerror(errno));
    struct inbox *made = calloc(1, sizeof *made);
    if (!made)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the input");
    made->fd = fd;
    made->arrived = arrived;
    made->user = user;
    made->last = &made->first;
    enum status status = merels_line_prepare(&made->line, err);
    if (status != STATUS_OK || pipe(made->wake) != 0) {
        free(made->line.text);
        free(made);
        return status != STATUS_OK
                   ? status
                   : merels_error(err, STATUS_IO, "no pipe for the input: %s", strerror(errno));
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->came, NULL);
    pthread_cond_init(&made->taken, NULL);
    pthread_mutex_lock(&made->lock);
    int failure = pthread_create(&made->thread, NULL, run, made);
    if (failure != 0) {
        pthread_mutex_unlock(&made->lock);
        close(made->wake[1]);
        free_inbox(made);
        return merels_error(err, STATUS_IO, "no thread for the input: %s", strerror(failure));
    }
    *inbox = made;
    return STATUS_OK;
}

void merels_inbox_close(struct inbox *inbox)
{
    inbox->closing = true;
    close(inbox->wake[1]);
    pthread_cond_broadcast(&inbox->taken);
    pthread_mutex_unlock(&inbox->lock);
    pthread_join(inbox->thread, NULL);
    free_inbox(inbox);
}

struct kept_line *merels_inbox_next(struct inbox *inbox)
{
    while (!inbox->first && !inbox->ended)
        merels_inbox_wait(inbox);
    struct kept_line *line = inbox->first;
    if (!line)
        return NULL;
    inbox->first = line->next;
    if (!inbox->first)
        inbox->last = &inbox->first;
    inbox->n_kept--;
    inbox->n_kept_bytes -= line->n_bytes;
    pthread_cond_broadcast(&inbox->taken);
    return line;
}

enum status merels_inbox_status(const struct inbox *inbox, struct error *err)
{
    const struct error *failure = &inbox->failure;
    return failure->status == STATUS_OK
               ? STATUS_OK
               : merels_error(err, failure->status, "%s", failure->text);
}

struct kept_line *merels_inbox_kept(const struct inbox *inbox)
{
    return inbox->first;
}

void merels_inbox_leave(struct inbox *inbox)
{
    pthread_mutex_unlock(&inbox->lock);
}

void merels_inbox_enter(struct inbox *inbox)
{
    pthread_mutex_lock(&inbox->lock);
}

void merels_inbox_wait(struct inbox *inbox)
{
    pthread_cond_wait(&inbox->came, &inbox->lock);
}
