/* merels.h: the public interface of the Merels library: exact values of positions of nine men's
 * morris and its relatives, from a directory of tables that "merels solve" or "merels export"
 * has written.
 *
 * The library prints nothing, never ends the process, installs no signal handler and changes no
 * locale. It starts no thread. Every function needs less than 100 KB of stack.
 *
 * Threads: any number of threads may use one handle at the same time without a lock.
 *
 * Failures: a function that can fail returns an enum merels_status and, if `failure` is not
 * NULL, leaves the status and one line of plain text there that names the thing and where it
 * is. Outputs are written on MERELS_OK only. A damaged or missing table never gives a value; it
 * only stops the answers that need it. NULL for a pointer that must not be NULL is
 * MERELS_BAD_INPUT.
 *
 * Link with "pkg-config --cflags --libs merels", or with merels::merels of
 * find_package(merels).
 */

#ifndef MERELS_H
#define MERELS_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MERELS_API __attribute__((visibility("default")))
#else
#define MERELS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- outcomes --------------------------------------------------------------------------- */

enum merels_status {
    MERELS_OK = 0,
    MERELS_BAD_INPUT = 1,   /* malformed text, unknown rules, an argument out of range */
    MERELS_ILLEGAL = 2,     /* breaks the rules' counts, or the game was over before */
    MERELS_NOT_COVERED = 3, /* legal, but: the text begins with "not covered: cannot arise: " if
                               no game from the start of these rules has such counts, with
                               "not kept: " if its table was made and is not kept here, with
                               "missing: " if it is not there for any other reason */
    MERELS_MISSING = 4,     /* there is no such directory */
    MERELS_CORRUPT = 5,     /* a file is damaged */
    MERELS_NEWER = 6,       /* a file of a format that this library does not know yet */
    MERELS_OTHER_RULES = 7, /* a file made for other rules */
    MERELS_NO_MEMORY = 8,
    MERELS_IO = 9, /* the system refused to open or read a file */
    MERELS_OLDER =
        10 /* a file of a format that is no longer read; the text says what makes it anew */
};

enum { MERELS_FAILURE_BYTES = 512 };

struct merels_failure {
    enum merels_status status;
    char text[MERELS_FAILURE_BYTES]; /* one line, NUL-terminated, without a newline */
};

/* A short constant name: "ok", "not covered", ...; "unknown status" for any other number. */
MERELS_API const char *merels_status_text(enum merels_status status);

/* ---- version ---------------------------------------------------------------------------- */

/* Of this header. The build takes the version of everything from these three numbers. */
#define MERELS_VERSION_MAJOR 0
#define MERELS_VERSION_MINOR 1
#define MERELS_VERSION_PATCH 0

#define MERELS_TEXT_OF_(number) #number
#define MERELS_VERSION_OF_(major, minor, patch) \
    MERELS_TEXT_OF_(major) "." MERELS_TEXT_OF_(minor) "." MERELS_TEXT_OF_(patch)

/* The same as text: "0.1.0". */
#define MERELS_VERSION \
    MERELS_VERSION_OF_(MERELS_VERSION_MAJOR, MERELS_VERSION_MINOR, MERELS_VERSION_PATCH)

/* The version of the library that is linked, in the same form; a shared library may be another
 * one than the header that the program was built with. */
MERELS_API const char *merels_version(void);

/* ---- opening and closing ---------------------------------------------------------------- */

struct merels; /* a tablebase and its rules; opaque */

/* Opens the directory `dir` of tables for `rules`, a preset and options as in "nine",
 * "nine-nofly", "nine,fly=0,removals=each". Only the manifest is read; each table is opened
 * when a position first needs it, and at most 64 files (a quarter of what the process may have)
 * are open at a time. Decompressed blocks of at most `cache_bytes` bytes are kept: 0 keeps
 * none, 64 MB hold a thousand. Besides them a handle takes about 3 MB, and up to 7 MB more
 * once positions of all numbers of men were asked. Costs some 10 milliseconds.
 *
 * The handle is the caller's: end with merels_close.
 * MERELS_BAD_INPUT (rules, with the known ones), MERELS_MISSING (no such directory),
 * MERELS_CORRUPT, MERELS_NEWER, MERELS_OTHER_RULES (its manifest), MERELS_NO_MEMORY, MERELS_IO.
 */
MERELS_API enum merels_status merels_open(const char *rules, const char *dir,
                                          size_t cache_bytes, struct merels **handle,
                                          struct merels_failure *failure);

/* One more reference to a handle, for a thread or object that may outlive the caller's; returns
 * `handle`. Each reference ends with its own merels_close. */
MERELS_API struct merels *merels_share(struct merels *handle);

/* Gives a reference back; the last one frees everything. NULL is allowed. Safe while other
 * threads are inside calls on the same handle: these finish, and the last of them frees it. A
 * call that *begins* after the last reference was given back is an error of the caller: a
 * thread that cannot know holds a reference of its own (merels_share). */
MERELS_API void merels_close(struct merels *handle);

/* ---- positions -------------------------------------------------------------------------- */

/* A set of points: bit i is point i. On the board of 24 points, from bit 0:
 * a7 d7 g7 g4 g1 d1 a1 a4  b6 d6 f6 f4 f2 d2 b2 b4  c5 d5 e5 e4 e3 d3 c3 c4. */
