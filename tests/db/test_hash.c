// test_hash.c: known digests, fingerprints, hexadecimal text.

#include "tests/db/support.h"

Test(hash, sha256_in_one_piece_and_in_many)
{
    static const char expected[] =
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    struct sha256 *hash;
    uint8_t digest[SHA256_BYTES];
    char hex[2 * SHA256_BYTES + 1];
    OK(merels_sha256("abc", 3, digest, &test_error));
    merels_hex(digest, SHA256_BYTES, hex);
    cr_assert_str_eq(hex, expected);
    OK(merels_sha256_create(&hash, &test_error));
    for (int i = 0; i < 3; i++)
        OK(merels_sha256_update(hash, &"abc"[i], 1, &test_error));
    OK(merels_sha256_finish(hash, digest, &test_error));
    merels_sha256_destroy(hash);
    merels_sha256_destroy(NULL);
    merels_hex(digest, SHA256_BYTES, hex);
    cr_assert_str_eq(hex, expected);
}

Test(hash, xxh64)
{
    cr_assert_eq(merels_xxh64("", 0), 0xef46db3751d8e999u);
    cr_assert_eq(merels_xxh64("abc", 3), 0x44bc2cf5ad770999u);
}

Test(hash, fingerprints)
{
    static const struct {
        const char *rules, *fingerprint;
    } cases[] = {
        {"nine", "4e6a63ff94043a5f7294ca3959ecb9e3"},
        {"ten", "4e6a63ff94043a5f7294ca3959ecb9e3"},
        {"nine-nofly", "be81fe77d1898ed80c79cfb0f02e8c1f"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rules *rules = make_rules(cases[i].rules);
        uint8_t fingerprint[FINGERPRINT_BYTES];
        char hex[2 * FINGERPRINT_BYTES + 1];
        OK(merels_rules_fingerprint(rules, fingerprint, &test_error));
        merels_hex(fingerprint, FINGERPRINT_BYTES, hex);
        cr_assert_str_eq(hex, cases[i].fingerprint);
        free(rules);
    }
}

Test(hash, hexadecimal)
{
    static const char *const wrong[] = {"",     "00f",   "00f",  "00fg",
                                        "00FF", "00ff0", " 0ff", "00ff\n"};
    uint8_t bytes[2];
    OK(merels_unhex("09fa", bytes, 2, &test_error));
    cr_assert(bytes[0] == 0x09 && bytes[1] == 0xfa);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        FAILS(merels_unhex(wrong[i], bytes, 2, &test_error), STATUS_BAD_INPUT);
}
