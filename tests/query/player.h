// player.h: an engine process with a pipe each way.

#ifndef MERELS_TESTS_QUERY_PLAYER_H
#define MERELS_TESTS_QUERY_PLAYER_H

#include "tests/query/run.h"

struct player {
    pid_t pid;
    FILE *to, *from;
    bool uci;
};

static inline struct player start_player(char *rules, char *dir, char *protocol)
{
    int to[2], from[2];
    cr_assert(pipe2(to, O_CLOEXEC) == 0 && pipe2(from, O_CLOEXEC) == 0);
    int keep = dup(STDIN_FILENO);
    dup2(to[0], STDIN_FILENO);
    struct player player = {.uci = strcmp(protocol, "uci") == 0};
    player.pid = start_program(ARGV("engine", rules, "--protocol", protocol, "--db", dir),
                               from[1], STDERR_FILENO);
    dup2(keep, STDIN_FILENO);
    close(keep);
    close(to[0]);
    close(from[1]);
    player.to = fdopen(to[1], "w");
    player.from = fdopen(from[0], "r");
    fprintf(player.to, "%s\n", protocol);
    return player;
}

static inline void stop_player(struct player *player)
{
    fputs("quit\n", player->to);
    fclose(player->to);
    cr_expect_eq(wait_for(player->pid), 0);
    fclose(player->from);
}

static inline void tell(struct player *player, const char *lines)
{
    cr_assert(fputs(lines, player->to) >= 0 && fflush(player->to) == 0);
}

// The next line that holds `word`, in a text that the next call overwrites; lines in front of
// it are added to `before` if it is not NULL. Empty at the end.
static inline const char *hear(struct player *player, const char *word, char *before)
{
    static char line[4096];
    while (fgets(line, sizeof line, player->from)) {
        if (strstr(line, word))
            return line;
        if (before)
            strcat(before, line);
    }
    line[0] = '\0';
    return line;
}

#endif
