/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The chip for the demo: 640 x 480 points of 32 bits in two frame buffers, all five lists, textures. */
#ifndef SCREEN_H
#define SCREEN_H
#include "../console/video.h"

/* Offsets of video memory by the 32-bit path. The 64-bit path interleaves both banks: its last 128 KiB, where
 * the textures are, lie in the last 64 KiB of each. */
enum {
    PARAMETERS = 0x000000,
    PARAMETER_LIMIT = 0x3F0000,
    REGION_ARRAY = 0x400000,   /* 300 tiles x 24 bytes */
    BACKGROUND = 0x402000,
    OBJECT_LISTS = 0x402800,   /* 5 lists x 300 tiles x 128 bytes */
    OBJECT_BLOCKS = 0x431600,  /* blocks that overflow */
    OBJECT_LIMIT = 0x4F0000,
    FRAME_0 = 0x500000,
    FRAME_1 = 0x630000,
    TEXTURES = 0x7E0000,       /* by the 64-bit path */
};
enum { LISTS = 5, PIXELS = WIDTH * HEIGHT };

void start_screen(u32 background, u32 shadow_scale);
/* Prepares the tile accelerator for a frame. */
void begin_frame(void);
/* Sends a list, blocks of 32 bytes that end with an end of list, by DMA, and waits for its end. */
void send_list(u32 list, u32 address, u32 blocks);
/* Starts to draw the lists of a mask into a frame buffer. RENDER_DONE comes at the end. */
void begin_render(u32 lists, u32 frame);
/* Shows a frame buffer from the next vertical blank on. */
void show_frame(u32 frame);

#endif
