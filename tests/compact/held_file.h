// held_file.h: a file of edition compact that is held in memory, as its reader asks for it.

#ifndef MERELS_TESTS_COMPACT_HELD_FILE_H
#define MERELS_TESTS_COMPACT_HELD_FILE_H

#include <string.h>

#include "embed/merels_compact.h"

struct file {
    unsigned char *bytes;
    uint64_t n_bytes;
};

static int read_file(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    const struct file *file = context;
    if (offset > file->n_bytes || n_bytes > file->n_bytes - offset)
        return MERELS_COMPACT_ENDS;
    memcpy(to, file->bytes + offset, n_bytes);
    return MERELS_COMPACT_HERE;
}

#endif
