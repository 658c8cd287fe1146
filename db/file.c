// file.c: POSIX files and directories behind checked calls.

#define _FILE_OFFSET_BITS 64

#include "db/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

_Static_assert(sizeof(off_t) == 8, "tables can be larger than 4 GiB");

// One read or write moves at most this much: some systems refuse more than INT_MAX.
enum { MAX_TRANSFER_BYTES = 1 << 30 };

// The status and text of a failed call on `path`; errno says why.
static enum status failed(struct error *err, const char *what, const char *path)
{
    int code = errno;
    char reason[128];
    const char *text = strerror_r(code, reason, sizeof reason);
    enum status status = STATUS_IO;
    if (code == ENOMEM)
        status = STATUS_NO_MEMORY;
    else if (code == EMFILE || code == ENFILE)
        status = STATUS_TOO_LITTLE;
    else if (code == ENOENT || code == ENOTDIR)
        status = STATUS_MISSING;
    return merels_error(err, status, "%s: %s: %s", path, what, text);
}

// The same for calls on something that was there a moment ago: missing is an I/O error too.
static enum status failed_io(struct error *err, const char *what, const char *path)
{
    enum status status = failed(err, what, path);
    if (status != STATUS_MISSING && status != STATUS_TOO_LITTLE)
        return status;
    if (err != NULL)
        err->status = STATUS_IO;
    return STATUS_IO;
}

// ---- files ---------------------------------------------------------------------------------

