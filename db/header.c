// header.c: the 256 bytes at the start of a table file.
//
//       0  magic "MERELSTB"            8  version               12  check of bytes 0..11
//      16  rules fingerprint (16)
//      32  edition   33 value width   34 points   35 zero       36  a  b  ha  hb
//      40  slots per block            44  blocks per group
//      48  slots                      56  rows                  64  columns
//      72  orbits                     80  wins                  88  draws
//      96  losses                    104  no position           (orbits)
//     112  longest win              116  longest loss           (plies, 2^32-1: none)
//     120  first slot with it       128  first slot with it
//     136  blocks                   144  bytes of the file     152  XXH64 of the groups
//     160  hash of the values (32)  192  zero (56)             248  XXH64 of bytes 0..247
//
// The first 16 bytes have the same meaning in every version of the format: a reader can tell
// "newer than I am" from "damaged" without knowing what the newer header looks like.

#include "db/header.h"

#include <string.h>

#include "db/block_index.h"

enum {
    AT_VERSION = 8,
    AT_PREAMBLE_CHECK = 12,
    AT_FINGERPRINT = 16,
    AT_EDITION = 32,
    AT_VALUE_BYTES = 33,
    AT_POINTS = 34,
    AT_ZERO_1 = 35,
    AT_SUBSPACE = 36,
    AT_BLOCK_SLOTS = 40,
    AT_GROUP_BLOCKS = 44,
    AT_SLOTS = 48,
    AT_ROWS = 56,
    AT_COLUMNS = 64,
    AT_ORBITS = 72,
    AT_WIN = 80,
    AT_DRAW = 88,
    AT_LOSS = 96,
    AT_NONE = 104,
    AT_MAX_WIN = 112,
    AT_MAX_LOSS = 116,
    AT_MAX_WIN_SLOT = 120,
    AT_MAX_LOSS_SLOT = 128,
    AT_BLOCKS = 136,
    AT_FILE_BYTES = 144,
    AT_INDEX_CHECKSUM = 152,
    AT_VALUE_HASH = 160,
    AT_ZERO_2 = 192,
    AT_CHECKSUM = 248,
    PREAMBLE_BYTES = 16
};

static const char magic[8] = {'M', 'E', 'R', 'E', 'L', 'S', 'T', 'B'};

size_t merels_table_name(struct subspace s, enum edition edition, char out[TABLE_NAME_BYTES])
{
    size_t n = (size_t)merels_subspace_name(s, out);
    strcpy(out + n, merels_edition_suffix(edition));
    return n + strlen(out + n);
}

bool merels_table_named(const char *name, enum edition edition, struct subspace *s)
{
    const char *dot = strchr(name, '.');
    char stem[SUBSPACE_NAME_BYTES], again[SUBSPACE_NAME_BYTES];
    if (dot == NULL || strcmp(dot, merels_edition_suffix(edition)) != 0 ||
        dot - name >= SUBSPACE_NAME_BYTES)
        return false;
    memcpy(stem, name, (size_t)(dot - name));
    stem[dot - name] = '\0';
    if (merels_subspace_parse(stem, s, NULL) != STATUS_OK)
        return false;
    merels_subspace_name(*s, again);
    return strcmp(stem, again) == 0;
}

uint64_t merels_block_count(const struct table_header *header)
{
    uint32_t step = merels_edition_block_slots(header->edition);
    return header->n_slots / step + (header->n_slots % step != 0);
}

uint64_t merels_block_slots(const struct table_header *header, uint64_t block)
{
    uint32_t step = merels_edition_block_slots(header->edition);
    uint64_t rest = header->n_slots - block * step;
    return rest < step ? rest : step;
}

size_t merels_block_bytes(const struct table_header *header, uint64_t block)
{
    size_t n_slots = (size_t)merels_block_slots(header, block);
    return merels_edition_bytes(header->edition, header->value_bytes, n_slots);
}

// ---- to bytes ------------------------------------------------------------------------------

