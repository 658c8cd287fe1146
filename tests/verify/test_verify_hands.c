// test_verify_hands.c: tables checked by others, who are right, err, or have read other tables.

#include "tests/verify/tamper.h"
#include "verify/verify_unit.h"

enum fault {
    NONE,
    OTHER_HASH,
    OTHER_HASH_OF_A_SUCCESSOR,
    OTHER_TABLE,
    NO_RESULT,
    FAILS_ITSELF
};

struct others {
    struct unit_verifier *verifier;
    enum fault fault;
    size_t n_calls;
};

static enum status check_one(struct others *others, const char *name, struct read_tables *read,
                             struct error *err)
{
    const struct watch quiet = {.report = NULL};
    others->n_calls++;
    return merels_verify_one(others->verifier, name, &quiet, read, err);
}

// The last one first; the fault is that of the last call.
static enum status go_through(void *context, const char *const *names, size_t n,
                              hands_done *done, void *done_context, struct error *err)
{
    struct others *others = context;
    enum status status = STATUS_OK;
    for (size_t k = n; k-- > 0 && status == STATUS_OK;) {
        struct read_tables read;
        enum fault fault = k == 0 ? others->fault : NONE;
        status = check_one(others, names[fault == OTHER_TABLE ? n - 1 : k], &read, err);
        if (status != STATUS_OK)
            break;
        if (fault == OTHER_HASH)
            read.tables[0].values[7] ^= 1;
        if (fault == OTHER_HASH_OF_A_SUCCESSOR)
            read.tables[read.n - 1].values[31] ^= 0x80;
        if (fault == FAILS_ITSELF)
            return merels_error(err, STATUS_IO, "gone");
        status = done(done_context, k, &read, fault == NO_RESULT ? 0 : sizeof read, err);
    }
    return status;
}

static enum status verify_by_others(const struct base *base, enum fault fault,
                                    struct verify_result *result)
{
    struct verify_options options = {.dir = base->dir, .n_threads = 1};
    struct others others = {.fault = fault};
    const struct hands hands = {.go_through = go_through, .context = &others};
    OK(merels_unit_verifier_create(base->text, &options, &others.verifier, &test_error));
    options.hands = &hands;
    const struct watch watch = {.report = NULL};
    enum status status = merels_verify(base->text, &options, &watch, result, &test_error);
    cr_expect_eq(others.n_calls, result->n_checked + (status != STATUS_OK));
    merels_unit_verifier_destroy(others.verifier);
    return status;
}

static bool has_record_file(const struct base *base)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/VERIFIED", base->dir);
    FILE *file = fopen(path, "r");
    if (file != NULL)
        fclose(file);
    return file != NULL;
}

Test(verify_hands, others_check, .timeout = 300)
{
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    OK(verify_by_others(&base, NONE, &result));
    cr_expect_eq(result.n_checked, result.n_tables);
    cr_expect(has_record_file(&base));
    drop_base(&base);
}

// What was checked elsewhere and is not what is here proves nothing.
Test(verify_hands, others_have_read_something_else, .timeout = 300)
{
    static const enum fault faults[] = {OTHER_HASH, OTHER_HASH_OF_A_SUCCESSOR, OTHER_TABLE,
                                        NO_RESULT};
    struct verify_result result;
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        struct base base = solve_base("four", 0, false);
        FAILS(verify_by_others(&base, faults[k], &result), STATUS_MISMATCH);
        cr_expect(!has_record_file(&base), "fault %zu", k);
        drop_base(&base);
    }
}

// What others had checked before one failed is not checked again.
Test(verify_hands, goes_on, .timeout = 300)
{
    struct verify_result result;
    struct base base = solve_base("four", 0, false);
    FAILS(verify_by_others(&base, FAILS_ITSELF, &result), STATUS_IO);
    cr_expect(!has_record_file(&base));
    OK(verify_by_others(&base, NONE, &result));
    cr_expect_eq(result.n_checked, 1);
    cr_expect_eq(result.n_noted + 1, result.n_tables);
    cr_expect(has_record_file(&base));
    drop_base(&base);
}
