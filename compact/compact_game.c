// compact_game.c: options, board, symmetries and patterns, put into bytes.
//
// Patterns are chosen for any board: up to nine points all of them; else each piece of eight
// points in a row (a ring of the known boards), and for each mill the points of the mills that
// cross it, if these are nine (three rings' sides behind each other). Of the images of a
// pattern only one is written; the reader finds the others by the symmetries.

#include "compact/compact_game.h"

#include <stdlib.h>
#include <string.h>

#include "game/options.h"

// ---- bytes ---------------------------------------------------------------------------------

void merels_bytes_put(struct bytes *bytes, const void *data, size_t n_bytes)
{
    if (bytes->failed || n_bytes == 0)
        return;
    if (bytes->room - bytes->n < n_bytes) {
        size_t room = 2 * bytes->room + n_bytes + 64;
        uint8_t *larger = realloc(bytes->data, room);
        if (larger == NULL) {
            bytes->failed = true;
            return;
        }
        bytes->data = larger;
        bytes->room = room;
    }
    memcpy(bytes->data + bytes->n, data, n_bytes);
    bytes->n += n_bytes;
}

void merels_bytes_put_int(struct bytes *bytes, uint64_t x, int n_bytes)
{
    uint8_t data[8];
    for (int k = 0; k < n_bytes; k++)
        data[k] = (uint8_t)(x >> 8 * k);
    merels_bytes_put(bytes, data, (size_t)n_bytes);
}

void merels_bytes_put_number(struct bytes *bytes, uint32_t x)
{
    for (; x >= 128; x >>= 7)
        merels_bytes_put_int(bytes, (x & 127) | 128, 1);
    merels_bytes_put_int(bytes, x, 1);
}

void merels_bytes_free(struct bytes *bytes)
{
    free(bytes->data);
    *bytes = (struct bytes){0};
}

// ---- colours -------------------------------------------------------------------------------

// Gives the points that can be reached from `seen` the colour that their neighbour has not.
static void spread(const struct board *board, point_set *seen, point_set *dark)
{
    for (point_set open = *seen; open != 0;) {
        int p = bit_lowest(open);
        point_set fresh = board->neighbours[p] & ~*seen;
        *seen |= fresh;
        if (!(*dark >> p & 1))
            *dark |= fresh;
        open = (open & (open - 1)) | fresh;
    }
}

// The points of the colour that the first point of each connected part does not have; 0 if two
// colours are not enough.
static point_set dark_points(const struct board *board)
{
    point_set seen = 0, dark = 0;
    for (int p = 0; p < board->n_points; p++)
        if (!(seen >> p & 1)) {
            seen |= (point_set)1 << p;
            spread(board, &seen, &dark);
        }
    for (int p = 0; p < board->n_points; p++)
        if ((board->neighbours[p] & (dark >> p & 1 ? dark : board->points & ~dark)) != 0)
            return 0;
    return dark;
}

// ---- patterns ------------------------------------------------------------------------------

struct patterns {
    point_set sets[COMPACT_PATTERNS];
    int n, n_instances;
};

static int images_of(const struct board *board, point_set set, point_set *least)
{
    int n = 0;
    *least = set;
    for (int s = 0; s < board->n_symmetries; s++) {
        point_set image = board_image(board, s, set);
        bool known = false;
        for (int t = 0; t < s; t++)
            known |= board_image(board, t, set) == image;
        n += !known;
        *least = image < *least ? image : *least;
    }
    return n;
}

// Adds a pattern unless an image of it is there, or too many instances would be.
static void add_pattern(const struct board *board, point_set set, struct patterns *patterns)
{
    enum { MOST_INSTANCES = 20 };
    point_set least, other;
    int n = images_of(board, set, &least);
    for (int k = 0; k < patterns->n; k++) {
        images_of(board, patterns->sets[k], &other);
        if (other == least)
            return;
    }
    if (patterns->n == COMPACT_PATTERNS || patterns->n_instances + n > MOST_INSTANCES)
        return;
    patterns->sets[patterns->n++] = set;
    patterns->n_instances += n;
}

static point_set crossing_mills(const struct board *board, point_set mill)
{
    point_set set = mill;
    for (int k = 0; k < board->n_mills; k++)
        if ((board->mills[k] & mill) != 0)
            set |= board->mills[k];
    return set;
}

