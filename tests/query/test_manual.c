// test_manual.c: the manual page has a section with an example for every command of --help.

#include "tests/query/feed.h"

enum { MANUAL_BYTES = 1 << 16 };

static void read_manual(char text[MANUAL_BYTES])
{
    FILE *file = fopen(MERELS_DATA_DIR "/../docs/merels.1", "r");
    cr_assert_not_null(file);
    text[fread(text, 1, MANUAL_BYTES - 1, file)] = '\0';
    fclose(file);
}

Test(manual, every_command_has_a_section_and_an_example)
{
    static char manual[MANUAL_BYTES];
    int n_commands = 0;
    struct run help = RUN("--help");
    read_manual(manual);
    for (char *line = strtok(help.out, "\n"); line; line = strtok(NULL, "\n")) {
        char name[16], example[64];
        if (strspn(line, " ") != 2 || sscanf(line + 2, "%15[a-z]", name) != 1)
            continue;
        snprintf(example, sizeof example, "\n.B merels %s", name);
        EXPECT_HAS(manual, example);
        n_commands++;
    }
    cr_expect_eq(n_commands, 19, "%d", n_commands);
}
