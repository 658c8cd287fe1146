// verify_counts.c: counts and their names.

#include "verify/verify_counts.h"

#include <stdio.h>
#include <string.h>

#include "verify/verify_rules.h"

bool merels_verify_same(struct counts x, struct counts y)
{
    return x.a == y.a && x.b == y.b && x.ha == y.ha && x.hb == y.hb;
}

void merels_verify_name(struct counts c, char out[COUNTS_NAME_BYTES])
{
    if (c.ha == 0 && c.hb == 0)
        snprintf(out, COUNTS_NAME_BYTES, "%d-%d", c.a & 63, c.b & 63);
    else
        snprintf(out, COUNTS_NAME_BYTES, "%d-%d-%d-%d", c.a & 63, c.b & 63, c.ha & 63,
                 c.hb & 63);
}

bool merels_verify_parse_name(const char *text, size_t n, struct counts *counts)
{
    char again[COUNTS_NAME_BYTES];
    struct counts c = {0, 0, 0, 0};
    if (sscanf(text, "%2d-%2d-%2d-%2d", &c.a, &c.b, &c.ha, &c.hb) < 2 || c.a < 0 || c.b < 0 ||
        c.ha < 0 || c.hb < 0 || c.a + c.b > VERIFY_POINTS || c.ha > 48 || c.hb > 48)
        return false;
    merels_verify_name(c, again);
    *counts = c;
    return strlen(again) == n && memcmp(again, text, n) == 0;
}
