// board.c: the five known boards, built from rings, boards from lists, and what follows of
// both.
//
// Every board but the 3x3 one is a stack of rings of eight points. Point i of ring r has number
// 8r + i; even i are corners, odd i midpoints of sides, clockwise from the top left corner:
//
//     0 --- 1 --- 2        sides   0-1-2  2-3-4  4-5-6  6-7-0 of each ring
//     |           |        spokes  the midpoints i of neighbouring rings
//     7           3        diagonals (BOARD_NINE_DIAGONAL) the corners i of neighbouring rings
//     |           |        centre  (BOARD_SEVEN) joined to the midpoints of the inner ring
//     6 --- 5 --- 4
//
// Mills are kept sorted by their points, so that equal boards are equal byte for byte.

#include "game/board.h"

#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "game/symmetry.h"

static const char NAMES_THREE[] = "a3b3c3a2b2c2a1b1c1";
static const char NAMES_SEVEN[] = "a5c5e5e3e1c1a1a3b4c4d4d3d2c2b2b3c3";
static const char NAMES_NINE[] = "a7d7g7g4g1d1a1a4b6d6f6f4f2d2b2b4c5d5e5e4e3d3c3c4";

static void set_points(struct board *board, const char *names, int n_points)
{
    assert(n_points <= MAX_POINTS);
    board->n_points = n_points;
    board->points = ((point_set)1 << n_points) - 1;
    for (int p = 0; p < n_points; p++)
        memcpy(board->names[p], names + 2 * p, 2);
}

static void add_edge(struct board *board, int p, int q)
{
    assert(p != q && p < board->n_points && q < board->n_points);
    board->neighbours[p] |= (point_set)1 << q;
    board->neighbours[q] |= (point_set)1 << p;
}

static void add_mill(struct board *board, int p, int q, int r)
{
    assert(board->n_mills < MAX_MILLS && p < board->n_points && q < board->n_points &&
           r < board->n_points);
    board->mills[board->n_mills++] = (point_set)1 << p | (point_set)1 << q | (point_set)1 << r;
}

// A line of the 3x3 board: a mill, and a path of two edges.
static void add_line(struct board *board, int p, int q, int r)
{
    add_mill(board, p, q, r);
    add_edge(board, p, q);
    add_edge(board, q, r);
}

static void build_three(struct board *board)
{
    set_points(board, NAMES_THREE, 9);
    for (int k = 0; k < 3; k++) {
        add_line(board, 3 * k, 3 * k + 1, 3 * k + 2);
        add_line(board, k, k + 3, k + 6);
    }
    add_line(board, 0, 4, 8);
    add_line(board, 2, 4, 6);
}

static void build_ring(struct board *board, int ring)
{
    for (int i = 0; i < 8; i++)
        add_edge(board, 8 * ring + i, 8 * ring + (i + 1) % 8);
    for (int i = 0; i < 8; i += 2)
        add_mill(board, 8 * ring + i, 8 * ring + i + 1, 8 * ring + (i + 2) % 8);
}

// Joins the points first, first + 2, ... of neighbouring rings; three rings make mills of them.
static void join_rings(struct board *board, int n_rings, int first)
{
    for (int i = first; i < 8; i += 2) {
        for (int ring = 1; ring < n_rings; ring++)
            add_edge(board, 8 * ring - 8 + i, 8 * ring + i);
        if (n_rings == 3)
            add_mill(board, i, 8 + i, 16 + i);
    }
}

static void add_centre(struct board *board)
{
    const int centre = 16;
    for (int i = 1; i < 8; i += 2) {
        add_edge(board, 8 + i, centre);
        add_mill(board, i, 8 + i, centre);
    }
    add_mill(board, 9, centre, 13);
    add_mill(board, 11, centre, 15);
}

static void build_rings(struct board *board, int n_rings)
{
    for (int ring = 0; ring < n_rings; ring++)
        build_ring(board, ring);
    join_rings(board, n_rings, 1);
}

static void build(struct board *board, enum board_kind kind)
{
    switch (kind) {
    case BOARD_THREE:
        build_three(board);
        return;
    case BOARD_SIX:
    case BOARD_SEVEN:
        set_points(board, NAMES_SEVEN, kind == BOARD_SEVEN ? 17 : 16);
        build_rings(board, 2);
        if (kind == BOARD_SEVEN)
            add_centre(board);
        return;
    case BOARD_NINE:
    case BOARD_NINE_DIAGONAL:
        set_points(board, NAMES_NINE, 24);
        build_rings(board, 3);
        if (kind == BOARD_NINE_DIAGONAL)
            join_rings(board, 3, 0);
        return;
    case BOARD_OWN: // is built from lists
        return;
    }
}

// True if mill a comes before mill b: by lowest point, then by the next, then by the last.
static bool mill_before(point_set a, point_set b)
{
    point_set differ = a ^ b;
    return differ != 0 && (a & differ & -differ) != 0;
}

