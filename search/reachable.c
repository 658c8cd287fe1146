// reachable.c: breadth first over canonical positions, in a table of open addressing.
//
// A position is one number, the least over all symmetries: nothing rests on a hash.
//
//     bit  0..23  other side's men    48..52  mover's hand     58      the mover's colour
//         24..47  mover's men         53..57  other's hand
//
// A point that is closed has both its bits set.
// The numbers stand in a list in the order in which they were found, which is also the queue;
// the table holds places in the list, and 0 for none.

#include "search/reachable.h"

#include <stdlib.h>
#include <string.h>

#include "game/moves.h"

enum { FIRST_SLOTS = 1 << 16, COLOUR_BIT = 58, MAX_HAND = 31 };

struct walk {
    const struct rules *rules;
    uint64_t memory_bytes; // limit, 0: none
    uint64_t *list;        // of numbers; place 0 is not used
    size_t n, room;
    uint32_t *table; // by hash: place in the list
    size_t n_slots;  // of the table, a power of two, at most half of it used
    struct ply *plies;
};

// ---- numbers -------------------------------------------------------------------------------

static uint64_t number_of(const struct rules *rules, const struct position *pos)
{
    const struct board *board = &rules->board;
    uint64_t least = UINT64_MAX;
    for (int s = 0; s < board->n_symmetries; s++) {
        uint64_t sets = board_image(board, s, pos->other | pos->closed) |
                        (uint64_t)board_image(board, s, pos->own | pos->closed) << 24;
        least = sets < least ? sets : least;
    }
    return least | (uint64_t)pos->own_hand << 48 | (uint64_t)pos->other_hand << 53 |
           (uint64_t)pos->mover << COLOUR_BIT;
}

static struct position position_of(uint64_t number)
{
    point_set other = number & 0xFFFFFF, own = number >> 24 & 0xFFFFFF;
    return (struct position){.other = other & ~own,
                             .own = own & ~other,
                             .closed = own & other,
                             .own_hand = number >> 48 & 31,
                             .other_hand = number >> 53 & 31,
                             .mover = number >> COLOUR_BIT & 1};
}

// How many positions have this number: the symmetries over those that leave it as it is.
static uint64_t orbit_of(const struct rules *rules, const struct position *pos)
{
    const struct board *board = &rules->board;
    int n_same = 0;
    for (int s = 0; s < board->n_symmetries; s++)
        n_same += board_image(board, s, pos->own) == pos->own &&
                  board_image(board, s, pos->other) == pos->other &&
                  board_image(board, s, pos->closed) == pos->closed;
    return (uint64_t)(board->n_symmetries / n_same);
}

// ---- the table -----------------------------------------------------------------------------

static size_t slot_of(const struct walk *walk, uint64_t number)
{
    uint64_t hash = number * UINT64_C(0x9E3779B97F4A7C15);
    size_t slot = (size_t)(hash ^ hash >> 32) & (walk->n_slots - 1);
    while (walk->table[slot] != 0 && walk->list[walk->table[slot]] != number)
        slot = (slot + 1) & (walk->n_slots - 1);
    return slot;
}

static uint64_t bytes_of(const struct walk *walk)
{
    return walk->room * sizeof *walk->list + walk->n_slots * sizeof *walk->table;
}

static enum status check_memory(const struct walk *walk, uint64_t more, struct error *err)
{
    uint64_t bytes = bytes_of(walk) + more;
    if (walk->n >= UINT32_MAX / 2)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "more than %zu canonical positions can be reached", walk->n);
    if (walk->memory_bytes == 0 || bytes <= walk->memory_bytes)
        return STATUS_OK;
    return merels_error(
        err, STATUS_TOO_LITTLE,
        "more than %zu canonical positions can be reached; to count on takes %llu "
        "MiB of memory, %llu MiB are allowed",
        walk->n, (unsigned long long)(bytes >> 20),
        (unsigned long long)(walk->memory_bytes >> 20));
}

