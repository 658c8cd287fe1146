// test_file.c: files and directories: what is missing, what is refused, what is left behind.

#include "db/file.h"
#include "tests/db/support.h"

Test(file, replace_and_load)
{
    char *dir = make_dir("merels files with spaces and ä é");
    char path[512], *data;
    size_t n;
    OK(merels_file_replace(dir, "one", "first", 5, &test_error));
    OK(merels_file_replace(dir, "one", "second", 6, &test_error));
    file_path(path, dir, "one");
    OK(merels_file_load(path, 6, &data, &n, &test_error));
    cr_assert(n == 6 && strcmp(data, "second") == 0);
    free(data);
    FAILS(merels_file_load(path, 5, &data, &n, &test_error), STATUS_CORRUPT);
    cr_assert_eq(count_files(dir), 1);
    OK(merels_file_remove(path, &test_error));
    OK(merels_file_remove(path, &test_error));
    FAILS(merels_file_load(path, 5, &data, &n, &test_error), STATUS_MISSING);
    cr_assert(strstr(test_error.text, path) != NULL);
    remove_dir(dir);
}

Test(file, replace_keeps_the_old_file_when_it_fails)
{
    char *dir = make_dir("merels");
    char path[512];
    file_path(path, dir, "name");
    cr_assert_eq(mkdir(path, 0777), 0); // a directory cannot be replaced by a file
    FAILS(merels_file_replace(dir, "name", "x", 1, &test_error), STATUS_IO);
    cr_assert_eq(count_files(dir), 1);
    remove_dir(dir);
}

Test(file, nothing_but_regular_files)
{
    char *dir = make_dir("merels");
    char path[512];
    struct file file;
    FAILS(merels_file_open(dir, &file, &test_error), STATUS_CORRUPT);
    file_path(path, dir, "fifo");
    cr_assert_eq(mkfifo(path, 0666), 0);
    FAILS(merels_file_open(path, &file, &test_error), STATUS_CORRUPT);
    remove_dir(dir);
}

Test(file, short_reads)
{
    char *dir = make_dir("merels");
    char path[512], data[8];
    struct file file;
    uint64_t size;
    store_bytes(dir, "five", "abcde", 5);
    file_path(path, dir, "five");
    OK(merels_file_open(path, &file, &test_error));
    OK(merels_file_size(&file, &size, &test_error));
    cr_assert_eq(size, 5);
    OK(merels_file_read_at(&file, 2, data, 3, &test_error));
    cr_assert_eq(memcmp(data, "cde", 3), 0);
    FAILS(merels_file_read_at(&file, 2, data, 4, &test_error), STATUS_CORRUPT);
    FAILS(merels_file_read_at(&file, 1000, data, 1, &test_error), STATUS_CORRUPT);
    merels_file_drop(&file);
    remove_dir(dir);
}

Test(file, beyond_four_gigabytes)
{
    char *dir = make_dir("merels");
    char path[512], data[4];
    struct file file;
    uint64_t size, far = (5ull << 32) + 7;
    file_path(path, dir, "sparse");
    OK(merels_file_create(path, &file, &test_error));
    OK(merels_file_write_at(&file, far, "far", 4, &test_error));
    OK(merels_file_sync(&file, &test_error));
    OK(merels_file_size(&file, &size, &test_error));
    cr_assert_eq(size, far + 4);
    OK(merels_file_read_at(&file, far, data, 4, &test_error));
    cr_assert_str_eq(data, "far");
    OK(merels_file_close(&file, &test_error));
    remove_dir(dir);
}

Test(file, full_disk)
{
    struct file file;
    OK(merels_file_create("/dev/full", &file, &test_error));
    FAILS(merels_file_write_at(&file, 0, "x", 1, &test_error), STATUS_IO);
    cr_assert(strstr(test_error.text, "/dev/full") != NULL);
    merels_file_drop(&file);
}

Test(file, directories)
{
    char *dir = make_dir("merels");
    char deep[600], path[512];
    uint64_t n_bytes;
    struct names names;
    snprintf(deep, sizeof deep, "%s/a//b c/d/", dir);
    OK(merels_dir_create(deep, &test_error));
    OK(merels_dir_create(deep, &test_error));
    OK(merels_dir_check(deep, &test_error));
    OK(merels_dir_list(dir, &names, &test_error));
    cr_assert(names.n == 1 && strcmp(names.names[0], "a") == 0);
    merels_names_free(&names);
    snprintf(deep, sizeof deep, "%s/nowhere/at/all", dir);
    OK(merels_disk_free(deep, &n_bytes, &test_error));
    cr_assert_gt(n_bytes, 0);
    cr_assert(merels_dir_takes_files(deep));
    FAILS(merels_dir_check(deep, &test_error), STATUS_MISSING);
    FAILS(merels_dir_list(deep, &names, &test_error), STATUS_MISSING);
    store_bytes(dir, "plain", "", 0);
    file_path(path, dir, "plain");
    FAILS(merels_dir_check(path, &test_error), STATUS_IO);
    file_path(path, dir, "plain/below");
    FAILS(merels_dir_create(path, &test_error), STATUS_IO);
    cr_assert_not(merels_dir_takes_files(path));
    snprintf(deep, sizeof deep, "%s/a/b c/d", dir);
    rmdir(deep);
    snprintf(deep, sizeof deep, "%s/a/b c", dir);
    rmdir(deep);
    remove_dir(dir);
}

// The reason is that of mkdir, not of the look that follows. Root may write everywhere, so the
// test drops its rights (it is a process of its own).
Test(file, why_a_directory_cannot_be_made)
{
    char *dir = make_dir("merels"), path[512], below[600];
    file_path(path, dir, "link");
    cr_assert_eq(symlink("/nonexistent/x", path), 0);
    FAILS(merels_dir_create(path, &test_error), STATUS_IO);
    cr_expect(strstr(test_error.text, "Not a directory") != NULL, "%s", test_error.text);
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkdir(path, 0555), 0);
    cr_assert_eq(chmod(dir, 0755), 0);
    uid_t user = geteuid();
    cr_assert(user != 0 || seteuid(65534) == 0);
    snprintf(below, sizeof below, "%s/x", path);
    FAILS(merels_dir_create(below, &test_error), STATUS_IO);
    cr_expect(strstr(test_error.text, "Permission denied") != NULL, "%s", test_error.text);
    cr_assert(user != 0 || seteuid(0) == 0);
    rmdir(path);
    remove_dir(dir);
}

Test(file, many_names)
{
    char *dir = make_dir("merels"), name[32];
    struct names names;
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof name, "%d", i);
        store_bytes(dir, name, "", 0);
    }
    OK(merels_dir_list(dir, &names, &test_error));
    cr_assert_eq(names.n, 200);
    merels_names_free(&names);
    remove_dir(dir);
}
