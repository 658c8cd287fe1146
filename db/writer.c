// writer.c: writing one table: header last, name last.
//
// The file grows as NAME.mtb.part: zeros in the place of header and block index, whose length
// is known from the number of slots, then the blocks as they come; index and header are written
// over the zeros only when everything else is in place. Sync, rename, sync of the directory: a
// file with the final name is complete, and one that was cut short has neither the name nor a
// header.

#include "db/writer.h"

#include <stdlib.h>
#include <string.h>

#include "db/block_index.h"
#include "db/file.h"

struct table_writer {
    struct table_header header;
    struct table_layout layout;
    const struct board *board;
    char *dir;
    char *path;      // DIR/9-8.mtb
    char *part_path; // DIR/9-8.mtb.part
    struct file file;
    uint64_t n_bytes;    // written so far: where the next block goes
    uint64_t n_appended; // blocks
    struct block_index index;
    struct index_entry *entries; // of the groups, then of the blocks
};

static void free_writer(struct table_writer *writer)
{
    merels_file_drop(&writer->file);
    free(writer->dir);
    free(writer->path);
    free(writer->part_path);
    free(writer->entries);
    free(writer);
}

static void fill_header(const struct rules *rules, struct subspace s, enum edition edition,
                        int value_bytes, struct table_writer *writer)
{
    struct table_header *header = &writer->header;
    header->version = TABLE_VERSION;
    header->edition = edition;
    header->value_bytes = value_bytes;
    header->n_points = rules->board.n_points;
    header->subspace = s;
    header->block_slots = merels_edition_block_slots(edition);
    header->n_rows = merels_subspace_rows(&rules->board, s);
    header->n_columns = merels_subspace_columns(&rules->board, s);
    header->n_slots = header->n_rows * header->n_columns;
    header->n_orbits = merels_subspace_orbits(&rules->board, s);
    writer->layout.n_blocks = merels_block_count(header);
    writer->board = &rules->board;
}

