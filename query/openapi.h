// openapi.h: the description of the HTTP interface, for programs: query/openapi.json as part of
// the program.

#ifndef MERELS_QUERY_OPENAPI_H
#define MERELS_QUERY_OPENAPI_H

#include <stddef.h>

extern const unsigned char merels_openapi[];
extern const size_t merels_openapi_bytes;

#endif
