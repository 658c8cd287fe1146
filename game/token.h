// token.h: reading text token by token, with the column of each; shared by the readers of the
// text forms, and by nothing else.

#ifndef MERELS_GAME_TOKEN_H
#define MERELS_GAME_TOKEN_H

#include <stdbool.h>

#include "game/status.h"

// A run of characters between spaces, or a part of one. The text is not terminated after it.
struct token {
    const char *text;
    int length;
    int column; // of its first character in its line or, without lines, in the whole text, from
                // 1
    int line;   // 0: the text is one line
};

struct reader {
    const char *text;
    int at;
};

// The next run of non-space characters; at the end of the text a token of length 0.
struct token merels_token_next(struct reader *reader);

// The part of a token before the first `stop` character at or after `from`, or the rest.
struct token merels_token_part(struct token token, int from, char stop);

// True if the token is `word`, in either case.
bool merels_token_is(struct token token, const char *word);

// Reads a decimal number of one to three digits; false if the token is anything else.
bool merels_token_number(struct token token, int *value);

// Sets "<form>, column 5, 'zz': <reason>"; an empty token shows as "end of text" or "nothing
// there".
enum status merels_token_error(struct error *err, enum status status, const char *form,
                               struct token token, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
