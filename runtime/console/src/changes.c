/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the chunks of a stream write (docs/formats/cell-sprite.md 3): words of cells under masks. */
#include "cells.h"

#define WHOLE 0xFFFFFFFFu
#define HIGH 0xFFFF0000u
#define LOW 0x0000FFFFu

/* Words of a cell by block bit, 7 to 2: first word and number. The angle and the priority share word 5. */
static const struct { uint8_t bit, word, count; } BLOCKS[] = {
    {7, 0, 1}, {6, 1, 4}, {5, 5, 1}, {4, 6, 2}, {3, 8, 4}, {2, 12, 4},
};
enum { BLOCK_MOTION = 0x40, BLOCK_PRIORITY = 0x20 };

/* A write of CE. In chunks the first of two halves is the high one, in memory the low one. */
static void block_write(uint32_t blocks, uint32_t i, uint32_t value, struct cell_write *write)
{
    uint32_t k, count;
    for (k = 0; k < sizeof BLOCKS / sizeof *BLOCKS; k++) {
        uint32_t bit = 1u << BLOCKS[k].bit;
        count = blocks & (BLOCKS[k].word == 5 ? bit | BLOCK_MOTION : bit) ? BLOCKS[k].count : 0;
        if (i < count)
            break;
        i -= count;
    }
    write->word = BLOCKS[k].word + i;
    write->mask = WHOLE;
    write->value = value;
    if (write->word == 5 && !(blocks & BLOCK_PRIORITY)) {
        write->mask = LOW;
    } else if (write->word == 5 && !(blocks & BLOCK_MOTION)) {
        write->mask = HIGH;
        write->value = value << 16;
    } else if (write->word == 5 || write->word == 0) {
        write->value = value << 16 | value >> 16;
    }
}

void swr_cell_write(const struct change *change, uint32_t i, struct cell_write *write)
{
    if (change->blocks) {
        block_write(change->blocks, i, change->data[i], write);
        write->word += change->word;
        return;
    }
    write->word = change->word + i;
    write->mask = change->data ? WHOLE : change->mask;
    write->value = change->data ? change->data[i] : change->value;
}

/* Both halves of a word get the value, of which the mask takes one. */
static void half(struct change *change, uint32_t head, uint32_t word, uint32_t mask)
{
    change->cell = head >> 16 & 0xFFF;
    change->word = 16 * change->cell + word;
    change->count = 1;
    change->mask = mask;
    change->value = head << 16 | (head & LOW);
}

static void burst(struct change *change, uint32_t head, const uint32_t *data)
{
    change->gated = swr_cell_kind(head) == CELL_ENTRY;
    change->cell = head & 0xFFFF;
    change->word = change->gated ? 16 * change->cell + (head >> 16 & 0xFF) : change->cell;
    change->count = swr_cell_data(head);
    change->data = data;
}

static int read(const uint32_t *chunk, struct change *change)
{
    uint32_t head = *chunk;
    change->gated = 1;
    switch (swr_cell_kind(head)) {
    case CELL_TEXTURE: half(change, head, 0, LOW); return 1;
    case CELL_ATTRIBUTES: half(change, head, 0, HIGH); return 1;
    case CELL_ANGLE: half(change, head, 5, LOW); return 1;
    case CELL_PRIORITY: half(change, head, 5, HIGH); return 1;
    case CELL_ADDRESS: burst(change, head, chunk + 1); return 1;
    case CELL_ENTRY:
        burst(change, head, chunk + 1);
        return (head >> 16 & 0xFF) + change->count <= 16;
    case CELL_BLOCKS:
        change->cell = head & 0xFFFF;
        change->word = 16 * change->cell;
        change->count = swr_cell_data(head);
        change->blocks = head >> 16 & 0xFC;
        change->data = chunk + 1;
        return 1;
    default: return 0;
    }
}

int swr_change(const uint32_t *chunk, uint32_t cells, struct change *change)
{
    swr_clear(change, sizeof *change);
    if (!read(chunk, change) || (change->gated && change->cell >= cells))
        return 0;
    return change->word + change->count <= 16 * cells || change->blocks;
}
