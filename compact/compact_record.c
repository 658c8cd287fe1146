// compact_record.c: all numbers little-endian.
//
//     magic (8), identity (8), first (8), finished units (4)
//     of each unit that is finished: end (8), hash (8), most bytes of a group (4)
//     of each model: offset (8), hash (8), bytes (4)
//     of each subspace: rows in a group (4), offset of the index (8), bytes (8)
//     XXH64 of all this (8)

#include "compact/compact_record.h"

#include <stdlib.h>
#include <string.h>

#include "db/header.h"

static const char magic[8] = {'M', 'E', 'R', 'E', 'L', 'S', 'C', 'P'};

enum { FIXED_BYTES = 28, PART_BYTES = 20, HASH_BYTES = 8, MOST_BYTES = 1 << 24 };

enum status merels_record_start(const char *dir, const char *name, uint64_t identity,
                                struct compact_file *file, struct compact_record *record,
                                struct error *err)
{
    const char suffix[] = ".progress";
    *record = (struct compact_record){
        .dir = dir, .identity = identity, .file = file, .first = file->end};
    record->file_name = malloc(strlen(name) + sizeof suffix);
    record->units = calloc(file->n_models + 1, sizeof *record->units);
    if (record->file_name == NULL || record->units == NULL) {
        merels_record_free(record);
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    }
    strcpy(record->file_name, name);
    strcat(record->file_name, suffix);
    return STATUS_OK;
}

void merels_record_free(struct compact_record *record)
{
    free(record->file_name);
    free(record->units);
    *record = (struct compact_record){0};
}

static uint64_t begin_of(const struct compact_record *record, size_t unit)
{
    return unit == 0 ? record->first : record->units[unit - 1].end;
}

// The hash of a part of a file, which is there.
static enum status hash_part(const struct file *file, uint64_t begin, uint64_t end,
                             uint64_t *hash, struct error *err)
{
    size_t n = (size_t)(end - begin);
    uint8_t *data = malloc(n + 1);
    if (data == NULL)
        return merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    enum status status = merels_file_read_at(file, begin, data, n, err);
    if (status == STATUS_OK)
        *hash = merels_compact_hash(data, n);
    free(data);
    return status;
}

// ---- reading -------------------------------------------------------------------------------

static bool is_ours(const struct compact_record *record, const uint8_t *data, size_t n)
{
    size_t parts = record->file->n_models + record->file->plan->n;
    if (n < FIXED_BYTES + HASH_BYTES || memcmp(data, magic, sizeof magic) != 0 ||
        get_le(data + 8, 8) != record->identity || get_le(data + 16, 8) != record->first ||
        get_le(data + n - HASH_BYTES, 8) != merels_compact_hash(data, n - HASH_BYTES))
        return false;
    size_t n_units = get_le(data + 24, 4);
    return n_units <= record->file->n_models &&
           n == FIXED_BYTES + (n_units + parts) * PART_BYTES + HASH_BYTES;
}

// Counts the units whose bytes are there.
static enum status take_units(struct compact_record *record, const uint8_t *p, size_t n_units,
                              struct error *err)
{
    uint64_t file_bytes, hash = 0;
    const struct file *file = &record->file->file;
    enum status status = merels_file_size(file, &file_bytes, err);
    for (size_t k = 0; status == STATUS_OK && k < n_units; k++, p += PART_BYTES) {
        const struct compact_unit unit = {.end = get_le(p, 8),
                                          .hash = get_le(p + 8, 8),
                                          .most_group = (uint32_t)get_le(p + 16, 4)};
        if (unit.end < begin_of(record, k) || unit.end > file_bytes)
            break;
        status = hash_part(file, begin_of(record, k), unit.end, &hash, err);
        if (status == STATUS_OK && hash != unit.hash)
            break;
        record->units[k] = unit;
        record->n = status == STATUS_OK ? k + 1 : 0;
    }
    return status;
}

