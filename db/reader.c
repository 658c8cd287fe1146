// reader.c: loading a table (header and groups are checked) and reading values.
//
//     load    | header | groups | .............................   one piece
//     read    ................. | entries of a group | ........   the first time, then kept
//             ........................................ | block |
//
// Bounded first, believed later: nothing is allocated by a number from the file before that
// number was checked against the length of the file. What was read of the block index stays in
// memory: 16 bytes for each group of 128 blocks, and for each block of the groups in use.

#include "db/reader.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "db/block_index.h"
#include "db/codec.h"
#include "db/directory_source.h"
#include "db/file.h"
#include "db/refusal.h"

enum { MAX_IDLE = 4 };

// Room for reading blocks, one after the other.
struct block_room {
    struct block_room *next;
    struct block_decoder *decoder;
    uint8_t *stored;
    uint8_t *plain;
};

struct table_reader {
    const struct byte_source *source;
    struct directory *own_directory; // of the source, if nobody else has it, else NULL
    pthread_mutex_t mutex;           // of the idle rooms
    struct block_room *idle;
    int n_idle;
};

struct table {
    struct table_header header;
    struct table_layout layout;
    struct block_index index;
    uint64_t n_file_bytes;
    char name[TABLE_NAME_BYTES];
    char *path; // for messages
    struct index_entry *groups;
    _Atomic(struct index_entry *) *blocks; // of each group, NULL until they were read
    struct table_reader *reader;
    struct table_reader *own_reader; // the same if nobody shares it, else NULL
};

// ---- rooms ---------------------------------------------------------------------------------

static void free_room(struct block_room *room)
{
    merels_block_decoder_destroy(room->decoder);
    free(room->stored);
    free(room->plain);
    free(room);
}

static struct block_room *make_room(void)
{
    struct block_room *made = calloc(1, sizeof *made);
    if (made == NULL)
        return NULL;
    made->stored = malloc(MAX_BLOCK_BYTES);
    made->plain = malloc(MAX_BLOCK_BYTES);
    if (made->stored == NULL || made->plain == NULL ||
        merels_block_decoder_create(&made->decoder, NULL) != STATUS_OK) {
        free_room(made);
        return NULL;
    }
    return made;
}

static enum status take_room(struct table_reader *reader, struct block_room **room,
                             struct error *err)
{
    pthread_mutex_lock(&reader->mutex);
    struct block_room *taken = reader->idle;
    if (taken != NULL) {
        reader->idle = taken->next;
        reader->n_idle--;
    }
    pthread_mutex_unlock(&reader->mutex);
    if (taken == NULL)
        taken = make_room();
    if (taken == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for reading a block");
    *room = taken;
    return STATUS_OK;
}

static void give_room(struct table_reader *reader, struct block_room *room)
{
    pthread_mutex_lock(&reader->mutex);
    bool keep = reader->n_idle < MAX_IDLE;
    if (keep) {
        room->next = reader->idle;
        reader->idle = room;
        reader->n_idle++;
    }
    pthread_mutex_unlock(&reader->mutex);
    if (!keep)
        free_room(room);
}

enum status merels_reader_create(const struct byte_source *source, struct table_reader **reader,
                                 struct error *err)
{
    struct table_reader *made = calloc(1, sizeof *made);
    if (made == NULL || pthread_mutex_init(&made->mutex, NULL) != 0) {
        free(made);
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a reader",
                            source->place);
    }
    made->source = source;
    *reader = made;
    return STATUS_OK;
}

enum status merels_directory_reader_create(const char *dir, int max_files,
                                           struct table_reader **reader, struct error *err)
{
    struct directory *directory;
    enum status status = merels_directory_create(dir, max_files, &directory, err);
    if (status != STATUS_OK)
        return status;
    status = merels_reader_create(merels_directory_source(directory), reader, err);
    if (status == STATUS_OK)
        (*reader)->own_directory = directory;
    else
        merels_directory_destroy(directory);
    return status;
}

void merels_reader_destroy(struct table_reader *reader)
{
    if (reader == NULL)
        return;
    while (reader->idle != NULL) {
        struct block_room *room = reader->idle;
        reader->idle = room->next;
        free_room(room);
    }
    pthread_mutex_destroy(&reader->mutex);
    merels_directory_destroy(reader->own_directory);
    free(reader);
}

