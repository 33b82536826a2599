/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the parts for cells share. */
#ifndef SWR_CELLS_H
#define SWR_CELLS_H

#include "internal.h"

/* Kinds of chunks in a stream (docs/formats/cell-sprite.md 3); 8 to 13 have no effect. */
enum { CELL_END, CELL_STAMP, CELL_BLOCKS, CELL_TEXTURE, CELL_ATTRIBUTES, CELL_ANGLE, CELL_PRIORITY,
    CELL_EVENT, CELL_ADDRESS = 14, CELL_ENTRY = 15 };

/* load_cells.c: the kind of a chunk, and how many words follow its first */
uint32_t swr_cell_kind(uint32_t head);
uint32_t swr_cell_data(uint32_t head);

/* Bits of a cell's first word: hidden, repeating, punch-through, alpha. */
#define CELL_HIDDEN 0x00040000u
#define CELL_REPEATS 0x00020000u
#define CELL_PUNCH_THROUGH 0x00200000u
#define CELL_ALPHA 0x00400000u

/* schedule.c: the stamps that a span of time reaches, in the order of time */
struct due { int64_t time, run; uint32_t place; };
int swr_first_due(const struct swr_stream *stream, int64_t from, struct due *due);
void swr_next_due(const struct swr_stream *stream, const struct swr_schedule *schedule, struct due *due);
/* Where playing begins for a list that starts at a time. */
int64_t swr_beginning(const struct swr_stream *stream, int64_t start);
/* The run of the pattern that a time lies in. */
int64_t swr_run_at(const struct swr_stream *stream, int64_t time);

/* changes.c: what a chunk writes */
struct change {
    uint32_t gated, cell;  /* the cell that it names */
    uint32_t count;
    uint32_t word;         /* of the first write where they follow each other */
    const uint32_t *data;
    uint32_t blocks;       /* of CE; 0 for others */
    uint32_t value, mask;  /* of a single write */
};
struct cell_write { uint32_t word, mask, value; };
/* 0 if the chunk has no effect on a sprite of so many cells. */
int swr_change(const uint32_t *chunk, uint32_t cells, struct change *change);
void swr_cell_write(const struct change *change, uint32_t i, struct cell_write *write);

#endif
