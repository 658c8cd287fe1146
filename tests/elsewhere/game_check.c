// game_check.c: game/ as a program of its own that needs nothing but the C library, for other
// systems and small stacks: "scripts/check elsewhere" builds it with musl and for Windows.
//
//     game_check PERFT_TSV
//
// Counts games as data/perft.tsv says, and plays random games: every position is legal, is read
// back from its text, every ply from its own, and each has its rules back from their text.
// Prints what it did, the same everywhere; exit status 1 if something is wrong.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/moves.h"
#include "game/notation.h"
#include "game/perft.h"
#include "game/rules_text.h"
#include "game/subspace.h"

enum { MOST_GAMES = 20000, MOST_DEPTH = 3, MOST_TURNS = 60, LINE_BYTES = 512 };

static int n_wrong;

static void expect(bool right, const char *what)
{
    if (!right && n_wrong++ < 20)
        printf("wrong: %s\n", what);
}

static uint32_t random_below(uint32_t n)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

// ---- perft ---------------------------------------------------------------------------------

// The fields of a line, which is cut.
static int split(char *line, char *fields[5])
{
    int n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *at = line; at != NULL && n < 5; n++) {
        fields[n] = at;
        at = strchr(at, '\t');
        if (at != NULL)
            *at++ = '\0';
    }
    return n;
}

static int count_games(const char *path)
{
    static struct rules rules; // large
    char line[LINE_BYTES], *fields[5];
    struct start start;
    struct position pos;
    int n_rows = 0;
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        if (line[0] == '#' || split(line, fields) != 5 || strcmp(fields[0], "id") == 0)
            continue;
        unsigned long long count = strtoull(fields[4], NULL, 10);
        int depth = (int)strtol(fields[3], NULL, 10);
        if (count > MOST_GAMES || depth > MOST_DEPTH)
            continue;
        expect(merels_rules_parse(fields[1], &rules, &start, NULL) == STATUS_OK, fields[1]);
        expect(merels_position_parse(&rules, &start, fields[2], &pos, NULL) == STATUS_OK,
               fields[2]);
        expect(merels_perft(&rules, &pos, depth) == count, fields[2]);
        n_rows++;
    }
    if (in != NULL)
        fclose(in);
    return n_rows;
}

// ---- random games --------------------------------------------------------------------------

static void check_texts(const struct rules *rules, const struct position *pos)
{
    char text[POSITION_TEXT_BYTES];
    struct position again;
    expect(merels_position_check(rules, pos, NULL) == STATUS_OK, "a position is illegal");
    merels_position_format(rules, pos, text);
    expect(merels_position_parse(rules, NULL, text, &again, NULL) == STATUS_OK &&
               again.own == pos->own && again.other == pos->other &&
               again.own_hand == pos->own_hand && again.mover == pos->mover,
           text);
}

static bool same_ply(struct ply x, struct ply y)
{
    return x.from == y.from && x.to == y.to && x.n_removed == y.n_removed;
}

// Returns the turns played.
static int play(const struct rules *rules, struct start start)
{
    static struct ply plies[MAX_PLIES]; // large
    struct position pos = merels_position_start(&start);
    int n_turns = 0;
    for (; n_turns < MOST_TURNS; n_turns++) {
        char text[PLY_TEXT_BYTES];
        struct ply again;
        check_texts(rules, &pos);
        int n = merels_plies(rules, &pos, plies);
        if (n == 0)
            break;
        struct ply ply = plies[random_below((uint32_t)n)];
        merels_ply_format(rules, ply, text);
        expect(merels_ply_parse(rules, &pos, text, &again, NULL) == STATUS_OK &&
                   same_ply(ply, again),
               text);
        pos = merels_play(rules, &pos, ply);
    }
    return n_turns;
}

static void play_games(const char *name)
{
    static struct rules rules, again;
    struct start start;
    char text[RULES_TEXT_BYTES], text_again[RULES_TEXT_BYTES];
    int n_turns = 0;
    expect(merels_rules_parse(name, &rules, &start, NULL) == STATUS_OK, name);
    merels_rules_text(&rules, text);
    expect(merels_rules_read_text(text, &again, NULL, NULL) == STATUS_OK, text);
    merels_rules_text(&again, text_again);
    expect(strcmp(text, text_again) == 0, name);
    for (int game = 0; game < 20; game++)
        n_turns += play(&rules, start);
    printf("%s: %d turns\n", name, n_turns);
}

int main(int argc, char **argv)
{
    static const char *const games[] = {"nine", "twelve,removals=each", "three", "seven",
                                        "lasker,chooser=opponent"};
    if (argc != 2) {
        fprintf(stderr, "usage: game_check PERFT_TSV\n");
        return 2;
    }
    int n_rows = count_games(argv[1]);
    printf("%d rows of counted games\n", n_rows);
    expect(n_rows >= 10, "too few rows of counted games");
    for (size_t k = 0; k < sizeof games / sizeof games[0]; k++)
        play_games(games[k]);
    printf("%d wrong\n", n_wrong);
    return n_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
