// processor.h: what the processor calls itself, to stand beside figures.

#ifndef MERELS_WORK_PROCESSOR_H
#define MERELS_WORK_PROCESSOR_H

// "AMD EPYC 7763 64-Core Processor"; "unknown processor" if the system does not say. Returns
// `out`.
enum { PROCESSOR_NAME_BYTES = 64 };
const char *merels_processor_name(char out[PROCESSOR_NAME_BYTES]);

#endif
