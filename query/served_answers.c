// served_answers.c: runs what the commands run, at a desk.

#include "query/served_answers.h"

#include <stdlib.h>
#include <string.h>

#include "game/options.h"
#include "game/rules_text.h"
#include "query/answer_json.h"
#include "query/batch.h"
#include "query/board_curves.h"
#include "query/failure.h"

enum { MAX_GAME_BYTES = 1 << 20, BATCH_PIECE_BYTES = 48 << 10 };

// ---- failures ------------------------------------------------------------------------------

static int http_status(const struct error *reason)
{
    switch (reason->status) {
    case STATUS_BAD_INPUT:
        return HTTP_BAD_REQUEST;
    case STATUS_ILLEGAL:
    case STATUS_UNSUPPORTED:
        return HTTP_UNPROCESSABLE;
    case STATUS_NOT_COVERED:
        return merels_failure_cannot_arise(reason) ? HTTP_UNPROCESSABLE : HTTP_NOT_FOUND;
    case STATUS_MISSING:
        return HTTP_NOT_FOUND;
    case STATUS_NO_MEMORY:
    case STATUS_INTERRUPTED:
    case STATUS_UNDECIDED: // what was proved is kept: the next time it may be enough
        return HTTP_UNAVAILABLE;
    default:
        return HTTP_FAILED;
    }
}

static void fail(const struct error *reason, struct response *response)
{
    merels_response_fail(response, http_status(reason), merels_failure_kind(reason),
                         reason->text);
}

static void fail_without_memory(struct response *response)
{
    const struct error reason = {STATUS_NO_MEMORY, "no memory for an answer"};
    fail(&reason, response);
}

static void fail_too_long(struct response *response)
{
    static const struct error reason = {STATUS_INTERRUPTED, "the answer takes too long"};
    fail(&reason, response);
}

// ---- bodies --------------------------------------------------------------------------------

void merels_respond_json(json_t *object, struct response *response)
{
    char *text = object ? json_dumps(object, JSON_INDENT(2)) : NULL;
    size_t length = text ? strlen(text) : 0;
    char *bytes = text ? realloc(text, length + 2) : NULL;
    json_decref(object);
    if (!bytes) {
        free(text);
        fail_without_memory(response);
        return;
    }
    strcpy(bytes + length, "\n");
    response->bytes = bytes;
    response->n_bytes = length + 1;
    merels_response_header(response, "Content-Type", "application/json");
}

void merels_respond_cache(const struct served *served, struct response *response)
{
    if (response->status != HTTP_OK)
        return;
    if (served->whole)
        merels_response_header(response, "ETag", "%s", served->etag);
    merels_response_header(response, "Cache-Control",
                           served->whole ? "public, max-age=3600" : "no-cache");
}

// Takes the text of a desk as the body.
static void respond_text(struct desk *desk, struct response *response)
{
    response->bytes = merels_desk_text(desk, &response->n_bytes);
    if (!response->bytes) {
        fail_without_memory(response);
        return;
    }
    merels_response_header(response, "Content-Type", "application/json");
}

// ---- one position --------------------------------------------------------------------------

// Names the first table that a position without an answer lacks.
static void name_missing(struct context *context, const struct position *pos,
                         char name[SUBSPACE_NAME_BYTES])
{
    struct answer answer;
    struct position lacking = *pos;
    int n = pos->due > 0 ? merels_plies(context->rules, pos, context->ranking->list) : 0;
    for (int i = 0; i < n; i++) {
        lacking = merels_play(context->rules, pos, context->ranking->list[i]);
        if (merels_tablebase_probe(context->base, &lacking, &answer, NULL) ==
            STATUS_NOT_COVERED)
            break;
    }
    merels_subspace_name(merels_subspace_of(&lacking), name);
}

static void fail_position(struct context *context, const struct position *pos,
                          const struct error *reason, struct response *response)
{
    char name[SUBSPACE_NAME_BYTES];
    if (reason->status != STATUS_NOT_COVERED) {
        fail(reason, response);
        return;
    }
    name_missing(context, pos, name);
    merels_response_fail_with(response, http_status(reason), merels_failure_kind(reason),
                              reason->text, "subspace", name);
}

