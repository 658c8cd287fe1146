// small_files.c: bytes in memory, and files that are read or written whole.

#include "verify/small_files.h"

#include <stdlib.h>

#include "db/file.h"
#include "db/hash.h"

enum { TEXT_LIMIT = 16 << 20 };

uint64_t merels_verify_sum(const void *bytes, size_t n)
{
    return merels_xxh64(bytes, n);
}

enum status merels_verify_sha256(const void *bytes, size_t n, uint8_t digest[DIGEST_BYTES],
                                 struct error *err)
{
    return merels_sha256(bytes, n, digest, err);
}

enum status merels_verify_load_file(const char *path, uint8_t **bytes, size_t *n,
                                    struct error *err)
{
    char *data;
    enum status status = merels_file_load(path, SIZE_MAX / 2, &data, n, err);
    if (status == STATUS_OK)
        *bytes = (uint8_t *)data;
    return status;
}

enum status merels_verify_load_text(const char *dir, const char *name, char **text,
                                    struct error *err)
{
    char *path;
    size_t n;
    enum status status = merels_path_join(dir, name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_load(path, TEXT_LIMIT, text, &n, err);
    free(path);
    if (status != STATUS_MISSING)
        return status;
    *text = calloc(1, 1);
    return *text != NULL ? STATUS_OK : merels_error(err, STATUS_NO_MEMORY, "out of memory");
}

enum status merels_verify_store_text(const char *dir, const char *name, const char *text,
                                     size_t n, struct error *err)
{
    return merels_file_replace(dir, name, text, n, err);
}

enum status merels_verify_remove_text(const char *dir, const char *name, struct error *err)
{
    char *path;
    enum status status = merels_path_join(dir, name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_remove(path, err);
    free(path);
    return status;
}
