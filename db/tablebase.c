// tablebase.c: the tables of a directory or another source: loading them when first needed, and
// looking up positions.
//
// Owns an index, a reader, a block cache, and the tables loaded so far. The path of a look-up:
//
//     merels_tablebase_probe
//         find_or_load_table        by subspace; the first time merels_reader_load_table
//         merels_index_rank         slot
//         fetch_value               merels_cache_get, or if it is not in the cache:
//             merels_table_read_block         reader.c
//                 source->read                directory_source.c (or memory, or a client's),
//                                             whose file is read by file.c
//                 merels_block_decode         codec.c
//
// A tablebase of edition compact has one file in place of tables, which db/compact_base.c
// finds, and a look-up asks db/compact_values.c.
//
// The list of loaded tables only grows: a table is added at the head of its bucket under the
// mutex and published by an atomic store, so that a look-up takes no lock. Failures are not
// remembered: a file that is copied in later is found. Tables stay loaded until the tablebase
// is closed (db/reader.h says what they take); descriptors come and go in directory_source.c.

#include "db/tablebase.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "db/arise.h"
#include "db/cache.h"
#include "db/compact_base.h"
#include "db/directory_source.h"
#include "db/file.h"
#include "db/manifest.h"
#include "game/effects.h"
#include "game/moves.h"

enum { N_BUCKETS = 512 }; // see bucket_of

struct loaded_table {
    struct subspace subspace;
    uint64_t number; // of the table, for cache keys
    struct table *table;
    struct loaded_table *next;
};

struct tablebase {
    const struct byte_source *source;
    struct directory *own_directory; // of the source, if it was opened by its name, else NULL
    const struct rules *rules;
    const struct rules *table_rules;      // of the tables
    struct rules *own_table_rules;        // the same if they are others than `rules`, else NULL
    const struct placing_values *placing; // NULL: none attached
    struct start start;                   // nobody has a man if it was not said
    struct index *index;
    struct table_reader *reader;
    struct cache *cache;
    struct manifest manifest; // nothing without has_manifest
    bool has_manifest;
    const struct manifest *listed; // the edition's part of it, NULL if there is none
    pthread_mutex_t loading;
    _Atomic(enum edition) edition; // 0: not known yet
    struct compact_base *compact;
    uint64_t n_tables;
    _Atomic(struct loaded_table *) buckets[N_BUCKETS];
};

// ---- opening and closing -------------------------------------------------------------------

static enum status load_manifest(struct tablebase *base, struct error *err)
{
    struct error cause;
    enum status status =
        merels_manifest_load(base->source, base->table_rules, &base->manifest, &cause);
    if (status != STATUS_OK && status != STATUS_MISSING)
        return merels_error(err, status, "%s", cause.text);
    base->has_manifest = status == STATUS_OK;
    base->listed = base->has_manifest ? merels_manifest_preferred(&base->manifest) : NULL;
    if (base->listed != NULL && base->listed->n_entries > 0)
        atomic_store(&base->edition, base->listed->edition);
    return STATUS_OK;
}

// A directory with nothing but a file of edition compact is of that edition.
static enum status recognise_compact(struct tablebase *base, bool named, struct error *err)
{
    bool alone = false;
    struct compact_values *values;
    if (base->listed != NULL && !named)
        return STATUS_OK;
    enum status status = merels_compact_base_alone(base->compact, &alone, err);
    if (status != STATUS_OK || !alone)
        return status;
    atomic_store(&base->edition, EDITION_COMPACT);
    return merels_compact_base_values(base->compact, &values, err);
}

static enum status create_parts(struct tablebase *base, char *name, size_t cache_bytes,
                                struct error *err)
{
    bool named = name != NULL;
    enum status status =
        merels_compact_base_create(base->source, base->table_rules, name, &base->compact, err);
    if (status == STATUS_OK)
        status = load_manifest(base, err);
    if (status == STATUS_OK)
        status = merels_index_create(&base->rules->board, &base->index, err);
    if (status == STATUS_OK)
        status = merels_reader_create(base->source, &base->reader, err);
    if (status == STATUS_OK)
        status = merels_cache_create(cache_bytes, &base->cache, err);
    return status == STATUS_OK ? recognise_compact(base, named, err) : status;
}

