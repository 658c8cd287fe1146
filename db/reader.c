// reader.c: loading a table (everything in header and block index is checked) and reading
// values.
//
//     load    | header | ............ | block index |   both ends at once
//     read    ........ | block | block | ............   one after the other
//
// Bounded first, believed later: nothing is allocated by a number from the file before that
// number was checked against the length of the file. The block index stays in memory (16 bytes
// for each 64 Ki slots, 148 KB for the largest standard table).

#include "db/reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "db/codec.h"
#include "db/directory_source.h"
#include "db/file.h"

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

struct block_entry {
    uint64_t end;      // offset in the file behind the block's last stored byte
    uint64_t checksum; // XXH64 of its stored bytes
};

struct table {
    struct table_header header;
    struct table_layout layout;
    uint64_t n_file_bytes;
    char name[SUBSPACE_NAME_BYTES + 4]; // "9-8.mtb"
    char *path;                         // for messages
    struct block_entry *blocks;
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

// The two ends of a table as far as they are known before the header is: its first bytes, and
// those in which the block index will be found (0: nothing is known).
struct ends {
    uint8_t header[TABLE_HEADER_BYTES];
    struct byte_range ranges[2];
    uint8_t *tail;
};

// Where the ends lie in a file of n_bytes, if that is known. A table of unknown edition is
// taken for one of dtm, whose index is the longer one.
static void place_ends(const struct rules *rules, struct subspace s, enum edition edition,
                       bool known, uint64_t n_bytes, struct ends *ends)
{
    uint64_t n_header = TABLE_HEADER_BYTES, n_tail = 0;
    if (rules != NULL) {
        uint32_t step = merels_edition_block_slots(edition);
        uint64_t n_slots = merels_subspace_slots(&rules->board, s);
        n_tail = (n_slots / step + (n_slots % step != 0)) * INDEX_ENTRY_BYTES;
    }
    if (known && n_bytes < n_header)
        n_header = n_bytes;
    if (!known)
        n_tail = 0;
    else if (n_bytes < n_header + n_tail)
        n_tail = n_bytes - n_header;
    ends->ranges[0] = (struct byte_range){0, n_header};
    ends->ranges[1] = (struct byte_range){n_bytes - n_tail, n_tail};
}

static enum status read_ends(struct table *table, struct ends *ends, struct error *err)
{
    const struct byte_source *source = table->reader->source;
    const struct byte_range *head = &ends->ranges[0], *tail = &ends->ranges[1];
    ends->tail = malloc((size_t)tail->n_bytes + 1);
    if (ends->tail == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    enum status status =
        source->read(source->context, table->name, 0, ends->header, (size_t)head->n_bytes, err);
    if (status == STATUS_OK && tail->n_bytes > 0)
        status = source->read(source->context, table->name, tail->offset, ends->tail,
                              (size_t)tail->n_bytes, err);
    return status;
}

// The size, and with it both ends. If one of them is not here yet the source is told both, also
// if it does not know the size.
static enum status fetch_ends(struct table *table, const struct rules *rules, struct subspace s,
                              const struct table_guess *guess, struct ends *ends,
                              struct error *err)
{
    const struct byte_source *source = table->reader->source;
    enum status status = source->size(source->context, table->name, &table->n_file_bytes, err);
    if (status == STATUS_OK) {
        place_ends(rules, s, guess->edition, true, table->n_file_bytes, ends);
        status = read_ends(table, ends, err);
    } else if (status == STATUS_NOT_YET) {
        place_ends(rules, s, guess->edition, guess->file_bytes > 0, guess->file_bytes, ends);
    }
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name, ends->ranges,
                           ends->ranges[1].n_bytes > 0 ? 2 : 1);
    return status;
}

// ---- loading: what they say ----------------------------------------------------------------

static enum status corrupt(struct error *err, const struct table *table, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "%s: %s", table->path, what);
}

// The header, and whether it is the table that was asked for.
static enum status check_header(struct table *table, const struct ends *ends,
                                const struct rules *rules, struct subspace subspace,
                                struct error *err)
{
    uint8_t fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_header_decode(ends->header, (size_t)ends->ranges[0].n_bytes,
                                              table->path, &table->header, &table->layout, err);
    if (status == STATUS_OK && rules != NULL)
        status = merels_rules_fingerprint(rules, fingerprint, err);
    if (status != STATUS_OK)
        return status;
    if (rules != NULL && memcmp(fingerprint, table->header.fingerprint, FINGERPRINT_BYTES) != 0)
        return merels_error(err, STATUS_OTHER_RULES, "%s: made for other rules", table->path);
    if (!merels_subspace_equal(subspace, table->header.subspace))
        return corrupt(err, table, "holds another subspace than its name says");
    return merels_header_check(&table->header, &table->layout,
                               rules != NULL ? &rules->board : NULL, table->path, err);
}

// Reads the block index by itself, if it is not among the bytes that were read in advance.
static enum status fetch_index(const struct table *table, uint64_t n_bytes, struct ends *ends,
                               struct error *err)
{
    const struct byte_source *source = table->reader->source;
    const struct byte_range range = {table->layout.index_offset, n_bytes};
    if (ends->ranges[1].n_bytes >= n_bytes)
        return STATUS_OK;
    free(ends->tail);
    ends->ranges[1] = range;
    ends->tail = malloc((size_t)n_bytes);
    if (ends->tail == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    enum status status = source->read(source->context, table->name, range.offset, ends->tail,
                                      (size_t)n_bytes, err);
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name, &range, 1);
    return status;
}