struct merels_position {
    uint32_t white, black; /* men on the board; the two sets share no point */
    uint8_t white_hand;    /* men that White has still to place */
    uint8_t black_hand;
    uint8_t black_to_move; /* 0: White is to move, 1: Black */
    uint8_t removals_due;  /* 0; in the middle of a turn the men that the mover must remove */
    uint16_t quiet_plies;  /* under rules with n-move, plies in succession so far that took and
                              placed no man, of both sides, 0 to that number; else 0 */
};

/* The name of a point ("a7"), or NULL if the board has no such point. Valid as long as the
 * handle. */
MERELS_API const char *merels_point_name(const struct merels *handle, int point);

/* Reads a position in any of the forms of docs/NOTATION.md:
 *   "w a7,d7,g4,b6 a1,d1,g1 0/0"    side, white men, black men, hands; w! or b!: removal due
 *   the FEN of 17 fields             boards of 24 points
 *   "startpos moves d6 f4 a1-a4xd7"  or a position, then "moves" and plies; games as people and
 *                                    other programs write them ("1. d6 f4 2. d2")
 * Under rules with n-move a position may have its count behind it ("n37"; in the FEN field 16),
 * and the plies of a game are counted on.
 * MERELS_BAD_INPUT or MERELS_ILLEGAL; the text names the form, the token and its column. Some
 * microseconds. */
MERELS_API enum merels_status merels_parse(struct merels *handle, const char *text,
                                           struct merels_position *position,
                                           struct merels_failure *failure);

enum merels_form { MERELS_FORM_SHORT = 1, MERELS_FORM_FEN = 2 };

/* Room for the text of any position. */
enum { MERELS_POSITION_BYTES = 160 };

/* Writes a position; merels_parse reads it back. `text` has MERELS_POSITION_BYTES bytes.
 * MERELS_BAD_INPUT (no such form; the FEN on a board without 24 points), MERELS_ILLEGAL. */
MERELS_API enum merels_status merels_format(struct merels *handle,
                                            const struct merels_position *position,
                                            enum merels_form form, char *text,
                                            struct merels_failure *failure);

/* Plays one complete ply of `before`, given as text: "d6", "a1-a4", "a1-a4xd7", "xd7".
 * `after` may be `before`. MERELS_BAD_INPUT (no ply), MERELS_ILLEGAL (not legal here). */
MERELS_API enum merels_status merels_apply(struct merels *handle,
                                           const struct merels_position *before,
                                           const char *ply, struct merels_position *after,
                                           struct merels_failure *failure);

/* ---- answers ---------------------------------------------------------------------------- */

enum merels_value { MERELS_LOSS = -1, MERELS_DRAW = 0, MERELS_WIN = 1 };

/* A value is that of the side to move, with best play of both. A ply is one complete turn of
 * one side, its removals included. A draw means that neither side can force a win. */
struct merels_answer {
    enum merels_value value;
    int plies;      /* to the end of the game: 0 lost now, odd win, even loss; under rules with
                       metric=dtc or n-move to the next ply that takes a man, of either side, or
                       ends the game; -1 for a draw, and where the tables hold no depths */
    int has_depths; /* 0 if the answer comes from tables without depths (editions wdl, compact)
                     */
};

/* The value of a position. In the middle of a turn it is that of the best removal, and the
 * depth counts the ply that closed the mill. A position in which the game is over needs no
 * table.
 *
 * MERELS_ILLEGAL, MERELS_NOT_COVERED (names the subspace, and whether its file is missing),
 * MERELS_CORRUPT (names the file), MERELS_MISSING (a file removed while in use), MERELS_NEWER,
 * MERELS_OTHER_RULES, MERELS_NO_MEMORY, MERELS_IO. About half a microsecond if the block is in
 * the cache, else one block of 64 KB is read and decompressed: 0.1 ms. Allocates that block and
 * no more. */
MERELS_API enum merels_status merels_probe(struct merels *handle,
                                           const struct merels_position *position,
                                           struct merels_answer *answer,
                                           struct merels_failure *failure);

enum { MERELS_PLY_BYTES = 24 };

/* A legal ply and what it leads to, both as the side sees it that plays it, counted from before
 * it: a ply that ends the game at once wins in 1. */
struct merels_ply {
    int8_t from; /* point; -1 for a placement */
    int8_t to;   /* point; -1 if the ply is only a removal that was due, or a pass ("pass") */
    int8_t n_removed;
    int8_t removed[6];
    enum merels_value value;
    int plies;                   /* as in merels_answer */
    char text[MERELS_PLY_BYTES]; /* "a1-a4xd7": merels_apply reads it */
};

/* The value of a position and all its legal plies, best first: the fastest win, then draws,
 * then the longest resistance; ties in the order of the texts. Without depths plies are
 * ranked by value, those that win at once first. Where the other side picks the men that are
 * taken (chooser=opponent), all plies of a step have the value of its best pick, and that
 * stands first; in the middle of a turn each has its own, what that side prefers first. Writes
 * the first `room` plies (plies may be NULL if room is 0) and their whole number into *n_plies:
 * 0 if the game is over. answer may be NULL.
 *
 * All or nothing: fails as merels_probe does if the table of any successor is missing or
 * damaged, and with MERELS_CORRUPT if two tables contradict each other. Some twenty look-ups.
 */
MERELS_API enum merels_status merels_rank(struct merels *handle,
                                          const struct merels_position *position,
                                          struct merels_ply *plies, size_t room,
                                          size_t *n_plies, struct merels_answer *answer,
                                          struct merels_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
