// served_answers.h: what the HTTP interface answers about one set of rules. The texts are those
// of the commands of the same names with --json.

#ifndef MERELS_QUERY_SERVED_ANSWERS_H
#define MERELS_QUERY_SERVED_ANSWERS_H

#include "query/served.h"
#include "serve/message.h"

// GET probe?position=TEXT: one position, as `merels probe --json`.
void merels_answer_position(struct served *served, const struct request *request,
                            struct response *response);

// POST probe: positions, as `merels probe -`; of at most max_lines lines.
void merels_answer_batch(struct served *served, const struct request *request,
                         uint64_t max_lines, struct response *response);

// POST analyse: a game, as `merels analyse --json`.
void merels_answer_game(struct served *served, const struct request *request,
                        struct response *response);

// GET stats: as `merels stats --json`.
void merels_answer_stats(struct served *served, const struct request *request,
                         struct response *response);

// GET rules: the rules, and the board to draw.
void merels_answer_rules(const struct served *served, struct response *response);

// Makes a JSON object the body of a response, and releases it; NULL is out of memory.
void merels_respond_json(json_t *object, struct response *response);

// What may be kept of an answer, and for how long.
void merels_respond_cache(const struct served *served, struct response *response);

#endif
