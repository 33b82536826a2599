/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Textures of .pvr files and .pvm archives. Their chunks lie at any byte, so all is read byte by byte. */
#include "internal.h"

enum { GBIX = 0x58494247, PVRT = 0x54525650, PVMH = 0x484D5650 };
enum { CHUNK_HEAD = 8, PVRT_HEAD = 16, CODEBOOK = 2048, GAP = 64 };

/* The second format byte. */
enum { TWIDDLED_MIPMAPS = 2, RECTANGLE = 9, STRIDE = 11, TWIDDLED_RECTANGLE = 13, SMALL_VQ = 16,
    SMALL_VQ_MIPMAPS = 17, MIPMAPS_DMA = 18 };

/* Texel formats of the texture control word. */
enum { YUV422 = 3, BUMP = 4, PALETTE_4 = 5, PALETTE_8 = 6 };

static uint32_t half_at(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8; }
static uint32_t word_at(const uint8_t *at) { return half_at(at) | half_at(at + 2) << 16; }

/* The word at an offset; 0, which is no chunk's name, where the file has none. */
static uint32_t name_at(const struct swr_texture_file *file, uint32_t at)
{
    return at <= file->size && file->size - at >= 4 ? word_at(file->bytes + at) : 0;
}

/* Chunks that may stand beside textures: COMM, CONV, MDLN, PVMI, PVRI, IMGC, PVPL, PVPN. */
static int is_other(uint32_t name)
{
    static const uint32_t names[] = {0x4D4D4F43, 0x564E4F43, 0x4E4C444D, 0x494D5650, 0x49525650, 0x43474D49,
        0x4C505650, 0x4E505650};
    uint32_t k;
    for (k = 0; k < sizeof names / 4; k++)
        if (name == names[k])
            return 1;
    return 0;
}

static int is_texture(uint32_t name) { return name == PVRT || name == GBIX; }

/* The first place from `at` to before `end` with a chunk of a texture, or any known one; `end` if there is
 * none. */
static uint32_t find(const struct swr_texture_file *file, uint32_t at, uint32_t end, int others)
{
    for (; at < end; at++) {
        uint32_t name = name_at(file, at);
        if (is_texture(name) || (others && is_other(name)))
            break;
    }
    return at;
}

static int fail(struct swr_fault *fault, uint32_t at, int result)
{
    fault->offset = at;
    return result;
}

/* Goes behind the chunk at file->at. */
static int skip(struct swr_texture_file *file, struct swr_fault *fault)
{
    uint32_t left = file->size - file->at;
    uint32_t size = left < CHUNK_HEAD ? 0 : word_at(file->bytes + file->at + 4);
    if (left < CHUNK_HEAD || size > left - CHUNK_HEAD)
        return fail(fault, file->at, SWR_END_OF_FILE);
    file->at += CHUNK_HEAD + size;
    return SWR_OK;
}

static int read_index(struct swr_texture_file *file, struct swr_texture_data *data, struct swr_fault *fault)
{
    const uint8_t *chunk = file->bytes + file->at;
    uint32_t start = file->at;
    SWR_TRY(skip(file, fault));
    if (word_at(chunk + 4) < 4)
        return fail(fault, start, SWR_END_OF_FILE);
    data->has_index = 1;
    data->global_index = word_at(chunk + 8);
    data->bank = word_at(chunk + 4) < 8 ? 0 : word_at(chunk + 12);
    return SWR_OK;
}

/* -- Sizes -- */

static int is_linear(uint32_t layout) { return layout == RECTANGLE || layout == STRIDE; }
static int is_small(uint32_t layout) { return layout == SMALL_VQ || layout == SMALL_VQ_MIPMAPS; }
static int is_vq(uint32_t layout) { return layout == 3 || layout == 4 || is_small(layout); }

static int has_levels(uint32_t layout)
{
    return layout == TWIDDLED_MIPMAPS || layout == 4 || layout == 6 || layout == 8
        || layout == SMALL_VQ_MIPMAPS || layout == MIPMAPS_DMA;
}

static int is_layout(uint32_t layout)
{
    return (layout >= 1 && layout <= RECTANGLE) || layout == STRIDE || layout == TWIDDLED_RECTANGLE
        || (layout >= SMALL_VQ && layout <= MIPMAPS_DMA);
}

static int is_power(uint32_t side) { return side && side <= 1024 && (side & (side - 1)) == 0; }

