// sha.h: the functions of libcrypto that db/hash.c calls, carried out by the page
// (tables_host.c).

#ifndef MERELS_WEB_SHA_H
#define MERELS_WEB_SHA_H

#include <stddef.h>

typedef struct {
    int running; // a hash of the page
} SHA256_CTX;

int SHA256_Init(SHA256_CTX *context);
int SHA256_Update(SHA256_CTX *context, const void *data, size_t n_bytes);
int SHA256_Final(unsigned char *digest, SHA256_CTX *context);

#endif
