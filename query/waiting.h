// waiting.h: threads that wait sleep.

#ifndef MERELS_QUERY_WAITING_H
#define MERELS_QUERY_WAITING_H

// Runs the program anew, with the same arguments and with OpenMP threads that sleep where they
// wait, unless the environment says already how they shall wait. Returns if that is so, or if
// it cannot be done. First thing in main.
void merels_wait_asleep(char **argv);

#endif
