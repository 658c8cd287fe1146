// heap.h: memory that is freed goes back to the system.

#ifndef MERELS_QUERY_HEAP_H
#define MERELS_QUERY_HEAP_H

// Makes the C library give back at once what is freed in one large piece. Early in main; where
// the library cannot be told so, nothing happens.
void merels_heap_give_back(void);

#endif
