// test_manifest.c: one text for one content, checked by sha256sum, refused when damaged.

#include "db/arise.h"
#include "db/manifest_text.h"
#include "db/refusal.h"
#include "game/rules_text.h"
#include "game/text.h"
#include "tests/db/support.h"

static const struct subspace subspaces[] = {{0, 1, 9, 8}, {1, 1, 8, 8}, {2, 2, 0, 0},
                                            {0, 0, 9, 9}, {2, 1, 0, 0}, {3, 2, 0, 0}};
enum { N_SUBSPACES = sizeof subspaces / sizeof subspaces[0] };

static void add(const char *dir, const struct rules *rules, int i)
{
    make_table(dir, rules, subspaces[i], (uint64_t)i);
    OK(merels_manifest_add(dir, rules, subspaces[i], EDITION_DTM, &test_error));
}

static void fill(const char *dir, const struct rules *rules, int first, int step)
{
    for (int i = 0; i < N_SUBSPACES; i++)
        add(dir, rules, (first + i * step) % N_SUBSPACES);
}

Test(manifest, the_order_of_adding_does_not_matter)
{
    struct rules *rules = make_rules("nine");
    char *one = make_dir("merels"), *two = make_dir("merels");
    size_t n_one, n_two;
    fill(one, rules, 0, 1);
    fill(two, rules, 3, 5);
    add(two, rules, 2); // replaces
    uint8_t *text_one = load_bytes(one, "MANIFEST", &n_one);
    uint8_t *text_two = load_bytes(two, "MANIFEST", &n_two);
    cr_assert_eq(n_one, n_two);
    cr_assert_eq(memcmp(text_one, text_two, n_one), 0);
    cr_assert_eq(count_files(one), N_SUBSPACES + 1);
    free(text_one);
    free(text_two);
    remove_dir(one);
    remove_dir(two);
    free(rules);
}

Test(manifest, holds_what_the_tables_hold)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct manifest manifest;
    fill(dir, rules, 0, 1);
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert_eq(manifest.n_entries, N_SUBSPACES);
    for (size_t i = 0; i < manifest.n_entries; i++) {
        struct table *table;
        const struct manifest_entry *entry = &manifest.entries[i];
        cr_assert(i == 0 || merels_subspace_compare(entry[-1].subspace, entry->subspace) < 0);
        OK(merels_table_open(dir, rules, entry->subspace, EDITION_DTM, &table, &test_error));
        const struct table_header *x = merels_table_header(table), *y = &entry->header;
        cr_assert_eq(entry->file_bytes, merels_table_file_bytes(table));
        cr_assert(x->version == y->version && x->edition == y->edition &&
                  x->value_bytes == y->value_bytes && x->n_points == y->n_points &&
                  x->block_slots == y->block_slots && x->n_slots == y->n_slots &&
                  x->n_rows == y->n_rows && x->n_columns == y->n_columns &&
                  x->n_orbits == y->n_orbits &&
                  merels_subspace_equal(x->subspace, y->subspace));
        cr_assert(x->stats.win == y->stats.win && x->stats.draw == y->stats.draw &&
                  x->stats.loss == y->stats.loss && x->stats.max_win == y->stats.max_win &&
                  x->stats.max_loss == y->stats.max_loss);
        cr_assert_eq(memcmp(x->value_hash, y->value_hash, SHA256_BYTES), 0);
        cr_assert_eq(memcmp(x->fingerprint, y->fingerprint, FINGERPRINT_BYTES), 0);
        merels_table_close(table);
    }
    merels_manifest_free(&manifest);
    OK(merels_manifest_read(dir, NULL, &manifest, &test_error));
    merels_manifest_free(&manifest);
    remove_dir(dir);
    free(rules);
}

// The root hash as docs/FORMAT.md defines it, made from the manifest's own text by other tools.
Test(manifest, root_hash)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    char command[1024], root[80], hex[2 * SHA256_BYTES + 1];
    struct manifest manifest;
    fill(dir, rules, 0, 1);
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    merels_hex(manifest.root_hash, SHA256_BYTES, hex);
    snprintf(
        command, sizeof command,
        "awk '$2 == \"fingerprint\" { f = $3 } $2 == \"table\" { v = $NF; sub(\"values=\", "
        "\"\", v); print f, $3, v }' %s/MANIFEST | sha256sum",
        dir);
    FILE *pipe = popen(command, "r");
    cr_assert_eq(fread(root, 1, 64, pipe), 64);
    root[64] = '\0';
    pclose(pipe);
    cr_assert_str_eq(hex, root);
    merels_manifest_free(&manifest);
    remove_dir(dir);
    free(rules);
}