static void answer_text(struct desk *desk, const char *text, struct response *response)
{
    struct error reason;
    struct game_record record;
    char label[TAG_VALUE_BYTES];
    struct context *context = desk->context;
    if (merels_game_record_read(context->rules, &context->variant.start, text, 0, &record,
                                &reason) != STATUS_OK) {
        fail(&reason, response);
        return;
    }
    const struct position pos = *merels_game_record_position(&record);
    merels_game_record_free(&record);
    if (merels_rank_known_plies(context->base, context->rules, &pos, context->ranking,
                                &reason) != STATUS_OK) {
        fail_position(context, &pos, &reason, response);
        return;
    }
    merels_print_answer_json(context, &pos, merels_records_label(text, label),
                             (struct answer_detail){.replies = true, .parts = true});
    respond_text(desk, response);
}

void merels_answer_position(struct served *served, const struct request *request,
                            struct response *response)
{
    static const struct error missing = {
        STATUS_BAD_INPUT,
        "the parameter 'position' is missing; for example ?position=startpos+moves+d6"};
    const char *text = merels_uri_parameter(&request->uri, "position");
    struct desk *desk = text ? merels_served_desk(served, request->cut) : NULL;
    if (!text) {
        fail(&missing, response);
    } else if (!desk) {
        fail_without_memory(response);
    } else {
        answer_text(desk, text, response);
        merels_served_return(served, desk);
    }
    merels_respond_cache(served, response);
}

// ---- many ----------------------------------------------------------------------------------

struct batch_stream {
    struct served *served;
    struct desk *desk;
    FILE *in; // the body of the request
    struct batch batch;
    bool more;
    size_t n_filled, n_sent; // of the desk's text
};

// Answers positions until a piece is full or none is left.
static enum status fill(struct batch_stream *stream, struct error *err)
{
    struct output *out = &stream->desk->out;
    enum status status = STATUS_OK;
    rewind(out->stream);
    while (status == STATUS_OK && stream->more && ftello(out->stream) < BATCH_PIECE_BYTES)
        status = atomic_load(stream->desk->context->cut)
                     ? merels_error(err, STATUS_INTERRUPTED, "stopped")
                     : merels_batch_step(&stream->batch, &stream->more, err);
    stream->n_sent = 0;
    stream->n_filled = (size_t)ftello(out->stream);
    return status == STATUS_OK ? merels_output_flush(out, err) : status;
}

static ssize_t read_batch(void *state, char *bytes, size_t room)
{
    struct error reason;
    struct batch_stream *stream = state;
    if (stream->n_sent == stream->n_filled && fill(stream, &reason) != STATUS_OK)
        return -1;
    size_t n = stream->n_filled - stream->n_sent;
    n = n < room ? n : room;
    memcpy(bytes, stream->desk->text + stream->n_sent, n);
    stream->n_sent += n;
    return (ssize_t)n;
}

static void close_batch(void *state)
{
    struct batch_stream *stream = state;
    merels_batch_free(&stream->batch);
    if (stream->in)
        fclose(stream->in);
    merels_served_return(stream->served, stream->desk);
    free(stream);
}

// A stream over the body of a request; NULL without memory.
static struct batch_stream *open_batch(struct served *served, const struct request *request)
{
    struct batch_stream *stream = calloc(1, sizeof *stream);
    struct desk *desk = stream ? merels_served_desk(served, request->cut) : NULL;
    if (!desk) {
        free(stream);
        return NULL;
    }
    *stream = (struct batch_stream){.served = served,
                                    .desk = desk,
                                    .in = fmemopen(request->body, request->n_body, "r"),
                                    .more = true};
    stream->batch = merels_batch_begin(desk->context, stream->in);
    if (stream->in)
        return stream;
    close_batch(stream);
    return NULL;
}

// A line ends with a line feed, a carriage return, or both (lines.h).
static uint64_t count_lines(const char *bytes, size_t n_bytes)
{
    uint64_t n = 1;
    for (size_t i = 0; i < n_bytes; i++)
        n += bytes[i] == '\n' || (bytes[i] == '\r' && bytes[i + 1] != '\n');
    return n;
}