static void take_places(struct compact_record *record, const uint8_t *p)
{
    struct compact_file *file = record->file;
    for (size_t k = 0; k < file->n_models; k++, p += PART_BYTES)
        if (k < record->n)
            file->models[k] = (struct compact_place){.offset = get_le(p, 8),
                                                     .hash = get_le(p + 8, 8),
                                                     .n_bytes = (uint32_t)get_le(p + 16, 4)};
    for (size_t k = 0; k < file->plan->n; k++, p += PART_BYTES)
        if (file->plan->subspaces[k].stored != 0 && file->entries[k].model < record->n) {
            file->entries[k].rows_in_group = (uint32_t)get_le(p, 4);
            file->entries[k].index = get_le(p + 4, 8);
            file->entries[k].n_bytes = get_le(p + 12, 8);
        }
    file->end = begin_of(record, record->n);
    file->most_group = record->n == 0 ? 0 : record->units[record->n - 1].most_group;
}

enum status merels_record_load(struct compact_record *record, struct error *err)
{
    char *path, *data;
    size_t n;
    enum status status = merels_path_join(record->dir, record->file_name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_load(path, MOST_BYTES, &data, &n, err);
    free(path);
    if (status == STATUS_MISSING || status == STATUS_CORRUPT)
        return STATUS_OK;
    if (status != STATUS_OK)
        return status;
    const uint8_t *bytes = (const uint8_t *)data;
    if (is_ours(record, bytes, n)) {
        size_t n_units = get_le(bytes + 24, 4);
        status = take_units(record, bytes + FIXED_BYTES, n_units, err);
        take_places(record, bytes + FIXED_BYTES + n_units * PART_BYTES);
    }
    free(data);
    return status;
}

// ---- writing -------------------------------------------------------------------------------

static void put_record(const struct compact_record *record, struct bytes *bytes)
{
    const struct compact_file *file = record->file;
    merels_bytes_put(bytes, magic, sizeof magic);
    merels_bytes_put_int(bytes, record->identity, 8);
    merels_bytes_put_int(bytes, record->first, 8);
    merels_bytes_put_int(bytes, record->n, 4);
    for (size_t k = 0; k < record->n; k++) {
        merels_bytes_put_int(bytes, record->units[k].end, 8);
        merels_bytes_put_int(bytes, record->units[k].hash, 8);
        merels_bytes_put_int(bytes, record->units[k].most_group, 4);
    }
    for (size_t k = 0; k < file->n_models; k++) {
        merels_bytes_put_int(bytes, file->models[k].offset, 8);
        merels_bytes_put_int(bytes, file->models[k].hash, 8);
        merels_bytes_put_int(bytes, file->models[k].n_bytes, 4);
    }
    for (size_t k = 0; k < file->plan->n; k++) {
        merels_bytes_put_int(bytes, file->entries[k].rows_in_group, 4);
        merels_bytes_put_int(bytes, file->entries[k].index, 8);
        merels_bytes_put_int(bytes, file->entries[k].n_bytes, 8);
    }
    if (!bytes->failed)
        merels_bytes_put_int(bytes, merels_compact_hash(bytes->data, bytes->n), HASH_BYTES);
}

enum status merels_record_add(struct compact_record *record, struct error *err)
{
    struct bytes bytes = {0};
    const struct compact_file *file = record->file;
    struct compact_unit *unit = &record->units[record->n];
    *unit = (struct compact_unit){.end = file->end, .most_group = file->most_group};
    enum status status = merels_file_sync(&file->file, err);
    if (status == STATUS_OK)
        status =
            hash_part(&file->file, begin_of(record, record->n), unit->end, &unit->hash, err);
    if (status != STATUS_OK)
        return status;
    record->n++;
    put_record(record, &bytes);
    if (bytes.failed)
        status = merels_error(err, STATUS_NO_MEMORY, "out of memory for an export");
    else
        status = merels_file_replace(record->dir, record->file_name, bytes.data, bytes.n, err);
    merels_bytes_free(&bytes);
    return status;
}

enum status merels_record_remove(struct compact_record *record, struct error *err)
{
    char *path;
    enum status status = merels_path_join(record->dir, record->file_name, "", &path, err);
    if (status != STATUS_OK)
        return status;
    status = merels_file_remove(path, err);
    free(path);
    return status;
}
