/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The least that draws. See render.h. Register names and fields: docs/hardware/pvr2.md. */
#include "render.h"

enum { TILES_X = 20, TILES_Y = 15, TILES = TILES_X * TILES_Y, BLOCK = 32, EMPTY = 0x80000000 };

/* Six words a tile: control, then the lists. Only the opaque one is used. */
static void write_region_array(void) {
    volatile u32 *at = (volatile u32 *)(VRAM32 + REGION_ARRAY);
    for (u32 tile = 0; tile < TILES; tile++) {
        u32 x = tile % TILES_X, y = tile / TILES_X;
        u32 last = tile == TILES - 1 ? 0x80000000 : 0;
        *at++ = last | y << 8 | x << 2;
        *at++ = OBJECT_LISTS + tile * BLOCK;
        for (int list = 1; list < 5; list++) *at++ = EMPTY;
    }
}

/* A triangle whose planes the chip extends over the whole screen: ISP (always drawn), TSP (source only, no fog), no
 * texture, then x, y, z and colour three times. */
static void write_background(u32 colour) {
    static const float corners[3][3] = {{0, 0, 0.0001f}, {640, 0, 0.0001f}, {0, 480, 0.0001f}};
    volatile u32 *at = (volatile u32 *)(VRAM32 + BACKGROUND);
    *at++ = 0xE0000000;
    *at++ = 0x20800000;
    *at++ = 0;
    for (int corner = 0; corner < 3; corner++) {
        const u32 *words = (const u32 *)corners[corner];
        for (int n = 0; n < 3; n++) *at++ = words[n];
        *at++ = colour;
    }
}

void start_render(u32 background_colour) {
    write_region_array();
    write_background(background_colour);
    PVR(0x08) = 7; /* SOFTRESET of TA, pipeline and memory interface */
    PVR(0x08) = 0;
    PVR(0x30) = 0x101;      /* SPAN_SORT_CFG */
    PVR(0x74) = 1;          /* FPU_SHAD_SCALE */
    PVR(0x78) = 0x3F800000; /* FPU_CULL_VAL: 1.0 */
    PVR(0x7C) = 0x0027DF77; /* FPU_PARAM_CFG: region array with six words */
    PVR(0x80) = 7;          /* HALF_OFFSET: sample at the centre of points */
    PVR(0x84) = 0;          /* FPU_PERP_VAL */
    PVR(0x98) = 0x00800408; /* ISP_FEED_CFG */
    PVR(0xA0) = 0x20;       /* SDRAM_REFRESH */
    PVR(0xA8) = 0x15D1C951; /* SDRAM_CFG */
    PVR(0xBC) = 0xFFFFFFFF; /* FOG_CLAMP_MAX */
    PVR(0xC0) = 0;          /* FOG_CLAMP_MIN */
    PVR(0xE4) = 0;          /* TEXT_CONTROL */
    PVR(0xF4) = 0x400;      /* SCALER_CTL: vertical scale 1 */
}

void begin_lists(void) {
    PVR(0x124) = OBJECT_LISTS;
    PVR(0x12C) = OBJECT_LIMIT;
    PVR(0x128) = PARAMETERS;
    PVR(0x130) = BACKGROUND;
    PVR(0x13C) = (TILES_Y - 1) << 16 | (TILES_X - 1);
    PVR(0x140) = 1; /* opaque list: 8 words a block; growing up */
    PVR(0x164) = OBJECT_LISTS + TILES * BLOCK;
    PVR(0x144) = 0x80000000;
    (void)PVR(0x144); /* the write has arrived before the first block does */
}

/* QACR holds bits 28:26 of the target, here 10000000; the address in E0000000 to E3FFFFFF gives the rest. */
void send_block(const void *block) {
    static u32 queue;
    queue ^= 32;
    volatile u32 *target = (volatile u32 *)(0xE0000000 | queue);
    const u32 *words = block;
    REG32(0xFF000038) = REG32(0xFF00003C) = 0x10;
    for (int n = 0; n < 8; n++) target[n] = words[n];
    __asm__ volatile("pref @%0" : : "r"(target) : "memory");
}

void draw(u32 frame) {
    PVR(0x20) = PARAMETERS;
    PVR(0x2C) = REGION_ARRAY;
    PVR(0x48) = 0x9; /* FB_W_CTRL: 565, dithered */
    PVR(0x4C) = WIDTH * 2 / 8;
    PVR(0x60) = frame;
    PVR(0x64) = frame + WIDTH * 2;
    PVR(0x68) = (WIDTH - 1) << 16;
    PVR(0x6C) = (HEIGHT - 1) << 16;
    PVR(0x88) = 0x38D1B717; /* ISP_BACKGND_D: 0.0001 */
    /* ISP_BACKGND_T: words from PARAM_BASE in bits 23:3, one word (colour) a vertex behind its coordinates. */
    PVR(0x8C) = 1 << 24 | (BACKGROUND - PARAMETERS) / 4 << 3;
    PVR(0x14) = 0xFFFFFFFF;
}