static void fail_empty(const char *what, struct response *response)
{
    struct error reason;
    (void)!merels_error(&reason, STATUS_BAD_INPUT, "the body is empty: it holds %s", what);
    fail(&reason, response);
}

static bool is_set(const struct request *request, const char *name)
{
    const char *value = merels_uri_parameter(&request->uri, name);
    return value && strcmp(value, "1") == 0;
}

void merels_answer_batch(struct served *served, const struct request *request,
                         uint64_t max_lines, struct response *response)
{
    char text[96];
    if (request->n_body == 0) {
        fail_empty("positions, one a line", response);
        return;
    }
    if (count_lines(request->body, request->n_body - 1) > max_lines) {
        snprintf(text, sizeof text, "a batch has at most %llu lines",
                 (unsigned long long)max_lines);
        merels_response_fail(response, HTTP_TOO_LARGE, "too large", text);
        return;
    }
    struct batch_stream *stream = open_batch(served, request);
    if (!stream) {
        fail_without_memory(response);
        return;
    }
    stream->desk->args.replies = is_set(request, "replies");
    stream->desk->args.parts = is_set(request, "parts");
    response->stream =
        (struct body_stream){read_batch, close_batch, stream, .n_bytes = UNKNOWN_LENGTH};
    merels_response_header(response, "Content-Type", "application/x-ndjson");
    merels_response_header(response, "Cache-Control", "no-store");
}

// ---- games ---------------------------------------------------------------------------------

// Of a broken game, or one of which some plies have no answer, there is a text that says so.
static void run_analyse(struct desk *desk, const char *text, struct response *response)
{
    struct error reason;
    struct context *context = desk->context;
    context->text = (char *)text;
    enum status status =
        merels_game_record_read_good(context->rules, &context->variant.start, text, 0,
                                     &context->game, &context->fault, &reason);
    if (status == STATUS_OK)
        status = merels_command_analyse.run(context, &reason);
    context->text = NULL;
    if (atomic_load(context->cut))
        fail_too_long(response);
    else if (status == STATUS_OK || status == STATUS_MISMATCH || status == STATUS_NOT_COVERED)
        respond_text(desk, response);
    else
        fail(&reason, response);
}

void merels_answer_game(struct served *served, const struct request *request,
                        struct response *response)
{
    struct error reason = {.status = STATUS_BAD_INPUT};
    if (request->n_body == 0) {
        fail_empty("a game, as startpos moves d6 f4", response);
        return;
    }
    if (request->n_body > MAX_GAME_BYTES || memchr(request->body, '\0', request->n_body)) {
        merels_error(&reason, STATUS_BAD_INPUT,
                     request->n_body > MAX_GAME_BYTES
                         ? "a game is at most %d bytes long"
                         : "a game is text, without bytes of value 0",
                     MAX_GAME_BYTES);
        fail(&reason, response);
        return;
    }
    struct desk *desk = merels_served_desk(served, request->cut);
    if (!desk) {
        fail_without_memory(response);
        return;
    }
    if (merels_served_begin_game(served, request->cut)) {
        run_analyse(desk, request->body, response);
        merels_served_end_game(served);
    } else {
        fail_too_long(response);
    }
    merels_served_return(served, desk);
    if (response->status == HTTP_OK)
        merels_response_header(response, "Cache-Control", "no-store");
}

// ---- facts ---------------------------------------------------------------------------------

static void run_stats(struct served *served, struct desk *desk, struct response *response)
{
    struct error reason;
    if (atomic_load(desk->context->cut)) {
        fail_too_long(response);
        return;
    }
    if (desk->context->search) {
        merels_error(&reason, STATUS_UNSUPPORTED,
                     "%s has no tables of its own that could be counted",
                     desk->context->variant.name);
        fail(&reason, response);
        return;
    }
    if (merels_tablebase_edition(desk->context->base) == EDITION_COMPACT) {
        merels_error(&reason, STATUS_UNSUPPORTED,
                     "edition compact has no counts: 'merels stats' decodes it and counts, a "
                     "server does not");
        fail(&reason, response);
        return;
    }
    if (merels_command_stats.run(desk->context, &reason) != STATUS_OK) {
        fail(&reason, response);
        return;
    }
    respond_text(desk, response);
    if (served->whole && response->bytes)
        served->stats = strndup(response->bytes, response->n_bytes);
}