static enum status find_table_rules(struct tablebase *base, struct error *err)
{
    if (base->rules->closed_points == CLOSED_POINTS_NO)
        return STATUS_OK;
    base->own_table_rules = malloc(sizeof *base->own_table_rules);
    if (base->own_table_rules == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", base->source->place);
    merels_rules_of_tables(base->rules, base->own_table_rules);
    base->table_rules = base->own_table_rules;
    return STATUS_OK;
}

// With the name of a file of edition compact, that is what is opened; takes the name, also if
// it fails.
static enum status open_named(const struct byte_source *source, char *name,
                              const struct rules *rules, size_t cache_bytes,
                              struct tablebase **base, struct error *err)
{
    struct tablebase *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->loading, NULL) != 0) {
        free(made);
        free(name);
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", source->place);
    }
    made->source = source;
    made->rules = made->table_rules = rules;
    enum status status = find_table_rules(made, err);
    if (status == STATUS_OK)
        status = create_parts(made, name, cache_bytes, err);
    else
        free(name);
    if (status != STATUS_OK) {
        merels_tablebase_close(made);
        return status;
    }
    *base = made;
    return STATUS_OK;
}

enum status merels_tablebase_open_source(const struct byte_source *source,
                                         const struct rules *rules, size_t cache_bytes,
                                         struct tablebase **base, struct error *err)
{
    return open_named(source, NULL, rules, cache_bytes, base, err);
}

enum status merels_tablebase_open(const char *dir, const struct rules *rules,
                                  size_t cache_bytes, struct tablebase **base,
                                  struct error *err)
{
    struct directory *directory = NULL;
    char *parent = NULL, *name = NULL;
    enum status status = merels_compact_base_split(dir, &parent, &name, err);
    if (status == STATUS_OK)
        status = merels_dir_check(parent, err);
    if (status == STATUS_OK)
        status = merels_directory_create(parent, merels_file_budget(), &directory, err);
    if (status == STATUS_OK)
        status =
            open_named(merels_directory_source(directory), name, rules, cache_bytes, base, err);
    else
        free(name);
    if (status == STATUS_OK)
        (*base)->own_directory = directory;
    else
        merels_directory_destroy(directory);
    free(parent);
    return status;
}

static void close_tables(struct loaded_table *entry)
{
    while (entry != NULL) {
        struct loaded_table *next = entry->next;
        merels_table_close(entry->table);
        free(entry);
        entry = next;
    }
}

void merels_tablebase_close(struct tablebase *base)
{
    if (base == NULL)
        return;
    for (int i = 0; i < N_BUCKETS; i++)
        close_tables(atomic_load(&base->buckets[i]));
    merels_compact_base_destroy(base->compact);
    merels_cache_destroy(base->cache);
    merels_reader_destroy(base->reader);
    merels_index_destroy(base->index);
    merels_manifest_free(&base->manifest);
    pthread_mutex_destroy(&base->loading);
    merels_directory_destroy(base->own_directory);
    free(base->own_table_rules);
    free(base);
}

void merels_tablebase_begin_from(struct tablebase *base, struct start start)
{
    base->start = start;
}

void merels_tablebase_attach(struct tablebase *base, const struct placing_values *values)
{
    base->placing = values;
}

void merels_tablebase_begin_answer(struct tablebase *base)
{
    if (base->placing != NULL)
        base->placing->begin(base->placing->context);
}

void merels_tablebase_choose(struct tablebase *base, enum edition edition)
{
    base->listed = base->has_manifest ? merels_manifest_of(&base->manifest, edition) : NULL;
    atomic_store(&base->edition, edition);
}

struct index *merels_tablebase_index(struct tablebase *base)
{
    return base->index;
}

enum edition merels_tablebase_edition(struct tablebase *base)
{
    enum edition edition = atomic_load(&base->edition);
    return edition == 0 ? edition_of_rules(base->rules) : edition;
}

