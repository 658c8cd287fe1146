// compact_head.c: the head of edition compact, part after part, each compared at once.

#include "verify/compact_head.h"

#include <stdlib.h>
#include <string.h>

#include "verify/small_files.h"
#include "verify/table_files.h"

enum { FIXED_BYTES = 64, MOST_HEAD_BYTES = 1 << 20, VERSION = 1 };

// The body of the head while it is read. What lies behind its end is 0 and `short_of`.
struct head {
    struct compact_file *file;
    const uint8_t *at, *end;
    bool short_of;
    struct error *err;
};

static enum status damaged(struct error *err, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "edition compact: damaged: %s", what);
}

static enum status differs(struct error *err, const char *what)
{
    return merels_error(err, STATUS_MISMATCH, "edition compact: the head is wrong: %s", what);
}

static uint64_t take(struct head *head, int n)
{
    if (head->end - head->at < n) {
        head->short_of = true;
        head->at = head->end;
        return 0;
    }
    head->at += n;
    return compact_number(head->at - n, n);
}

// A number in groups of seven bits.
static uint32_t take_number(struct head *head)
{
    uint32_t x = 0;
    for (int k = 0; k < 4; k++) {
        uint32_t byte = (uint32_t)take(head, 1);
        x |= (byte & 127) << (7 * k);
        if (byte < 128)
            return x;
    }
    head->short_of = true;
    return 0;
}

// ---- fixed part ----------------------------------------------------------------------------

static enum status take_fixed(struct head *head, const char *rules_text)
{
    const uint8_t *bytes = head->file->bytes;
    uint64_t n = head->file->n_bytes;
    uint8_t fingerprint[DIGEST_BYTES];
    if (n < FIXED_BYTES || memcmp(bytes, "MERELSCE", 8) != 0 ||
        compact_number(bytes + 12, 4) != (merels_verify_sum(bytes, 12) & UINT32_MAX))
        return damaged(head->err, "its first bytes");
    if (compact_number(bytes + 8, 4) > VERSION)
        return merels_error(head->err, STATUS_NEWER, "edition compact of a newer version");
    uint64_t n_head = compact_number(bytes + 40, 4);
    if (compact_number(bytes + 8, 4) != VERSION ||
        compact_number(bytes + 56, 8) != merels_verify_sum(bytes, 56))
        return damaged(head->err, "its first bytes");
    if (compact_number(bytes + 32, 8) != n || n_head < FIXED_BYTES ||
        n_head > MOST_HEAD_BYTES || n_head > n || compact_number(bytes + 44, 4) != 0 ||
        compact_number(bytes + 48, 8) !=
            merels_verify_sum(bytes + FIXED_BYTES, n_head - FIXED_BYTES))
        return damaged(head->err, "head or length");
    enum status status =
        merels_verify_sha256(rules_text, strlen(rules_text), fingerprint, head->err);
    if (status != STATUS_OK)
        return status;
    if (memcmp(bytes + 16, fingerprint, 16) != 0)
        return merels_error(head->err, STATUS_OTHER_RULES,
                            "edition compact: made for other rules");
    head->at = bytes + FIXED_BYTES;
    head->end = bytes + n_head;
    return STATUS_OK;
}

// ---- rules and board -----------------------------------------------------------------------

static enum status take_options(struct head *head)
{
    const struct verify_rules *r = &head->file->index->rules;
    const int expected[] = {r->fly,
                            r->fly_total,
                            (int)r->taking,
                            r->each,
                            r->blocked_passes  ? 2
                            : r->blocked_loses ? 0
                                               : 1,
                            r->full_board_loses,
                            r->place_or_move,
                            r->mill_wins,
                            r->least,
                            r->other_picks};
    bool same = true;
    for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++)
        same &= take(head, 1) == (uint64_t)expected[k];
    same &= take(head, 1) == (uint64_t)r->n_points;
    return same ? STATUS_OK : differs(head->err, "options or points");
}