// Offsets must rise from the end of the header to the start of the index, and no block may be
// longer than its values.
static enum status check_blocks(const struct table *table, struct error *err)
{
    uint64_t start = TABLE_HEADER_BYTES;
    for (uint64_t i = 0; i < table->layout.n_blocks; i++) {
        uint64_t end = table->blocks[i].end;
        if (end <= start || end - start > merels_table_block_bytes(table, i))
            return corrupt(err, table, "the block index has an impossible offset");
        start = end;
    }
    if (start != table->layout.index_offset)
        return corrupt(err, table, "the blocks do not end where the block index begins");
    return STATUS_OK;
}

static enum status load_index(struct table *table, struct ends *ends, struct error *err)
{
    const struct table_layout *layout = &table->layout;
    uint64_t n_bytes = layout->n_blocks * INDEX_ENTRY_BYTES; // n_blocks is checked: < 2^27
    if (table->n_file_bytes < TABLE_HEADER_BYTES + n_bytes ||
        layout->index_offset != table->n_file_bytes - n_bytes)
        return corrupt(err, table, "the length of the file is wrong");
    enum status status = fetch_index(table, n_bytes, ends, err);
    if (status != STATUS_OK)
        return status;
    const uint8_t *bytes = ends->tail + (ends->ranges[1].n_bytes - n_bytes);
    if (merels_xxh64(bytes, (size_t)n_bytes) != layout->index_checksum)
        return corrupt(err, table, "block index checksum mismatch");
    table->blocks = malloc((size_t)layout->n_blocks * sizeof *table->blocks);
    if (table->blocks == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    for (uint64_t i = 0; i < layout->n_blocks; i++) {
        const uint8_t *entry = bytes + i * INDEX_ENTRY_BYTES;
        table->blocks[i] = (struct block_entry){get_le(entry, 8), get_le(entry + 8, 8)};
    }
    return check_blocks(table, err);
}

static enum status load_parts(struct table *table, const struct rules *rules, struct subspace s,
                              const struct table_guess *guess, struct error *err)
{
    static const struct table_guess nothing;
    struct ends ends = {.tail = NULL};
    enum status status =
        merels_path_join(table->reader->source->place, table->name, "", &table->path, err);
    if (status == STATUS_OK)
        status = fetch_ends(table, rules, s, guess != NULL ? guess : &nothing, &ends, err);
    if (status == STATUS_OK)
        status = check_header(table, &ends, rules, s, err);
    if (status == STATUS_OK)
        status = load_index(table, &ends, err);
    free(ends.tail);
    return status;
}

enum status merels_reader_load_table(struct table_reader *reader, const struct rules *rules,
                                     struct subspace subspace, const struct table_guess *guess,
                                     struct table **table, struct error *err)
{
    struct table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a table",
                            reader->source->place);
    made->reader = reader;
    merels_subspace_name(subspace, made->name);
    strcat(made->name, ".mtb");
    enum status status = load_parts(made, rules, subspace, guess, err);
    if (status != STATUS_OK) {
        merels_table_close(made);
        return status;
    }
    *table = made;
    return STATUS_OK;
}

enum status merels_table_open(const char *dir, const struct rules *rules,
                              struct subspace subspace, struct table **table, struct error *err)
{
    struct table_reader *reader = NULL;
    enum status status = merels_directory_reader_create(dir, 1, &reader, err);
    if (status == STATUS_OK)
        status = merels_reader_load_table(reader, rules, subspace, NULL, table, err);
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
    free(table->blocks);
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

static uint64_t block_start(const struct table *table, uint64_t block)
{
    return block == 0 ? TABLE_HEADER_BYTES : table->blocks[block - 1].end;
}

static enum status read_stored(const struct table *table, uint64_t block, struct span span,
                               uint8_t *stored, size_t *n_stored, struct error *err)
{
    const struct byte_source *source = table->reader->source;
    uint64_t start = block_start(table, block), from = block_start(table, span.first);
    *n_stored = (size_t)(table->blocks[block].end - start);
    enum status status =
        source->read(source->context, table->name, start, stored, *n_stored, err);
    if (status == STATUS_NOT_YET)
        merels_source_want(source, table->name,
                           &(struct byte_range){from, table->blocks[span.last].end - from}, 1);
    if (status == STATUS_OK && merels_xxh64(stored, *n_stored) != table->blocks[block].checksum)
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
    enum status status = take_room(table->reader, &room, err);
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
    if (table->header.edition == EDITION_DTM)
        memcpy(values, plain + skip * width, (size_t)n * width);
    else
        for (uint64_t i = 0; i < n; i++)
            values[i] = (uint8_t)wdl_unpack(plain, skip + i);
}

// Blocks of the edition dtm that are wanted whole are decoded in place; all others go through
// the room.
static enum status read_range(const struct table *table, struct block_room *room,
                              uint64_t first_slot, uint64_t n_slots, uint8_t *values,
                              struct error *err)
{
    const struct table_header *header = &table->header;
    size_t width = header->edition == EDITION_DTM ? (size_t)header->value_bytes : 1;
    const struct span span = {first_slot / header->block_slots,
                              n_slots == 0 ? 0
                                           : (first_slot + n_slots - 1) / header->block_slots};
    enum status status = STATUS_OK;
    while (n_slots > 0 && status == STATUS_OK) {
        uint64_t block = first_slot / header->block_slots;
        uint64_t skip = first_slot % header->block_slots;
        uint64_t in_block = merels_block_slots(header, block);
        uint64_t n = in_block - skip < n_slots ? in_block - skip : n_slots;
        if (n == in_block && header->edition == EDITION_DTM) {
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
    enum status status = take_room(table->reader, &room, err);
    if (status != STATUS_OK)
        return status;
    status = read_range(table, room, first_slot, n_slots, values, err);
    give_room(table->reader, room);
    return status;
}