// ---- tables --------------------------------------------------------------------------------

static _Atomic(struct loaded_table *) *bucket_of(struct tablebase *base, struct subspace s)
{
    unsigned key = s.a + 25u * (s.b + 25u * (s.ha + 25u * s.hb));
    return &base->buckets[key * 2654435761u >> 23];
}

static struct loaded_table *find_loaded(struct tablebase *base, struct subspace s)
{
    struct loaded_table *entry = atomic_load_explicit(bucket_of(base, s), memory_order_acquire);
    while (entry != NULL && !merels_subspace_equal(entry->subspace, s))
        entry = entry->next;
    return entry;
}

// What the manifest says of the length of a table's file, 0 if nothing.
static uint64_t listed_bytes(const struct tablebase *base, struct subspace s)
{
    const struct manifest_entry *entry =
        base->listed != NULL ? merels_manifest_find(base->listed, s) : NULL;
    return entry == NULL || entry->dropped ? 0 : entry->file_bytes;
}

// Loads a table of the tablebase's edition; where no manifest says which that is, the first
// table that is found does. The mutex is held.
static enum status load_table(struct tablebase *base, struct subspace s, struct table **table,
                              struct error *err)
{
    enum edition edition = atomic_load(&base->edition), first = edition;
    if (edition == 0)
        first = edition_of_rules(base->rules);
    enum status status = merels_reader_load_table(base->reader, base->table_rules, s, first,
                                                  listed_bytes(base, s), table, err);
    if (status == STATUS_MISSING && edition == 0) {
        first = EDITION_WDL;
        status =
            merels_reader_load_table(base->reader, base->table_rules, s, first, 0, table, NULL);
        if (status == STATUS_MISSING) // in the words of the usual edition
            status = merels_reader_load_table(base->reader, base->table_rules, s,
                                              edition_of_rules(base->rules), 0, table, err);
    }
    if (status == STATUS_OK)
        atomic_store(&base->edition, first);
    return status;
}

// The first fact in which a table's header differs from its line in the manifest, NULL if none
// does.
static const char *differing_fact(const struct table_header *x, const struct table_header *y)
{
    const struct table_stats *s = &x->stats, *t = &y->stats;
    return x->value_bytes != y->value_bytes                          ? "width"
           : s->win != t->win                                        ? "win"
           : s->draw != t->draw                                      ? "draw"
           : s->loss != t->loss                                      ? "loss"
           : s->none != t->none                                      ? "none"
           : s->max_win != t->max_win                                ? "max-win"
           : s->max_win_slot != t->max_win_slot                      ? "max-win-slot"
           : s->max_loss != t->max_loss                              ? "max-loss"
           : s->max_loss_slot != t->max_loss_slot                    ? "max-loss-slot"
           : memcmp(x->value_hash, y->value_hash, SHA256_BYTES) != 0 ? "values"
                                                                     : NULL;
}

// A table that the manifest lists must be the one that it describes. (The length of the file
// may be another: other versions of zstd make other lengths of the same values.)
static enum status check_listed(const struct tablebase *base, struct subspace s,
                                const struct table *table, struct error *err)
{
    const struct manifest *of =
        base->has_manifest
            ? merels_manifest_of(&base->manifest, merels_table_header(table)->edition)
            : NULL;
    const struct manifest_entry *entry = of != NULL ? merels_manifest_find(of, s) : NULL;
    const char *fact =
        entry == NULL ? NULL : differing_fact(merels_table_header(table), &entry->header);
    if (fact == NULL)
        return STATUS_OK;
    return merels_error(err, STATUS_CORRUPT,
                        "%s: not the table that the manifest lists: '%s' of its header is "
                        "another",
                        merels_table_path(table), fact);
}