// Each edge must lead from one colour to the other; a board whose edges can has two.
static bool can_be_dark(const struct verify_rules *rules, uint32_t dark)
{
    for (int p = 0; p < rules->n_points; p++)
        if ((rules->joined[p] & (dark >> p & 1 ? dark : ~dark)) != 0)
            return false;
    return true;
}

static bool has_two_colours(const struct verify_rules *rules)
{
    uint32_t dark = 0, light = 0;
    for (int p = 0; p < rules->n_points; p++) {
        if (((dark | light) >> p & 1) == 0)
            dark |= (uint32_t)1 << p;
        for (bool more = true; more;) { // all that hangs together with p
            uint32_t before = dark | light;
            for (int q = 0; q < rules->n_points; q++) {
                light |= dark >> q & 1 ? rules->joined[q] : 0;
                dark |= light >> q & 1 ? rules->joined[q] : 0;
            }
            more = (dark | light) != before;
        }
    }
    return (dark & light) == 0;
}

static enum status take_colours(struct head *head)
{
    struct compact_file *file = head->file;
    const struct verify_index *index = file->index;
    file->dark = (uint32_t)take(head, 4);
    bool good = file->dark == 0 ? !has_two_colours(&index->rules)
                                : (file->dark & ~index->rules.all) == 0 &&
                                      can_be_dark(&index->rules, file->dark);
    if (!good)
        return differs(head->err, "dark points");
    file->dark_kept = true;
    for (int m = 0; m < index->n_maps; m++)
        file->dark_kept &= verify_image(index, m, file->dark) == file->dark;
    return STATUS_OK;
}

// A list of sets of k points each, all different, each among those known. False if it is not
// the list of all.
static bool take_sets(struct head *head, int k, int n, const uint32_t *known)
{
    int n_listed = (int)take(head, 1);
    uint32_t seen[256];
    for (int i = 0; i < n_listed; i++) {
        uint32_t set = 0;
        bool found = false;
        for (int p = 0; p < k; p++)
            set |= (uint32_t)1 << (take(head, 1) & 31);
        for (int j = 0; j < n; j++)
            found |= known[j] == set;
        for (int j = 0; j < i; j++)
            found &= seen[j] != set;
        if (!found)
            return false;
        seen[i] = set;
    }
    return n_listed == n;
}

static enum status take_lines(struct head *head)
{
    const struct verify_rules *rules = &head->file->index->rules;
    uint32_t edges[VERIFY_POINTS * VERIFY_POINTS];
    int n = 0;
    for (int p = 0; p < rules->n_points; p++)
        for (int q = p + 1; q < rules->n_points; q++)
            if (rules->joined[p] >> q & 1)
                edges[n++] = (uint32_t)1 << p | (uint32_t)1 << q;
    if (!take_sets(head, 2, n, edges))
        return differs(head->err, "edges");
    return take_sets(head, 3, rules->n_mills, rules->mills) ? STATUS_OK
                                                            : differs(head->err, "mills");
}

static bool same_map(const struct verify_index *index, int map, const uint8_t *points)
{
    return memcmp(index->maps[map], points, (size_t)index->rules.n_points) == 0;
}

// All symmetries, in any order but for the identity; `order`: their numbers here.
static enum status take_symmetries(struct head *head, uint8_t order[HEAD_SYMMETRIES])
{
    const struct verify_index *index = head->file->index;
    int n = (int)take(head, 1), n_points = index->rules.n_points;
    uint64_t seen = 0;
    bool good =
        n == index->n_maps && n <= HEAD_SYMMETRIES && head->end - head->at >= n * n_points;
    for (int k = 0; good && k < n; k++, head->at += n_points) {
        int map = 0;
        while (map < n && !same_map(index, map, head->at))
            map++;
        good = map < n && !(seen >> map & 1);
        for (int p = 0; p < n_points && k == 0; p++)
            good &= head->at[p] == p;
        seen |= (uint64_t)1 << map;
        order[k] = (uint8_t)map;
    }
    return good ? STATUS_OK : differs(head->err, "symmetries");
}

