// wrong_table.c: one value changed, everything else made right.

#include "tests/support/wrong_table.h"

#include "tests/verify/tamper.h"

void make_wrong_table(const char *rules, char *dir, const char *subspace)
{
    struct subspace s;
    struct base base = {.rules = make_rules(rules), .dir = dir};
    OK(merels_subspace_parse(subspace, &s, &test_error));
    OK(merels_index_create(&base.rules->board, &base.index, &test_error));
    struct values values = load_values(&base, s);
    uint64_t slot = 0;
    while (values.bytes[slot] != DTM_DRAW)
        slot++;
    set_position(&base, &values, slot, 1);
    store_values(&base, &values);
    free(values.bytes);
    merels_index_destroy(base.index);
    free(base.rules);
}

void mend_checksum(const char *dir)
{
    size_t n;
    char checksum[32], *text = (char *)load_bytes(dir, "MANIFEST", &n);
    text[n] = '\0';
    size_t before = (size_t)(strstr(text, "# checksum ") - text);
    snprintf(checksum, sizeof checksum, "# checksum %016llx\n",
             (unsigned long long)merels_xxh64(text, before));
    memcpy(text + before, checksum, strlen(checksum));
    store_bytes(dir, "MANIFEST", text, n);
    free(text);
}