// Loads a table and publishes it; the mutex is held.
static enum status add_table(struct tablebase *base, struct subspace s,
                             struct loaded_table **entry, struct error *err)
{
    struct loaded_table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", base->source->place);
    enum status status = load_table(base, s, &made->table, err);
    if (status == STATUS_OK)
        status = check_listed(base, s, made->table, err);
    if (status != STATUS_OK) {
        merels_table_close(made->table);
        free(made);
        return status;
    }
    _Atomic(struct loaded_table *) *bucket = bucket_of(base, s);
    made->subspace = s;
    made->number = base->n_tables++;
    made->next = atomic_load_explicit(bucket, memory_order_relaxed);
    atomic_store_explicit(bucket, made, memory_order_release);
    *entry = made;
    return STATUS_OK;
}

static enum status find_or_load_table(struct tablebase *base, struct subspace s,
                                      struct loaded_table **entry, struct error *err)
{
    *entry = find_loaded(base, s);
    if (*entry != NULL)
        return STATUS_OK;
    pthread_mutex_lock(&base->loading);
    enum status status = STATUS_OK;
    *entry = find_loaded(base, s);
    if (*entry == NULL)
        status = add_table(base, s, entry, err);
    pthread_mutex_unlock(&base->loading);
    return status;
}

static enum status say_not_kept(const struct tablebase *base, struct subspace s,
                                enum status status, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(s, name);
    return merels_error(err, status,
                        "not kept: subspace %s was solved, but its table is not kept in %s",
                        name, base->source->place);
}

enum status merels_tablebase_table(struct tablebase *base, struct subspace s,
                                   const struct table **table, struct error *err)
{
    struct loaded_table *entry;
    if (merels_tablebase_edition(base) == EDITION_COMPACT)
        return merels_error(err, STATUS_UNSUPPORTED,
                            "%s: the edition compact has no tables, only values of positions",
                            base->source->place);
    struct error cause;
    enum status status = find_or_load_table(base, s, &entry, &cause);
    const struct manifest_entry *listed =
        base->listed != NULL ? merels_manifest_find(base->listed, s) : NULL;
    if (status == STATUS_MISSING && listed != NULL && listed->dropped)
        return say_not_kept(base, s, status, err);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", cause.text);
    *table = entry->table;
    return STATUS_OK;
}

// ---- listing -------------------------------------------------------------------------------

// The subspaces whose files of an edition are among the names; returns how many.
static size_t find_names(const struct names *names, enum edition edition,
                         struct subspace *found)
{
    size_t n = 0;
    for (size_t i = 0; i < names->n; i++)
        n += merels_table_named(names->names[i], edition, &found[n]);
    return n;
}

static int compare_subspaces(const void *x, const void *y)
{
    return merels_subspace_compare(*(const struct subspace *)x, *(const struct subspace *)y);
}

static enum status list_compact(struct tablebase *base, struct subspace **subspaces, size_t *n,
                                struct error *err)
{
    struct compact_values *values;
    enum status status = merels_compact_base_values(base->compact, &values, err);
    if (status == STATUS_OK)
        status = merels_compact_values_list(values, subspaces, n, err);
    if (status == STATUS_OK)
        qsort(*subspaces, *n, sizeof **subspaces, compare_subspaces);
    return status;
}

enum status merels_tablebase_list(struct tablebase *base, struct subspace **subspaces,
                                  size_t *n, struct error *err)
{
    struct names names;
    if (merels_tablebase_edition(base) == EDITION_COMPACT)
        return list_compact(base, subspaces, n, err);
    enum status status = merels_source_list(base->source, &names, err);
    if (status != STATUS_OK)
        return status;
    size_t n_found, n_listed = 0;
    if (base->source->list == NULL && base->listed != NULL)
        n_listed = base->listed->n_entries;
    struct subspace *found = malloc((names.n + n_listed + 1) * sizeof *found);
    if (found == NULL) {
        merels_names_free(&names);
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", base->source->place);
    }
    enum edition edition = atomic_load(&base->edition);
    n_found = find_names(&names, merels_tablebase_edition(base), found);
    if (n_found == 0 && edition == 0)
        n_found = find_names(&names, EDITION_WDL, found);
    for (size_t i = 0; i < n_listed; i++)
        if (!base->listed->entries[i].dropped)
            found[n_found++] = base->listed->entries[i].subspace;
    merels_names_free(&names);
    qsort(found, n_found, sizeof *found, compare_subspaces);
    *subspaces = found;
    *n = n_found;
    return STATUS_OK;
}