static int is_size(uint32_t layout, uint32_t width, uint32_t height)
{
    if ((has_levels(layout) && (width != height || width < 8)) || (is_small(layout) && width != height))
        return 0;
    if (is_linear(layout))
        return (is_power(width) || (width && width <= 992 && !(width & 31))) && height && height <= 1024;
    return is_power(width) && is_power(height);
}

/* Codes of a small codebook. */
static uint32_t codes(uint32_t side, int levels)
{
    if (side <= 16)
        return 16;
    if (side <= 32)
        return levels ? 64 : 32;
    return side <= 64 && !levels ? 128 : 256;
}

/* Texels with the smaller levels: 3 unused ones, then 1, 4, 16 and so on. */
static uint32_t texels(uint32_t layout, uint32_t width, uint32_t height)
{
    uint32_t side, sum = has_levels(layout) ? 3 : 0;
    for (side = 1; has_levels(layout) && side < width; side <<= 1)
        sum += side * side;
    return sum + width * height;
}

static uint32_t bits(uint32_t format) { return format == PALETTE_4 ? 4 : format == PALETTE_8 ? 8 : 16; }

/* Bytes in memory; where a file leaves some out, and how many. */
static void measure(struct swr_texture_data *data, uint32_t format)
{
    uint32_t layout = data->layout, count = texels(layout, data->width, data->height);
    data->memory = (count * bits(format) + 7) >> 3;
    data->gap = data->gap_at = 0;
    if (is_vq(layout))
        data->memory = CODEBOOK + ((count + 3) >> 2);
    if (layout == TWIDDLED_MIPMAPS)
        data->gap = 4;
    if (is_small(layout)) {
        data->gap_at = 8 * codes(data->width, has_levels(layout));
        data->gap = CODEBOOK - data->gap_at;
    }
    data->bytes = data->memory - data->gap;
}

/* -- The texture control word -- */

static uint32_t texel_format(const struct swr_texture_data *data)
{
    if (data->layout >= 5 && data->layout <= 8)
        return data->layout <= 6 ? PALETTE_4 : PALETTE_8;
    return data->pixels;
}

static uint32_t size_of(uint32_t side)
{
    uint32_t size = 8;
    while (size < side && size < 1024)
        size <<= 1;
    return size;
}

static void put_word(struct swr_texture_data *data, uint32_t format)
{
    uint32_t linear = (uint32_t)is_linear(data->layout);
    data->texture.width = size_of(data->width);
    data->texture.height = size_of(data->height);
    data->texture.word = format << 27 | (uint32_t)has_levels(data->layout) << 31
        | (uint32_t)is_vq(data->layout) << 30;
    if (format == PALETTE_4 || format == PALETTE_8)
        data->texture.word |= (data->has_index && data->bank < 64 ? data->bank : 0) << 21;
    else
        data->texture.word |= linear << 26 | (linear && !is_power(data->width) ? 1u << 25 : 0);
}

/* -- Chunks -- */

static int read_texture(struct swr_texture_file *file, struct swr_texture_data *data, struct swr_fault *fault)
{
    const uint8_t *chunk = file->bytes + file->at;
    uint32_t left = file->size - file->at, format, size;
    if (left < PVRT_HEAD)
        return fail(fault, file->at, SWR_END_OF_FILE);
    data->pixels = chunk[8];
    data->layout = chunk[9];
    data->width = half_at(chunk + 12);
    data->height = half_at(chunk + 14);
    format = texel_format(data);
    if (!is_layout(data->layout) || !is_size(data->layout, data->width, data->height))
        return fail(fault, file->at, SWR_TEXTURE);
    if (format > PALETTE_8 || (format > BUMP && !(data->layout >= 5 && data->layout <= 8)))
        return fail(fault, file->at, SWR_TEXTURE);
    if (format == YUV422 && (data->width & 1))
        return fail(fault, file->at, SWR_TEXTURE);
    measure(data, format);
    size = word_at(chunk + 4) < left - CHUNK_HEAD ? word_at(chunk + 4) : left - CHUNK_HEAD;
    if (size < CHUNK_HEAD || size - CHUNK_HEAD < data->bytes)
        return fail(fault, file->at, SWR_END_OF_FILE);
    put_word(data, format);
    data->texels = chunk + PVRT_HEAD;
    file->at += CHUNK_HEAD + size;
    return SWR_OK;
}

/* A size that leads nowhere is not followed if a texture begins earlier. */
static void settle(struct swr_texture_file *file, const struct swr_texture_data *data)
{
    uint32_t name = name_at(file, file->at);
    if (!is_texture(name) && !is_other(name))
        file->at = find(file, (uint32_t)(data->texels - file->bytes) + data->bytes, file->at, 0);
}