Test(manifest, sha256sum_reads_it)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels mühle");
    char command[512];
    snprintf(command, sizeof command, "cd '%s' && sha256sum --strict --status -c MANIFEST",
             dir);
    fill(dir, rules, 0, 1);
    cr_assert_eq(system(command), 0);
    size_t n;
    uint8_t *bytes = load_bytes(dir, "2-2.mtb", &n);
    bytes[n / 2] ^= 1;
    store_bytes(dir, "2-2.mtb", bytes, n);
    cr_assert_neq(system(command), 0);
    free(bytes);
    remove_dir(dir);
    free(rules);
}

Test(manifest, missing_other_rules_and_newer)
{
    struct rules *rules = make_rules("nine"), *other = make_rules("nine-nofly");
    char *dir = make_dir("merels");
    struct manifest manifest;
    struct tablebase *base;
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_MISSING);
    FAILS(merels_manifest_add(dir, rules, subspaces[0], EDITION_DTM, &test_error),
          STATUS_MISSING);
    cr_assert_eq(count_files(dir), 0);
    add(dir, rules, 0);
    FAILS(merels_manifest_read(dir, other, &manifest, &test_error), STATUS_OTHER_RULES);
    cr_assert_not_null(strstr(test_error.text, "MANIFEST: made for other rules: nine, not "
                                               "nine-nofly (fly is 3 there, 0 here)"),
                       "%s", test_error.text);
    FAILS(merels_tablebase_open(dir, other, 0, &base, &test_error), STATUS_OTHER_RULES);
    FAILS(merels_manifest_add(dir, other, subspaces[0], EDITION_DTM, &test_error),
          STATUS_OTHER_RULES);
    size_t n;
    uint8_t *text = load_bytes(dir, "MANIFEST", &n);
    char *version = strchr((char *)text, '2');
    *version = '7';
    store_bytes(dir, "MANIFEST", text, n);
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_NEWER);
    FAILS(merels_manifest_add(dir, rules, subspaces[0], EDITION_DTM, &test_error),
          STATUS_NEWER);
    *version = '1';
    store_bytes(dir, "MANIFEST", text, n);
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_OLDER);
    cr_assert_not_null(strstr(test_error.text, "'merels solve nine --db NEW'"));
    FAILS(merels_tablebase_open(dir, rules, 0, &base, &test_error), STATUS_OLDER);
    free(text);
    remove_dir(dir);
    free(rules);
    free(other);
}

Test(manifest, every_byte_damaged_and_every_length)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct manifest manifest;
    size_t n;
    add(dir, rules, 0);
    add(dir, rules, 1);
    uint8_t *text = load_bytes(dir, "MANIFEST", &n);
    for (size_t i = 0; i < n; i++) {
        uint8_t kept = text[i];
        for (int k = 0; k < 3; k++) {
            text[i] = k == 0 ? kept ^ 1 : k == 1 ? 0 : '\n';
            if (text[i] == kept)
                continue;
            store_bytes(dir, "MANIFEST", text, n);
            enum status status = merels_manifest_read(dir, rules, &manifest, &test_error);
            cr_assert(status == STATUS_CORRUPT || status == STATUS_NEWER, "byte %zu: %s", i,
                      merels_status_name(status));
            text[i] = kept;
        }
        store_bytes(dir, "MANIFEST", text, i);
        FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
    }
    text[n] = '\n';
    store_bytes(dir, "MANIFEST", text, n + 1);
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
    free(text);
    remove_dir(dir);
    free(rules);
}

// ---- what later work adds ------------------------------------------------------------------

// Puts a text between the root hash and the checksum, which is made right.
static void insert_before_checksum(const char *dir, const char *lines)
{
    size_t n;
    char *text = (char *)load_bytes(dir, "MANIFEST", &n), more[65536];
    text[n] = '\0';
    size_t before = (size_t)(strstr(text, "# checksum ") - text);
    int n_more = snprintf(more, sizeof more, "%.*s%s", (int)before, text, lines);
    n_more += snprintf(more + n_more, 32, "# checksum %016llx\n",
                       (unsigned long long)merels_xxh64(more, (size_t)n_more));
    store_bytes(dir, "MANIFEST", (uint8_t *)more, (size_t)n_more);
    free(text);
}

