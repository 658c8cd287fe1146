// reader.c: opening a table (everything in header and block index is checked) and reading
// values.
//
// Bounded first, believed later: nothing is allocated by a number from the file before that
// number was checked against the length of the file. The block index stays in memory (16 bytes
// for each 64 Ki slots, 148 KB for the largest standard table).

#include "db/reader.h"

#include <stdlib.h>
#include <string.h>

#include "db/codec.h"
#include "db/pool.h"

struct block_entry {
    uint64_t end;      // offset in the file behind the block's last stored byte
    uint64_t checksum; // XXH64 of its stored bytes
};

struct table {
    struct table_header header;
    struct table_layout layout;
    uint64_t n_file_bytes;
    char *path;
    struct block_entry *blocks;
    struct pool *pool;
    struct pool *own_pool;   // the same if nobody shares it, else NULL
    struct pooled_file file; // guarded by the pool: the only part that changes
};

// ---- opening -------------------------------------------------------------------------------

static enum status corrupt(struct error *err, const struct table *table, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "%s: %s", table->path, what);
}

// The header, whether it is the table that was asked for, and the length of the file.
static enum status load_header(struct table *table, const struct rules *rules,
                               struct subspace subspace, struct error *err)
{
    uint8_t bytes[TABLE_HEADER_BYTES], fingerprint[FINGERPRINT_BYTES];
    enum status status = merels_file_size(&table->file.file, &table->n_file_bytes, err);
    if (status != STATUS_OK)
        return status;
    size_t n = table->n_file_bytes < sizeof bytes ? (size_t)table->n_file_bytes : sizeof bytes;
    status = merels_file_read_at(&table->file.file, 0, bytes, n, err);
    if (status == STATUS_OK)
        status =
            merels_header_decode(bytes, n, table->path, &table->header, &table->layout, err);
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

// Offsets must rise from the end of the header to the start of the index, and no block may be
// longer than its values.
static enum status check_blocks(struct table *table, struct error *err)
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

static enum status load_index(struct table *table, struct error *err)
{
    const struct table_layout *layout = &table->layout;
    uint64_t n_index_bytes =
        layout->n_blocks * INDEX_ENTRY_BYTES; // n_blocks is checked: < 2^27
    if (table->n_file_bytes < TABLE_HEADER_BYTES + n_index_bytes ||
        layout->index_offset != table->n_file_bytes - n_index_bytes)
        return corrupt(err, table, "the length of the file is wrong");
    size_t n_bytes = (size_t)n_index_bytes;
    uint8_t *bytes = malloc(n_bytes);
    table->blocks = malloc((size_t)layout->n_blocks * sizeof *table->blocks);
    enum status status = STATUS_OK;
    if (bytes == NULL || table->blocks == NULL)
        status = merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", table->path);
    if (status == STATUS_OK)
        status =
            merels_file_read_at(&table->file.file, layout->index_offset, bytes, n_bytes, err);
    if (status == STATUS_OK && merels_xxh64(bytes, n_bytes) != layout->index_checksum)
        status = corrupt(err, table, "block index checksum mismatch");
    for (uint64_t i = 0; status == STATUS_OK && i < layout->n_blocks; i++) {
        const uint8_t *entry = bytes + i * INDEX_ENTRY_BYTES;
        table->blocks[i] = (struct block_entry){get_le(entry, 8), get_le(entry + 8, 8)};
    }
    free(bytes);
    return status == STATUS_OK ? check_blocks(table, err) : status;
}

enum status merels_table_open_pooled(const char *dir, const struct rules *rules,
                                     struct subspace subspace, struct pool *pool,
                                     struct table **table, struct error *err)
{
    char name[SUBSPACE_NAME_BYTES];
    merels_subspace_name(subspace, name);
    struct table *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s/%s.mtb: out of memory", dir, name);
    made->pool = pool;
    enum status status = merels_path_join(dir, name, ".mtb", &made->path, err);
    made->file.path = made->path;
    if (status == STATUS_OK)
        status = merels_pool_acquire(pool, &made->file, err);
    if (status == STATUS_OK) {
        status = load_header(made, rules, subspace, err);
        if (status == STATUS_OK)
            status = load_index(made, err);
        merels_pool_release(pool, &made->file);
    }
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
    struct pool *pool;
    struct table *made;
    enum status status = merels_pool_create(1, &pool, err);
    if (status != STATUS_OK)
        return status;
    status = merels_table_open_pooled(dir, rules, subspace, pool, &made, err);
    if (status != STATUS_OK) {
        merels_pool_destroy(pool);
        return status;
    }
    made->own_pool = pool;
    *table = made;
    return STATUS_OK;
}

void merels_table_close(struct table *table)
{
    if (table == NULL)
        return;
    merels_pool_forget(table->pool, &table->file);
    merels_pool_destroy(table->own_pool);
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

size_t merels_table_block_bytes(const struct table *table, uint64_t block)
{
    return merels_block_bytes(&table->header, block);
}

static enum status read_stored(const struct table *table, uint64_t block, uint8_t *stored,
                               size_t *n_stored, struct error *err)
{
    uint64_t start = block == 0 ? TABLE_HEADER_BYTES : table->blocks[block - 1].end;
    size_t n_bytes = (size_t)(table->blocks[block].end - start);
    // The pool's part of a table changes while the table is read; the table itself does not.
    struct pooled_file *file = (struct pooled_file *)&table->file;
    enum status status = merels_pool_acquire(table->pool, file, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_read_at(&file->file, start, stored, n_bytes, err);
    merels_pool_release(table->pool, file);
    if (status == STATUS_OK && merels_xxh64(stored, n_bytes) != table->blocks[block].checksum)
        status = merels_error(err, STATUS_CORRUPT, "checksum mismatch");
    *n_stored = n_bytes;
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

static enum status decode_block(const struct table *table, uint64_t block,
                                struct block_workspace *workspace, uint8_t *values,
                                struct error *err)
{
    struct error cause;
    size_t n_stored;
    enum status status = read_stored(table, block, workspace->stored, &n_stored, &cause);
    if (status == STATUS_OK)
        status = merels_block_decode(workspace->decoder, workspace->stored, n_stored, values,
                                     merels_table_block_bytes(table, block), &cause);
    return status == STATUS_OK ? STATUS_OK : name_block(table, block, status, &cause, err);
}

enum status merels_table_read_block(const struct table *table, uint64_t block, uint8_t *values,
                                    struct error *err)
{
    struct block_workspace *workspace;
    if (block >= table->layout.n_blocks)
        return merels_error(err, STATUS_BAD_INPUT, "%s: no block %llu", table->path,
                            (unsigned long long)block);
    enum status status = merels_pool_take_workspace(table->pool, &workspace, err);
    if (status != STATUS_OK)
        return status;
    status = decode_block(table, block, workspace, values, err);
    merels_pool_give_workspace(table->pool, workspace);
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
// the workspace.
static enum status read_range(const struct table *table, struct block_workspace *workspace,
                              uint64_t first_slot, uint64_t n_slots, uint8_t *values,
                              struct error *err)
{
    const struct table_header *header = &table->header;
    size_t width = header->edition == EDITION_DTM ? (size_t)header->value_bytes : 1;
    enum status status = STATUS_OK;
    while (n_slots > 0 && status == STATUS_OK) {
        uint64_t block = first_slot / header->block_slots;
        uint64_t skip = first_slot % header->block_slots;
        uint64_t in_block = merels_block_slots(header, block);
        uint64_t n = in_block - skip < n_slots ? in_block - skip : n_slots;
        if (n == in_block && header->edition == EDITION_DTM) {
            status = decode_block(table, block, workspace, values, err);
        } else {
            status = decode_block(table, block, workspace, workspace->plain, err);
            if (status == STATUS_OK)
                copy_values(table, workspace->plain, skip, n, values);
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
    struct block_workspace *workspace;
    uint64_t all = table->header.n_slots;
    if (first_slot > all || n_slots > all - first_slot)
        return merels_error(err, STATUS_BAD_INPUT, "%s: no slots %llu to %llu", table->path,
                            (unsigned long long)first_slot,
                            (unsigned long long)(first_slot + n_slots));
    enum status status = merels_pool_take_workspace(table->pool, &workspace, err);
    if (status != STATUS_OK)
        return status;
    status = read_range(table, workspace, first_slot, n_slots, values, err);
    merels_pool_give_workspace(table->pool, workspace);
    return status;
}