// ---- looking up ----------------------------------------------------------------------------

// A table that is not there although it could be: why.
static enum status not_there(struct tablebase *base, struct subspace s, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES], file[TABLE_NAME_BYTES];
    const char *place = base->source->place;
    const struct manifest_entry *entry =
        base->listed != NULL ? merels_manifest_find(base->listed, s) : NULL;
    merels_subspace_name(s, name);
    if (merels_tablebase_edition(base) == EDITION_COMPACT)
        return merels_error(err, STATUS_NOT_COVERED, "missing: subspace %s is outside of %s/%s",
                            name, place, merels_compact_base_name(base->compact));
    merels_table_name(s, merels_tablebase_edition(base), file);
    if (base->listed == NULL)
        return merels_error(err, STATUS_NOT_COVERED, "missing: subspace %s: no file %s in %s",
                            name, file, place);
    if (entry == NULL)
        return merels_error(err, STATUS_NOT_COVERED,
                            "missing: subspace %s is outside this tablebase (%s/MANIFEST does "
                            "not list it in edition %s)",
                            name, place, merels_edition_name(merels_tablebase_edition(base)));
    if (entry->dropped)
        return say_not_kept(base, s, STATUS_NOT_COVERED, err);
    return merels_error(
        err, STATUS_NOT_COVERED,
        "missing: subspace %s: its file %s is gone from %s, though the manifest "
        "lists it",
        name, file, place);
}

// Turns "no such file" into what it means for the tablebase.
static enum status not_covered(struct tablebase *base, struct subspace s, struct error *err)
{
    const struct start *start = &base->start;
    char name[SUBSPACE_NAME_BYTES];
    if (start->first_men == 0 || merels_subspace_arises(base->rules, *start, s))
        return not_there(base, s, err);
    merels_subspace_name(s, name);
    return merels_error(err, STATUS_NOT_COVERED,
                        "not covered: cannot arise: subspace %s from %d men against %d", name,
                        start->first_men, start->second_men);
}

