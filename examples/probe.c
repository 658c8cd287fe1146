/* probe.c: the value of a position and its plies, best first: probe RULES DIR POSITION. */
#include <merels.h>
#include <stdio.h>

static const char *const values[] = {"loses", "draws", "wins"};

int main(int argc, char **argv)
{
    struct merels *handle = NULL;
    struct merels_failure failure;
    struct merels_position position;
    struct merels_answer answer;
    struct merels_ply plies[64];
    size_t n;
    if (argc != 4)
        return fprintf(stderr, "usage: probe RULES DIR POSITION\n"), 2;
    if (merels_open(argv[1], argv[2], 16 << 20, &handle, &failure) ||
        merels_parse(handle, argv[3], &position, &failure) ||
        merels_rank(handle, &position, plies, 64, &n, &answer, &failure)) {
        fprintf(stderr, "%s: %s\n", merels_status_text(failure.status), failure.text);
        merels_close(handle);
        return 1;
    }
    printf("the mover %s (%d plies)\n", values[answer.value + 1], answer.plies);
    for (size_t i = 0; i < n && i < 64; i++)
        printf("%s %s (%d plies)\n", plies[i].text, values[plies[i].value + 1], plies[i].plies);
    merels_close(handle);
    return 0;
}
