// fuzz_position.c: fuzz target: any text as a position, in every form, of four games. What is
// read is legal, and is read the same from each form in which it is written.

#include "game/notation.h"
#include "tests/fuzz/fuzz.h"

static const char *const texts[] = {
    "w a7,d7,g4,b6 a1,d1,g1 0/0",
    "b! - a1 9/8",
    "w!2 a7,d7,g7,b6 a1,d1,g1 2/2",
    "startpos",
    "startpos moves d6 f4 d7 b4 d5 xf4",
    "********/*******O/O*O@@@*O w m s 4 0 3 0 0 0 -1 -1 -1 -1 0 0 1 ids:nodes",
    "********/********/******** w p p 0 9 0 9 0 0 -1 -1 -1 -1 0 0 1",
    "w:wa7,g7,g4:bd7,g1,d1:40",
    "b:wa7:b:17",
    "w a1,b2,c2 a3,b3,c3 0/0",
    "\xEF\xBB\xBFw d6\xC2\xA0- 5/6",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

static void read_again(const struct rules *rules, const char *text, const struct position *pos)
{
    struct position again;
    demand(merels_position_parse(rules, NULL, text, &again, NULL) == STATUS_OK);
    demand(again.own == pos->own && again.other == pos->other &&
           again.own_hand == pos->own_hand && again.other_hand == pos->other_hand &&
           again.mover == pos->mover && again.due == pos->due);
}

static void write_forms(const struct rules *rules, const struct position *pos)
{
    char text[POSITION_TEXT_BYTES], fen[FEN_TEXT_BYTES];
    struct error err;
    demand(merels_position_format(rules, pos, text) == strlen(text));
    read_again(rules, text, pos);
    if (merels_position_format_fen(rules, pos, false, fen, &err) == STATUS_OK)
        read_again(rules, fen, pos);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"nine", "twelve,removals=each", "three", "seven,fly=4"};
    static struct rules rules[4];
    static struct start starts[4];
    char *text = text_of_input(data, size);
    for (int k = 0; k < 4; k++) {
        struct position pos;
        struct error err = {.text = ""};
        if (rules[k].board.n_points == 0)
            demand(merels_rules_parse(names[k], &rules[k], &starts[k], NULL) == STATUS_OK);
        if (merels_position_parse(&rules[k], &starts[k], text, &pos, &err) == STATUS_OK) {
            fuzz_accepted++;
            demand(merels_position_check(&rules[k], &pos, NULL) == STATUS_OK);
            write_forms(&rules[k], &pos);
        } else {
            demand(err.text[0] != '\0');
        }
    }
    free(text);
    return 0;
}