// ---- loading: the bytes --------------------------------------------------------------------

// The head of a table: its header and, as far as their number is known before, its groups.
struct head {
    size_t n_bytes;
    uint8_t *bytes;
};

// The bytes of header and groups of a table that is not seen yet.
static size_t head_bytes(const struct rules *rules, struct subspace s, enum edition edition)
{
    if (rules == NULL)
        return TABLE_HEADER_BYTES;
    uint32_t step = merels_edition_block_slots(edition);
    uint64_t n_slots = merels_subspace_slots(&rules->board, s);
    return (size_t)merels_block_index(n_slots / step + (n_slots % step != 0)).entries;
}

// The size, and with it the head.
static enum status fetch_head(struct table *table, const struct rules *rules, struct subspace s,
                              enum edition edition, uint64_t file_bytes, struct head *head,
                              struct error *err)
{
    const struct byte_source *source = table->reader->source;
    enum status status = source->size(source->context, table->name, &table->n_file_bytes, err);
    uint64_t all = status == STATUS_OK ? table->n_file_bytes
                   : file_bytes > 0    ? file_bytes
                                       : UINT64_MAX;
    head->n_bytes = head_bytes(rules, s, edition);
    if (head->n_bytes > all)
        head->n_bytes = (size_t)all;
    if (status == STATUS_OK) {
        head->bytes = malloc(head->n_bytes + 1);
        if (head->bytes == NULL)
            return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
        status = source->read(source->context, table->name, 0, head->bytes, head->n_bytes, err);
    }
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name, &(struct byte_range){0, head->n_bytes}, 1);
    return status;
}

// ---- loading: what they say ----------------------------------------------------------------

static enum status corrupt(struct error *err, const struct table *table, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "%s: %s", table->path, what);
}

// The same of a group of blocks, counted from 0 as in docs/FORMAT.md.
static enum status corrupt_group(struct error *err, const struct table *table, uint64_t group,
                                 const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "%s: group %llu of the blocks %s", table->path,
                        (unsigned long long)group, what);
}

