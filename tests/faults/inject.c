// inject.c: a library that makes calls of the program fail, or ends the program at them.
//
//     LD_PRELOAD=libmerels_inject.so FAULT_RULES='write:*.part@3=ENOSPC' merels solve three
//
// FAULT_RULES   rules, separated by ';':  CALL[:PATTERN]@FROM[+]=ACTION
//               the FROM-th call of that kind (whose path fits PATTERN), or every one from
//               there on
// FAULT_LOG     a file that gets one line for each call with a name: CALL PATH [ACTION]
// FAULT_SWEEP   CALL=ACTION: the process is a driver that runs main in a child again and again,
// with the
//               first, second, third ... call failing, until a run no longer comes to its call.
//               FAULT_STEP takes each k-th only; FAULT_ONCE the call with that number alone.
//               Each child works in the directory FAULT_DIR/N, with its standard input from the
//               beginning and its output in N.out and N.err; FAULT_DIR/report gets a line for
//               each: N, and its wait status.
//
// ACTION is an errno by name, "short" (a transfer of half the bytes), "count" (nothing but a
// line in the log), "kill", "int", "term", "hup" (the signal first, then the call).
//
// CALL is alloc (malloc and its relatives, anonymous mappings), loop (a parallel loop begins),
// thread, or a call on files. Memory that the C library takes for itself by mmap is not seen,
// its calls of malloc are.

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

enum call {
    ALLOC,
    LOOP,
    THREAD,
    OPEN,
    READ,
    WRITE,
    SYNC,
    RENAME,
    UNLINK,
    MKDIR,
    LOCK,
    CUT,
    STAT,
    LIST,
    CLOSE,
    SPACE,
    N_CALLS
};

static const char *const call_names[N_CALLS] = {
    "alloc",  "loop",  "thread", "open", "read", "write", "sync",  "rename",
    "unlink", "mkdir", "lock",   "cut",  "stat", "list",  "close", "space"};

enum { SHORT = -1, COUNT = -2, SIGNALS = -1000, PATH_BYTES = 1024, MAX_RULES = 8 };

static const struct {
    const char *name;
    int action; // an errno, SHORT, or SIGNALS - the number of a signal
} actions[] = {{"ENOMEM", ENOMEM},
               {"ENOSPC", ENOSPC},
               {"EIO", EIO},
               {"EINTR", EINTR},
               {"EMFILE", EMFILE},
               {"EACCES", EACCES},
               {"EROFS", EROFS},
               {"EDQUOT", EDQUOT},
               {"EFBIG", EFBIG},
               {"EINVAL", EINVAL},
               {"ENOLCK", ENOLCK},
               {"EOPNOTSUPP", EOPNOTSUPP},
               {"ENOSYS", ENOSYS},
               {"EAGAIN", EAGAIN},
               {"count", COUNT},
               {"EXDEV", EXDEV},
               {"EISDIR", EISDIR},
               {"ESTALE", ESTALE},
               {"short", SHORT},
               {"kill", SIGNALS - SIGKILL},
               {"int", SIGNALS - SIGINT},
               {"term", SIGNALS - SIGTERM},
               {"hup", SIGNALS - SIGHUP}};

struct rule {
    enum call call;
    bool onwards;
    char pattern[128]; // empty: any
    long from;
    int action;
    atomic_long n_seen;
};

static struct rule rules[MAX_RULES];
static int n_rules;
static int log_fd = -1;
// Of a child of a sweep: shared with the driver, so that it sees whether the fault came.
static atomic_int *fired;

// ---- the real calls ------------------------------------------------------------------------

void *__libc_malloc(size_t n_bytes);
void *__libc_calloc(size_t n, size_t n_bytes);
void *__libc_realloc(void *old, size_t n_bytes);
void *__libc_memalign(size_t alignment, size_t n_bytes);

// Declares `real` as the next definition of a function.
#define REAL(name, ...)            \
    static __typeof__(name) *real; \
    if (real == NULL)              \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

// ---- rules ---------------------------------------------------------------------------------

static void refuse(const char *text)
{
    fprintf(stderr, "inject: cannot read '%s'\n", text);
    _exit(70);
}

static int action_of(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, name) == 0)
            return actions[i].action;
    refuse(name);
    return 0;
}

static enum call call_of(const char *name)
{
    for (int i = 0; i < N_CALLS; i++)
        if (strcmp(call_names[i], name) == 0)
            return (enum call)i;
    refuse(name);
    return N_CALLS;
}

