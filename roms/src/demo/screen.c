/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The chip for the demo. See screen.h. Registers and fields: docs/hardware/pvr2.md. */
#include "screen.h"

#define C2DSTAT REG32(0xA05F6800)
#define C2DLEN REG32(0xA05F6804)
#define C2DST REG32(0xA05F6808)
#define SAR2 REG32(0xFFA00020)
#define DMATCR2 REG32(0xFFA00028)
#define CHCR2 REG32(0xFFA0002C)

enum { TILES_X = 20, TILES_Y = 15, TILES = TILES_X * TILES_Y, BLOCK = 128, EMPTY = 0x80000000 };

/* The end of each list, a bit of ISTNRM. */
static const u32 list_done[LISTS] = {1 << 7, 1 << 8, 1 << 9, 1 << 10, 1 << 21};

/* A triangle whose planes the chip extends over the screen: ISP, TSP (source only, no fog), no texture, then
 * x, y, z and colour three times. */
static void write_background(u32 colour) {
    static const float corners[3][3] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    volatile u32 *at = (volatile u32 *)(VRAM32 + BACKGROUND);
    *at++ = 0;
    *at++ = 0x20900000;
    *at++ = 0;
    for (int corner = 0; corner < 3; corner++) {
        const u32 *words = (const u32 *)corners[corner];
        for (int n = 0; n < 3; n++) *at++ = words[n];
        *at++ = colour;
    }
}

/* Six words a tile: control, then where each list begins. Lists that are not in the frame are marked
 * empty. */
static void write_region_array(u32 lists) {
    volatile u32 *at = (volatile u32 *)(VRAM32 + REGION_ARRAY);
    u32 tile = 0;
    for (u32 y = 0; y < TILES_Y; y++) {
        for (u32 x = 0; x < TILES_X; x++, tile++) {
            *at++ = (tile == TILES - 1 ? 0x80000000 : 0) | y << 8 | x << 2;
            for (u32 list = 0; list < LISTS; list++)
                *at++ = lists >> list & 1 ? OBJECT_LISTS + (list * TILES + tile) * BLOCK : EMPTY;
        }
    }
}

/* The modes of video.c have 16 bits a point. 0888 (bits 3:2 = 3) has twice as many words a line, and between
 * the lines of a field in interlaced modes. */
static void use_32_bits(void) {
    u32 size = PVR(0x5C), is_interlaced = PVR(0xD0) >> 4 & 1;
    PVR(0x44) = (PVR(0x44) & ~0xC) | 0xC;
    PVR(0x5C) = (size & 0x000FFC00) | (is_interlaced ? WIDTH + 1 : 1) << 20 | (WIDTH - 1);
}

void show_frame(u32 frame) {
    u32 is_interlaced = PVR(0xD0) >> 4 & 1;
    PVR(0x50) = frame;
    PVR(0x54) = frame + (is_interlaced ? WIDTH * 4 : 0);
}

void start_screen(u32 background, u32 shadow_scale) {
    start_video(FRAME_0);
    use_32_bits();
    show_frame(FRAME_0);
    write_background(background);
    PVR(0x08) = 7; /* SOFTRESET of TA, pipeline and memory interface */
    PVR(0x08) = 0;
    PVR(0x30) = 0x101;      /* SPAN_SORT_CFG */
    PVR(0x74) = shadow_scale; /* FPU_SHAD_SCALE */
    PVR(0x78) = 0;          /* FPU_CULL_VAL: no triangle is too small */
    PVR(0x7C) = 0x0027DF77; /* FPU_PARAM_CFG: region array with six words */
    PVR(0x80) = 7;          /* HALF_OFFSET: sample at the centre of points */
    PVR(0x84) = 0;          /* FPU_PERP_VAL */
    PVR(0x88) = 0;          /* ISP_BACKGND_D */
    PVR(0x8C) = 1 << 24 | BACKGROUND / 4 << 3; /* ISP_BACKGND_T: one word, the colour, behind coordinates */
    PVR(0x98) = 0x00800408; /* ISP_FEED_CFG */
    PVR(0xA0) = 0x20;       /* SDRAM_REFRESH */
    PVR(0xA8) = 0x15D1C951; /* SDRAM_CFG */
    PVR(0xBC) = 0xFFFFFFFF; /* FOG_CLAMP_MAX */
    PVR(0xC0) = 0;          /* FOG_CLAMP_MIN */
    PVR(0xE4) = 0;          /* TEXT_CONTROL */
    PVR(0xF4) = 0x400;      /* SCALER_CTL: vertical scale 1 */
    PVR(0x11C) = 0x80;      /* PT_ALPHA_REF */
    start_events(VBLANK_IN | RENDER_DONE | CHANNEL2_DONE | list_done[0] | list_done[1] | list_done[2]
        | list_done[3] | list_done[4]);
}

void begin_frame(void) {
    PVR(0x124) = OBJECT_LISTS;
    PVR(0x12C) = OBJECT_LIMIT;
    PVR(0x128) = PARAMETERS;
    PVR(0x130) = PARAMETER_LIMIT;
    PVR(0x13C) = (TILES_Y - 1) << 16 | (TILES_X - 1);
    PVR(0x140) = 0x00033333; /* five lists of 32 words a block; growing up */
    PVR(0x164) = OBJECT_BLOCKS;
    PVR(0x144) = 0x80000000;
    (void)PVR(0x144); /* the write has arrived before the first block does */
}

void send_list(u32 list, u32 address, u32 blocks) {
    SAR2 = address & 0x1FFFFFFF;
    DMATCR2 = blocks;
    CHCR2 = 0x12C1; /* from memory to device, source up, 32 bytes, burst, enabled */
    C2DSTAT = 0x10000000;
    C2DLEN = blocks * 32;
    C2DST = 1;
    wait_for(CHANNEL2_DONE);
    wait_for(list_done[list]);
}

void begin_render(u32 lists, u32 frame) {
    write_region_array(lists);
    PVR(0x20) = PARAMETERS;
    PVR(0x2C) = REGION_ARRAY;
    PVR(0x48) = 5; /* FB_W_CTRL: 0888 */
    PVR(0x4C) = WIDTH * 4 / 8;
    PVR(0x60) = frame;
    PVR(0x64) = frame + WIDTH * 4;
    PVR(0x68) = (WIDTH - 1) << 16;
    PVR(0x6C) = (HEIGHT - 1) << 16;
    PVR(0x14) = 0xFFFFFFFF;
}