static void sort_mills(struct board *board)
{
    for (int i = 1; i < board->n_mills; i++)
        for (int j = i; j > 0 && mill_before(board->mills[j], board->mills[j - 1]); j--) {
            point_set mill = board->mills[j];
            board->mills[j] = board->mills[j - 1];
            board->mills[j - 1] = mill;
        }
}

static void find_mates(struct board *board)
{
    for (int m = 0; m < board->n_mills; m++)
        for (point_set rest = board->mills[m]; rest != 0; rest &= rest - 1) {
            int p = bit_lowest(rest);
            assert(board->n_mills_at[p] < MAX_MILLS_AT);
            board->mates[p][board->n_mills_at[p]++] = board->mills[m] & ~((point_set)1 << p);
        }
}

static void count_men_in_mills(struct board *board)
{
    for (int k = 0; k <= MAX_MILLS_AT; k++)
        board->men_in_mills[k] = k == 0 ? 0 : MAX_POINTS + 1;
    for (int p = 0; p < board->n_points; p++)
        for (unsigned chosen = 1; chosen < 1u << board->n_mills_at[p]; chosen++) {
            point_set men = (point_set)1 << p;
            for (unsigned rest = chosen; rest != 0; rest &= rest - 1)
                men |= board->mates[p][bit_lowest(rest)];
            int *fewest = &board->men_in_mills[bit_count(chosen)];
            *fewest = bit_count(men) < *fewest ? bit_count(men) : *fewest;
        }
}

// image[set] for the sets of the 12 points from `first`, each from the set without its lowest.
static void fill_images(const struct board *board, const uint8_t symmetry[MAX_POINTS],
                        int first, point_set image[1 << 12])
{
    image[0] = 0;
    for (point_set set = 1; set < 1 << 12; set++) {
        int p = first + bit_lowest(set);
        point_set point = p < board->n_points ? (point_set)1 << symmetry[p] : 0;
        image[set] = image[set & (set - 1)] | point;
    }
}

// All that follows from points, edges and mills.
static enum status complete(struct board *board, struct error *err)
{
    sort_mills(board);
    find_mates(board);
    count_men_in_mills(board);
    enum status status = merels_symmetry_find(board, err);
    for (int s = 0; s < board->n_symmetries && status == STATUS_OK; s++) {
        fill_images(board, board->symmetry[s], 0, board->image_low[s]);
        fill_images(board, board->symmetry[s], 12, board->image_high[s]);
    }
    return status;
}

// Clears what stands before the images.
static void clear(struct board *board, enum board_kind kind)
{
    memset(board, 0, offsetof(struct board, image_low));
    board->kind = kind;
}

void merels_board_init(struct board *board, enum board_kind kind)
{
    clear(board, kind);
    build(board, kind);
    enum status status = complete(board, NULL);
    assert(status == STATUS_OK);
    (void)status;
}

// ---- boards from lists ---------------------------------------------------------------------