static void expect_line(const char *dir, const char *line)
{
    size_t n;
    char *text = (char *)load_bytes(dir, "MANIFEST", &n);
    text[n] = '\0';
    cr_expect_not_null(strstr(text, line), "no line %s", line);
    free(text);
}

// A text that repeats an edition is refused there, not when all of it has taken memory.
Test(manifest, an_edition_that_comes_again_is_refused_at_once)
{
    enum { TIMES = 100000 };
    static const char block[] = "# edition dtm\n# complete -\n# tables 0\n# root x\n";
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels"), *text = malloc(TIMES * sizeof block);
    struct manifest manifest;
    cr_assert_not_null(text);
    struct text out = merels_text(text, TIMES * sizeof block);
    merels_text_add(&out, "# Merels tablebase manifest, version 2\n# fingerprint x\n");
    for (int i = 0; i < TIMES - 1; i++)
        merels_text_add(&out, "%s", block);
    store_bytes(dir, "MANIFEST", text, out.length);
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, "damaged in or near line 8"), "%s",
                       test_error.text);
    free(text);
    free(rules);
    remove_dir(dir);
}

Test(manifest, optional_lines_are_skipped_and_kept_others_refused)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels");
    struct manifest manifest;
    add(dir, rules, 0);
    insert_before_checksum(dir, "#? evidence verified 1-1-8-8 by=2\n#? anything at all\n");
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert_str_eq(manifest.notes, "#? evidence verified 1-1-8-8 by=2\n#? anything at all\n");
    merels_manifest_free(&manifest);
    add(dir, rules, 1);
    expect_line(dir, "\n#? anything at all\n# checksum ");
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert_eq(manifest.n_entries, 2);
    merels_manifest_free(&manifest);
    insert_before_checksum(dir, "# evidence that must be known\n");
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
    cr_expect_not_null(strstr(test_error.text, " line "), "%s", test_error.text);
    remove_dir(dir);
    free(rules);
}

// Writes the manifest anew with a change.
static void rewrite(const char *dir, const struct rules *rules,
                    void (*change)(struct manifest *manifest))
{
    struct manifest manifest;
    char rules_text[RULES_TEXT_BYTES], *text;
    size_t n;
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    change(&manifest);
    merels_rules_text(rules, rules_text);
    OK(merels_manifest_write_text(&manifest, rules_text, &text, &n, &test_error));
    store_bytes(dir, "MANIFEST", (uint8_t *)text, n);
    free(text);
    merels_manifest_free(&manifest);
}

static void drop_first(struct manifest *manifest)
{
    manifest->entries[0].dropped = true;
}

// A table that is not kept keeps its line, counts in the root hash, and is named.
Test(manifest, a_dropped_table_is_named)
{
    struct rules *rules = make_rules("nine");
    char *dir = make_dir("merels"), path[512];
    struct manifest manifest;
    struct tablebase *base;
    struct answer answer;
    uint8_t root[SHA256_BYTES];
    make_table(dir, rules, (struct subspace){4, 4, 0, 0}, 5);
    OK(merels_manifest_add(dir, rules, (struct subspace){4, 4, 0, 0}, EDITION_DTM,
                           &test_error));
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    memcpy(root, manifest.root_hash, sizeof root);
    merels_manifest_free(&manifest);
    file_path(path, dir, "4-4.mtb");
    cr_assert_eq(unlink(path), 0);
    rewrite(dir, rules, drop_first);
    expect_line(dir, "\n# dropped 4-4 format=2 width=1 slots=3667665 ");
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert(manifest.entries[0].dropped && manifest.entries[0].header.stats.win > 0);
    cr_assert_eq(memcmp(root, manifest.root_hash, sizeof root), 0);
    OK(merels_manifest_check(dir, rules, &manifest, &test_error));
    merels_manifest_free(&manifest);
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    struct position pos = {.own = set_of(&rules->board, "a7,d7,g4,b6"),
                           .other = set_of(&rules->board, "a1,d1,c5,e3")};
    FAILS(merels_tablebase_probe(base, &pos, &answer, &test_error), STATUS_NOT_COVERED);
    cr_assert_not_null(
        strstr(test_error.text, "not kept: subspace 4-4 was solved, but its table is not"),
        "%s", test_error.text);
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}

