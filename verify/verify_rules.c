// verify_rules.c: the rules, read from the text that docs/FORMAT.md defines.

#include "verify/verify_rules.h"

#include <stdlib.h>
#include <string.h>

// The board of 24 points, written down here once more, so that a wrong edge or mill in the text
// is found and not believed. Three rings of eight; then the four diagonals of the corners.
static const char own_points[] = "a7 d7 g7 g4 g1 d1 a1 a4 b6 d6 f6 f4 f2 d2 b2 b4 "
                                 "c5 d5 e5 e4 e3 d3 c3 c4";
static const char own_edges[] =
    "a7-d7 d7-g7 g7-g4 g4-g1 d1-g1 a1-d1 a1-a4 a4-a7 b6-d6 d6-f6 f4-f6 f2-f4 d2-f2 b2-d2 b2-b4 "
    "b4-b6 c5-d5 d5-e5 e4-e5 e3-e4 d3-e3 c3-d3 c3-c4 c4-c5 d7-d6 d6-d5 g4-f4 f4-e4 d1-d2 d2-d3 "
    "a4-b4 b4-c4";
static const char own_diagonals[] = "a7-b6 b6-c5 g7-f6 f6-e5 g1-f2 f2-e3 a1-b2 b2-c3";
static const char own_mills[] =
    "a7-d7-g7 b6-d6-f6 c5-d5-e5 a4-b4-c4 e4-f4-g4 c3-d3-e3 b2-d2-f2 a1-d1-g1 a1-a4-a7 b2-b4-b6 "
    "c3-c4-c5 d1-d2-d3 d5-d6-d7 e3-e4-e5 f2-f4-f6 g1-g4-g7";
static const char own_diagonal_mills[] = "a7-b6-c5 g7-f6-e5 g1-f2-e3 a1-b2-c3";

static int point_of(const struct verify_rules *rules, const char *name)
{
    for (int p = 0; p < rules->n_points; p++)
        if (strncmp(rules->names[p], name, 2) == 0)
            return p;
    return -1;
}

// ---- lists of points and lines -------------------------------------------------------------

static enum status bad(struct error *err, const char *what, const char *value)
{
    return merels_error(err, STATUS_BAD_INPUT, "rules text, %s: malformed near '%.20s'", what,
                        value);
}

static enum status read_points(struct verify_rules *rules, const char *value, struct error *err)
{
    const char *at = value;
    for (;; at += 3) {
        if (rules->n_points == VERIFY_POINTS || strlen(at) < 2 ||
            (at[2] != ' ' && at[2] != '\0') || point_of(rules, at) >= 0)
            return bad(err, "points", at);
        memcpy(rules->names[rules->n_points++], at, 2);
        if (at[2] == '\0')
            break;
    }
    rules->all = (uint32_t)(((uint64_t)1 << rules->n_points) - 1);
    return STATUS_OK;
}

// Reads "p-q-r ..." lines of `n_each` points into sets; returns how many, or -1.
static int read_lines(const struct verify_rules *rules, const char *value, int n_each,
                      uint32_t *sets, int room)
{
    int n = 0;
    for (const char *at = value; *at != '\0'; n++) {
        if (n == room)
            return -1;
        sets[n] = 0;
        for (int k = 0; k < n_each; k++) {
            int p = point_of(rules, at);
            char behind = p < 0 ? '?' : at[2];
            bool last = k == n_each - 1;
            if (p < 0 || sets[n] >> p & 1 ||
                (last ? behind != ' ' && behind != '\0' : behind != '-'))
                return -1;
            sets[n] |= (uint32_t)1 << p;
            at += behind == '\0' ? 2 : 3;
        }
    }
    return n;
}

static enum status read_edges(struct verify_rules *rules, const char *value, struct error *err)
{
    uint32_t edges[64];
    rules->n_edges = read_lines(rules, value, 2, edges, 64);
    if (rules->n_edges < 0)
        return bad(err, "edges", value);
    for (int k = 0; k < rules->n_edges; k++)
        for (int p = 0; p < rules->n_points; p++)
            if (edges[k] >> p & 1)
                rules->joined[p] |= edges[k] & ~((uint32_t)1 << p);
    return STATUS_OK;
}

