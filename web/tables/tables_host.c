// tables_host.c: the module's world is the page: bytes of files, zstd and SHA-256 are imports.
//
// Takes the place of db/codec.c, of libcrypto and of the files of db/: each is a seam of its
// own (docs/DESIGN.md, "Libraries"), so that all between them is the code of the program.

#include "web/tables/tables_host.h"

#include <openssl/sha.h>
#include <string.h>

#include "db/codec.h"
#include "db/directory_source.h"

#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))

// What reading says; the numbers stand in tables_reader.js, too.
enum { READ_HERE, READ_LATER, READ_MISSING, READ_ENDS };

// The bytes of a file, or -1 if there is none.
IMPORT(size)
double host_size(const char *name);
IMPORT(read)
int host_read(const char *name, double offset, void *to, size_t n_bytes);
// n_bytes < 0: to the end.
IMPORT(want)
void host_want(const char *name, double offset, double n_bytes);
// Decodes one zstd frame into exactly n_plain bytes; 0 if it cannot.
IMPORT(decode)
int host_decode(const void *stored, size_t n_stored, void *plain, size_t n_plain);
IMPORT(sha_begin)
int host_sha_begin(void);
IMPORT(sha_update)
void host_sha_update(int running, const void *data, size_t n_bytes);
IMPORT(sha_finish)
void host_sha_finish(int running, void *digest);

// ---- bytes of files ------------------------------------------------------------------------

static enum status missing(const char *place, const char *name, struct error *err)
{
    return merels_error(err, STATUS_MISSING, "%s/%s: is not there", place, name);
}

static enum status size_of_file(void *context, const char *name, uint64_t *n_bytes,
                                struct error *err)
{
    double size = host_size(name);
    if (size < 0)
        return missing(context, name, err);
    *n_bytes = (uint64_t)size;
    return STATUS_OK;
}

static enum status read_file(void *context, const char *name, uint64_t offset, void *to,
                             size_t n_bytes, struct error *err)
{
    const char *place = context;
    switch (host_read(name, (double)offset, to, n_bytes)) {
    case READ_HERE:
        return STATUS_OK;
    case READ_LATER:
        return merels_error(err, STATUS_NOT_YET, "%s/%s: not here yet", place, name);
    case READ_MISSING:
        return missing(place, name, err);
    default:
        return merels_error(err, STATUS_CORRUPT, "%s/%s: ends too early", place, name);
    }
}

static void want_ranges(void *context, const char *name, const struct byte_range *ranges,
                        size_t n)
{
    (void)context;
    for (size_t i = 0; i < n; i++)
        host_want(name, (double)ranges[i].offset,
                  ranges[i].n_bytes == TO_THE_END ? -1 : (double)ranges[i].n_bytes);
}

struct byte_source merels_host_source(const char *place)
{
    // The functions above only read what they get back.
    return (struct byte_source){.context = (void *)place,
                                .place = place,
                                .size = size_of_file,
                                .read = read_file,
                                .want = want_ranges};
}

// There are no directories here, so none is ever made.
void merels_directory_destroy(struct directory *directory)
{
    (void)directory;
}

// ---- blocks --------------------------------------------------------------------------------

struct block_decoder {
    char nothing;
};

enum status merels_block_decoder_create(struct block_decoder **decoder, struct error *err)
{
    static struct block_decoder only;
    (void)err;
    *decoder = &only;
    return STATUS_OK;
}

void merels_block_decoder_destroy(struct block_decoder *decoder)
{
    (void)decoder;
}

enum status merels_block_decode(struct block_decoder *decoder, const uint8_t *stored,
                                size_t n_stored, uint8_t *plain, size_t n_plain,
                                struct error *err)
{
    (void)decoder;
    if (n_stored == n_plain)
        memcpy(plain, stored, n_plain);
    else if (!host_decode(stored, n_stored, plain, n_plain))
        return merels_error(err, STATUS_CORRUPT, "not a zstd frame of %zu bytes", n_plain);
    return STATUS_OK;
}

// ---- SHA-256 -------------------------------------------------------------------------------

int SHA256_Init(SHA256_CTX *context)
{
    context->running = host_sha_begin();
    return 1;
}

int SHA256_Update(SHA256_CTX *context, const void *data, size_t n_bytes)
{
    host_sha_update(context->running, data, n_bytes);
    return 1;
}

int SHA256_Final(unsigned char *digest, SHA256_CTX *context)
{
    host_sha_finish(context->running, digest);
    return 1;
}