// One at a time: all headers may have to be read.
void merels_answer_stats(struct served *served, const struct request *request,
                         struct response *response)
{
    struct desk *desk = merels_served_desk(served, request->cut);
    if (!desk) {
        fail_without_memory(response);
        return;
    }
    pthread_mutex_lock(&served->stats_lock);
    if (served->stats) {
        merels_print(&desk->out, "%s", served->stats);
        respond_text(desk, response);
    } else {
        run_stats(served, desk, response);
    }
    pthread_mutex_unlock(&served->stats_lock);
    merels_served_return(served, desk);
    merels_respond_cache(served, response);
}

// The points of a set, by name.
static json_t *set_json(const struct board *board, point_set set)
{
    json_t *list = json_array();
    for (; set != 0; set &= set - 1)
        json_array_append_new(list, json_string(board->names[bit_lowest(set)]));
    return list;
}

// Every point with its place: x to the right, y upwards, from 0.
static json_t *points_json(const struct board *board)
{
    int file = 'z', rank = '9';
    json_t *list = json_array();
    for (int p = 0; p < board->n_points; p++) {
        file = board->names[p][0] < file ? board->names[p][0] : file;
        rank = board->names[p][1] < rank ? board->names[p][1] : rank;
    }
    for (int p = 0; p < board->n_points; p++)
        json_array_append_new(list, json_pack("{s:s, s:i, s:i}", "name", board->names[p], "x",
                                              board->names[p][0] - file, "y",
                                              board->names[p][1] - rank));
    return list;
}

static json_t *edges_json(const struct board *board)
{
    json_t *list = json_array();
    for (int q = 1; q < board->n_points; q++)
        for (int p = 0; p < q; p++)
            if (board->neighbours[q] >> p & 1)
                json_array_append_new(list,
                                      json_pack("[s, s]", board->names[p], board->names[q]));
    return list;
}

static json_t *mills_json(const struct board *board)
{
    json_t *list = json_array();
    for (int m = 0; m < board->n_mills; m++)
        json_array_append_new(list, set_json(board, board->mills[m]));
    return list;
}

// For each symmetry the numbers of the points to which the points go.
static json_t *symmetries_json(const struct board *board)
{
    json_t *list = json_array();
    for (int s = 0; s < board->n_symmetries; s++) {
        json_t *image = json_array();
        for (int p = 0; p < board->n_points; p++)
            json_array_append_new(image, json_integer(board->symmetry[s][p]));
        json_array_append_new(list, image);
    }
    return list;
}

static json_t *options_json(const struct rules *rules)
{
    int values[N_RULE_OPTIONS];
    json_t *object = json_object();
    merels_options_get(rules, values);
    for (int k = 0; k < N_RULE_OPTIONS; k++) {
        char text[OPTION_TEXT_BYTES];
        const struct option_names *option = merels_option((enum rule_option)k);
        merels_option_text((enum rule_option)k, values[k], text);
        json_object_set_new(object, option->name,
                            option->values[0] ? json_string(text) : json_integer(values[k]));
    }
    return object;
}

void merels_answer_rules(const struct served *served, struct response *response)
{
    char text[RULES_TEXT_BYTES], start[POSITION_TEXT_BYTES];
    const struct variant *variant = &served->context->variant;
    const struct rules *rules = served->context->rules;
    const struct position first = merels_position_start(&variant->start);
    merels_rules_long_text(rules, text);
    merels_position_format(rules, &first, start);
    merels_respond_json(
        json_pack("{s:s, s:s, s:i, s:i, s:s, s:s, s:o, s:s, s:o, s:{s:o, s:o, s:o, s:o}}",
                  "rules", variant->text, "name", variant->name, "first_men",
                  variant->start.first_men, "second_men", variant->start.second_men,
                  "fingerprint", variant->fingerprint, "text", text, "curves",
                  merels_curves_json(&rules->board), "start", start, "options",
                  options_json(rules), "board", "points", points_json(&rules->board), "edges",
                  edges_json(&rules->board), "mills", mills_json(&rules->board), "symmetries",
                  symmetries_json(&rules->board)),
        response);
    merels_respond_cache(served, response);
}