static int open_again(const char *path, int flags)
{
    int fd;
    do
        fd = open(path, flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

enum status merels_file_open(const char *path, struct file *file, struct error *err)
{
    struct stat info;
    // Non-blocking: a FIFO in the place of a table must not make the prober wait for ever.
    int fd = open_again(path, O_RDONLY | O_NONBLOCK);
    if (fd < 0)
        return failed(err, "cannot open", path);
    if (fstat(fd, &info) != 0) {
        enum status status = failed_io(err, "cannot look at", path);
        close(fd);
        return status;
    }
    if (!S_ISREG(info.st_mode)) {
        close(fd);
        return merels_error(err, STATUS_CORRUPT, "%s: not a regular file", path);
    }
    *file = (struct file){.fd = fd, .path = path};
    return STATUS_OK;
}

enum status merels_file_create(const char *path, struct file *file, struct error *err)
{
    int fd = open_again(path, O_RDWR | O_CREAT | O_TRUNC);
    if (fd < 0)
        return failed_io(err, "cannot create", path);
    *file = (struct file){.fd = fd, .path = path};
    return STATUS_OK;
}

enum status merels_file_join(const char *path, struct file *file, struct error *err)
{
    int fd = open_again(path, O_WRONLY);
    if (fd < 0)
        return failed(err, "cannot open", path);
    *file = (struct file){.fd = fd, .path = path};
    return STATUS_OK;
}

// Reserves what is open, or closes it.
static enum status lock_file(struct file *file, struct error *err)
{
    int result;
    do
        result = flock(file->fd, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    file->lacks_lock = result != 0 && errno != EWOULDBLOCK;
    if (result == 0 || file->lacks_lock)
        return STATUS_OK;
    merels_file_drop(file);
    return merels_error(err, STATUS_IO, "%s: another run of merels is writing there",
                        file->path);
}

// Whether a file still has its name: another run may have finished it meanwhile.
static bool has_its_name(const struct file *file)
{
    struct stat own, named;
    return fstat(file->fd, &own) != 0 ||
           (stat(file->path, &named) == 0 && own.st_dev == named.st_dev &&
            own.st_ino == named.st_ino);
}

enum status merels_file_continue(const char *path, struct file *file, struct error *err)
{
    for (;;) {
        int fd = open_again(path, O_RDWR | O_CREAT);
        if (fd < 0)
            return failed_io(err, "cannot create", path);
        *file = (struct file){.fd = fd, .path = path};
        enum status status = lock_file(file, err);
        if (status != STATUS_OK || has_its_name(file))
            return status;
        merels_file_drop(file);
    }
}

// Where the file system has no files without a name, one is made and its name taken away.
enum status merels_file_create_unnamed(const char *dir, const char *name, struct file *file,
                                       struct error *err)
{
    char *path = NULL;
    int fd = -1;
#ifdef O_TMPFILE
    fd = open_again(dir, O_RDWR | O_TMPFILE);
#endif
    if (fd < 0) {
        enum status status = merels_path_join(dir, "temporary", ".XXXXXX", &path, err);
        if (status != STATUS_OK)
            return status;
        fd = mkstemp(path);
        if (fd >= 0 && (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || unlink(path) != 0)) {
            close(fd);
            fd = -1;
        }
        free(path);
    }
    if (fd < 0)
        return failed_io(err, "cannot create", name);
    *file = (struct file){.fd = fd, .path = name};
    return STATUS_OK;
}

enum status merels_file_size(const struct file *file, uint64_t *n_bytes, struct error *err)
{
    struct stat info;
    if (fstat(file->fd, &info) != 0)
        return failed_io(err, "cannot look at", file->path);
    *n_bytes = (uint64_t)info.st_size;
    return STATUS_OK;
}

enum status merels_file_read_at(const struct file *file, uint64_t offset, void *data,
                                size_t n_bytes, struct error *err)
{
    char *to = data;
    while (n_bytes > 0) {
        size_t part = n_bytes < MAX_TRANSFER_BYTES ? n_bytes : MAX_TRANSFER_BYTES;
        ssize_t got = pread(file->fd, to, part, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return failed_io(err, "cannot read", file->path);
        if (got == 0)
            return merels_error(err, STATUS_CORRUPT, "%s: ends at byte %llu, too short",
                                file->path, (unsigned long long)offset);
        to += got;
        offset += (uint64_t)got;
        n_bytes -= (size_t)got;
    }
    return STATUS_OK;
}

enum status merels_file_write_at(const struct file *file, uint64_t offset, const void *data,
                                 size_t n_bytes, struct error *err)
{
    const char *from = data;
    while (n_bytes > 0) {
        size_t part = n_bytes < MAX_TRANSFER_BYTES ? n_bytes : MAX_TRANSFER_BYTES;
        ssize_t put = pwrite(file->fd, from, part, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put == 0)
            errno = ENOSPC;
        if (put <= 0)
            return failed_io(err, "cannot write", file->path);
        from += put;
        offset += (uint64_t)put;
        n_bytes -= (size_t)put;
    }
    return STATUS_OK;
}

enum status merels_file_cut(const struct file *file, uint64_t n_bytes, struct error *err)
{
    int result;
    do
        result = ftruncate(file->fd, (off_t)n_bytes);
    while (result != 0 && errno == EINTR);
    return result == 0 ? STATUS_OK : failed_io(err, "cannot cut", file->path);
}

static int sync_again(int fd)
{
    int result;
    do
        result = fsync(fd);
    while (result != 0 && errno == EINTR);
    return result;
}

enum status merels_file_sync(const struct file *file, struct error *err)
{
    if (sync_again(file->fd) != 0)
        return failed_io(err, "cannot flush", file->path);
    return STATUS_OK;
}

enum status merels_file_close(struct file *file, struct error *err)
{
    int fd = file->fd;
    file->fd = -1;
    // Not repeated on EINTR: the descriptor is gone then, and its number may be another's
    // already.
    if (close(fd) != 0 && errno != EINTR)
        return failed_io(err, "cannot close", file->path);
    return STATUS_OK;
}

void merels_file_drop(struct file *file)
{
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

// ---- whole files ---------------------------------------------------------------------------

enum status merels_file_load(const char *path, size_t limit, char **data, size_t *n_bytes,
                             struct error *err)
{
    struct file file;
    char *loaded = NULL;
    uint64_t size = 0;
    enum status status = merels_file_open(path, &file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_size(&file, &size, err);
    if (status == STATUS_OK && size > limit)
        status = merels_error(err, STATUS_CORRUPT, "%s: %llu bytes, more than %zu", path,
                              (unsigned long long)size, limit);
    if (status == STATUS_OK && (loaded = malloc((size_t)size + 1)) == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", path);
    if (status == STATUS_OK)
        status = merels_file_read_at(&file, 0, loaded, (size_t)size, err);
    merels_file_drop(&file);
    if (status != STATUS_OK) {
        free(loaded);
        return status;
    }
    loaded[size] = '\0';
    *data = loaded;
    *n_bytes = (size_t)size;
    return STATUS_OK;
}

// Writes a whole new file and forces it to the disk; removes it again on failure.
static enum status write_whole(const char *path, const void *data, size_t n_bytes,
                               struct error *err)
{
    struct file file = {.fd = -1};
    enum status status = merels_file_create(path, &file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_write_at(&file, 0, data, n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_sync(&file, err);
    if (status == STATUS_OK)
        status = merels_file_close(&file, err);
    if (status != STATUS_OK) {
        merels_file_drop(&file);
        unlink(path);
    }
    return status;
}

enum status merels_file_replace(const char *dir, const char *name, const void *data,
                                size_t n_bytes, struct error *err)
{
    char *part = NULL, *path = NULL;
    enum status status = merels_path_join(dir, name, ".part", &part, err);
    if (status == STATUS_OK)
        status = merels_path_join(dir, name, "", &path, err);
    if (status == STATUS_OK)
        status = write_whole(part, data, n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_publish(dir, part, path, err);
    free(part);
    free(path);
    return status;
}

static enum status sync_dir(const char *dir, struct error *err)
{
    int fd = open_again(dir, O_RDONLY | O_DIRECTORY);
    if (fd < 0)
        return failed_io(err, "cannot open", dir);
    int result = sync_again(fd);
    enum status status = STATUS_OK;
    // Some file systems cannot sync a directory and say EINVAL; there is nothing more to do
    // then.
    if (result != 0 && errno != EINVAL)
        status = failed_io(err, "cannot flush", dir);
    close(fd);
    return status;
}

enum status merels_file_publish(const char *dir, const char *from, const char *to,
                                struct error *err)
{
    if (rename(from, to) != 0) {
        enum status status = failed_io(err, "cannot take its name", to);
        unlink(from);
        return status;
    }
    return sync_dir(dir, err);
}

enum status merels_file_remove(const char *path, struct error *err)
{
    if (unlink(path) != 0 && errno != ENOENT)
        return failed_io(err, "cannot remove", path);
    return STATUS_OK;
}

// ---- directories ---------------------------------------------------------------------------

static bool is_dir(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

// One directory, unless it is there.
static enum status make_dir(const char *path, struct error *err)
{
    if (mkdir(path, 0777) == 0)
        return STATUS_OK;
    int code = errno;
    if (is_dir(path))
        return STATUS_OK;
    errno = code == EEXIST ? ENOTDIR : code; // is_dir had failures of its own
    return failed_io(err, "cannot make directory", path);
}

enum status merels_dir_create(const char *dir, struct error *err)
{
    char *path = strdup(dir);
    if (path == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", dir);
    enum status status = STATUS_OK;
    for (char *end = path; status == STATUS_OK && *end != '\0';) {
        end += strspn(end, "/");
        end += strcspn(end, "/");
        char separator = *end;
        *end = '\0';
        status = make_dir(path, err);
        *end = separator;
    }
    free(path);
    return status;
}

enum status merels_dir_check(const char *dir, struct error *err)
{
    struct stat info;
    if (stat(dir, &info) != 0)
        return failed(err, "cannot look at", dir);
    if (!S_ISDIR(info.st_mode))
        return merels_error(err, STATUS_IO, "%s: not a directory", dir);
    return STATUS_OK;
}

enum status merels_dir_lock(const char *dir, struct file *lock, struct error *err)
{
    *lock = (struct file){.fd = open_again(dir, O_RDONLY | O_DIRECTORY), .path = dir};
    if (lock->fd < 0)
        return failed(err, "cannot open", dir);
    return lock_file(lock, err);
}

enum status merels_dir_list(const char *dir, struct names *names, struct error *err)
{
    *names = (struct names){NULL, 0};
    DIR *stream = opendir(dir);
    if (stream == NULL)
        return failed(err, "cannot list", dir);
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        errno = 0;
        const struct dirent *entry = readdir(stream);
        if (entry == NULL) {
            if (errno != 0)
                status = failed_io(err, "cannot list", dir);
            break;
        }
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            status = merels_names_add(names, entry->d_name, err);
    }
    closedir(stream);
    if (status != STATUS_OK)
        merels_names_free(names);
    return status;
}

// The path of what contains it; false if there is none.
static bool shorten_to_parent(char *path)
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (slash == NULL)
        strcpy(path, ".");
    else
        slash[slash == path] = '\0';
    return true;
}

bool merels_dir_takes_files(const char *dir)
{
    char *path = strdup(*dir == '\0' ? "." : dir);
    if (path == NULL)
        return false;
    while (access(path, F_OK) != 0 && shorten_to_parent(path))
        continue;
    bool takes = access(path, W_OK | X_OK) == 0;
    free(path);
    return takes;
}

enum status merels_disk_free(const char *dir, uint64_t *n_bytes, struct error *err)
{
    char *path = strdup(*dir == '\0' ? "." : dir);
    if (path == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", dir);
    struct statvfs info;
    int result;
    while ((result = statvfs(path, &info)) != 0 && (errno == ENOENT || errno == EINTR)) {
        if (errno != EINTR && !shorten_to_parent(path))
            break;
    }
    enum status status = STATUS_OK;
    if (result == 0)
        *n_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    else
        status = failed_io(err, "cannot ask for free space", path);
    free(path);
    return status;
}

// ---- the rest ------------------------------------------------------------------------------

int merels_file_budget(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return 64;
    rlim_t quarter = limit.rlim_cur / 4;
    return quarter < 2 ? 2 : quarter > 64 ? 64 : (int)quarter;
}