static void make_wdl_table(const char *dir, const struct rules *rules, struct subspace s)
{
    struct table_writer *writer;
    size_t n_slots = (size_t)merels_subspace_slots(&rules->board, s);
    uint8_t hash[SHA256_BYTES], *values = values_of(rules, s, 5), *packed = malloc(n_slots);
    struct table_stats stats = stats_for(rules, s, values);
    stats.max_win = stats.max_loss = -1;
    stats.max_win_slot = stats.max_loss_slot = 0;
    merels_wdl_pack(values, 1, n_slots, packed);
    OK(merels_value_hash(EDITION_WDL, 0, packed, n_slots, hash, &test_error));
    OK(merels_table_create(dir, rules, s, EDITION_WDL, 0, &writer, &test_error));
    append_blocks(writer, EDITION_WDL, packed, (n_slots + 3) / 4, WDL_BLOCK_SLOTS / 4);
    OK(merels_table_finish(writer, &stats, hash, &test_error));
    free(packed);
    free(values);
}

// Without a choice an edition is read of which all tables are there.
Test(manifest, an_edition_that_is_whole_is_preferred)
{
    struct rules *rules = make_rules("nine");
    struct subspace s = {1, 1, 0, 0};
    char *dir = make_dir("merels");
    struct manifest manifest;
    struct tablebase *base;
    make_table(dir, rules, s, 5);
    OK(merels_manifest_add(dir, rules, s, EDITION_DTM, &test_error));
    make_wdl_table(dir, rules, s);
    OK(merels_manifest_add(dir, rules, s, EDITION_WDL, &test_error));
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    cr_expect_eq(merels_tablebase_edition(base), EDITION_DTM);
    merels_tablebase_close(base);
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    FAILS(merels_manifest_drop(rules, (struct subspace){2, 1, 0, 0}, EDITION_DTM, &manifest,
                               &test_error),
          STATUS_MISSING);
    OK(merels_manifest_drop(rules, s, EDITION_DTM, &manifest, &test_error));
    OK(merels_manifest_write(dir, rules, &manifest, &test_error));
    merels_manifest_free(&manifest);
    OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
    cr_expect_eq(merels_tablebase_edition(base), EDITION_WDL);
    merels_tablebase_choose(base, EDITION_DTM);
    cr_expect_eq(merels_tablebase_edition(base), EDITION_DTM);
    merels_tablebase_close(base);
    remove_dir(dir);
    free(rules);
}

static void claim_a_start(struct manifest *manifest)
{
    free(manifest->starts);
    manifest->starts = malloc(sizeof *manifest->starts);
    manifest->starts[0] = (struct start){9, 9};
    manifest->n_starts = 1;
}

// The starts follow from the tables: all of them, and nothing else, is believed.
Test(manifest, starts_that_are_complete)
{
    struct rules *rules = make_rules("six,least=2,men=2");
    const struct start starts[] = {{2, 2}, {3, 2}};
    char *dir = make_dir("merels");
    struct manifest manifest;
    for (int k = 0; k < 2; k++) {
        struct subspace *arising;
        size_t n;
        OK(merels_subspaces_arising(rules, starts[k], &arising, &n, &test_error));
        for (size_t i = n; i-- > 0;) {
            make_table(dir, rules, arising[i], i);
            OK(merels_manifest_add(dir, rules, arising[i], EDITION_DTM, &test_error));
            if (i == 1)
                expect_line(dir, k == 0 ? "\n# complete -\n" : "\n# complete 2-2\n");
        }
        free(arising);
    }
    expect_line(dir, "\n# complete 2-2 3-2\n");
    OK(merels_manifest_read(dir, rules, &manifest, &test_error));
    cr_assert(manifest.n_starts == 2 && manifest.starts[1].first_men == 3 &&
              manifest.starts[1].second_men == 2);
    merels_manifest_free(&manifest);
    rewrite(dir, rules, claim_a_start);
    FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
    cr_assert_not_null(strstr(test_error.text, "complete for other starts"), "%s",
                       test_error.text);
    remove_dir(dir);
    free(rules);
}

