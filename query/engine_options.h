// engine_options.h: the options that protocols let a program set, as one table.
//
// An option is a setting of the engine, a rule, or one of another engine that means nothing
// here and is taken without a word. A rule is mapped to a rule of Merels, or refused in words;
// while one is refused the engine does not play.

#ifndef MERELS_QUERY_ENGINE_OPTIONS_H
#define MERELS_QUERY_ENGINE_OPTIONS_H

#include "query/engine_player.h"

// Whose options are listed and taken, as a mask.
enum { OPTIONS_GBGP = 1, OPTIONS_UCI = 2 };

// Prints a line "option name N type T default D ..." for every option with a meaning.
void merels_engine_options_print(const struct engine *engine, unsigned dialect,
                                 struct output *out);

// Takes "name N [value V]"; returns NULL, or what there is to say, in `words`.
const char *merels_engine_option_set(struct engine *engine, unsigned dialect, const char *text,
                                     char words[ERROR_TEXT_BYTES]);

#endif
