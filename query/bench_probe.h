// bench_probe.h: merels bench probe: how fast positions of a given tablebase are looked up.

#ifndef MERELS_QUERY_BENCH_PROBE_H
#define MERELS_QUERY_BENCH_PROBE_H

#include "query/command.h"

// Opens the tablebase of the rules (second operand, else nine) and prints times of opening and
// of looking up random positions. Fails if any of the look-ups fails.
MERELS_CHECKED enum status merels_bench_probe(struct context *context, struct error *err);

#endif
