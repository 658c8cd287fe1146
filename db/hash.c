// hash.c: SHA-256 by libcrypto, XXH64 by xxHash, and hexadecimal text.

#include "db/hash.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>
#include <xxhash.h>

#include "game/rules_text.h"

struct sha256 {
    EVP_MD_CTX *context;
};

enum status merels_sha256_create(struct sha256 **hash, struct error *err)
{
    struct sha256 *made = malloc(sizeof *made);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (made == NULL || context == NULL ||
        EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1) {
        EVP_MD_CTX_free(context);
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a hash");
    }
    made->context = context;
    *hash = made;
    return STATUS_OK;
}

enum status merels_sha256_update(struct sha256 *hash, const void *data, size_t n_bytes,
                                 struct error *err)
{
    if (EVP_DigestUpdate(hash->context, data, n_bytes) != 1)
        return merels_error(err, STATUS_NO_MEMORY, "SHA-256 failed in libcrypto");
    return STATUS_OK;
}

enum status merels_sha256_finish(struct sha256 *hash, uint8_t digest[SHA256_BYTES],
                                 struct error *err)
{
    unsigned length = 0;
    if (EVP_DigestFinal_ex(hash->context, digest, &length) != 1 || length != SHA256_BYTES)
        return merels_error(err, STATUS_NO_MEMORY, "SHA-256 failed in libcrypto");
    return STATUS_OK;
}

void merels_sha256_destroy(struct sha256 *hash)
{
    if (hash == NULL)
        return;
    EVP_MD_CTX_free(hash->context);
    free(hash);
}

uint64_t merels_xxh64(const void *data, size_t n_bytes)
{
    return XXH64(data, n_bytes, 0);
}

enum status merels_sha256(const void *data, size_t n_bytes, uint8_t digest[SHA256_BYTES],
                          struct error *err)
{
    unsigned length = 0;
    if (EVP_Digest(data, n_bytes, digest, &length, EVP_sha256(), NULL) != 1 ||
        length != SHA256_BYTES)
        return merels_error(err, STATUS_NO_MEMORY, "SHA-256 failed in libcrypto");
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
