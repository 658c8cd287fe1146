// bench_probe.h: merels bench probe: how fast positions of a given tablebase are looked up.

#ifndef MERELS_QUERY_BENCH_PROBE_H
#define MERELS_QUERY_BENCH_PROBE_H

#include "query/args.h"

// Opens the tablebase of the rules (second operand, else nine) and prints times of opening and
// of looking up random positions. Fails if any of the look-ups fails.
MERELS_CHECKED enum status merels_bench_probe(const struct arguments *args, struct output *out,
                                              struct error *err);

#endif
