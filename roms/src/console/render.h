/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The least that draws with the tile accelerator: one opaque list, two frame buffers. */
#ifndef RENDER_H
#define RENDER_H
#include "video.h"

/* Offsets of video memory, by the 32-bit path. The 64-bit path interleaves both 4 MiB banks: 64-bit address a lies at
 * a / 2 of each bank. So textures from 700000 on do not overlap what lies below 380000 here. */
enum {
    FRAME_0 = 0x000000,
    FRAME_1 = 0x0A0000,
    OBJECT_LISTS = 0x180000, /* 300 tiles x 32 bytes, then room for blocks that overflow */
    OBJECT_LIMIT = 0x1A0000,
    REGION_ARRAY = 0x1B0000, /* 300 tiles x 24 bytes */
    PARAMETERS = 0x200000,
    BACKGROUND = 0x2F0000,
    TEXTURE = 0x700000, /* by the 64-bit path */
};

/* A vertex of a textured polygon with packed colour. 32 bytes, as all blocks of the tile accelerator. */
struct vertex {
    u32 control;
    float x, y, z, u, v;
    u32 colour, offset;
};
enum { VERTEX = 0xE0000000, LAST_VERTEX = 0xF0000000 };

/* The region array and the background: they stay for all frames. */
void start_render(u32 background_colour);
/* Prepares the tile accelerator for a frame's lists. */
void begin_lists(void);
/* Sends a block of 32 bytes to the tile accelerator by a store queue. */
void send_block(const void *block);
/* Draws what the lists hold into a frame buffer. The event RENDER_DONE comes at the end. */
void draw(u32 frame);

#endif