static void add_rule(const char *text)
{
    char copy[256], *at, *equals, *colon;
    struct rule *rule = &rules[n_rules++];
    if (n_rules > MAX_RULES || strlen(text) >= sizeof copy)
        refuse(text);
    strcpy(copy, text);
    if ((equals = strrchr(copy, '=')) == NULL)
        refuse(text);
    *equals = '\0';
    rule->action = action_of(equals + 1);
    if ((at = strrchr(copy, '@')) == NULL)
        refuse(text);
    *at = '\0';
    rule->from = strtol(at + 1, &equals, 10);
    rule->onwards = *equals == '+';
    if ((colon = strchr(copy, ':')) != NULL) {
        *colon = '\0';
        snprintf(rule->pattern, sizeof rule->pattern, "%s", colon + 1);
    }
    rule->call = call_of(copy);
}

static void add_rules(const char *text)
{
    char copy[1024], *rest = copy, *rule;
    snprintf(copy, sizeof copy, "%s", text);
    while ((rule = strsep(&rest, ";")) != NULL)
        add_rule(rule);
}

// ---- the fault -----------------------------------------------------------------------------

static void write_log(enum call call, const char *path, const char *action)
{
    char line[2 * PATH_BYTES];
    int n = snprintf(line, sizeof line, "%s %s%s%s\n", call_names[call], path ? path : "-",
                     *action != '\0' ? " " : "", action);
    syscall(SYS_write, log_fd, line, (size_t)n);
}

static bool fits(const struct rule *rule, const char *path)
{
    return rule->pattern[0] == '\0' || (path != NULL && fnmatch(rule->pattern, path, 0) == 0);
}

static int act(const struct rule *rule, enum call call, const char *path)
{
    if (fired != NULL)
        atomic_store(fired, 1);
    for (size_t i = 0; log_fd >= 0 && i < sizeof actions / sizeof actions[0]; i++)
        if (actions[i].action == rule->action)
            write_log(call, path, actions[i].name);
    if (rule->action > 0)
        errno = rule->action;
    if (rule->action <= SIGNALS)
        syscall(SYS_kill, getpid(), SIGNALS - rule->action);
    return rule->action <= COUNT ? 0 : rule->action;
}

// What this call must do: 0 goes on, SHORT, or an errno, which is set.
static int fault(enum call call, const char *path)
{
    int result = 0;
    bool told = false;
    for (int i = 0; i < n_rules; i++) {
        struct rule *rule = &rules[i];
        if (rule->call != call || !fits(rule, path))
            continue;
        long n = atomic_fetch_add(&rule->n_seen, 1) + 1;
        if (result == 0 && (n == rule->from || (rule->onwards && n > rule->from))) {
            result = act(rule, call, path);
            told = true;
        }
    }
    if (log_fd >= 0 && !told && call > THREAD)
        write_log(call, path, "");
    return result;
}

// The same for a call on a descriptor.
static int fault_of(enum call call, int fd)
{
    char link[64], path[PATH_BYTES];
    if (n_rules == 0 && log_fd < 0)
        return 0;
    int kept = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long n = syscall(SYS_readlink, link, path, sizeof path - 1);
    path[n < 0 ? 0 : n] = '\0';
    errno = kept;
    return fault(call, path);
}

// ---- memory --------------------------------------------------------------------------------

SHOWN void *malloc(size_t n_bytes)
{
    return fault(ALLOC, NULL) ? NULL : __libc_malloc(n_bytes);
}

SHOWN void *calloc(size_t n, size_t n_bytes)
{
    return fault(ALLOC, NULL) ? NULL : __libc_calloc(n, n_bytes);
}

SHOWN void *realloc(void *old, size_t n_bytes)
{
    return fault(ALLOC, NULL) ? NULL : __libc_realloc(old, n_bytes);
}

SHOWN void *aligned_alloc(size_t alignment, size_t n_bytes)
{
    return fault(ALLOC, NULL) ? NULL : __libc_memalign(alignment, n_bytes);
}

SHOWN void *memalign(size_t alignment, size_t n_bytes)
{
    return fault(ALLOC, NULL) ? NULL : __libc_memalign(alignment, n_bytes);
}

SHOWN int posix_memalign(void **to, size_t alignment, size_t n_bytes)
{
    void *made = fault(ALLOC, NULL) ? NULL : __libc_memalign(alignment, n_bytes);
    if (made == NULL)
        return ENOMEM;
    *to = made;
    return 0;
}

SHOWN void *mmap(void *at, size_t n_bytes, int protection, int flags, int fd, off_t offset)
{
    if (flags & MAP_ANONYMOUS && fault(ALLOC, NULL))
        return MAP_FAILED;
    REAL(mmap);
    return real(at, n_bytes, protection, flags, fd, offset);
}

