/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The display: 640 x 480 points of 16 bits (565), on VGA or on a television. */
#ifndef VIDEO_H
#define VIDEO_H
#include "console.h"

/* PVR registers by offset from 005F8000; video memory by the 32-bit and the 64-bit path. */
#define PVR(offset) REG32(0xA05F8000 + (offset))
#define VRAM32 0xA5000000
#define VRAM64 0xA4000000

enum { WIDTH = 640, HEIGHT = 480, FRAME_BYTES = WIDTH * HEIGHT * 2 };

/* Sets the mode for the cable that is plugged in, and shows the frame buffer at an offset of video memory. */
void start_video(u32 frame);
/* Shows another frame buffer. The display takes the address at the end of vertical blanking. */
void show(u32 frame);

#endif
