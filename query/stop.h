// stop.h: Ctrl-C as a request: a flag that long work looks at.

#ifndef MERELS_QUERY_STOP_H
#define MERELS_QUERY_STOP_H

#include <stdatomic.h>

// From now on the first SIGINT, SIGTERM and SIGHUP only set the flag that is returned; the
// next one ends the program. A SIGHUP that is ignored (nohup) stays so. SIGPIPE is ignored, so
// that a message whose reader is gone is an error like any other and the work ends tidily.
const atomic_int *merels_stop_on_signals(void);

#endif
