// start_search.h: the empty board by a search over the tables of the moving phase, with its
// progress shown and stopped by signals.

#ifndef MERELS_QUERY_START_SEARCH_H
#define MERELS_QUERY_START_SEARCH_H

#include "query/command.h"
#include "search/search.h"

// Searches from the start of the context over the tables in its directory. As merels_search.
MERELS_CHECKED enum status merels_start_search(const struct context *context,
                                               struct search_result *result, struct error *err);

#endif
