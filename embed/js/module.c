/* module.c: the reader of edition compact as a WebAssembly module: one file, one reader, memory
 * of its own. Numbers and places in memory go in and out; index.js makes objects of them. */

#include "../merels_compact.h"

#define EXPORT(name) __attribute__((export_name(#name))) name
#define IMPORT(name) __attribute__((import_module("host"), import_name(#name)))

/* The bytes of the file: HERE, LATER, FAILED or ENDS. A place is two halves, the lower one
 * first. */
IMPORT(read)
int host_read(uint32_t low, uint32_t high, void *to, uint32_t n_bytes);
IMPORT(want)
void host_want(uint32_t low, uint32_t high, uint32_t n_bytes);

static uint64_t memory[MERELS_COMPACT_MEMORY / 8];
static struct merels_compact *reader;
static struct merels_compact_position asked;
static struct merels_compact_ply plies[MERELS_COMPACT_PLIES];
static size_t n_plies;
static int value;

static int read_file(void *context, uint64_t offset, void *to, uint32_t n_bytes)
{
    (void)context;
    return host_read((uint32_t)offset, (uint32_t)(offset >> 32), to, n_bytes);
}

static void want_range(void *context, uint64_t offset, uint32_t n_bytes)
{
    (void)context;
    host_want((uint32_t)offset, (uint32_t)(offset >> 32), n_bytes);
}

/* With the length of the file, 0 if it is not known. */
int EXPORT(open)(uint32_t low, uint32_t high);
int EXPORT(open)(uint32_t low, uint32_t high)
{
    struct merels_compact_source source = {0, read_file, want_range, 0};
    source.n_bytes = (uint64_t)high << 32 | low;
    return merels_compact_open(memory, sizeof memory, &source, &reader);
}

void EXPORT(ask)(uint32_t own, uint32_t other, int own_hand, int other_hand, int due);
void EXPORT(ask)(uint32_t own, uint32_t other, int own_hand, int other_hand, int due)
{
    asked.own = own;
    asked.other = other;
    asked.own_hand = (uint8_t)own_hand;
    asked.other_hand = (uint8_t)other_hand;
    asked.due = (uint8_t)due;
}

int EXPORT(find_value)(void);
int EXPORT(find_value)(void)
{
    return merels_compact_value(reader, &asked, &value);
}

int EXPORT(find_ranking)(void);
int EXPORT(find_ranking)(void)
{
    return merels_compact_rank(reader, &asked, plies, MERELS_COMPACT_PLIES, &n_plies);
}

int EXPORT(found_value)(void);
int EXPORT(found_value)(void)
{
    return value;
}

int EXPORT(found_plies)(void);
int EXPORT(found_plies)(void)
{
    return (int)n_plies;
}

/* Bytes of a ply: from, to, value, picked, removed men: how many, then they. */
const void *EXPORT(place_of_plies)(void);
const void *EXPORT(place_of_plies)(void)
{
    return plies;
}

int EXPORT(bytes_of_ply)(void);
int EXPORT(bytes_of_ply)(void)
{
    return (int)sizeof *plies;
}

int EXPORT(points)(void);
int EXPORT(points)(void)
{
    return merels_compact_points(reader);
}

/* The counts of men of subspace k of so many, a byte each: own, other, own hand, other hand. */
int EXPORT(subspaces)(void);
int EXPORT(subspaces)(void)
{
    return (int)merels_compact_subspaces(reader);
}

const void *EXPORT(subspace)(int k);
const void *EXPORT(subspace)(int k)
{
    static struct merels_compact_counts counts;
    counts = merels_compact_subspace(reader, (size_t)k);
    return &counts;
}

const void *EXPORT(fingerprint)(void);
const void *EXPORT(fingerprint)(void)
{
    return merels_compact_fingerprint(reader);
}

static size_t n_rules;

const void *EXPORT(rules)(void);
const void *EXPORT(rules)(void)
{
    return merels_compact_rules(reader, &n_rules);
}

int EXPORT(bytes_of_rules)(void);
int EXPORT(bytes_of_rules)(void)
{
    return (int)n_rules;
}