// ---- threads -------------------------------------------------------------------------------

SHOWN void GOMP_parallel(void (*body)(void *), void *data, unsigned n_threads, unsigned flags);
SHOWN void GOMP_parallel(void (*body)(void *), void *data, unsigned n_threads, unsigned flags)
{
    (void)fault(LOOP, NULL);
    REAL(GOMP_parallel);
    real(body, data, n_threads, flags);
}

SHOWN int pthread_create(pthread_t *thread, const pthread_attr_t *about, void *(*run)(void *),
                         void *argument)
{
    int error = fault(THREAD, NULL);
    if (error != 0)
        return error;
    REAL(pthread_create);
    return real(thread, about, run, argument);
}

// ---- files ---------------------------------------------------------------------------------

// The mode of a call of open, if it has one.
#define TAKE_MODE(flags, mode)                                        \
    if (((flags)&O_CREAT) != 0 || ((flags)&O_TMPFILE) == O_TMPFILE) { \
        va_list list;                                                 \
        va_start(list, flags);                                        \
        (mode) = va_arg(list, mode_t);                                \
        va_end(list);                                                 \
    }

SHOWN int open(const char *path, int flags, ...)
{
    mode_t mode = 0;
    TAKE_MODE(flags, mode);
    if (fault(OPEN, path))
        return -1;
    REAL(open);
    return real(path, flags, mode);
}

SHOWN int open64(const char *path, int flags, ...)
{
    mode_t mode = 0;
    TAKE_MODE(flags, mode);
    if (fault(OPEN, path))
        return -1;
    REAL(open64);
    return real(path, flags, mode);
}

SHOWN FILE *fopen(const char *path, const char *mode)
{
    if (fault(OPEN, path))
        return NULL;
    REAL(fopen);
    return real(path, mode);
}

// How many bytes a transfer may move; -1 if it fails.
static ssize_t transfer(enum call call, int fd, size_t n_bytes)
{
    int what = fault_of(call, fd);
    if (what == SHORT)
        return (ssize_t)(n_bytes + 1) / 2;
    return what ? -1 : (ssize_t)n_bytes;
}

SHOWN ssize_t read(int fd, void *to, size_t n_bytes)
{
    ssize_t n = transfer(READ, fd, n_bytes);
    REAL(read);
    return n < 0 ? n : real(fd, to, (size_t)n);
}

SHOWN ssize_t write(int fd, const void *from, size_t n_bytes)
{
    ssize_t n = transfer(WRITE, fd, n_bytes);
    REAL(write);
    return n < 0 ? n : real(fd, from, (size_t)n);
}

SHOWN ssize_t pread(int fd, void *to, size_t n_bytes, off_t offset)
{
    ssize_t n = transfer(READ, fd, n_bytes);
    REAL(pread);
    return n < 0 ? n : real(fd, to, (size_t)n, offset);
}

SHOWN ssize_t pread64(int fd, void *to, size_t n_bytes, off64_t offset)
{
    ssize_t n = transfer(READ, fd, n_bytes);
    REAL(pread64);
    return n < 0 ? n : real(fd, to, (size_t)n, offset);
}

SHOWN ssize_t pwrite(int fd, const void *from, size_t n_bytes, off_t offset)
{
    ssize_t n = transfer(WRITE, fd, n_bytes);
    REAL(pwrite);
    return n < 0 ? n : real(fd, from, (size_t)n, offset);
}

SHOWN ssize_t pwrite64(int fd, const void *from, size_t n_bytes, off64_t offset)
{
    ssize_t n = transfer(WRITE, fd, n_bytes);
    REAL(pwrite64);
    return n < 0 ? n : real(fd, from, (size_t)n, offset);
}

SHOWN int fsync(int fd)
{
    REAL(fsync);
    return fault_of(SYNC, fd) ? -1 : real(fd);
}

SHOWN int ftruncate(int fd, off_t n_bytes)
{
    REAL(ftruncate);
    return fault_of(CUT, fd) ? -1 : real(fd, n_bytes);
}

SHOWN int ftruncate64(int fd, off64_t n_bytes)
{
    REAL(ftruncate64);
    return fault_of(CUT, fd) ? -1 : real(fd, n_bytes);
}

SHOWN int flock(int fd, int operation)
{
    REAL(flock);
    return fault_of(LOCK, fd) ? -1 : real(fd, operation);
}

SHOWN int fstat(int fd, struct stat *about)
{
    REAL(fstat);
    return fault_of(STAT, fd) ? -1 : real(fd, about);
}

