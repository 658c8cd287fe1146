// go_words.c: reading of what stands behind "go".

#include "query/go_words.h"

#include <string.h>
#include <strings.h>

enum { MAX_DIGITS = 15, SHOWN_BYTES = 24, MOVES_LEFT = 30 };

static const uint64_t max_number = UINT64_C(1000000000); // milliseconds: eleven days

struct scan {
    const char *at;
    struct go_words *go;
};

static const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t\r");
}

static size_t word_length(const char *text)
{
    return strcspn(text, " \t\r");
}

// ---- faults --------------------------------------------------------------------------------

static void fault(struct go_words *go, const char *word, const char *text, size_t length)
{
    if (go->n_faults == MAX_GO_FAULTS)
        return;
    struct error *err = &go->faults[go->n_faults++];
    int shown = (int)(length < SHOWN_BYTES ? length : SHOWN_BYTES);
    const char *more = (int)length > shown ? "..." : "";
    if (word)
        merels_error(err, STATUS_BAD_INPUT,
                     "go: behind %s stands a number from 0 on, of at most %d digits, not "
                     "'%.*s%s'; it is skipped; for example: go %s 1000",
                     word, MAX_DIGITS, shown, text, more, word);
    else
        merels_error(err, STATUS_BAD_INPUT,
                     "go: '%.*s%s' is none of its words; it is skipped; for example: go "
                     "movetime 1000",
                     shown, text, more);
}

// ---- words ---------------------------------------------------------------------------------

// Where a number is put.
enum slot {
    SLOT_NOWHERE,
    SLOT_MOVE,
    SLOT_NODES,
    SLOT_PLIES,
    SLOT_WHITE,
    SLOT_BLACK,
    SLOT_WHITE_MORE,
    SLOT_BLACK_MORE,
    SLOT_MOVES,
    SLOT_NO_NUMBER // words that stand alone, from here on
};

static const struct word {
    const char *name;
    enum slot slot;
    bool endless, moves;
} words[] = {
    {"movetime", SLOT_MOVE, false, false},     {"nodes", SLOT_NODES, false, false},
    {"depth", SLOT_PLIES, false, false},       {"wtime", SLOT_WHITE, false, false},
    {"btime", SLOT_BLACK, false, false},       {"winc", SLOT_WHITE_MORE, false, false},
    {"binc", SLOT_BLACK_MORE, false, false},   {"movestogo", SLOT_MOVES, false, false},
    {"mate", SLOT_NOWHERE, false, false},      {"topn", SLOT_NOWHERE, false, false},
    {"logical", SLOT_NO_NUMBER, false, false}, {"infinite", SLOT_NO_NUMBER, true, false},
    {"ponder", SLOT_NO_NUMBER, true, false},   {"searchmoves", SLOT_NO_NUMBER, false, true},
};

static const struct word *find_word(const char *text)
{
    size_t length = word_length(text);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i].name) == length && strncasecmp(text, words[i].name, length) == 0)
            return &words[i];
    return NULL;
}

static void put(struct go_words *go, enum slot slot, uint64_t number)
{
    uint64_t *const slots[] = {
        [SLOT_MOVE] = &go->move_ms,          [SLOT_NODES] = &go->n_nodes,
        [SLOT_PLIES] = &go->n_plies,         [SLOT_WHITE] = &go->left_ms[0],
        [SLOT_BLACK] = &go->left_ms[1],      [SLOT_WHITE_MORE] = &go->more_ms[0],
        [SLOT_BLACK_MORE] = &go->more_ms[1], [SLOT_MOVES] = &go->n_moves_to_go};
    if (slot != SLOT_NOWHERE)
        *slots[slot] = number < max_number ? number : max_number;
    go->clocks = go->clocks || slot == SLOT_WHITE || slot == SLOT_BLACK;
}

// Reads the number behind a word. A word that stands in its place is left.
static void take_number(struct scan *scan, const struct word *word)
{
    size_t length = word_length(scan->at), digits = strspn(scan->at, "0123456789");
    uint64_t number = 0;
    if (length > 0 && digits == length && length <= MAX_DIGITS) {
        for (size_t i = 0; i < length; i++)
            number = 10 * number + (uint64_t)(scan->at[i] - '0');
        put(scan->go, word->slot, number);
    } else
        fault(scan->go, word->name, scan->at, length);
    if (!find_word(scan->at))
        scan->at += length;
}

// Takes all that follows up to the next word as moves.
static void take_moves(struct scan *scan)
{
    scan->go->only_moves = scan->at;
    while (*scan->at != '\0' && !find_word(scan->at))
        scan->at = skip_blanks(scan->at + word_length(scan->at));
    scan->go->only_bytes = (size_t)(scan->at - scan->go->only_moves);
}

void merels_go_words_read(const char *text, struct go_words *go)
{
    struct scan scan = {skip_blanks(text), go};
    memset(go, 0, sizeof *go);
    for (; *scan.at != '\0'; scan.at = skip_blanks(scan.at)) {
        const struct word *word = find_word(scan.at);
        size_t length = word_length(scan.at);
        if (!word)
            fault(go, NULL, scan.at, length);
        scan.at = skip_blanks(scan.at + length);
        if (!word)
            continue;
        go->endless = go->endless || word->endless;
        if (word->moves)
            take_moves(&scan);
        else if (word->slot != SLOT_NO_NUMBER)
            take_number(&scan, word);
    }
}

uint64_t merels_go_words_by_clock(const struct go_words *go, int side)
{
    uint64_t n = go->n_moves_to_go;
    uint64_t parts = n > 0 && n < MOVES_LEFT ? n + 1 : MOVES_LEFT;
    uint64_t ms = go->left_ms[side] / parts + go->more_ms[side] / 2;
    if (!go->clocks)
        return 0;
    return ms > 0 ? ms : 1;
}