static void choose_patterns(const struct board *board, struct patterns *patterns)
{
    *patterns = (struct patterns){0};
    if (board->n_points <= COMPACT_PATTERN_POINTS) {
        add_pattern(board, board->points, patterns);
        return;
    }
    for (int first = 0; first + 8 <= board->n_points; first += 8)
        add_pattern(board, (point_set)0xFF << first, patterns);
    for (int n_images = 1; n_images <= 8; n_images++)
        for (int k = 0; k < board->n_mills; k++) {
            point_set least, set = crossing_mills(board, board->mills[k]);
            if (bit_count(set) == COMPACT_PATTERN_POINTS &&
                images_of(board, set, &least) == n_images)
                add_pattern(board, set, patterns);
        }
}

// ---- the head ------------------------------------------------------------------------------

static void put_board(const struct board *board, struct bytes *bytes)
{
    int n_edges = 0;
    for (int p = 0; p < board->n_points; p++)
        n_edges += bit_count(board->neighbours[p]);
    merels_bytes_put_int(bytes, (uint64_t)board->n_points, 1);
    merels_bytes_put_int(bytes, dark_points(board), 4);
    merels_bytes_put_int(bytes, (uint64_t)n_edges / 2, 1);
    for (int p = 0; p < board->n_points; p++)
        for (int q = p + 1; q < board->n_points; q++)
            if (board->neighbours[p] >> q & 1) {
                merels_bytes_put_int(bytes, (uint64_t)p, 1);
                merels_bytes_put_int(bytes, (uint64_t)q, 1);
            }
    merels_bytes_put_int(bytes, (uint64_t)board->n_mills, 1);
    for (int k = 0; k < board->n_mills; k++)
        for (point_set mill = board->mills[k]; mill != 0; mill &= mill - 1)
            merels_bytes_put_int(bytes, (uint64_t)bit_lowest(mill), 1);
}

static void put_patterns(const struct board *board, struct bytes *bytes)
{
    struct patterns patterns;
    choose_patterns(board, &patterns);
    merels_bytes_put_int(bytes, (uint64_t)patterns.n, 1);
    for (int k = 0; k < patterns.n; k++) {
        merels_bytes_put_int(bytes, (uint64_t)bit_count(patterns.sets[k]), 1);
        for (point_set set = patterns.sets[k]; set != 0; set &= set - 1)
            merels_bytes_put_int(bytes, (uint64_t)bit_lowest(set), 1);
    }
}

void merels_compact_put_game(const struct rules *rules, struct bytes *bytes)
{
    int values[N_RULE_OPTIONS];
    const struct board *board = &rules->board;
    merels_options_get(rules, values);
    for (int k = 0; k < (int)COMPACT_OPTIONS; k++)
        merels_bytes_put_int(bytes, (uint64_t)values[k], 1);
    put_board(board, bytes);
    merels_bytes_put_int(bytes, (uint64_t)board->n_symmetries, 1);
    for (int s = 0; s < board->n_symmetries; s++)
        merels_bytes_put(bytes, board->symmetry[s], (size_t)board->n_points);
    put_patterns(board, bytes);
}

// The reader knows the options before the metric. Those behind it change results, but for
// closed points, which no table holds.
static enum status check_options(const struct rules *rules, struct error *err)
{
    int values[N_RULE_OPTIONS];
    _Static_assert((int)COMPACT_OPTIONS == (int)RULE_METRIC, "the reader's options come first");
    if (rules->metric != METRIC_DTM)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "edition compact is made from tables with depths to the end of the "
                            "game, without metric=dtc or n-move");
    merels_options_get(rules, values);
    for (int k = COMPACT_OPTIONS; k < N_RULE_OPTIONS; k++) {
        const struct option_names *option = merels_option((enum rule_option)k);
        if (k != RULE_CLOSED_POINTS && values[k] != option->usual)
            return merels_error(err, STATUS_UNSUPPORTED,
                                "edition compact does not know the option %s", option->name);
    }
    return STATUS_OK;
}

enum status merels_compact_game_create(const struct rules *rules, struct compact_game **game,
                                       struct error *err)
{
    struct bytes bytes = {0};
    enum status known = check_options(rules, err);
    if (known != STATUS_OK)
        return known;
    *game = malloc(sizeof **game);
    merels_compact_put_game(rules, &bytes);
    enum status status = STATUS_OK;
    if (*game == NULL || bytes.failed)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    else if (merels_compact_read_game(*game, bytes.data, (uint32_t)bytes.n) != bytes.n)
        status =
            merels_error(err, STATUS_UNSUPPORTED, "edition compact has no room for this board");
    if (status != STATUS_OK) {
        free(*game);
        *game = NULL;
    }
    merels_bytes_free(&bytes);
    return status;
}
