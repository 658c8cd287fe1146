// hash.c: SHA-256 by libcrypto, XXH64 by xxHash, and hexadecimal text.
//
// Of libcrypto the plain functions: they take no memory and have nothing to set up. The first
// call of its newer interface (EVP_Digest...) makes some thousand allocations, and libcrypto
// 3.0 crashes where one of fifty of them fails: a library must not do that to its host.

#include "db/hash.h"

#include <stdlib.h>
#include <string.h>

#define OPENSSL_SUPPRESS_DEPRECATED // see the top
#include <openssl/sha.h>
#include <xxhash.h>

#include "game/rules_text.h"

struct sha256 {
    SHA256_CTX context;
};

enum status merels_sha256_create(struct sha256 **hash, struct error *err)
{
    struct sha256 *made = malloc(sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a hash");
    if (SHA256_Init(&made->context) != 1) {
        free(made);
        return merels_error(err, STATUS_IO, "SHA-256 failed in libcrypto");
    }
    *hash = made;
    return STATUS_OK;
}

enum status merels_sha256_update(struct sha256 *hash, const void *data, size_t n_bytes,
                                 struct error *err)
{
    if (SHA256_Update(&hash->context, data, n_bytes) != 1)
        return merels_error(err, STATUS_IO, "SHA-256 failed in libcrypto");
    return STATUS_OK;
}

enum status merels_sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_BYTES],
                                 struct error *err)
{
    if (SHA256_Final(digest, &hash->context) != 1)
        return merels_error(err, STATUS_IO, "SHA-256 failed in libcrypto");
    return STATUS_OK;
}

void merels_sha256_destroy(struct sha256 *hash)
{
    free(hash);
}

uint64_t merels_xxh64(const void *data, size_t n_bytes)
{
    return XXH64(data, n_bytes, 0);
}

enum status merels_sha256(const void *data, size_t n_bytes, uint8_t digest[SHA256_BYTES],
                          struct error *err)
{
    SHA256_CTX context;
    if (SHA256_Init(&context) != 1 || SHA256_Update(&context, data, n_bytes) != 1 ||
        SHA256_Final(digest, &context) != 1)
        return merels_error(err, STATUS_IO, "SHA-256 failed in libcrypto");
    return STATUS_OK;
}

enum status merels_rules_fingerprint(const struct rules *rules,
                                     uint8_t fingerprint[FINGERPRINT_BYTES], struct error *err)
{
    char text[RULES_TEXT_BYTES];
    size_t n_bytes = merels_rules_text(rules, text);
    uint8_t digest[SHA256_BYTES];
    enum status status = merels_sha256(text, n_bytes, digest, err);
    if (status == STATUS_OK)
        memcpy(fingerprint, digest, FINGERPRINT_BYTES);
    return status;
}

void merels_hex(const uint8_t *bytes, size_t n_bytes, char *out)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < n_bytes; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * n_bytes] = '\0';
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

enum status merels_unhex(const char *text, uint8_t *bytes, size_t n_bytes, struct error *err)
{
    if (strlen(text) != 2 * n_bytes)
        return merels_error(err, STATUS_BAD_INPUT, "'%.80s' is not %zu hexadecimal digits",
                            text, 2 * n_bytes);
    for (size_t i = 0; i < n_bytes; i++) {
        int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return merels_error(err, STATUS_BAD_INPUT, "'%.80s' is not lower-case hexadecimal",
                                text);
        bytes[i] = (uint8_t)(16 * high + low);
    }
    return STATUS_OK;
}