// What is wrong with a part of a board; with the line that says it, if that is known.
static enum status fault(const struct board_lists *lists, enum board_part part,
                         enum status status, struct error *err, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

static enum status fault(const struct board_lists *lists, enum board_part part,
                         enum status status, struct error *err, const char *format, ...)
{
    char reason[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (lists->lines[part] == 0)
        return merels_error(err, status, "board: %s", reason);
    return merels_error(err, status, "rules text, line %d: board: %s", lists->lines[part],
                        reason);
}

static enum status check_bounds(const struct board_lists *lists, struct error *err)
{
    static const char *const names[] = {"points", "edges", "mills"};
    static const int least[] = {MIN_POINTS, 1, 1}, most[] = {MAX_POINTS, MAX_EDGES, MAX_MILLS};
    const int n[] = {lists->n_points, lists->n_edges, lists->n_mills};
    for (int part = 0; part < N_BOARD_PARTS; part++)
        if (n[part] > most[part])
            return fault(lists, (enum board_part)part, STATUS_UNSUPPORTED, err,
                         "more than %d %s", most[part], names[part]);
    for (int part = 0; part < N_BOARD_PARTS; part++)
        if (n[part] < least[part])
            return fault(lists, (enum board_part)part, STATUS_BAD_INPUT, err,
                         "at least %d points, an edge and a mill are needed", MIN_POINTS);
    return STATUS_OK;
}

static bool is_name(const char *name)
{
    return name[0] >= 'a' && name[0] <= 'w' && name[1] >= '0' && name[1] <= '9' &&
           name[2] == '\0';
}

static enum status take_points(struct board *board, const struct board_lists *lists,
                               struct error *err)
{
    for (int p = 0; p < lists->n_points; p++) {
        if (!is_name(lists->names[p]))
            return fault(lists, PART_POINTS, STATUS_BAD_INPUT, err,
                         "'%.2s' is no name of a point, as a1: a letter from a to w and a "
                         "digit",
                         lists->names[p]);
        if (merels_board_point(board, lists->names[p]) >= 0)
            return fault(lists, PART_POINTS, STATUS_BAD_INPUT, err, "two points are called %s",
                         lists->names[p]);
        memcpy(board->names[p], lists->names[p], 3);
        board->n_points++;
    }
    board->points = (point_set)low_bits(board->n_points);
    return STATUS_OK;
}

static enum status take_edges(struct board *board, const struct board_lists *lists,
                              struct error *err)
{
    for (int k = 0; k < lists->n_edges; k++) {
        int p = lists->edges[k][0], q = lists->edges[k][1];
        if (p == q || (board->neighbours[p] >> q & 1))
            return fault(lists, PART_EDGES, STATUS_BAD_INPUT, err, "edge %s-%s %s",
                         board->names[p], board->names[q],
                         p == q ? "joins a point with itself" : "stands twice");
        add_edge(board, p, q);
    }
    return STATUS_OK;
}

static enum status take_mills(struct board *board, const struct board_lists *lists,
                              struct error *err)
{
    int n_at[MAX_POINTS] = {0};
    for (int k = 0; k < lists->n_mills; k++) {
        const uint8_t *m = lists->mills[k];
        const char *a = board->names[m[0]], *b = board->names[m[1]], *c = board->names[m[2]];
        bool again = m[0] == m[1] || m[0] == m[2] || m[1] == m[2];
        point_set mill = (point_set)1 << m[0] | (point_set)1 << m[1] | (point_set)1 << m[2];
        for (int i = 0; i < board->n_mills && !again; i++)
            if (board->mills[i] == mill)
                return fault(lists, PART_MILLS, STATUS_BAD_INPUT, err,
                             "mill %s-%s-%s stands twice", a, b, c);
        if (again)
            return fault(lists, PART_MILLS, STATUS_BAD_INPUT, err,
                         "mill %s-%s-%s has a point twice", a, b, c);
        for (int i = 0; i < 3; i++)
            if (++n_at[m[i]] > MAX_MILLS_AT)
                return fault(lists, PART_MILLS, STATUS_UNSUPPORTED, err,
                             "more than %d mills go through %s", MAX_MILLS_AT,
                             board->names[m[i]]);
        add_mill(board, m[0], m[1], m[2]);
    }
    return STATUS_OK;
}

// What makes a board, to be compared.
struct skeleton {
    int n_points, n_mills;
    char names[MAX_POINTS][3];
    point_set neighbours[MAX_POINTS], mills[MAX_MILLS];
};

static void take_skeleton(struct board *board, struct skeleton *skeleton)
{
    memset(skeleton, 0, sizeof *skeleton);
    sort_mills(board);
    skeleton->n_points = board->n_points;
    skeleton->n_mills = board->n_mills;
    memcpy(skeleton->names, board->names, sizeof skeleton->names);
    memcpy(skeleton->neighbours, board->neighbours, sizeof skeleton->neighbours);
    memcpy(skeleton->mills, board->mills, sizeof skeleton->mills);
}

static enum status build_own(struct board *board, const struct board_lists *lists,
                             struct error *err)
{
    clear(board, BOARD_OWN);
    enum status status = take_points(board, lists, err);
    if (status == STATUS_OK)
        status = take_edges(board, lists, err);
    return status == STATUS_OK ? take_mills(board, lists, err) : status;
}

enum status merels_board_make(struct board *board, const struct board_lists *lists,
                              struct error *err)
{
    struct skeleton own, known;
    enum status status = check_bounds(lists, err);
    if (status == STATUS_OK)
        status = build_own(board, lists, err);
    if (status != STATUS_OK)
        return status;
    take_skeleton(board, &own);
    for (int kind = 0; kind < N_KNOWN_BOARDS; kind++) {
        clear(board, (enum board_kind)kind);
        build(board, (enum board_kind)kind);
        take_skeleton(board, &known);
        if (memcmp(&own, &known, sizeof own) == 0)
            return complete(board, err);
    }
    status = build_own(board, lists, err);
    return status == STATUS_OK ? complete(board, err) : status;
}

int merels_board_point(const struct board *board, const char name[2])
{
    char file = name[0] >= 'A' && name[0] <= 'Z' ? (char)(name[0] - 'A' + 'a') : name[0];
    for (int p = 0; p < board->n_points; p++)
        if (board->names[p][0] == file && board->names[p][1] == name[1])
            return p;
    return -1;
}

int merels_board_mills_closed(const struct board *board, point_set set, int point)
{
    int n_closed = 0;
    for (int k = 0; k < board->n_mills_at[point]; k++)
        n_closed += (board->mates[point][k] & ~set) == 0;
    return n_closed;
}

point_set merels_board_mill_men(const struct board *board, point_set set)
{
    point_set men = 0;
    for (int m = 0; m < board->n_mills; m++)
        if ((board->mills[m] & ~set) == 0)
            men |= board->mills[m];
    return men;
}