// The mills through a point; -1 if there are too many.
static int mills_at(const struct verify_rules *rules, int p, uint32_t mills[VERIFY_MILLS_AT])
{
    int n = 0;
    for (int k = 0; k < rules->n_mills; k++)
        if (rules->mills[k] >> p & 1) {
            if (n == VERIFY_MILLS_AT)
                return -1;
            mills[n++] = rules->mills[k];
        }
    return n;
}

// Notes for each choice of mills through a point how many men stand in them.
static void note_men(struct verify_rules *rules, const uint32_t *mills, int n)
{
    for (int choice = 1; choice < 1 << n; choice++) {
        uint32_t men = 0;
        int n_chosen = 0, n_men = 0;
        for (int k = 0; k < n; k++)
            if (choice >> k & 1) {
                men |= mills[k];
                n_chosen++;
            }
        for (; men != 0; men &= men - 1)
            n_men++;
        if (n_men < rules->men_for[n_chosen])
            rules->men_for[n_chosen] = n_men;
    }
}

static enum status read_mills(struct verify_rules *rules, const char *value, struct error *err)
{
    rules->n_mills = read_lines(rules, value, 3, rules->mills, VERIFY_MILLS);
    if (rules->n_mills < 0)
        return bad(err, "mills", value);
    for (int k = 1; k <= VERIFY_MILLS_AT; k++)
        rules->men_for[k] = VERIFY_POINTS + 1;
    for (int p = 0; p < rules->n_points; p++) {
        uint32_t mills[VERIFY_MILLS_AT];
        int n = mills_at(rules, p, mills);
        if (n < 0)
            return bad(err, "mills", value);
        note_men(rules, mills, n);
    }
    return STATUS_OK;
}

// ---- the board of 24 points against the lists above -----------------------------------------

static bool same_edges(const struct verify_rules *rules, bool diagonals)
{
    uint32_t edges[64], joined[VERIFY_POINTS] = {0};
    int n = read_lines(rules, own_edges, 2, edges, 64);
    if (diagonals)
        n += read_lines(rules, own_diagonals, 2, edges + n, 64 - n);
    for (int k = 0; k < n; k++)
        for (int p = 0; p < rules->n_points; p++)
            if (edges[k] >> p & 1)
                joined[p] |= edges[k] & ~((uint32_t)1 << p);
    return n == rules->n_edges && memcmp(joined, rules->joined, sizeof joined) == 0;
}

static bool same_mills(const struct verify_rules *rules, bool diagonals)
{
    uint32_t mills[VERIFY_MILLS];
    int n = read_lines(rules, own_mills, 3, mills, VERIFY_MILLS);
    if (diagonals)
        n += read_lines(rules, own_diagonal_mills, 3, mills + n, VERIFY_MILLS - n);
    int n_found = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < rules->n_mills; k++)
            n_found += mills[i] == rules->mills[k];
    return n == rules->n_mills && n_found == n;
}

static enum status check_board(const struct verify_rules *rules, const char *points,
                               struct error *err)
{
    if (rules->n_points != VERIFY_POINTS)
        return STATUS_OK;
    for (int diagonals = 0; diagonals < 2; diagonals++)
        if (strcmp(points, own_points) == 0 && same_edges(rules, diagonals) &&
            same_mills(rules, diagonals))
            return STATUS_OK;
    return merels_error(err, STATUS_UNSUPPORTED,
                        "the rules' board of 24 points is not the one the verifier knows");
}

// ---- options -------------------------------------------------------------------------------

// The number of the word among the words given, -1 if it is none.
static int word_of(const char *value, const char *const words[], int n)
{
    for (int i = 0; i < n; i++)
        if (strcmp(value, words[i]) == 0)
            return i;
    return -1;
}

static enum status read_number(const char *key, const char *value, int most, int *number,
                               struct error *err)
{
    char *end;
    long n = strtol(value, &end, 10);
    if (*value < '0' || *value > '9' || *end != '\0' || n > most)
        return bad(err, key, value);
    *number = (int)n;
    return STATUS_OK;
}

// A key with two values: *second says whether it is the second one.
static enum status read_choice(const char *key, const char *value, const char *first_word,
                               const char *second_word, bool *second, struct error *err)
{
    const char *const words[] = {first_word, second_word};
    int word = word_of(value, words, 2);
    *second = word == 1;
    return word < 0 ? bad(err, key, value) : STATUS_OK;
}