SHOWN int fstat64(int fd, struct stat64 *about)
{
    REAL(fstat64);
    return fault_of(STAT, fd) ? -1 : real(fd, about);
}

// A close that fails has closed all the same.
SHOWN int close(int fd)
{
    int what = fault_of(CLOSE, fd), kept = errno;
    REAL(close);
    int result = real(fd);
    if (what != 0)
        errno = kept;
    return what != 0 ? -1 : result;
}

// Calls on one path.
#define ON_PATH(call, type, name, parameters, ...) \
    SHOWN type name parameters                     \
    {                                              \
        if (fault(call, path))                     \
            return FAILED(type);                   \
        REAL(name);                                \
        return real(__VA_ARGS__);                  \
    }
#define FAILED(type) (type) - 1

ON_PATH(RENAME, int, rename, (const char *from, const char *path), from, path)
ON_PATH(UNLINK, int, unlink, (const char *path), path)
ON_PATH(UNLINK, int, remove, (const char *path), path)
ON_PATH(MKDIR, int, mkdir, (const char *path, mode_t mode), path, mode)
ON_PATH(STAT, int, stat, (const char *path, struct stat *about), path, about)
ON_PATH(STAT, int, stat64, (const char *path, struct stat64 *about), path, about)
ON_PATH(SPACE, int, statvfs, (const char *path, struct statvfs *about), path, about)
ON_PATH(SPACE, int, statvfs64, (const char *path, struct statvfs64 *about), path, about)

#undef FAILED
#define FAILED(type) NULL
ON_PATH(LIST, DIR *, opendir, (const char *path), path)

SHOWN struct dirent64 *readdir64(DIR *stream)
{
    REAL(readdir64);
    return fault(LIST, NULL) ? NULL : real(stream);
}

// ---- sweeps --------------------------------------------------------------------------------

static void fail(const char *what)
{
    perror(what);
    _exit(70);
}

// A file of this run in the current directory as descriptor `fd`.
static void take_output(long n, const char *suffix, int fd)
{
    char name[64];
    snprintf(name, sizeof name, "%ld.%s", n, suffix);
    int made = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (made < 0 || dup2(made, fd) < 0)
        fail(name);
    syscall(SYS_close, made);
}

// In the child: its files, its directory and its rule; then main goes on.
static void begin_run(long n, const char *call_and_action)
{
    char rule[256], name[32];
    const char *equals = strrchr(call_and_action, '=');
    if (equals == NULL)
        refuse(call_and_action);
    snprintf(rule, sizeof rule, "%.*s@%ld%s", (int)(equals - call_and_action), call_and_action,
             n, equals);
    take_output(n, "out", STDOUT_FILENO);
    take_output(n, "err", STDERR_FILENO);
    snprintf(name, sizeof name, "%ld", n);
    if ((syscall(SYS_mkdir, name, 0777) != 0 && errno != EEXIST) || chdir(name) != 0)
        fail(name);
    lseek(STDIN_FILENO, 0, SEEK_SET);
    add_rule(rule);
}

// Runs main in children. Returns in each of them, never in the driver.
static void drive(const char *call_and_action)
{
    const char *dir = getenv("FAULT_DIR"), *step_text = getenv("FAULT_STEP"),
               *once = getenv("FAULT_ONCE");
    long step = step_text ? atol(step_text) : 1;
    char line[64];
    fired =
        mmap(NULL, sizeof *fired, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (dir == NULL || chdir(dir) != 0 || fired == MAP_FAILED || step < 1)
        fail("FAULT_DIR");
    int report =
        (int)syscall(SYS_openat, AT_FDCWD, "report", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    for (long n = once ? atol(once) : 1;; n += step) {
        int status;
        atomic_store(fired, 0);
        pid_t pid = fork();
        if (pid < 0)
            fail("fork");
        if (pid == 0) {
            begin_run(n, call_and_action);
            return;
        }
        if (waitpid(pid, &status, 0) != pid)
            fail("waitpid");
        int n_line = snprintf(line, sizeof line, "%ld %d %d\n", n, status, atomic_load(fired));
        syscall(SYS_write, report, line, (size_t)n_line);
        if (atomic_load(fired) == 0 || once)
            _exit(0);
    }
}

__attribute__((constructor)) static void begin(void)
{
    const char *log = getenv("FAULT_LOG"), *text = getenv("FAULT_RULES"),
               *sweep = getenv("FAULT_SWEEP");
    if (log != NULL)
        log_fd = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (text != NULL)
        add_rules(text);
    if (sweep != NULL)
        drive(sweep);
}