// A table that is not the one that its line describes gives no value.
Test(manifest, a_header_that_contradicts_it_is_named)
{
    struct rules *rules = make_rules("nine");
    const struct subspace s = {3, 3, 0, 0};
    static const struct {
        int at;
        const char *fact;
    } changes[] = {{80, "'win'"}, {120, "'max-win-slot'"}, {160, "'values'"}};
    char *dir = make_dir("merels");
    struct tablebase *base;
    const struct table *table;
    size_t n;
    make_table(dir, rules, s, 5);
    OK(merels_manifest_add(dir, rules, s, EDITION_DTM, &test_error));
    uint8_t *bytes = load_bytes(dir, "3-3.mtb", &n);
    for (int k = 0; k < 3; k++) {
        int at = changes[k].at;
        put_le(bytes + at, 8, get_le(bytes + at, 8) + 1);
        if (at == 80)
            put_le(bytes + 88, 8, get_le(bytes + 88, 8) - 1);
        fix_header(bytes);
        store_bytes(dir, "3-3.mtb", bytes, n);
        OK(merels_tablebase_open(dir, rules, 0, &base, &test_error));
        FAILS(merels_tablebase_table(base, s, &table, &test_error), STATUS_CORRUPT);
        cr_expect_not_null(strstr(test_error.text, changes[k].fact), "%s", test_error.text);
        merels_tablebase_close(base);
        put_le(bytes + at, 8, get_le(bytes + at, 8) - 1);
        if (at == 80)
            put_le(bytes + 88, 8, get_le(bytes + 88, 8) + 1);
    }
    free(bytes);
    remove_dir(dir);
    free(rules);
}

static struct table_header *header_of(struct manifest *manifest)
{
    return &manifest->entries[0].header;
}

static void no_bytes(struct manifest *manifest)
{
    manifest->entries[0].file_bytes = 1;
}

static void many_bytes(struct manifest *manifest)
{
    manifest->entries[0].file_bytes = 1ull << 53;
}

static void too_deep(struct manifest *manifest)
{
    header_of(manifest)->stats.max_win = 301;
}

static void not_a_position(struct manifest *manifest)
{
    header_of(manifest)->stats.win--;
    header_of(manifest)->stats.none++;
}

Test(manifest, facts_that_no_header_could_have)
{
    void (*const changes[])(struct manifest *) = {no_bytes, many_bytes, too_deep,
                                                  not_a_position};
    struct rules *rules = make_rules("nine");
    for (int k = 0; k < 4; k++) {
        char *dir = make_dir("merels");
        struct manifest manifest;
        make_table(dir, rules, (struct subspace){3, 3, 0, 0}, 5);
        OK(merels_manifest_add(dir, rules, (struct subspace){3, 3, 0, 0}, EDITION_DTM,
                               &test_error));
        rewrite(dir, rules, changes[k]);
        FAILS(merels_manifest_read(dir, rules, &manifest, &test_error), STATUS_CORRUPT);
        cr_expect_not_null(strstr(test_error.text, "table 3-3: impossible numbers"), "%d: %s",
                           k, test_error.text);
        remove_dir(dir);
    }
    free(rules);
}

// Four options differ: three are named, and that there is one more.
Test(manifest, rules_that_differ_in_many_options_are_named_by_their_fingerprint)
{
    struct rules *rules = make_rules("nine");
    struct rules *far = make_rules("nine,removals=each,mill-men=safe,blocked=draws,least=2");
    uint8_t fingerprint[FINGERPRINT_BYTES];
    OK(merels_rules_fingerprint(far, fingerprint, &test_error));
    FAILS(merels_refuse_fingerprint("x.mtb", fingerprint, rules, &test_error),
          STATUS_OTHER_RULES);
    cr_expect_not_null(strstr(test_error.text, "mill-men is safe there, removable-if-all here"),
                       "%s", test_error.text);
    cr_expect_not_null(strstr(test_error.text, "; and 1 more"), "%s", test_error.text);
    memset(fingerprint, 7, sizeof fingerprint);
    FAILS(merels_refuse_fingerprint("x.mtb", fingerprint, rules, &test_error),
          STATUS_OTHER_RULES);
    cr_expect_not_null(strstr(test_error.text, "which this program cannot name"), "%s",
                       test_error.text);
    free(far);
    free(rules);
}
