// tables_module.c: the reader of tables as a WebAssembly module, for web/tables_reader.js: one
// game of one set of rules.
//
// Text goes in and out. A question is written to the place that merels_input gives, a function
// is called, and what it answers, or why it failed, is read from merels_output:
//
//     open_rules   facts as of "merels rules"   the same, a line for every option
//     open_tables  where they are               their edition: "dtm", "dtc", "wdl"
//     value        a position                   "win 17"; without a number "draw -"
//     rank         a position                   its value; a line for each ply, best first,
//                                               "d6-d7xb4 win 17", or "d6-d7xb4 unknown -";
//                                               "= blocked" if the game is over; "! " and the
//                                               reason if not all plies have a value
//     read_game    a game in any form           its first position; a line for each ply; "! "
//                                               and the fault, if there is one
//
// A failure is the name of its status, and a line that says what is wrong.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/over.h"
#include "game/rules_text.h"
#include "query/game_record.h"
#include "query/ranking.h"
#include "query/value_text.h"
#include "web/tables/tables_host.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

// What every call returns.
enum outcome { DONE, LATER, FAILED };

enum { OUTPUT_BYTES = 1 << 20 };

static struct {
    char *input, *place;
    size_t input_room, n_output;
    bool overfull;
    struct rules rules;
    struct start start;
    struct byte_source source;
    struct tablebase *base;
    struct ranking ranking;
    char output[OUTPUT_BYTES];
} module;

// ---- text ----------------------------------------------------------------------------------

__attribute__((format(printf, 1, 2))) static void put(const char *format, ...)
{
    size_t room = OUTPUT_BYTES - module.n_output;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(module.output + module.n_output, room, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= room)
        module.overfull = true;
    else
        module.n_output += (size_t)n;
}

static void begin_output(void)
{
    module.n_output = 0;
    module.overfull = false;
    module.output[0] = '\0';
}

static int finish(enum status status, struct error *err)
{
    if (status == STATUS_OK && module.overfull)
        status = merels_error(err, STATUS_NO_MEMORY, "the answer is too long");
    if (status == STATUS_OK)
        return DONE;
    begin_output();
    put("%s\n%s", merels_status_name(status), err->text);
    return status == STATUS_NOT_YET ? LATER : FAILED;
}

// The place for a text of so many bytes, which a NUL follows; NULL without memory.
char *EXPORT(input)(uint32_t n_bytes);
char *EXPORT(input)(uint32_t n_bytes)
{
    if (n_bytes >= module.input_room) {
        char *grown = realloc(module.input, (size_t)n_bytes + 1);
        if (grown == NULL)
            return NULL;
        module.input = grown;
        module.input_room = (size_t)n_bytes + 1;
    }
    module.input[n_bytes] = '\0';
    return module.input;
}

const char *EXPORT(output)(void);
const char *EXPORT(output)(void)
{
    return module.output;
}

uint32_t EXPORT(output_bytes)(void);
uint32_t EXPORT(output_bytes)(void)
{
    return (uint32_t)module.n_output;
}

// ---- opening -------------------------------------------------------------------------------

int EXPORT(open_rules)(void);
int EXPORT(open_rules)(void)
{
    struct error err;
    char text[RULES_TEXT_BYTES];
    enum status status =
        merels_rules_read_text(module.input, &module.rules, &module.start, &err);
    begin_output();
    if (status == STATUS_OK) {
        merels_rules_long_text(&module.rules, text);
        put("%s", text);
    }
    return finish(status, &err);
}

int EXPORT(open_tables)(uint32_t cache_bytes);
int EXPORT(open_tables)(uint32_t cache_bytes)
{
    struct error err;
    enum status status = STATUS_OK;
    begin_output();
    if (module.place == NULL) {
        module.place = strdup(module.input);
        module.source = merels_host_source(module.place);
    }
    status = module.place == NULL
                 ? merels_error(&err, STATUS_NO_MEMORY, "out of memory")
                 : merels_tablebase_open_source(&module.source, &module.rules, cache_bytes,
                                                &module.base, &err);
    if (status == STATUS_OK) {
        merels_tablebase_begin_from(module.base, module.start);
        put("%s", merels_edition_name(merels_tablebase_edition(module.base)));
    }
    return finish(status, &err);
}

// ---- answers -------------------------------------------------------------------------------

static void put_value(enum value value, int plies)
{
    if (plies >= 0)
        put("%s %d\n", merels_value_name(value), plies);
    else
        put("%s -\n", merels_value_name(value));
}

static enum status read_position(struct position *pos, struct error *err)
{
    begin_output();
    return merels_position_parse(&module.rules, &module.start, module.input, pos, err);
}

int EXPORT(value)(void);
int EXPORT(value)(void)
{
    struct error err;
    struct position pos;
    struct answer answer;
    enum status status = read_position(&pos, &err);
    if (status == STATUS_OK)
        status = merels_tablebase_probe(module.base, &pos, &answer, &err);
    if (status == STATUS_OK)
        put_value(answer.value, answer.plies);
    return finish(status, &err);
}

int EXPORT(rank)(void);
int EXPORT(rank)(void)
{
    struct error err;
    struct position pos;
    int value;
    const struct ranking *ranking = &module.ranking;
    enum status status = read_position(&pos, &err);
    if (status == STATUS_OK)
        status =
            merels_rank_known_plies(module.base, &module.rules, &pos, &module.ranking, &err);
    if (status != STATUS_OK)
        return finish(status, &err);
    put_value(ranking->answer.value, ranking->answer.plies);
    for (int i = 0; i < ranking->n_plies; i++) {
        const struct ranked_ply *entry = &ranking->plies[i];
        put("%s ", entry->text);
        if (entry->known)
            put_value(entry->value, entry->plies);
        else
            put("unknown -\n");
    }
    if (ranking->n_ranked < ranking->n_plies)
        put("! %s\n", ranking->lacking.text);
    const char *over = merels_over_reason(&module.rules, &pos, &value);
    if (over != NULL)
        put("= %s\n", over);
    return finish(status, &err);
}

int EXPORT(read_game)(void);
int EXPORT(read_game)(void)
{
    struct error err, fault = {.status = STATUS_OK};
    struct game_record record;
    char text[POSITION_TEXT_BYTES], ply[PLY_TEXT_BYTES];
    begin_output();
    enum status status = merels_game_record_read_good(&module.rules, &module.start,
                                                      module.input, 0, &record, &fault, &err);
    if (status != STATUS_OK)
        return finish(status, &err);
    merels_position_format(&module.rules, &record.first, text);
    put("%s\n", text);
    for (size_t i = 0; i < record.n_turns; i++) {
        merels_ply_format(&module.rules, record.turns[i].ply, ply);
        put("%s\n", ply);
    }
    if (fault.status != STATUS_OK)
        put("! %s\n", fault.text);
    merels_game_record_free(&record);
    return finish(STATUS_OK, &err);
}
