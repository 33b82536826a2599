/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Palettes of .pvp files. A file may lie at any byte, so all is read byte by byte. */
#include "internal.h"

enum { PVPL = 0x4C505650, CHUNK_HEAD = 8, PALETTE_HEAD = 16, PALETTE_WORDS = 1024 };

static uint32_t half_at(const uint8_t *at) { return at[0] | (uint32_t)at[1] << 8; }
static uint32_t word_at(const uint8_t *at) { return half_at(at) | half_at(at + 2) << 16; }

static int fail(struct swr_fault *fault, uint32_t at, int result)
{
    fault->offset = at;
    return result;
}

/* The two bits of PAL_RAM_CTRL for a format byte; 4 if palettes do not have it. 7 is a second number for
 * ARGB8888 in palettes of early samples. */
static uint32_t format_of(uint32_t pixels)
{
    static const uint8_t FORMATS[] = {0, 1, 2, 4, 4, 4, 3, 3};
    return pixels < sizeof FORMATS ? FORMATS[pixels] : 4;
}

int swr_load_palette(struct swr_palette *palette, const void *file, uint32_t size, struct swr_fault *fault)
{
    const uint8_t *bytes = file;
    uint32_t used;
    swr_clear(palette, sizeof *palette);
    swr_clear(fault, sizeof *fault);
    if (size < 4 || word_at(bytes) != PVPL)
        return fail(fault, 0, SWR_CHUNK);
    if (size < CHUNK_HEAD)
        return fail(fault, 4, SWR_END_OF_FILE);
    /* A size that leads behind the file is cut. */
    used = word_at(bytes + 4) < size - CHUNK_HEAD ? word_at(bytes + 4) : size - CHUNK_HEAD;
    if (used < 1)
        return fail(fault, 8, SWR_END_OF_FILE);
    palette->format = format_of(bytes[8]);
    if (palette->format > 3)
        return fail(fault, 8, SWR_TEXTURE);
    if (used < PALETTE_HEAD - CHUNK_HEAD)
        return fail(fault, 9, SWR_END_OF_FILE);
    palette->first = half_at(bytes + 10) * 16 + half_at(bytes + 12);
    palette->count = half_at(bytes + 14);
    palette->entry_bytes = palette->format == 3 ? 4 : 2;
    palette->entries = bytes + PALETTE_HEAD;
    if (palette->count * palette->entry_bytes > used - (PALETTE_HEAD - CHUNK_HEAD))
        return fail(fault, PALETTE_HEAD, SWR_END_OF_FILE);
    return SWR_OK;
}

void swr_store_palette(const struct swr_palette *palette, volatile uint32_t *ram)
{
    uint32_t i;
    for (i = 0; i < palette->count && palette->first + i < PALETTE_WORDS; i++) {
        const uint8_t *entry = palette->entries + i * palette->entry_bytes;
        ram[palette->first + i] = palette->entry_bytes == 4 ? word_at(entry) : half_at(entry);
    }
}