static void encode_counts(const struct table_header *header, uint8_t *bytes)
{
    const struct table_stats *stats = &header->stats;
    put_le(bytes + AT_SLOTS, 8, header->n_slots);
    put_le(bytes + AT_ROWS, 8, header->n_rows);
    put_le(bytes + AT_COLUMNS, 8, header->n_columns);
    put_le(bytes + AT_ORBITS, 8, header->n_orbits);
    put_le(bytes + AT_WIN, 8, stats->win);
    put_le(bytes + AT_DRAW, 8, stats->draw);
    put_le(bytes + AT_LOSS, 8, stats->loss);
    put_le(bytes + AT_NONE, 8, stats->none);
    put_le(bytes + AT_MAX_WIN, 4, (uint32_t)stats->max_win);
    put_le(bytes + AT_MAX_LOSS, 4, (uint32_t)stats->max_loss);
    put_le(bytes + AT_MAX_WIN_SLOT, 8, stats->max_win_slot);
    put_le(bytes + AT_MAX_LOSS_SLOT, 8, stats->max_loss_slot);
}

void merels_header_encode(const struct table_header *header, const struct table_layout *layout,
                          uint8_t bytes[TABLE_HEADER_BYTES])
{
    memset(bytes, 0, TABLE_HEADER_BYTES);
    memcpy(bytes, magic, sizeof magic);
    put_le(bytes + AT_VERSION, 4, (uint32_t)header->version);
    put_le(bytes + AT_PREAMBLE_CHECK, 4, merels_xxh64(bytes, AT_PREAMBLE_CHECK));
    memcpy(bytes + AT_FINGERPRINT, header->fingerprint, FINGERPRINT_BYTES);
    bytes[AT_EDITION] = (uint8_t)header->edition;
    bytes[AT_VALUE_BYTES] = (uint8_t)header->value_bytes;
    bytes[AT_POINTS] = (uint8_t)header->n_points;
    bytes[AT_SUBSPACE] = header->subspace.a;
    bytes[AT_SUBSPACE + 1] = header->subspace.b;
    bytes[AT_SUBSPACE + 2] = header->subspace.ha;
    bytes[AT_SUBSPACE + 3] = header->subspace.hb;
    put_le(bytes + AT_BLOCK_SLOTS, 4, header->block_slots);
    put_le(bytes + AT_GROUP_BLOCKS, 4, GROUP_BLOCKS);
    encode_counts(header, bytes);
    put_le(bytes + AT_BLOCKS, 8, layout->n_blocks);
    put_le(bytes + AT_FILE_BYTES, 8, layout->file_bytes);
    put_le(bytes + AT_INDEX_CHECKSUM, 8, layout->index_checksum);
    memcpy(bytes + AT_VALUE_HASH, header->value_hash, SHA256_BYTES);
    put_le(bytes + AT_CHECKSUM, 8, merels_xxh64(bytes, AT_CHECKSUM));
}

// ---- from bytes ----------------------------------------------------------------------------

static enum status corrupt(struct error *err, const char *path, const char *what)
{
    return merels_error(err, STATUS_CORRUPT, "%s: %s", path, what);
}

static enum status check_preamble(const uint8_t *bytes, size_t n_bytes, const char *path,
                                  struct error *err)
{
    if (n_bytes < PREAMBLE_BYTES)
        return corrupt(err, path, "shorter than a table header");
    if (memcmp(bytes, magic, sizeof magic) != 0)
        return corrupt(err, path, "not a Merels table");
    if (get_le(bytes + AT_PREAMBLE_CHECK, 4) !=
        (uint32_t)merels_xxh64(bytes, AT_PREAMBLE_CHECK))
        return corrupt(err, path, "the format version is damaged");
    uint64_t version = get_le(bytes + AT_VERSION, 4);
    if (version > TABLE_VERSION)
        return merels_error(err, STATUS_NEWER,
                            "%s: format version %llu is newer than this program knows (%d)",
                            path, (unsigned long long)version, TABLE_VERSION);
    if (version == 0)
        return corrupt(err, path, "there is no such format version");
    if (version < TABLE_VERSION)
        return merels_error(err, STATUS_OLDER,
                            "%s: format version %llu is no longer read (this is %d): make the "
                            "table anew with 'merels solve' in an empty directory",
                            path, (unsigned long long)version, TABLE_VERSION);
    return STATUS_OK;
}

