// memory_source.c: tables and manifests in memory of the caller.

#include "db/memory_source.h"

#include <string.h>

#include "db/file.h"

static const char place[] = "memory";

static const struct memory_piece *find_piece(const struct memory_pieces *pieces,
                                             const char *name)
{
    for (size_t i = 0; i < pieces->n; i++)
        if (strcmp(pieces->pieces[i].name, name) == 0)
            return &pieces->pieces[i];
    return NULL;
}

static enum status missing(const char *name, struct error *err)
{
    return merels_error(err, STATUS_MISSING, "%s/%s: is not there", place, name);
}

static enum status size_of_piece(void *context, const char *name, uint64_t *n_bytes,
                                 struct error *err)
{
    const struct memory_piece *piece = find_piece(context, name);
    if (piece == NULL)
        return missing(name, err);
    *n_bytes = piece->n_bytes;
    return STATUS_OK;
}

static enum status read_piece(void *context, const char *name, uint64_t offset, void *to,
                              size_t n_bytes, struct error *err)
{
    const struct memory_piece *piece = find_piece(context, name);
    if (piece == NULL)
        return missing(name, err);
    if (offset > piece->n_bytes || n_bytes > piece->n_bytes - offset)
        return merels_error(err, STATUS_CORRUPT, "%s/%s: ends at byte %llu, too short", place,
                            name, (unsigned long long)piece->n_bytes);
    if (n_bytes > 0)
        memcpy(to, (const char *)piece->bytes + offset, n_bytes);
    return STATUS_OK;
}

static enum status list_pieces(void *context, struct names *names, struct error *err)
{
    const struct memory_pieces *pieces = context;
    enum status status = STATUS_OK;
    *names = (struct names){NULL, 0};
    for (size_t i = 0; i < pieces->n && status == STATUS_OK; i++)
        status = merels_names_add(names, pieces->pieces[i].name, err);
    if (status != STATUS_OK)
        merels_names_free(names);
    return status;
}

struct byte_source merels_memory_source(const struct memory_pieces *pieces)
{
    // The functions above only read what they get back.
    return (struct byte_source){.context = (void *)pieces,
                                .place = place,
                                .size = size_of_piece,
                                .read = read_piece,
                                .list = list_pieces};
}