static enum status take_patterns(struct head *head)
{
    struct compact_file *file = head->file;
    file->n_patterns = (int)take(head, 1);
    if (file->n_patterns > MOST_PATTERNS)
        return damaged(head->err, "too many patterns");
    for (int k = 0; k < file->n_patterns; k++) {
        struct compact_pattern *pattern = &file->patterns[k];
        uint32_t set = 0;
        pattern->n_points = (int)take(head, 1);
        if (pattern->n_points > PATTERN_POINTS)
            return damaged(head->err, "a pattern of too many points");
        for (int i = 0; i < pattern->n_points; i++) {
            pattern->points[i] = (uint8_t)take(head, 1);
            uint32_t point = pattern->points[i] < 32 ? (uint32_t)1 << pattern->points[i] : 0;
            if ((point & file->index->rules.all & ~set) == 0)
                return damaged(head->err, "points of a pattern");
            set |= point;
        }
    }
    file->n_plies = (int)take(head, 1);
    file->most_bytes = (uint32_t)take(head, 4);
    return STATUS_OK;
}

// ---- rows ----------------------------------------------------------------------------------

// Canonical sets of so many men, by prefix, against a list made here.
static enum status take_counts(struct head *head, int men)
{
    const struct verify_index *index = head->file->index;
    int n = index->rules.n_points, split = n < HALF ? n : HALF;
    struct classes classes;
    enum status status = merels_verify_classes(index, men, &classes, head->err);
    if (status != STATUS_OK)
        return status;
    uint32_t row = 0, n_zeros = 0;
    for (uint32_t prefix = 0; prefix < (uint32_t)1 << (n - split); prefix++) {
        uint32_t listed = n_zeros > 0 ? 0 : take_number(head), n_rows = 0;
        if (n_zeros > 0)
            n_zeros--;
        else if (listed == 0)
            n_zeros = take_number(head);
        for (; row < classes.n_rows && classes.smallest[row] >> split == prefix; row++)
            n_rows++;
        if (listed != n_rows)
            status = differs(head->err, "counts of rows");
    }
    if (n_zeros > 0)
        status = differs(head->err, "counts of rows");
    head->file->n_rows[men] = classes.n_rows;
    merels_verify_classes_free(&classes);
    return status;
}

static enum status take_rows(struct head *head)
{
    int n = (int)take(head, 1);
    uint32_t seen = 0;
    enum status status = STATUS_OK;
    for (int k = 0; k < n && status == STATUS_OK; k++) {
        uint64_t men = take(head, 1);
        if (men > (uint64_t)head->file->index->rules.n_points || (seen >> men & 1))
            return damaged(head->err, "counts of rows");
        seen |= (uint32_t)1 << men;
        status = take_counts(head, (int)men);
    }
    head->file->men_counted = seen;
    return status;
}

// ---- what is stored ------------------------------------------------------------------------

static enum status take_models(struct head *head)
{
    struct compact_file *file = head->file;
    file->n_models = (int)take(head, 2);
    file->n_subspaces = (int)take(head, 2);
    file->models = calloc((size_t)file->n_models + 1, sizeof *file->models);
    file->subspaces = calloc((size_t)file->n_subspaces + 1, sizeof *file->subspaces);
    if (file->models == NULL || file->subspaces == NULL)
        return merels_error(head->err, STATUS_NO_MEMORY, "out of memory");
    for (int k = 0; k < file->n_models; k++) {
        struct compact_model *model = &file->models[k];
        model->offset = take(head, 8);
        model->n_bytes = (uint32_t)take(head, 4);
        model->sum = take(head, 8);
    }
    return STATUS_OK;
}

