// plots.h: pictures of the values of all tables, a file each.

#ifndef MERELS_QUERY_PLOTS_H
#define MERELS_QUERY_PLOTS_H

#include "query/command.h"

struct plotted_table {
    struct table_header header;
    bool kept; // its file is there
};

// Writes into `dir`, which is made if need be: results.svg (wins, draws and losses by men and
// phase, from the headers) and, where the tables hold depths, depths.svg (of all together) and
// depths-SUBSPACE.svg of each, for which all tables that are kept are read. Shows how far it is
// on standard error. STATUS_INTERRUPTED by Ctrl-C; the files that are there are whole.
MERELS_CHECKED enum status merels_plot_tables(const struct context *context,
                                              const struct plotted_table *tables, size_t n,
                                              const char *dir, struct error *err);

#endif
