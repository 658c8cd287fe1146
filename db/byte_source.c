// byte_source.c: what every source of bytes is asked in the same way.

#include "db/byte_source.h"

#include <stdlib.h>

#include "db/file.h"

void merels_source_want(const struct byte_source *source, const char *name,
                        const struct byte_range *ranges, size_t n)
{
    if (source->want != NULL)
        source->want(source->context, name, ranges, n);
}

enum status merels_source_list(const struct byte_source *source, struct names *names,
                               struct error *err)
{
    *names = (struct names){NULL, 0};
    return source->list == NULL ? STATUS_OK : source->list(source->context, names, err);
}

enum status merels_source_load(const struct byte_source *source, const char *name, size_t limit,
                               char **data, size_t *n_bytes, struct error *err)
{
    char *loaded = NULL;
    uint64_t size = 0;
    enum status status = source->size(source->context, name, &size, err);
    if (status == STATUS_OK && size > limit)
        status = merels_error(err, STATUS_CORRUPT, "%s/%s: %llu bytes, more than %zu",
                              source->place, name, (unsigned long long)size, limit);
    if (status == STATUS_OK && (loaded = malloc((size_t)size + 1)) == NULL)
        status =
            merels_error(err, STATUS_NO_MEMORY, "%s/%s: out of memory", source->place, name);
    if (status == STATUS_OK)
        status = source->read(source->context, name, 0, loaded, (size_t)size, err);
    if (status == STATUS_NOT_YET)
        merels_source_want(source, name, &(struct byte_range){0, TO_THE_END}, 1);
    if (source->forget != NULL)
        source->forget(source->context, name);
    if (status != STATUS_OK) {
        free(loaded);
        return status;
    }
    loaded[size] = '\0';
    *data = loaded;
    *n_bytes = (size_t)size;
    return STATUS_OK;
}