static enum status take_subspace(struct head *head, struct compact_subspace *s)
{
    struct compact_file *file = head->file;
    int n = file->index->rules.n_points;
    s->counts.a = (int)take(head, 1);
    s->counts.b = (int)take(head, 1);
    s->counts.ha = (int)take(head, 1);
    s->counts.hb = (int)take(head, 1);
    s->strands = (int)take(head, 1);
    uint64_t zero = take(head, 1);
    s->model = (int)take(head, 2);
    s->group_rows = (uint32_t)take(head, 4);
    s->groups = take(head, 8);
    if (head->short_of || zero != 0 || s->counts.a + s->counts.b > n)
        return damaged(head->err, "a subspace");
    bool parity = merels_verify_has_parity(file, s->counts);
    bool good =
        s->strands == 0 || (parity ? s->strands <= STRANDS_BOTH : s->strands == STRAND_ALL);
    good &= s->strands == 0 || (file->men_counted >> s->counts.b & 1);
    if (!good || (s->strands != 0 && (s->model >= file->n_models || s->group_rows == 0)))
        return damaged(head->err, "a subspace");
    return STATUS_OK;
}

static enum status take_subspaces(struct head *head)
{
    struct compact_file *file = head->file;
    for (int k = 0; k < file->n_subspaces; k++) {
        enum status status = take_subspace(head, &file->subspaces[k]);
        if (status != STATUS_OK)
            return status;
        if (merels_verify_compact_find(file, file->subspaces[k].counts) != &file->subspaces[k])
            return damaged(head->err, "a subspace twice");
    }
    return STATUS_OK;
}

static enum status take_text(struct head *head, const char *rules_text)
{
    uint64_t n_layers = take(head, 2), n = take(head, 2);
    if (n_layers != 0)
        return merels_error(head->err, STATUS_UNSUPPORTED,
                            "edition compact: layers of depths are not judged");
    if (head->short_of || (uint64_t)(head->end - head->at) != n)
        return damaged(head->err, "length of the head");
    return n == strlen(rules_text) && memcmp(head->at, rules_text, n) == 0
               ? STATUS_OK
               : differs(head->err, "rules text");
}

// ---- the whole -----------------------------------------------------------------------------

enum status merels_verify_compact_open(const char *rules_text, const struct verify_index *index,
                                       const uint8_t *bytes, uint64_t n_bytes,
                                       struct compact_file *file, struct error *err)
{
    *file = (struct compact_file){.index = index, .bytes = bytes, .n_bytes = n_bytes};
    struct head head = {.file = file, .err = err};
    enum status status = take_fixed(&head, rules_text);
    if (status == STATUS_OK)
        status = take_options(&head);
    if (status == STATUS_OK)
        status = take_colours(&head);
    if (status == STATUS_OK)
        status = take_lines(&head);
    if (status == STATUS_OK)
        status = take_symmetries(&head, file->order);
    if (status == STATUS_OK)
        status = take_patterns(&head);
    if (status == STATUS_OK)
        status = take_rows(&head);
    if (status == STATUS_OK)
        status = take_models(&head);
    if (status == STATUS_OK)
        status = take_subspaces(&head);
    return status == STATUS_OK ? take_text(&head, rules_text) : status;
}

void merels_verify_compact_close(struct compact_file *file)
{
    free(file->models);
    free(file->subspaces);
    *file = (struct compact_file){0};
}

const struct compact_subspace *merels_verify_compact_find(const struct compact_file *file,
                                                          struct counts counts)
{
    for (int k = 0; k < file->n_subspaces; k++)
        if (merels_verify_same(file->subspaces[k].counts, counts))
            return &file->subspaces[k];
    return NULL;
}

bool merels_verify_has_parity(const struct compact_file *file, struct counts counts)
{
    return file->dark != 0 && (file->dark_kept || (counts.a + counts.b) % 2 == 0);
}
