// test_serve.c: addresses, ranges, entity tags and errors, without a network.

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/text.h"
#include "serve/byte_range.h"
#include "serve/files.h"
#include "serve/message.h"
#include "serve/uri.h"

// The parts of a target, separated by '|', with '/' at the end of a folder's, then its
// parameters; "!" if it is refused.
static void expect_uri(const char *target, const char *expected)
{
    char bytes[512];
    struct text text = merels_text(bytes, sizeof bytes);
    struct uri uri;
    struct error err;
    if (merels_uri_read(target, &uri, &err) != STATUS_OK) {
        cr_expect_eq(err.status, STATUS_BAD_INPUT);
        cr_expect_str_eq("!", expected, "%s: %s", target, err.text);
        return;
    }
    for (int i = 0; i < uri.n_parts; i++)
        merels_text_add(&text, "%s%s", i > 0 ? "|" : "", uri.parts[i]);
    merels_text_add(&text, "%s", uri.folder ? "/" : "");
    for (int i = 0; i < uri.n_parameters; i++)
        merels_text_add(&text, " %s=%s", uri.parameters[i].name, uri.parameters[i].value);
    merels_uri_free(&uri);
    cr_expect_str_eq(bytes, expected, "%s: %s", target, bytes);
}

Test(serve_uri, is_taken_apart_and_decoded_once)
{
    expect_uri("/", "/");
    expect_uri("/a", "a");
    expect_uri("/a/", "a/");
    expect_uri("/a/b%20c?x=1&y=%26+%2B", "a|b c x=1 y=& +");
    expect_uri("/a+b?c+d", "a+b c d=");
    expect_uri("/a%2Fb%252e", "a/b%2e");
    expect_uri("//a//b", "|a||b");
    expect_uri("/./..", ".|..");
    expect_uri("/a?&&x=1&", "a x=1");
    expect_uri("/a?x=1=2", "a x=1=2");
    expect_uri("/a#b?c", "a");
    expect_uri("/a?x=1#y", "a x=1");
    expect_uri("http://h:1/a", "a");
    expect_uri("HTTPS://h?x", "/ x=");
    expect_uri("http://h", "/");
    expect_uri("?x", "!");
}

Test(serve_uri, refuses_what_it_cannot_hold)
{
    expect_uri("", "!");
    expect_uri("a", "!");
    expect_uri("*", "!");
    expect_uri("/%", "!");
    expect_uri("/%2", "!");
    expect_uri("/%zz", "!");
    expect_uri("/%00", "!");
    expect_uri("/a?%00", "!");
    expect_uri("/a?x=%", "!");
    expect_uri("/1/2/3/4/5/6/7/8/9/10/11/12", "1|2|3|4|5|6|7|8|9|10|11|12");
    expect_uri("/1/2/3/4/5/6/7/8/9/10/11/12/", "1|2|3|4|5|6|7|8|9|10|11|12/");
    expect_uri("/1/2/3/4/5/6/7/8/9/10/11/12/13", "!");
    expect_uri("/?a&b&c&d&e&f&g&h", "/ a= b= c= d= e= f= g= h=");
    expect_uri("/?a&b&c&d&e&f&g&h&i", "!");
}

Test(serve_files, parts_of_names)
{
    cr_expect(merels_file_part("a") && merels_file_part("a..b") && merels_file_part("a b"));
    cr_expect(!merels_file_part("") && !merels_file_part(".") && !merels_file_part(".."));
    cr_expect(!merels_file_part(".a") && !merels_file_part("a/b") && !merels_file_part("a\\b"));
    cr_expect(!merels_file_part("a\n") && !merels_file_part("a\x7f"));
}

// Every range of a file of n bytes against a slow reading of it.
Test(serve_range, all_of_small_files)
{
    for (uint64_t n = 0; n < 5; n++)
        for (uint64_t first = 0; first < 7; first++)
            for (uint64_t last = 0; last < 7; last++) {
                char text[64];
                struct byte_range range;
                snprintf(text, sizeof text, "bytes=%d-%d", (int)first, (int)last);
                enum range_kind kind = merels_byte_range_read(text, n, &range);
                uint64_t n_in = 0;
                for (uint64_t i = first; i <= last && i < n; i++)
                    n_in++;
                cr_expect_eq(kind, last < first ? RANGE_NONE : n_in ? RANGE_PART : RANGE_BAD);
                if (kind == RANGE_PART)
                    cr_expect(range.first == first && range.n_bytes == n_in, "%s", text);
            }
}

Test(serve_etag, lists)
{
    cr_expect(merels_etag_listed("\"a\"", "\"a\"") && merels_etag_listed("W/\"a\"", "\"a\""));
    cr_expect(merels_etag_listed("\"b\", \"a\"", "\"a\"") && merels_etag_listed("*", "\"a\""));
    cr_expect(merels_etag_listed("\"x,*\" ,, \"a\"", "\"a\""));
    cr_expect(!merels_etag_listed("", "\"a\"") && !merels_etag_listed("a", "\"a\""));
    cr_expect(!merels_etag_listed("\"a", "\"a\"") && !merels_etag_listed("\"ab\"", "\"a\""));
    cr_expect(!merels_etag_listed("\"x,*\"", "\"a\""));
}

static void expect_failure(const char *text, const char *expected)
{
    struct response response = {.status = HTTP_OK};
    merels_response_header(&response, "ETag", "x");
    merels_response_fail(&response, HTTP_NOT_FOUND, "w", text);
    cr_expect_eq(response.status, HTTP_NOT_FOUND);
    cr_expect_null(merels_response_get(&response, "ETag"));
    cr_assert_not_null(response.bytes);
    cr_expect_eq(strlen(response.bytes), response.n_bytes);
    cr_expect_str_eq(response.bytes, expected);
    merels_response_free(&response);
}

Test(serve_failure, is_always_json)
{
    expect_failure("a \"b\" \\ \n",
                   "{\"error\": \"a \\\"b\\\" \\\\ \\u000a\", \"status\": \"w\"}\n");
    expect_failure(
        "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
        "{\"error\": \"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\", \"status\": \"w\"}\n");
    expect_failure("\xc3 \xa9 \xff \xed\xa0\x80 \xc0\x80 \xf5\x80\x80\x80 \xe2\x82",
                   "{\"error\": \"? ? ? ??? ?? ???? ??\", \"status\": \"w\"}\n");
}

Test(serve_headers, a_name_stands_once_and_a_value_has_an_end)
{
    char long_value[1000];
    struct response response = {.status = HTTP_OK};
    memset(long_value, 'x', sizeof long_value - 1);
    long_value[sizeof long_value - 1] = '\0';
    merels_response_header(&response, "A", "1");
    merels_response_header(&response, "A", "%s", long_value);
    cr_expect_eq(response.n_headers, 1);
    cr_expect_eq(strlen(merels_response_get(&response, "A")), HEADER_VALUE_BYTES - 1);
    cr_expect_null(merels_response_get(&response, "B"));
}