// The header, and whether it is the table that was asked for.
static enum status check_header(struct table *table, const struct head *head,
                                const struct rules *rules, struct subspace subspace,
                                enum edition edition, struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_header_decode(head->bytes, head->n_bytes, table->path,
                                              &table->header, &table->layout, err);
    if (status == STATUS_OLDER)
        return merels_refuse_older(table->path, rules, err);
    if (status == STATUS_OK && rules != NULL)
        status = merels_rules_fingerprint(rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    if (rules != NULL && memcmp(fingerprint, table->header.fingerprint, FINGERPRINT_BYTES) != 0)
        return merels_refuse_fingerprint(table->path, table->header.fingerprint, rules, err);
    if (!merels_subspace_equal(subspace, table->header.subspace))
        return corrupt(err, table, "holds another subspace than its name says");
    if (table->header.edition != edition)
        return corrupt(err, table, "holds another edition than its name says");
    if (rules != NULL && rules->mill != MILL_WINS && table->header.stats.none > 0)
        return corrupt(err, table, "counts slots that are no position, which these rules lack");
    return merels_header_check(&table->header, &table->layout,
                               rules != NULL ? &rules->board : NULL, table->path, err);
}

// Groups by themselves, if they were not in the head.
static enum status fetch_groups(const struct table *table, struct head *head, struct error *err)
{
    const struct byte_source *source = table->reader->source;
    uint64_t n_bytes = table->index.entries;
    if (head->n_bytes >= n_bytes)
        return STATUS_OK;
    uint8_t *grown = realloc(head->bytes, (size_t)n_bytes);
    if (grown == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    const struct byte_range range = {head->n_bytes, n_bytes - head->n_bytes};
    head->bytes = grown;
    enum status status = source->read(source->context, table->name, range.offset,
                                      grown + range.offset, (size_t)range.n_bytes, err);
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name, &range, 1);
    if (status == STATUS_OK)
        head->n_bytes = (size_t)n_bytes;
    return status;
}

static uint64_t group_end(const struct table *table, uint64_t group)
{
    return group + 1 < table->index.n_groups ? table->groups[group + 1].offset
                                             : table->layout.file_bytes;
}

// Offsets must rise from the end of the index to the end of the file, and no group may be
// shorter than a byte a block or longer than the values of its blocks.
static enum status check_groups(const struct table *table, struct error *err)
{
    uint64_t begin = table->index.data;
    for (uint64_t g = 0; g < table->index.n_groups; g++) {
        uint64_t n_blocks = merels_group_blocks(&table->index, g), end = group_end(table, g);
        if (table->groups[g].offset != begin || end <= begin || end - begin < n_blocks ||
            end - begin > n_blocks * merels_table_block_bytes(table, g * GROUP_BLOCKS))
            return corrupt_group(err, table, g, "has an impossible offset in the block index");
        begin = end;
    }
    return STATUS_OK;
}

static enum status load_groups(struct table *table, struct head *head, struct error *err)
{
    const struct table_layout *layout = &table->layout;
    table->index = merels_block_index(layout->n_blocks); // checked: < 2^27
    size_t n_groups = (size_t)table->index.n_groups;
    if (layout->file_bytes != table->n_file_bytes || layout->file_bytes < table->index.data)
        return corrupt(err, table, "the length of the file is wrong");
    enum status status = fetch_groups(table, head, err);
    if (status != STATUS_OK)
        return status;
    const uint8_t *bytes = head->bytes + TABLE_HEADER_BYTES;
    if (merels_xxh64(bytes, n_groups * INDEX_ENTRY_BYTES) != layout->index_checksum)
        return corrupt(err, table, "block index checksum mismatch");
    table->groups = malloc(n_groups * sizeof *table->groups);
    table->blocks = calloc(n_groups, sizeof *table->blocks);
    if (table->groups == NULL || table->blocks == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    merels_index_decode(bytes, n_groups, table->groups);
    return check_groups(table, err);
}

static enum status load_parts(struct table *table, const struct rules *rules, struct subspace s,
                              enum edition edition, uint64_t file_bytes, struct error *err)
{
    struct head head = {.bytes = NULL};
    enum status status =
        merels_path_join(table->reader->source->place, table->name, "", &table->path, err);
    if (status == STATUS_OK)
        status = fetch_head(table, rules, s, edition, file_bytes, &head, err);
    if (status == STATUS_OK)
        status = check_header(table, &head, rules, s, edition, err);
    if (status == STATUS_OK)
        status = load_groups(table, &head, err);
    free(head.bytes);
    return status;
}

enum status merels_reader_load_table(struct table_reader *reader, const struct rules *rules,
                                     struct subspace subspace, enum edition edition,
                                     uint64_t file_bytes, struct table **table,
                                     struct error *err)
{
    struct table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a table",
                            reader->source->place);
    made->reader = reader;
    merels_table_name(subspace, edition, made->name);
    enum status status = load_parts(made, rules, subspace, edition, file_bytes, err);
    if (status != STATUS_OK) {
        merels_table_close(made);
        return status;
    }
    *table = made;
    return STATUS_OK;
}

enum status merels_table_open(const char *dir, const struct rules *rules,
                              struct subspace subspace, enum edition edition,
                              struct table **table, struct error *err)
{
    struct table_reader *reader = NULL;
    enum status status = merels_directory_reader_create(dir, 1, &reader, err);
    if (status == STATUS_OK)
        status = merels_reader_load_table(reader, rules, subspace, edition, 0, table, err);
    if (status == STATUS_OK)
        (*table)->own_reader = reader;
    else
        merels_reader_destroy(reader);
    return status;
}

void merels_table_close(struct table *table)
{
    if (table == NULL)
        return;
    const struct byte_source *source = table->reader->source;
    if (source->forget != NULL)
        source->forget(source->context, table->name);
    merels_reader_destroy(table->own_reader);
    for (uint64_t g = 0; table->blocks != NULL && g < table->index.n_groups; g++)
        free(atomic_load(&table->blocks[g]));
    free(table->blocks);
    free(table->groups);
    free(table->path);
    free(table);
}

const struct table_header *merels_table_header(const struct table *table)
{
    return &table->header;
}

uint64_t merels_table_file_bytes(const struct table *table)
{
    return table->n_file_bytes;
}

const char *merels_table_path(const struct table *table)
{
    return table->path;
}

// ---- reading -------------------------------------------------------------------------------

// The blocks that one call reads, for a source that has to fetch them.
struct span {
    uint64_t first, last;
};

size_t merels_table_block_bytes(const struct table *table, uint64_t block)
{
    return merels_block_bytes(&table->header, block);
}

// ---- entries of blocks ---------------------------------------------------------------------

// The entries of a group must rise from where it begins to where the next one does, and no
// block may be longer than its values.
static enum status check_entries(const struct table *table, uint64_t group,
                                 const struct index_entry *entries, struct error *err)
{
    uint64_t start = table->groups[group].offset;
    uint64_t n = merels_group_blocks(&table->index, group);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t end = entries[i].offset;
        size_t longest = merels_table_block_bytes(table, group * GROUP_BLOCKS + i);
        if (end <= start || end - start > longest)
            return corrupt_group(err, table, group,
                                 "has a block with an impossible offset in the block index");
        start = end;
    }
    if (start != group_end(table, group))
        return corrupt_group(err, table, group, "does not end where its blocks end");
    return STATUS_OK;
}

