// prober.c: opening and closing what answers are made with.

#include "query/prober.h"

#include <stdlib.h>

enum status merels_prober_create(const struct arguments *args, struct prober *prober,
                                 struct error *err)
{
    *prober = (struct prober){.setting = NULL};
    enum status status = merels_setting_create(args, &prober->setting, err);
    if (status == STATUS_OK)
        prober->rules = &prober->setting->rules;
    return status;
}

enum status merels_prober_open(struct prober *prober, struct error *err)
{
    prober->ranking = malloc(sizeof *prober->ranking);
    if (!prober->ranking)
        return merels_error(err, STATUS_NO_MEMORY, "no memory for the plies");
    return merels_setting_open(prober->setting, &prober->base, err);
}

void merels_prober_close(struct prober *prober)
{
    free(prober->ranking);
    merels_tablebase_close(prober->base);
    merels_setting_destroy(prober->setting);
    *prober = (struct prober){.setting = NULL};
}

enum status merels_prober_rank(struct prober *prober, const struct position *pos,
                               struct error *err)
{
    return merels_rank_plies(prober->base, prober->rules, pos, prober->ranking, err);
}
