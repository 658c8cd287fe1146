// stop.h: Ctrl-C as a request: a flag that long work looks at.

#ifndef MERELS_QUERY_STOP_H
#define MERELS_QUERY_STOP_H

// From now on the first SIGINT and the first SIGTERM only set the flag that is returned; the
// next one ends the program. SIGPIPE is ignored: a reader of the messages that is gone must not
// end the work before it is tidied up.
const volatile int *merels_stop_on_signals(void);

#endif