static enum status read_entries(const struct table *table, uint64_t group,
                                struct index_entry *entries, struct error *err)
{
    uint8_t bytes[GROUP_BLOCKS * INDEX_ENTRY_BYTES];
    const struct byte_source *source = table->reader->source;
    uint64_t n = merels_group_blocks(&table->index, group);
    size_t n_bytes = (size_t)n * INDEX_ENTRY_BYTES;
    uint64_t offset = table->index.entries + group * sizeof bytes;
    enum status status =
        source->read(source->context, table->name, offset, bytes, n_bytes, err);
    if (status != STATUS_OK)
        return status;
    if (merels_xxh64(bytes, n_bytes) != table->groups[group].checksum)
        return corrupt(err, table, "block index checksum mismatch");
    merels_index_decode(bytes, n, entries);
    return check_entries(table, group, entries, err);
}

// Reads the entries of a group; of two threads that do so at once one throws its own away.
static enum status load_entries(const struct table *table, uint64_t group, struct error *err)
{
    struct index_entry *entries =
        malloc((size_t)merels_group_blocks(&table->index, group) * sizeof *entries);
    if (entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    enum status status = read_entries(table, group, entries, err);
    struct index_entry *none = NULL;
    if (status != STATUS_OK ||
        !atomic_compare_exchange_strong(&table->blocks[group], &none, entries))
        free(entries);
    return status;
}

// The entries of all blocks of a span. What is not here yet the source is told as one range.
static enum status need_entries(const struct table *table, struct span span, struct error *err)
{
    uint64_t first = span.first / GROUP_BLOCKS, last = span.last / GROUP_BLOCKS;
    enum status status = STATUS_OK;
    for (uint64_t g = first; g <= last && status == STATUS_OK; g++)
        if (atomic_load_explicit(&table->blocks[g], memory_order_acquire) == NULL)
            status = load_entries(table, g, err);
    if (status == STATUS_NOT_YET) {
        uint64_t from = first * GROUP_BLOCKS, n = (last - first) * GROUP_BLOCKS;
        n += merels_group_blocks(&table->index, last);
        merels_source_want(table->reader->source, table->name,
                           &(struct byte_range){table->index.entries + from * INDEX_ENTRY_BYTES,
                                                n * INDEX_ENTRY_BYTES},
                           1);
    }
    return status;
}

// The entry of a block whose group is there.
static struct index_entry entry_of(const struct table *table, uint64_t block)
{
    const struct index_entry *entries =
        atomic_load_explicit(&table->blocks[block / GROUP_BLOCKS], memory_order_acquire);
    return entries[block % GROUP_BLOCKS];
}

static uint64_t block_start(const struct table *table, uint64_t block)
{
    return block % GROUP_BLOCKS == 0 ? table->groups[block / GROUP_BLOCKS].offset
                                     : entry_of(table, block - 1).offset;
}

// ---- blocks --------------------------------------------------------------------------------

static enum status read_stored(const struct table *table, uint64_t block, struct span span,
                               uint8_t *stored, size_t *n_stored, struct error *err)
{
    const struct byte_source *source = table->reader->source;
    const struct index_entry entry = entry_of(table, block);
    uint64_t start = block_start(table, block), from = block_start(table, span.first);
    *n_stored = (size_t)(entry.offset - start);
    enum status status =
        source->read(source->context, table->name, start, stored, *n_stored, err);
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name,
                           &(struct byte_range){from, entry_of(table, span.last).offset - from},
                           1);
    if (status == STATUS_OK && merels_xxh64(stored, *n_stored) != entry.checksum)
        status = merels_error(err, STATUS_CORRUPT, "checksum mismatch");
    return status;
}