/* A row of an archive: number, name, formats, size and attributes, global index; flags say which are
 * there. */
static void read_row(struct swr_texture_file *file, struct swr_texture_data *data)
{
    const uint8_t *row = file->bytes + file->row;
    data->number = file->done;
    if (file->done >= file->rows)
        return;
    data->number = half_at(row);
    if (file->flags & 8)
        data->name = (const char *)row + 2;
    if ((file->flags & 1) && !data->has_index) {
        data->has_index = 1;
        data->global_index = word_at(row + file->row_bytes - 4);
    }
    file->row += file->row_bytes;
}

int swr_open_textures(struct swr_texture_file *file, const void *bytes, uint32_t size,
    struct swr_fault *fault)
{
    swr_clear(file, sizeof *file);
    swr_clear(fault, sizeof *fault);
    file->bytes = bytes;
    file->size = size;
    if (name_at(file, 0) != PVMH)
        return SWR_OK;
    SWR_TRY(skip(file, fault));
    file->archive = 1;
    if (file->at < CHUNK_HEAD + 4)
        return fail(fault, 0, SWR_END_OF_FILE);
    file->flags = half_at(file->bytes + 8);
    file->rows = half_at(file->bytes + 10);
    file->row = CHUNK_HEAD + 4;
    file->row_bytes = 2 + 28 * (file->flags >> 3 & 1) + 2 * (file->flags >> 2 & 1)
        + 2 * (file->flags >> 1 & 1) + 4 * (file->flags & 1);
    return file->rows * file->row_bytes > file->at - file->row ? fail(fault, 8, SWR_END_OF_FILE) : SWR_OK;
}

static int next_in_archive(struct swr_texture_file *file, struct swr_texture_data *data,
    struct swr_fault *fault)
{
    while (file->at < file->size) {
        uint32_t name = name_at(file, file->at);
        if (name == PVRT) {
            SWR_TRY(read_texture(file, data, fault));
            settle(file, data);
            read_row(file, data);
            file->done++;
            return SWR_OK;
        }
        if (name == GBIX)
            SWR_TRY(read_index(file, data, fault));
        else if (is_other(name))
            SWR_TRY(skip(file, fault));
        else
            file->at = find(file, file->at, file->size, 1);
    }
    return fail(fault, file->at, file->done < file->rows ? SWR_END_OF_FILE : SWR_CHUNK);
}

/* The rest of a file is no part of it behind its texture. */
static int next_in_file(struct swr_texture_file *file, struct swr_texture_data *data, struct swr_fault *fault)
{
    uint32_t name, end, found;
    if (file->done++)
        return fail(fault, file->at, SWR_CHUNK);
    while ((name = name_at(file, file->at)) != PVRT) {
        if (name == GBIX)
            SWR_TRY(read_index(file, data, fault));
        else if (is_other(name))
            SWR_TRY(skip(file, fault));
        else
            return fail(fault, file->at, SWR_CHUNK);
        /* A few bytes of filling may follow the global index. */
        end = file->size - file->at < GAP ? file->size : file->at + GAP;
        for (found = file->at; found < end && name_at(file, found) != PVRT; found++) {
        }
        name = name_at(file, file->at);
        if (found < end && name != PVRT && !is_other(name) && data->has_index)
            file->at = found;
    }
    return read_texture(file, data, fault);
}

int swr_next_texture(struct swr_texture_file *file, struct swr_texture_data *data, struct swr_fault *fault)
{
    swr_clear(data, sizeof *data);
    return file->archive ? next_in_archive(file, data, fault) : next_in_file(file, data, fault);
}

/* Byte `at` of a texture in memory. */
static uint32_t texture_byte(const struct swr_texture_data *data, uint32_t at)
{
    if (at >= data->memory || (at >= data->gap_at && at < data->gap_at + data->gap))
        return 0;
    return data->texels[at < data->gap_at ? at : at - data->gap];
}

void swr_store_texture(const struct swr_texture_data *data, volatile uint32_t *to)
{
    uint32_t at, k, aligned = ((uint32_t)(uintptr_t)data->texels & 3) == 0;
    for (at = 0; at < data->memory; at += 4) {
        uint32_t word = 0;
        if (aligned && at >= data->gap_at + data->gap && at + 4 <= data->memory) {
            *to++ = swr_word(data->texels + at - data->gap);
            continue;
        }
        for (k = 0; k < 4; k++)
            word |= texture_byte(data, at + k) << (8 * k);
        *to++ = word;
    }
}
