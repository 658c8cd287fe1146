// seam.c: a library that ends the program between two states of its directory, or measures the
// directory there.
//
//     LD_PRELOAD=libmerels_seam.so MERELS_SEAM=7 merels solve ...
//
// What stands under a name in a directory changes by renaming and by removing alone.
// MERELS_SEAM says before which of these calls, counted from 1, the process ends at once with
// status 99. With MERELS_SEAM_DIR the bytes of all files in that directory are added up before
// each of them, and the most is written to the file MERELS_SEAM_MOST.

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHOWN __attribute__((visibility("default")))

SHOWN int rename(const char *from, const char *to);
SHOWN int unlink(const char *path);

static atomic_int n_calls;
static atomic_llong most;

static long long bytes_in(const char *dir)
{
    long long sum = 0;
    DIR *list = opendir(dir);
    if (list == NULL)
        return 0;
    for (struct dirent *entry; (entry = readdir(list)) != NULL;) {
        struct stat about;
        if (fstatat(dirfd(list), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(about.st_mode))
            sum += about.st_size;
    }
    closedir(list);
    return sum;
}

static void measure(const char *dir)
{
    const char *path = getenv("MERELS_SEAM_MOST");
    long long now = bytes_in(dir);
    if (path == NULL || now <= most)
        return;
    most = now;
    FILE *file = fopen(path, "w");
    if (file == NULL || fprintf(file, "%lld\n", now) < 0 || fclose(file) != 0)
        abort();
}

static void arrive(void)
{
    const char *seam = getenv("MERELS_SEAM"), *dir = getenv("MERELS_SEAM_DIR");
    if (seam != NULL && ++n_calls == atoi(seam))
        _exit(99);
    if (dir != NULL)
        measure(dir);
}

int rename(const char *from, const char *to)
{
    arrive();
    return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int unlink(const char *path)
{
    arrive();
    return unlinkat(AT_FDCWD, path, 0);
}
