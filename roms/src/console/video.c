/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The display. See video.h. Registers and values: docs/hardware/pvr2.md and the table of modes in Sega's manual, which
 * buhman/dreamcast holds as CSV (video_output). */
#include "video.h"

struct mode {
    u32 fb_r_ctrl, fb_r_size, vblank_int, control, hblank, load, vblank, width, start_x, start_y;
};

/* FB_R_CTRL: enable (bit 0), 565 (bits 3:2 = 1), 27 MHz dot clock (bit 23). FB_R_SIZE: words a line - 1, lines - 1, and
 * words from line to line + 1: interlaced modes skip the other field's line. */
static const struct mode vga = {
    0x00800005, 1 << 20 | 479 << 10 | 319, 0x00150208, 0x100,
    0x007E0345, 0x020C0359, 0x00280208, 0x03F1933F, 0xA8, 0x00280028,
};
static const struct mode ntsc = {
    0x00000005, 321 << 20 | 239 << 10 | 319, 0x00150102, 0x150,
    0x007E0345, 0x020C0359, 0x00240204, 0x07D6C63F, 0xA4, 0x00120012,
};

static int is_interlaced;

/* Port A, pins 9:8 as inputs: 0 is a VGA cable. */
static int has_vga(void) {
    REG32(0xFF80002C) = (REG32(0xFF80002C) & 0xFFF0FFFF) | 0x000A0000;
    return (REG16(0xFF800030) >> 8 & 3) == 0;
}

void show(u32 frame) {
    PVR(0x50) = frame;
    PVR(0x54) = frame + (is_interlaced ? WIDTH * 2 : 0);
}

void start_video(u32 frame) {
    const struct mode *mode = has_vga() ? &vga : &ntsc;
    is_interlaced = mode->control >> 4 & 1;
    PVR(0xE8) = 0x00160008; /* VO_CONTROL: border colour only, while the mode changes */
    PVR(0x44) = mode->fb_r_ctrl;
    PVR(0x5C) = mode->fb_r_size;
    PVR(0xC8) = 0x03450000; /* SPG_HBLANK_INT */
    PVR(0xCC) = mode->vblank_int;
    PVR(0xD0) = mode->control;
    PVR(0xD4) = mode->hblank;
    PVR(0xD8) = mode->load;
    PVR(0xDC) = mode->vblank;
    PVR(0xE0) = mode->width;
    PVR(0xEC) = mode->start_x;
    PVR(0xF0) = mode->start_y;
    PVR(0x40) = 0; /* border: black */
    show(frame);
    PVR(0xE8) = 0x00160000;
}
