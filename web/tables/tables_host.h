// tables_host.h: what the page does for the WebAssembly module of tables: the imports.
//
// Places in files are doubles, which hold whole numbers up to 2^53 and are numbers to
// JavaScript.

#ifndef MERELS_WEB_TABLES_HOST_H
#define MERELS_WEB_TABLES_HOST_H

#include "db/byte_source.h"

// The files of the game that is open.
struct byte_source merels_host_source(const char *place);

#endif
