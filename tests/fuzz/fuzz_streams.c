// fuzz_streams.c: fuzz target: any bytes as a stream of records, and as a list of puzzles.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/puzzle_check.h"
#include "query/records.h"
#include "tests/fuzz/fuzz.h"

static const char *const texts[] = {
    "# a list\n1. d6 f4\n2. d2 b4 1-0\n\n1. a7\nd7\n",
    "[White \"A\"]\n[Black \"B\"]\n\n1. d6 {x\n[y]} f4\n[Event \"x\"]\n1. a7 *\n",
    "startpos moves d6\n  f4\nd6-d7\nxa1\nPlace to d6\nPlace to f4\n\n",
    "w - - 9/9 ; id \"1\" ; win 7 ; solution a7 b7 ; dm 3 ; bm a7\n",
    "{\"position\": \"w - - 9/9\", \"plies\": 3, \"solution\": [\"a7\", \"d7\"], \"goal\": "
    "\"hold\"}\n",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

static void read_records(FILE *in, bool looks_ahead)
{
    bool read = true;
    struct error err;
    char label[TAG_VALUE_BYTES];
    struct records records = {.lines = {.in = in}, .looks_ahead = looks_ahead};
    for (int before = 0; read;) {
        enum status status = merels_records_next(&records, &read, &err);
        if (read && (records.line <= before || records.n_lines < 1))
            abort(); // each record begins behind the one before
        before = records.line;
        if (read && status == STATUS_OK) {
            fuzz_accepted++;
            (void)merels_records_label(records.text, label);
        }
    }
    merels_records_free(&records);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct claim claim;
    char *text = malloc(size + 1);
    if (!text || size == 0) {
        free(text);
        return 0;
    }
    memcpy(text, data, size);
    text[size] = '\0';
    for (int i = 0; i < 2; i++) {
        FILE *in = fmemopen(text, size, "r");
        if (!in)
            abort();
        read_records(in, i == 1);
        fclose(in);
    }
    text[strcspn(text, "\n")] = '\0';
    (void)!merels_claim_read(text, &claim, NULL);
    free(text);
    return 0;
}