static enum status read_option(struct verify_rules *rules, const char *key, const char *value,
                               struct error *err)
{
    static const char *const takings[] = {"removable-if-all", "removable", "safe"};
    static const char *const ends[] = {"draws", "loses", "mover-loses", "passes"};
    if (strcmp(key, "fly") == 0)
        return read_number(key, value, VERIFY_POINTS, &rules->fly, err);
    if (strcmp(key, "least") == 0)
        return read_number(key, value, VERIFY_POINTS, &rules->least, err);
    if (strcmp(key, "fly-count") == 0)
        return read_choice(key, value, "board", "total", &rules->fly_total, err);
    if (strcmp(key, "removals") == 0)
        return read_choice(key, value, "one", "each", &rules->each, err);
    if (strcmp(key, "turn") == 0)
        return read_choice(key, value, "place-then-move", "place-or-move",
                           &rules->place_or_move, err);
    if (strcmp(key, "mill") == 0)
        return read_choice(key, value, "removes", "wins", &rules->mill_wins, err);
    if (strcmp(key, "chooser") == 0)
        return read_choice(key, value, "mover", "opponent", &rules->other_picks, err);
    if (strcmp(key, "metric") == 0)
        return read_choice(key, value, "dtm", "dtc", &rules->to_conversion, err);
    if (strcmp(key, "n-move") == 0)
        return read_number(key, value, MOST_COUNTED, &rules->n_move, err);
    int word =
        strcmp(key, "mill-men") == 0 ? word_of(value, takings, 3) : word_of(value, ends, 4);
    if (word < 0)
        return bad(err, key, value);
    if (strcmp(key, "mill-men") == 0)
        rules->taking = (enum taking)word;
    else if (strcmp(key, "blocked") == 0) {
        rules->blocked_loses = word == 1;
        rules->blocked_passes = word == 3;
    } else
        rules->full_board_loses = word == 2;
    return STATUS_OK;
}

// ---- the text ------------------------------------------------------------------------------

// The keys in their order, and the value of an option whose line is not there.
static const struct {
    const char *key, *usual;
} keys[] = {
    {"points", NULL},        {"edges", NULL},
    {"mills", NULL},         {"fly", "3"},
    {"fly-count", "board"},  {"mill-men", "removable-if-all"},
    {"removals", "one"},     {"blocked", "loses"},
    {"full-board", "draws"}, {"turn", "place-then-move"},
    {"mill", "removes"},     {"least", "3"},
    {"chooser", "mover"},    {"metric", "dtm"},
    {"n-move", "0"},
};
enum { N_KEYS = sizeof keys / sizeof keys[0], VALUE_BYTES = 512 };

// Copies the value of the next line, which must begin with the key; NULL if it does not.
static const char *next_line(const char *at, const char *key, char value[VALUE_BYTES])
{
    size_t n_key = strlen(key);
    if (strncmp(at, key, n_key) != 0 || at[n_key] != ' ')
        return NULL;
    at += n_key + 1;
    size_t n = strcspn(at, "\n");
    if (at[n] != '\n' || n >= VALUE_BYTES)
        return NULL;
    memcpy(value, at, n);
    value[n] = '\0';
    return at + n + 1;
}

enum status merels_verify_rules_parse(const char *text, bool any_board,
                                      struct verify_rules *rules, struct error *err)
{
    char value[VALUE_BYTES], points[VALUE_BYTES] = "";
    *rules = (struct verify_rules){0};
    for (int k = 0; k < N_KEYS; k++) {
        const char *key = keys[k].key, *next = next_line(text, key, value);
        if (next == NULL && keys[k].usual == NULL)
            return merels_error(err, STATUS_BAD_INPUT, "rules text: no good line '%s'", key);
        if (next == NULL)
            strcpy(value, keys[k].usual);
        else
            text = next;
        enum status status = k == 0   ? read_points(rules, value, err)
                             : k == 1 ? read_edges(rules, value, err)
                             : k == 2 ? read_mills(rules, value, err)
                                      : read_option(rules, key, value, err);
        if (status != STATUS_OK)
            return status;
        if (k == 0)
            memcpy(points, value, sizeof points);
    }
    if (*text != '\0')
        return bad(err, "end", text);
    if (rules->n_move > 0 && !rules->to_conversion)
        return bad(err, "n-move", "metric");
    return any_board ? STATUS_OK : check_board(rules, points, err);
}