// A depth field; *depth is -1 for "none". False if it is neither that nor a depth of this
// width; width 0 has none.
static bool decode_depth(const uint8_t *bytes, int value_bytes, int *depth)
{
    uint64_t field = get_le(bytes, 4);
    *depth = field == UINT32_MAX ? -1 : (int)(field & 0xFFFF);
    if (field == UINT32_MAX)
        return true;
    return value_bytes > 0 && field <= (value_bytes == 1 ? MAX_DEPTH : WIDE_MAX_DEPTH);
}

static enum status decode_counts(const uint8_t *bytes, const char *path,
                                 struct table_header *header, struct error *err)
{
    struct table_stats *stats = &header->stats;
    header->n_slots = get_le(bytes + AT_SLOTS, 8);
    header->n_rows = get_le(bytes + AT_ROWS, 8);
    header->n_columns = get_le(bytes + AT_COLUMNS, 8);
    header->n_orbits = get_le(bytes + AT_ORBITS, 8);
    stats->win = get_le(bytes + AT_WIN, 8);
    stats->draw = get_le(bytes + AT_DRAW, 8);
    stats->loss = get_le(bytes + AT_LOSS, 8);
    stats->none = get_le(bytes + AT_NONE, 8);
    stats->max_win_slot = get_le(bytes + AT_MAX_WIN_SLOT, 8);
    stats->max_loss_slot = get_le(bytes + AT_MAX_LOSS_SLOT, 8);
    if (!decode_depth(bytes + AT_MAX_WIN, header->value_bytes, &stats->max_win) ||
        !decode_depth(bytes + AT_MAX_LOSS, header->value_bytes, &stats->max_loss))
        return corrupt(err, path, "a longest depth is out of range");
    return STATUS_OK;
}

static enum status check_edition(const struct table_header *header, const char *path,
                                 struct error *err)
{
    if (!edition_has_depths(header->edition) && header->edition != EDITION_WDL)
        return corrupt(err, path, "there is no such edition");
    if (!merels_edition_has_width(header->edition, header->value_bytes))
        return corrupt(err, path, "there is no such width of values");
    if (header->block_slots != merels_edition_block_slots(header->edition))
        return corrupt(err, path, "there is no such block size");
    return STATUS_OK;
}

static enum status decode_kind(const uint8_t *bytes, const char *path,
                               struct table_header *header, struct error *err)
{
    header->version = TABLE_VERSION;
    memcpy(header->fingerprint, bytes + AT_FINGERPRINT, FINGERPRINT_BYTES);
    header->edition = (enum edition)bytes[AT_EDITION];
    header->value_bytes = bytes[AT_VALUE_BYTES];
    header->n_points = bytes[AT_POINTS];
    header->subspace = (struct subspace){bytes[AT_SUBSPACE], bytes[AT_SUBSPACE + 1],
                                         bytes[AT_SUBSPACE + 2], bytes[AT_SUBSPACE + 3]};
    header->block_slots = (uint32_t)get_le(bytes + AT_BLOCK_SLOTS, 4);
    enum status status = check_edition(header, path, err);
    if (status != STATUS_OK)
        return status;
    if (header->n_points > MAX_POINTS ||
        header->subspace.a + header->subspace.b > header->n_points)
        return corrupt(err, path, "more men than points");
    if (get_le(bytes + AT_GROUP_BLOCKS, 4) != GROUP_BLOCKS)
        return corrupt(err, path, "there is no such group of blocks");
    bool zero = bytes[AT_ZERO_1] == 0;
    for (int i = AT_ZERO_2; i < AT_CHECKSUM; i++)
        zero = zero && bytes[i] == 0;
    if (!zero)
        return corrupt(err, path, "a reserved byte is not zero");
    return STATUS_OK;
}

