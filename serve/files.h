// files.h: a file of a folder as a response, whole or in part.
//
// A name is made of decoded parts, none of which is empty, begins with '.' or holds a '/' or a
// control character: no address leads out of the folder. Symbolic links are followed: who owns
// the folder decides.

#ifndef MERELS_SERVE_FILES_H
#define MERELS_SERVE_FILES_H

#include "serve/message.h"

// True if a part of an address can be a part of a file's name.
bool merels_file_part(const char *part);

// Responds with the file that the parts from `first` on name in `folder`; where they name a
// folder, or nothing is left of them, with its index.html. `cache` is the Cache-Control. ETag
// and Last-Modified come from the file; Range and If-Range of the request are answered with 206
// or 416. 404 if there is no such file; 500 if it cannot be read.
void merels_file_respond(const struct request *request, const char *folder, int first,
                         const char *cache, struct response *response);

// The same for one file by its path.
void merels_file_respond_path(const struct request *request, const char *path,
                              const char *cache, struct response *response);

#endif
