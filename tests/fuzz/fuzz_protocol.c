// fuzz_protocol.c: fuzz target: any bytes as the input of an engine with the tables of a small
// game, in both protocols. Whatever comes in, it goes on to the end of the input.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/engine_protocol.h"
#include "tests/fuzz/fuzz_solved.h"

static const char *const texts[] = {
    "gbgp\nisready\nnewgame\nposition startpos moves b2 a1 c3\ngo movetime 5\nquit\n",
    "gbgp\nposition pos w:wa1,b2,c2:ba3,b3,c3:40\ngo searchmoves c2-c1 depth 3\ngo "
    "infinite\nstop\n",
    "uci\nsetoption name SkillLevel value 3\nsetoption name NMoveRule value 2\nucinewgame\n"
    "position startpos moves b2 a1 c3 a3 a2\ngo\nposition startpos moves b2 a1 xc3\ngo\n",
    "uci\nposition fen *****@**/*******O/O*O@@@*O w m s 4 0 4 0 0 0 ids:nodes\ngo\nd\nfen\n"
    "analyze startpos moves b2\n",
    "uci\ngo movetime x wtime -1 btime\ngo infinite\nisready\nposition startpos\ngo "
    "ponder\nstop\nponderhit\ngo nodes 70 depth 2 searchmoves b2 a1\n",
    "uci\ngo a b movetime c nodes d 7 e f g\n",
    "uci\nsetoption name LeapCapture value true\nsetoption name CustodianX value 1\ngo\n",
    "uci\nsetoption name StalemateAction value 3\ngo\nsetoption name PiecesCount value 4\ngo\n",
    NULL};

size_t fuzz_seeds(struct seed *seeds, size_t room)
{
    return seeds_of_texts(texts, seeds, room);
}

static void converse(const struct protocol *protocol, char *text, size_t size)
{
    static char *tables;
    struct error err;
    struct arguments args = {.cache_bytes = 1 << 20};
    struct context *context = calloc(1, sizeof *context);
    struct engine *engine = malloc(sizeof *engine);
    FILE *in = tmpfile(), *null = fopen("/dev/null", "w");
    if (!context || !engine || !in || !null || fwrite(text, 1, size, in) != size)
        abort();
    rewind(in);
    if (!tables)
        tables = solved_three();
    args.db = tables;
    struct output out = {.stream = null};
    context->args = &args;
    context->out = &out;
    if (merels_context_rules(context, "three", &err) != STATUS_OK ||
        merels_engine_begin(context, engine, &err) != STATUS_OK ||
        merels_protocol_run(protocol, engine, fileno(in), &out, &err) != STATUS_OK)
        abort();
    fuzz_accepted++;
    merels_context_free(context);
    free(engine);
    fclose(in);
    fclose(null);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text && size > 0) {
        memcpy(text, data, size);
        converse(&merels_protocol_gbgp, text, size);
        converse(&merels_protocol_uci, text, size);
    }
    free(text);
    return 0;
}
