// fuzz_records.c: fuzz target: any bytes as positions, games and plies, of three games. What is
// read is legal, and what is not says why and gives an example.

#include <stdlib.h>
#include <string.h>

#include "game/notation.h"
#include "tests/fuzz/fuzz.h"

static const char *const texts[] = {
    "w a7,d7,g4,b6 a1,d1,g1 0/0 ; id \"club 7\"",
    "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
    "[Event \"Club\"]\n[FEN \"w - - 9/9\"]\n\n1. d6 {x} f4! 2. d2 (2. a1 b2) b4 3. f6 1-0",
    "1. a7 a1 2. d7 d1 3. g7xa1 b6 $3 ; x\n# y\n",
    "6d 4f 2d 4b",
    "5 14 20 11",
    "position startpos moves d6 f4 d7 b4 d5 xf4",
    "w:wa7,g7,g4:bd7,g1,d1:40 moves a7-a1",
    "Place to d6\nPlace to f4\nd6 -> d7, take f4",
    "\xEF\xBB\xBF"
    "d6\xC2\xA0"
    "f4 d2\xE2\x80\x93"
    "d1",
    "w a1,b2,c2 a3,b3,c3 0/0 moves pass",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

static const struct rules *rules_of(int i)
{
    static const char *const names[3] = {"nine", "lasker,removals=each",
                                         "three,blocked=passes"};
    static struct rules rules[3];
    static bool ready;
    for (int k = 0; k < 3 && !ready; k++)
        if (merels_rules_parse(names[k], &rules[k], NULL, NULL) != STATUS_OK)
            abort();
    ready = true;
    return &rules[i];
}

static void read_game(const struct rules *rules, const struct start *start, const char *text)
{
    struct game_reader game;
    struct error err = {.text = ""};
    struct tag tag;
    bool read = true;
    enum status status = merels_game_begin(rules, start, text, 1, &game, &err);
    while (status == STATUS_OK && read) {
        struct ply ply;
        status = merels_game_next(rules, &game, &ply, &read, &err);
        demand(merels_position_check(rules, &game.pos, NULL) == STATUS_OK);
    }
    demand(status == STATUS_OK || strstr(err.text, "; for example: "));
    fuzz_accepted += status == STATUS_OK && game.n_plies > 0;
    (void)merels_game_tag(text, "white", &tag);
    (void)merels_text_label(text, &tag);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct start starts[3] = {{9, 9}, {10, 10}, {3, 3}};
    char *text = text_of_input(data, size);
    for (int i = 0; i < 3; i++) {
        struct position pos;
        struct ply ply;
        struct error err = {.text = ""};
        const struct rules *rules = rules_of(i);
        if (merels_position_parse(rules, &starts[i], text, &pos, &err) == STATUS_OK)
            demand(merels_position_check(rules, &pos, NULL) == STATUS_OK);
        else
            demand(err.text[0] != '\0');
        read_game(rules, &starts[i], text);
        pos = merels_position_start(&starts[i]);
        (void)!merels_ply_parse(rules, &pos, text, &ply, &err);
    }
    free(text);
    return 0;
}
