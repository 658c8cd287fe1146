// new_text.h: a text in memory of its own, as long as it has to be.

#ifndef MERELS_QUERY_NEW_TEXT_H
#define MERELS_QUERY_NEW_TEXT_H

// What printf would print; free it. NULL if there is no memory.
char *merels_new_text(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