// The bytes of one value (wdl: the byte that holds its code), from the cache or the file.
static enum status fetch_value(struct tablebase *base, const struct loaded_table *entry,
                               uint64_t slot, uint8_t value[2], struct error *err)
{
    const struct table_header *header = merels_table_header(entry->table);
    uint64_t block = slot / header->block_slots, in_block = slot % header->block_slots;
    uint64_t key = entry->number << 32 | block;
    bool packed = header->edition == EDITION_WDL;
    size_t width = packed ? 1 : (size_t)header->value_bytes;
    size_t offset = packed ? (size_t)in_block / 4 : (size_t)in_block * width;
    if (merels_cache_get(base->cache, key, offset, width, value))
        return STATUS_OK;
    size_t n_bytes = merels_table_block_bytes(entry->table, block);
    uint8_t *values = malloc(n_bytes);
    if (values == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for a block");
    enum status status = merels_table_read_block(entry->table, block, values, err);
    if (status != STATUS_OK) {
        free(values);
        return status;
    }
    memcpy(value, values + offset, width);
    merels_cache_put(base->cache, key, values, n_bytes);
    return STATUS_OK;
}

// The meaning of a code of edition wdl; one that the header counts nowhere is no value of this
// table.
static enum status decode_wdl(const struct table *table, uint64_t slot, uint8_t packed,
                              struct answer *answer, struct error *err)
{
    const struct table_stats *stats = &merels_table_header(table)->stats;
    int code = wdl_unpack(&packed, slot % 4);
    answer->edition = EDITION_WDL;
    answer->plies = -1;
    answer->value = code == WDL_WIN ? VALUE_WIN : code == WDL_LOSS ? VALUE_LOSS : VALUE_DRAW;
    const uint64_t counts[4] = {stats->draw, stats->win, stats->loss, 0};
    if (counts[code] > 0)
        return STATUS_OK;
    return merels_error(err, STATUS_CORRUPT,
                        "%s: slot %llu holds a value that its header denies",
                        merels_table_path(table), (unsigned long long)slot);
}

// The meaning of a value with depth; one beyond the longest of the table is no value of this
// table. Where every ply converts, a depth of metric dtc says no more than the result.
static enum status decode_depth(const struct rules *rules, const struct table *table,
                                uint64_t slot, const uint8_t value[2], struct answer *answer,
                                struct error *err)
{
    const struct table_header *header = merels_table_header(table);
    int number = table_value(value, header->value_bytes);
    int depth = value_plies(header->edition, number);
    bool wins = value_wins(number);
    answer->edition = header->edition;
    answer->plies =
        header->edition == EDITION_DTC && merels_all_convert(rules, header->subspace) ? -1
                                                                                      : depth;
    answer->value = depth < 0 ? VALUE_DRAW : wins ? VALUE_WIN : VALUE_LOSS;
    int deepest = wins ? header->stats.max_win : header->stats.max_loss;
    if (depth >= 0 && depth > deepest)
        return merels_error(
            err, STATUS_CORRUPT,
            "%s: slot %llu holds a depth of %d plies, more than its header says",
            merels_table_path(table), (unsigned long long)slot, depth);
    return STATUS_OK;
}

static enum status probe_compact(struct tablebase *base, const struct position *pos,
                                 struct answer *answer, struct error *err)
{
    struct compact_values *values;
    int value;
    enum status status = merels_compact_base_values(base->compact, &values, err);
    if (status != STATUS_OK)
        return status;
    status = merels_compact_values_probe(values, pos, &value, err);
    if (status == STATUS_MISSING)
        return not_covered(base, merels_subspace_of(pos), err);
    if (status == STATUS_OK)
        *answer = (struct answer){
            .value = (enum value)value, .plies = -1, .edition = EDITION_COMPACT};
    return status;
}

// Under rules that count plies a result stands if the plies left suffice for it: the table has
// the fewest with which it does.
static void count_plies(const struct rules *rules, const struct position *pos,
                        struct answer *answer)
{
    bool counts = rules->n_move > 0 && answer->plies >= 0;
    if (counts && pos->count + answer->plies > rules->n_move)
        *answer = (struct answer){.value = VALUE_DRAW, .plies = -1, .edition = answer->edition};
}

static enum status probe_table(struct tablebase *base, const struct position *pos,
                               struct answer *answer, struct error *err)
{
    struct loaded_table *entry;
    struct subspace s = merels_subspace_of(pos);
    uint64_t slot;
    uint8_t value[2];
    struct error cause;
    enum status status = find_or_load_table(base, s, &entry, &cause);
    if (status == STATUS_MISSING)
        return not_covered(base, s, err);
    if (status != STATUS_OK)
        return merels_error(err, status, "%s", cause.text);
    status = merels_index_rank(base->index, pos, &slot, err);
    if (status == STATUS_OK)
        status = fetch_value(base, entry, slot, value, err);
    if (status != STATUS_OK)
        return status;
    if (merels_table_header(entry->table)->edition == EDITION_WDL)
        return decode_wdl(entry->table, slot, value[0], answer, err);
    status = decode_depth(base->rules, entry->table, slot, value, answer, err);
    if (status == STATUS_OK)
        count_plies(base->rules, pos, answer);
    return status;
}

// True for a position that no table holds.
static bool is_searched(const struct tablebase *base, const struct position *pos)
{
    return base->rules->closed_points == CLOSED_POINTS_YES &&
           pos->own_hand + pos->other_hand > 0;
}

static enum status probe_searched(struct tablebase *base, const struct position *pos,
                                  struct answer *answer, struct error *err)
{
    if (base->placing != NULL)
        return base->placing->probe(base->placing->context, pos, answer, err);
    return merels_error(err, STATUS_UNSUPPORTED,
                        "with closed-points no table holds positions with men in hand, and "
                        "there is no search here");
}

// A position with nothing due: over, or in a table, or searched.
static enum status probe_quiet(struct tablebase *base, const struct position *pos,
                               struct answer *answer, struct error *err)
{
    int value;
    if (!merels_position_over(base->rules, pos, &value))
        return is_searched(base, pos) ? probe_searched(base, pos, answer, err)
               : merels_tablebase_edition(base) == EDITION_COMPACT
                   ? probe_compact(base, pos, answer, err)
                   : probe_table(base, pos, answer, err);
    answer->value = (enum value)value;
    answer->plies = value == 0 ? -1 : 0;
    answer->edition = edition_of_rules(base->rules);
    return STATUS_OK;
}

struct answer merels_answer_before(const struct rules *rules, const struct position *pos,
                                   const struct ply *ply, struct answer after)
{
    struct answer before = {.value = (enum value)(-(int)after.value),
                            .plies = after.plies < 0 ? -1 : after.plies + 1,
                            .edition = after.edition};
    if (after.edition != EDITION_DTC || after.value == VALUE_DRAW || after.plies == 0)
        return before; // a ply that ends the game is the last one in any metric
    if (pos->due > 0 || merels_ply_converts(rules, pos, ply))
        before.plies = merels_all_convert(rules, merels_subspace_of(pos)) ? -1 : 1;
    return before;
}

// True if the mover prefers x: fastest win, draw, longest loss. Without depths (-1) only a ply
// that ends the game has one: no win is faster, and no such loss is the longest.
static bool is_better(struct answer x, struct answer y)
{
    if (x.value != y.value)
        return x.value > y.value;
    if (x.plies < 0 || y.plies < 0)
        return x.value == VALUE_WIN ? x.plies > y.plies : x.plies < y.plies;
    return x.value == VALUE_WIN ? x.plies < y.plies : x.plies > y.plies;
}

// Of two removals: which is made, by whoever picks.
static bool is_picked(const struct rules *rules, struct answer x, struct answer y)
{
    return rules->chooser == CHOOSER_MOVER ? is_better(x, y) : is_better(y, x);
}

enum status merels_tablebase_prepare(struct tablebase *base, const struct position *pos,
                                     struct error *err)
{
    struct compact_values *values;
    struct error reason;
    if (merels_tablebase_edition(base) != EDITION_COMPACT || is_searched(base, pos))
        return STATUS_OK;
    enum status status = merels_compact_base_values(base->compact, &values, &reason);
    if (status == STATUS_OK)
        status = merels_compact_values_prepare(values, pos, &reason);
    return status == STATUS_NOT_YET ? merels_error(err, status, "%s", reason.text) : STATUS_OK;
}

// The removal that is picked. What a source has to fetch for one of them it is told for the
// others too.
static enum status probe_due(struct tablebase *base, const struct position *pos,
                             struct answer *answer, struct error *err)
{
    struct ply plies[MAX_PLIES];
    int n = merels_plies(base->rules, pos, plies), n_known = 0;
    enum status waiting = STATUS_OK;
    for (int i = 0; i < n; i++) {
        struct position after = merels_play(base->rules, pos, plies[i]);
        struct answer theirs;
        enum status status = probe_quiet(base, &after, &theirs, err);
        if (status == STATUS_NOT_YET)
            waiting = status;
        else if (status != STATUS_OK)
            return status;
        else {
            struct answer mine = merels_answer_before(base->rules, pos, &plies[i], theirs);
            if (n_known++ == 0 || is_picked(base->rules, mine, *answer))
                *answer = mine;
        }
    }
    if (n == 0)
        return merels_error(err, STATUS_ILLEGAL, "a removal is due, but none is possible");
    return waiting;
}

enum status merels_tablebase_probe(struct tablebase *base, const struct position *pos,
                                   struct answer *answer, struct error *err)
{
    struct answer found;
    enum status status = merels_position_check(base->rules, pos, err);
    if (status != STATUS_OK)
        return status;
    status =
        pos->due > 0 ? probe_due(base, pos, &found, err) : probe_quiet(base, pos, &found, err);
    if (status == STATUS_OK)
        *answer = found;
    return status;
}
