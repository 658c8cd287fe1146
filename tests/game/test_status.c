// test_status.c: errors are one line, fit their buffer, and may be left out.

#include "tests/game/game_help.h"

Test(status, error_is_one_line_and_is_cut_off)
{
    struct error err;
    cr_expect_eq(merels_error(&err, STATUS_CORRUPT, "a\nb\t%d", 7), STATUS_CORRUPT);
    cr_expect_str_eq(err.text, "a?b?7");
    cr_expect_eq(err.status, STATUS_CORRUPT);
    cr_expect_eq(merels_error(&err, STATUS_IO, "%0*d", 2 * ERROR_TEXT_BYTES, 1), STATUS_IO);
    cr_expect_eq(strlen(err.text), ERROR_TEXT_BYTES - 1);
    cr_expect_eq(merels_error(NULL, STATUS_NEWER, "nobody reads it"), STATUS_NEWER);
}

Test(status, every_status_has_a_name)
{
    for (int status = STATUS_OK; status <= STATUS_NOT_YET; status++)
        cr_expect_str_neq(merels_status_name((enum status)status), "unknown status");
    cr_expect_str_eq(merels_status_name(STATUS_NOT_COVERED), "not covered");
    cr_expect_str_eq(merels_status_name((enum status)99), "unknown status");
    cr_expect_str_eq(merels_status_name((enum status) - 1), "unknown status");
}
