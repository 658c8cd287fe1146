// fuzz_rules.c: fuzz target: any text as rules: a preset with options, and a file of facts.
// What is read comes back the same through its canonical text, its long text and its name.

#include "game/rules_text.h"
#include "game/subspace.h"
#include "tests/fuzz/fuzz.h"

static const char *const texts[] = {
    "nine",
    "six,men=3-4",
    "nine-nofly,removals=each,blocked=passes",
    "twelve,fly-count=total,mill-men=safe,full-board=mover-loses",
    "three,mill=wins,least=0,chooser=opponent,turn=place-or-move",
    "points a1 b1 c1 a2 b2 c2 a3 b3 c3\nedges a1-b1 b1-c1 a2-b2 b2-c2 a3-b3 b3-c3 a1-a2 a2-a3 "
    "b1-b2 b2-b3 c1-c2 c2-c3\nmills a1-b1-c1 a2-b2-c2 a3-b3-c3 a1-a2-a3\nfly 0\nmill wins\n",
    "# mine\n\npoints a1 b1 c1\r\nedges a1-b1 b1-c1\nmills a1-b1-c1\nmen 1-2\nleast 1\n",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    static char of_presets[16][RULES_TEXT_BYTES];
    size_t n = seeds_of_texts(texts, seeds, room);
    for (size_t k = 0; merels_rules_presets()[k] && k < 16 && n < room; k++) {
        static struct rules rules; // large
        struct start start;
        demand(merels_rules_parse(merels_rules_presets()[k], &rules, &start, NULL) ==
               STATUS_OK);
        size_t length = merels_game_text(&rules, start, of_presets[k]);
        seeds[n++] = (struct seed){of_presets[k], length};
    }
    return n;
}

static void read_again(const char *text, const char *canonical)
{
    static struct rules again;
    struct start start;
    char text_again[RULES_TEXT_BYTES];
    demand(merels_rules_read_text(text, &again, &start, NULL) == STATUS_OK);
    merels_rules_text(&again, text_again);
    demand(strcmp(text_again, canonical) == 0);
}

static void check_rules(const struct rules *rules, const struct start *start)
{
    char canonical[RULES_TEXT_BYTES], text[RULES_TEXT_BYTES], name[RULES_NAME_BYTES];
    static struct rules named;
    fuzz_accepted++;
    demand(rules->board.n_points >= 1 && rules->board.n_points <= MAX_POINTS);
    demand(merels_rules_text(rules, canonical) == strlen(canonical));
    read_again(canonical, canonical);
    demand(merels_rules_long_text(rules, text) == strlen(text));
    read_again(text, canonical);
    demand(merels_game_text(rules, *start, text) == strlen(text));
    read_again(text, canonical);
    demand(merels_rules_name(rules, name) == strlen(name));
    if (merels_rules_parse(name, &named, NULL, NULL) == STATUS_OK) {
        merels_rules_text(&named, text);
        demand(strcmp(text, canonical) == 0);
    } else {
        demand(strncmp(name, "own-", 4) == 0);
    }
    for (uint8_t men = 1; 2 * men <= rules->board.n_points; men++) {
        struct subspace s = {men, men, 0, 0};
        demand(merels_subspace_orbits(&rules->board, s) <=
               merels_subspace_slots(&rules->board, s));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rules rules; // large
    struct start start;
    struct error err = {.text = ""};
    char *text = text_of_input(data, size);
    if (merels_rules_parse(text, &rules, &start, &err) == STATUS_OK)
        check_rules(&rules, &start);
    else
        demand(err.text[0] != '\0');
    err.text[0] = '\0';
    if (merels_rules_parse_facts(text, &rules, &start, &err) == STATUS_OK)
        check_rules(&rules, &start);
    else
        demand(err.text[0] != '\0');
    free(text);
    return 0;
}
