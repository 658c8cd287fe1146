// prober.h: what the commands that answer questions work with: rules, tablebase and room for a
// ranking.

#ifndef MERELS_QUERY_PROBER_H
#define MERELS_QUERY_PROBER_H

#include "query/ranking.h"
#include "query/setting.h"

struct prober {
    struct setting *setting;
    const struct rules *rules; // of the setting
    struct tablebase *base;
    struct ranking *ranking; // of the position that was asked last
};

// Reads the rules (first operand), which is enough to read positions. On failure there is
// nothing to close.
MERELS_CHECKED enum status merels_prober_create(const struct arguments *args,
                                                struct prober *prober, struct error *err);

// Opens the tablebase; from now on questions can be asked. STATUS_MISSING, STATUS_OTHER_RULES.
MERELS_CHECKED enum status merels_prober_open(struct prober *prober, struct error *err);
void merels_prober_close(struct prober *prober);

// Ranks the plies of a position into prober->ranking; fails as merels_rank_plies does.
MERELS_CHECKED enum status merels_prober_rank(struct prober *prober, const struct position *pos,
                                              struct error *err);

#endif
