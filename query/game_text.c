// game_text.c: joins operands and reads whole streams, of bounded length.

#include "query/game_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GAME_BYTES = 1 << 20 };

enum status merels_game_text_join(const struct arguments *args, int first, char **text,
                                  struct error *err)
{
    size_t n_bytes = 1;
    for (int i = first; i < args->n_operands; i++)
        n_bytes += strlen(args->operands[i]) + 1;
    char *joined = malloc(n_bytes);
    if (!joined)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the text");
    char *end = joined;
    for (int i = first; i < args->n_operands; i++) {
        if (i > first)
            *end++ = ' ';
        end = stpcpy(end, args->operands[i]);
    }
    *end = '\0';
    *text = joined;
    return STATUS_OK;
}

enum status merels_game_text_load(FILE *in, const char *name, char **text, struct error *err)
{
    char *bytes = malloc(MAX_GAME_BYTES + 1);
    if (!bytes)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the game");
    size_t n = fread(bytes, 1, MAX_GAME_BYTES + 1, in);
    enum status status = STATUS_OK;
    if (ferror(in))
        status = merels_error(err, STATUS_IO, "cannot read %s: %s", name, strerror(errno));
    else if (n > MAX_GAME_BYTES)
        status =
            merels_error(err, STATUS_BAD_INPUT,
                         "%s: a game is at most %d bytes long; for example: 1. d6 f4 2. d2 b4",
                         name, MAX_GAME_BYTES);
    else if (memchr(bytes, '\0', n))
        status = merels_error(
            err, STATUS_BAD_INPUT,
            "%s: a game is text, without bytes of value 0; for example: 1. d6 f4 2. d2 b4",
            name);
    if (status != STATUS_OK) {
        free(bytes);
        return status;
    }
    bytes[n] = '\0';
    *text = bytes;
    return STATUS_OK;
}