static enum status grow_list(struct walk *walk, struct error *err)
{
    size_t room = walk->room == 0 ? FIRST_SLOTS : walk->room + walk->room / 2;
    enum status status = check_memory(walk, room * sizeof *walk->list, err);
    if (status != STATUS_OK)
        return status;
    uint64_t *more = realloc(walk->list, room * sizeof *more);
    if (more == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for positions");
    walk->list = more;
    walk->room = room;
    return STATUS_OK;
}

static enum status grow_table(struct walk *walk, struct error *err)
{
    size_t n_slots = walk->n_slots == 0 ? FIRST_SLOTS : 2 * walk->n_slots;
    enum status status = check_memory(walk, n_slots * sizeof *walk->table, err);
    if (status != STATUS_OK)
        return status;
    uint32_t *table = calloc(n_slots, sizeof *table);
    if (table == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a table of positions");
    free(walk->table);
    walk->table = table;
    walk->n_slots = n_slots;
    for (size_t k = 1; k < walk->n; k++)
        table[slot_of(walk, walk->list[k])] = (uint32_t)k;
    return STATUS_OK;
}

// Adds a position unless it is known.
static enum status visit(struct walk *walk, const struct position *pos, struct error *err)
{
    uint64_t number = number_of(walk->rules, pos);
    enum status status = STATUS_OK;
    if (2 * walk->n >= walk->n_slots)
        status = grow_table(walk, err);
    if (status == STATUS_OK && walk->n == walk->room)
        status = grow_list(walk, err);
    if (status != STATUS_OK)
        return status;
    size_t slot = slot_of(walk, number);
    if (walk->table[slot] == 0) {
        walk->list[walk->n] = number;
        walk->table[slot] = (uint32_t)walk->n++;
    }
    return STATUS_OK;
}

// ---- the walk ------------------------------------------------------------------------------

static enum status play_all(struct walk *walk, const struct position *pos, struct error *err)
{
    int n = merels_plies(walk->rules, pos, walk->plies);
    enum status status = STATUS_OK;
    for (int k = 0; k < n && status == STATUS_OK; k++) {
        struct position after = merels_play(walk->rules, pos, walk->plies[k]);
        status = visit(walk, &after, err);
    }
    return status;
}

static void count(const struct walk *walk, const struct position *pos, uint64_t number,
                  struct reachable *reachable)
{
    int value;
    uint64_t n = orbit_of(walk->rules, pos), twin = number ^ (uint64_t)1 << COLOUR_BIT;
    bool white = pos->mover == WHITE;
    reachable->n_positions += n;
    reachable->n_canonical++;
    reachable->n_seen += white || walk->table[slot_of(walk, twin)] == 0;
    reachable->n_over += merels_position_over(walk->rules, pos, &value) ? n : 0;
}

static enum status go(struct walk *walk, struct meter *meter, struct reachable *reachable,
                      struct error *err)
{
    enum { TICK = 1 << 12 };
    enum status status = STATUS_OK;
    size_t end_of_ply = 2; // the start alone
    for (size_t k = 1; k < walk->n && status == STATUS_OK; k++) {
        struct position pos = position_of(walk->list[k]);
        if (k == end_of_ply) {
            reachable->n_plies++;
            end_of_ply = walk->n;
        }
        status = play_all(walk, &pos, err);
        if (status == STATUS_OK && k % TICK == 0 && merels_meter_count(meter, walk->n - 1))
            status = merels_error(err, STATUS_INTERRUPTED, "stopped");
    }
    for (size_t k = 1; k < walk->n && status == STATUS_OK; k++) {
        struct position pos = position_of(walk->list[k]);
        count(walk, &pos, walk->list[k], reachable);
    }
    return status;
}

enum status merels_reachable_count(const struct rules *rules, struct start start,
                                   uint64_t memory_bytes, const struct watch *watch,
                                   struct reachable *count, struct error *err)
{
    struct walk walk = {.rules = rules, .memory_bytes = memory_bytes, .n = 1};
    struct position first = merels_position_start(&start);
    struct meter meter;
    *count = (struct reachable){0};
    if (start.first_men > MAX_HAND || start.second_men > MAX_HAND)
        return merels_error(err, STATUS_UNSUPPORTED, "more than %d men in a hand", MAX_HAND);
    walk.plies = malloc(MAX_PLIES * sizeof *walk.plies);
    enum status status = walk.plies != NULL
                             ? grow_list(&walk, err)
                             : merels_error(err, STATUS_NO_MEMORY, "out of memory for plies");
    merels_meter_start(&meter, watch, "canonical positions", 0, 1); // nobody knows how many
    merels_meter_piece(&meter, 0, "reachable", 0);
    if (status == STATUS_OK)
        status = visit(&walk, &first, err);
    if (status == STATUS_OK)
        status = go(&walk, &meter, count, err);
    count->n_bytes = bytes_of(&walk);
    free(walk.plies);
    free(walk.list);
    free(walk.table);
    return status;
}