// Puts the file and the block in front of the text of a damaged block.
static enum status name_block(const struct table *table, uint64_t block, enum status status,
                              const struct error *cause, struct error *err)
{
    if (status != STATUS_CORRUPT)
        return merels_error(err, status, "%s", cause->text);
    return merels_error(err, status, "%s: block %llu is damaged: %.200s", table->path,
                        (unsigned long long)block, cause->text);
}

static enum status decode_block(const struct table *table, uint64_t block, struct span span,
                                struct block_room *room, uint8_t *values, struct error *err)
{
    struct error cause;
    size_t n_stored;
    enum status status = read_stored(table, block, span, room->stored, &n_stored, &cause);
    if (status == STATUS_OK)
        status = merels_block_decode(room->decoder, room->stored, n_stored, values,
                                     merels_table_block_bytes(table, block), &cause);
    return status == STATUS_OK ? STATUS_OK : name_block(table, block, status, &cause, err);
}

enum status merels_table_read_block(const struct table *table, uint64_t block, uint8_t *values,
                                    struct error *err)
{
    struct block_room *room = NULL;
    if (block >= table->layout.n_blocks)
        return merels_error(err, STATUS_BAD_INPUT, "%s: no block %llu", table->path,
                            (unsigned long long)block);
    enum status status = need_entries(table, (struct span){block, block}, err);
    if (status == STATUS_OK)
        status = take_room(table->reader, &room, err);
    if (status != STATUS_OK)
        return status;
    status = decode_block(table, block, (struct span){block, block}, room, values, err);
    give_room(table->reader, room);
    return status;
}

// Copies the values of n slots of a decoded block, from slot `skip` of it on.
static void copy_values(const struct table *table, const uint8_t *plain, uint64_t skip,
                        uint64_t n, uint8_t *values)
{
    size_t width = (size_t)table->header.value_bytes;
    if (edition_has_depths(table->header.edition))
        memcpy(values, plain + skip * width, (size_t)n * width);
    else
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint8_t)wdl_unpack(plain, skip + i);
}

// Blocks of an edition with depths that are wanted whole are decoded in place; all others go
// through the room.
static enum status read_range(const struct table *table, struct span span,
                              struct block_room *room, uint64_t first_slot, uint64_t n_slots,
                              uint8_t *values, struct error *err)
{
    const struct table_header *header = &table->header;
    size_t width = edition_has_depths(header->edition) ? (size_t)header->value_bytes : 1;
    enum status status = STATUS_OK;
    while (n_slots > 0 && status == STATUS_OK) {
        uint64_t block = first_slot / header->block_slots;
        uint64_t skip = first_slot % header->block_slots;
        uint64_t in_block = merels_block_slots(header, block);
        uint64_t n = in_block - skip < n_slots ? in_block - skip : n_slots;
        if (n == in_block && edition_has_depths(header->edition)) {
            status = decode_block(table, block, span, room, values, err);
        } else {
            status = decode_block(table, block, span, room, room->plain, err);
            if (status == STATUS_OK)
                copy_values(table, room->plain, skip, n, values);
        }
        values += n * width;
        first_slot += n;
        n_slots -= n;
    }
    return status;
}

enum status merels_table_read(const struct table *table, uint64_t first_slot, uint64_t n_slots,
                              uint8_t *values, struct error *err)
{
    struct block_room *room = NULL;
    uint64_t all = table->header.n_slots;
    if (first_slot > all || n_slots > all - first_slot)
        return merels_error(err, STATUS_BAD_INPUT, "%s: no slots %llu to %llu", table->path,
                            (unsigned long long)first_slot,
                            (unsigned long long)(first_slot + n_slots));
    if (n_slots == 0)
        return STATUS_OK;
    const struct span span = {first_slot / table->header.block_slots,
                              (first_slot + n_slots - 1) / table->header.block_slots};
    enum status status = need_entries(table, span, err);
    if (status == STATUS_OK)
        status = take_room(table->reader, &room, err);
    if (status != STATUS_OK)
        return status;
    status = read_range(table, span, room, first_slot, n_slots, values, err);
    give_room(table->reader, room);
    return status;
}