enum status merels_header_decode(const uint8_t *bytes, size_t n_bytes, const char *path,
                                 struct table_header *header, struct table_layout *layout,
                                 struct error *err)
{
    enum status status = check_preamble(bytes, n_bytes, path, err);
    if (status != STATUS_OK)
        return status;
    if (n_bytes < TABLE_HEADER_BYTES)
        return corrupt(err, path, "shorter than a table header");
    if (get_le(bytes + AT_CHECKSUM, 8) != merels_xxh64(bytes, AT_CHECKSUM))
        return corrupt(err, path, "header checksum mismatch");
    status = decode_kind(bytes, path, header, err);
    if (status == STATUS_OK)
        status = decode_counts(bytes, path, header, err);
    layout->n_blocks = get_le(bytes + AT_BLOCKS, 8);
    layout->file_bytes = get_le(bytes + AT_FILE_BYTES, 8);
    layout->index_checksum = get_le(bytes + AT_INDEX_CHECKSUM, 8);
    memcpy(header->value_hash, bytes + AT_VALUE_HASH, SHA256_BYTES);
    return status;
}

// ---- checking ------------------------------------------------------------------------------

// With the board the counts are exact; without it they are at least possible, so that no
// product overflows and no size is larger than the largest table on 24 points.
static bool counts_fit(const struct table_header *header, const struct board *board)
{
    struct subspace s = header->subspace;
    if (board != NULL)
        return header->n_points == board->n_points &&
               header->n_rows == merels_subspace_rows(board, s) &&
               header->n_columns == merels_subspace_columns(board, s) &&
               header->n_slots == header->n_rows * header->n_columns && header->n_slots > 0 &&
               header->n_orbits == merels_subspace_orbits(board, s);
    return header->n_columns == merels_choose(header->n_points - s.b, s.a) &&
           header->n_rows > 0 && header->n_rows <= merels_choose(header->n_points, s.b) &&
           header->n_slots == header->n_rows * header->n_columns && header->n_orbits > 0 &&
           header->n_orbits <= header->n_slots;
}

// One kind of decided position: how many, how deep, which slot. There must be a value that says
// so.
static bool depths_fit(const struct table_header *header, bool wins, uint64_t n_orbits,
                       int deepest, uint64_t slot)
{
    int most = header->value_bytes == 1 ? MAX_DEPTH : WIDE_MAX_DEPTH;
    int number = header->edition == EDITION_DTM ? deepest : 2 * deepest - wins;
    if (n_orbits == 0)
        return deepest == -1 && slot == 0;
    return deepest >= 0 && number >= 0 && number <= most && value_wins(number) == wins &&
           slot < header->n_slots;
}

static bool stats_fit(const struct table_header *header)
{
    const struct table_stats *stats = &header->stats;
    uint64_t rest = header->n_orbits;
    if (stats->win > rest)
        return false;
    rest -= stats->win;
    if (stats->draw > rest)
        return false;
    rest -= stats->draw;
    if (stats->loss > rest || stats->none != rest - stats->loss)
        return false;
    if (header->edition == EDITION_WDL)
        return stats->max_win == -1 && stats->max_loss == -1 && stats->max_win_slot == 0 &&
               stats->max_loss_slot == 0;
    return depths_fit(header, true, stats->win, stats->max_win, stats->max_win_slot) &&
           depths_fit(header, false, stats->loss, stats->max_loss, stats->max_loss_slot);
}

enum status merels_header_check(const struct table_header *header,
                                const struct table_layout *layout, const struct board *board,
                                const char *path, struct error *err)
{
    if (!counts_fit(header, board))
        return corrupt(err, path, "the number of slots, rows, columns or orbits is impossible");
    if (!stats_fit(header))
        return corrupt(err, path, "wins, draws and losses contradict each other");
    if (layout->n_blocks != merels_block_count(header))
        return corrupt(err, path, "the number of blocks is impossible");
    return STATUS_OK;
}