// Paths, block index and the .part file with its place for header and index.
static enum status start_file(const char *dir, struct table_writer *writer, struct error *err)
{
    char name[TABLE_NAME_BYTES];
    merels_table_name(writer->header.subspace, writer->header.edition, name);
    enum status status = merels_path_join(dir, name, "", &writer->path, err);
    if (status == STATUS_OK)
        status = merels_path_join(dir, name, ".part", &writer->part_path, err);
    if (status != STATUS_OK)
        return status;
    writer->dir = strdup(dir);
    writer->index = merels_block_index(writer->layout.n_blocks);
    writer->entries =
        calloc(writer->index.n_groups + writer->index.n_blocks, sizeof *writer->entries);
    if (writer->dir == NULL || writer->entries == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", writer->path);
    status = merels_file_create(writer->part_path, &writer->file, err);
    if (status != STATUS_OK)
        return status;
    static const uint8_t zeros[TABLE_HEADER_BYTES];
    writer->n_bytes = writer->index.data;
    return merels_file_write_at(&writer->file, 0, zeros, sizeof zeros, err);
}

enum status merels_table_create(const char *dir, const struct rules *rules,
                                struct subspace subspace, enum edition edition, int value_bytes,
                                struct table_writer **writer, struct error *err)
{
    if (merels_subspace_slots(&rules->board, subspace) == 0)
        return merels_error(err, STATUS_BAD_INPUT, "a table of %u-%u has no slots",
                            (unsigned)subspace.a, (unsigned)subspace.b);
    if (!merels_edition_has_width(edition, value_bytes))
        return merels_error(err, STATUS_BAD_INPUT, "values of edition %s cannot have %d bytes",
                            merels_edition_name(edition), value_bytes);
    struct table_writer *made = calloc(1, sizeof *made);
    if (made == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory for a table", dir);
    made->file.fd = -1;
    fill_header(rules, subspace, edition, value_bytes, made);
    enum status status = merels_rules_fingerprint(rules, made->header.fingerprint, err);
    if (status == STATUS_OK)
        status = start_file(dir, made, err);
    if (status != STATUS_OK) {
        merels_table_abort(made);
        return status;
    }
    *writer = made;
    return STATUS_OK;
}

// ---- blocks --------------------------------------------------------------------------------

static enum status check_block(const struct table_writer *writer, size_t n_bytes,
                               struct error *err)
{
    uint64_t number = writer->n_appended;
    if (number >= writer->layout.n_blocks)
        return merels_error(err, STATUS_BAD_INPUT, "%s: more blocks than slots", writer->path);
    if (n_bytes == 0 || n_bytes > merels_block_bytes(&writer->header, number))
        return merels_error(err, STATUS_BAD_INPUT, "%s: block %llu has an impossible length",
                            writer->path, (unsigned long long)number);
    return STATUS_OK;
}

static void enter_block(struct table_writer *writer, size_t n_bytes, uint64_t checksum)
{
    writer->n_bytes += n_bytes;
    writer->entries[writer->index.n_groups + writer->n_appended++] =
        (struct index_entry){writer->n_bytes, checksum};
}

enum status merels_table_append(struct table_writer *writer, const uint8_t *block,
                                size_t n_bytes, struct error *err)
{
    enum status status = check_block(writer, n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_write_at(&writer->file, writer->n_bytes, block, n_bytes, err);
    if (status == STATUS_OK)
        enter_block(writer, n_bytes, merels_xxh64(block, n_bytes));
    return status;
}

uint64_t merels_table_end(const struct table_writer *writer)
{
    return writer->n_bytes;
}

enum status merels_table_append_written(struct table_writer *writer,
                                        const struct written_blocks *blocks, struct error *err)
{
    enum status status = STATUS_OK;
    for (uint64_t k = 0; k < blocks->n && status == STATUS_OK; k++) {
        status = check_block(writer, blocks->n_bytes[k], err);
        if (status == STATUS_OK)
            enter_block(writer, blocks->n_bytes[k], blocks->checksums[k]);
    }
    return status;
}

enum status merels_table_write_part(const char *dir, struct subspace subspace,
                                    enum edition edition, uint64_t offset, const uint8_t *bytes,
                                    uint64_t n_bytes, struct error *err)
{
    char name[TABLE_NAME_BYTES], *path;
    struct file file = {.fd = -1};
    merels_table_name(subspace, edition, name);
    enum status status = merels_path_join(dir, name, ".part", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_join(path, &file, err);
    if (status == STATUS_OK)
        status = merels_file_write_at(&file, offset, bytes, (size_t)n_bytes, err);
    if (status == STATUS_OK)
        status = merels_file_sync(&file, err);
    if (status == STATUS_OK)
        status = merels_file_close(&file, err);
    merels_file_drop(&file);
    free(path);
    return status;
}

// The entries of the groups, made from the bytes of those of the blocks.
static void fill_groups(struct table_writer *writer, const uint8_t *block_bytes)
{
    const struct block_index *index = &writer->index;
    const struct index_entry *blocks = writer->entries + index->n_groups;
    for (uint64_t g = 0; g < index->n_groups; g++) {
        uint64_t first = g * GROUP_BLOCKS;
        size_t n_bytes = (size_t)merels_group_blocks(index, g) * INDEX_ENTRY_BYTES;
        writer->entries[g] = (struct index_entry){
            first == 0 ? index->data : blocks[first - 1].offset,
            merels_xxh64(block_bytes + first * INDEX_ENTRY_BYTES, n_bytes)};
    }
}

// Both levels of the index and the header, over the zeros at the start.
static enum status write_index_and_header(struct table_writer *writer, struct error *err)
{
    const struct block_index *index = &writer->index;
    size_t n_top = (size_t)(index->entries - TABLE_HEADER_BYTES);
    uint8_t *bytes = malloc((size_t)index->data);
    if (bytes == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "%s: out of memory", writer->path);
    merels_index_encode(writer->entries + index->n_groups, index->n_blocks,
                        bytes + index->entries);
    fill_groups(writer, bytes + index->entries);
    merels_index_encode(writer->entries, index->n_groups, bytes + TABLE_HEADER_BYTES);
    writer->layout.file_bytes = writer->n_bytes;
    writer->layout.index_checksum = merels_xxh64(bytes + TABLE_HEADER_BYTES, n_top);
    merels_header_encode(&writer->header, &writer->layout, bytes);
    enum status status =
        merels_file_write_at(&writer->file, 0, bytes, (size_t)index->data, err);
    free(bytes);
    return status;
}

static enum status check_complete(const struct table_writer *writer, struct error *err)
{
    if (writer->n_appended != writer->layout.n_blocks)
        return merels_error(err, STATUS_BAD_INPUT, "%s: %llu of %llu blocks were written",
                            writer->path, (unsigned long long)writer->n_appended,
                            (unsigned long long)writer->layout.n_blocks);
    enum status status =
        merels_header_check(&writer->header, &writer->layout, writer->board, writer->path, err);
    return status == STATUS_OK ? STATUS_OK : STATUS_BAD_INPUT;
}

enum status merels_table_finish(struct table_writer *writer, const struct table_stats *stats,
                                const uint8_t value_hash[SHA256_BYTES], struct error *err)
{
    writer->header.stats = *stats;
    memcpy(writer->header.value_hash, value_hash, SHA256_BYTES);
    enum status status = check_complete(writer, err);
    if (status == STATUS_OK)
        status = write_index_and_header(writer, err);
    if (status == STATUS_OK)
        status = merels_file_sync(&writer->file, err);
    if (status == STATUS_OK)
        status = merels_file_close(&writer->file, err);
    if (status != STATUS_OK) {
        merels_table_abort(writer);
        return status;
    }
    status = merels_file_publish(writer->dir, writer->part_path, writer->path, err);
    free_writer(writer);
    return status;
}

void merels_table_abort(struct table_writer *writer)
{
    if (writer == NULL)
        return;
    // A writer that never got its file must not take away that of another.
    bool started = writer->n_bytes > 0;
    merels_file_drop(&writer->file);
    if (started && merels_file_remove(writer->part_path, NULL) != STATUS_OK) {
        // Nothing more can be done; a .part file is never read and the next attempt replaces
        // it.
    }
    free_writer(writer);
}
