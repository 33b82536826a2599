/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Small pictures of 64 x 64 pixels, read back from video memory. Register names and fields: docs/hardware/pvr2.md. */
#include "truth.h"
#include "../console/render.h"

enum { SIDE = 64, TILES = 4, OPAQUE = 0, TRANSLUCENT = 2, PUNCH_THROUGH = 4, EMPTY = 0x80000000, LIMIT = 1 << 20 };
enum {
    TRANSLUCENT_DONE = 1 << 9,
    PUNCH_THROUGH_DONE = 1 << 21,
    EVENTS = OPAQUE_DONE | TRANSLUCENT_DONE | PUNCH_THROUGH_DONE,
};
/* PCW: textured, shaded by vertices. ISP: greater. TSP: source only, source and inverse alpha, no fog, 64 x 64. */
enum { TEXTURED = 8, GOURAUD = 2, GREATER = 4u << 29, REPLACE = 0x20800000, BLEND = 0x94900000, BY_64 = 3 << 3 | 3 };
/* FB_W_CTRL: 565, 565 dithered, 8888. TCW: linear layout, formats. */
enum { RGB565 = 1, DITHERED = 9, ARGB8888 = 6, LINEAR = 1 << 26, AS_4444 = 2 << 27, AS_565 = 1 << 27 };

static u32 words(const float *value) { return *(const u32 *)value; }

/* A strip of two triangles over a rectangle, with a colour for each corner. Texture coordinates go from 0 to `scale`. */
struct quad {
    u32 list, pcw, isp, tsp, tcw;
    float left, top, right, bottom, z, scale;
    u32 colours[4];
};

static void begin(u32 list, u32 background) {
    start_render(background);
    volatile u32 *at = (volatile u32 *)(VRAM32 + REGION_ARRAY);
    for (u32 tile = 0; tile < TILES; tile++) {
        *at++ = (tile == TILES - 1 ? 0x80000000 : 0) | tile / 2 << 8 | tile % 2 << 2;
        *at++ = list == OPAQUE ? OBJECT_LISTS + tile * 32 : EMPTY;
        *at++ = EMPTY;
        *at++ = list == TRANSLUCENT ? OBJECT_LISTS + (TILES + tile) * 32 : EMPTY;
        *at++ = EMPTY;
        *at++ = list == PUNCH_THROUGH ? OBJECT_LISTS + (2 * TILES + tile) * 32 : EMPTY;
    }
    PVR(0x124) = OBJECT_LISTS;
    PVR(0x12C) = OBJECT_LIMIT;
    PVR(0x128) = PARAMETERS;
    PVR(0x130) = BACKGROUND;
    PVR(0x13C) = 1 << 16 | 1;
    PVR(0x140) = 0x00010101; /* three lists of 8 words a block */
    PVR(0x164) = OBJECT_LISTS + 3 * TILES * 32;
    PVR(0x144) = 0x80000000;
    (void)PVR(0x144);
    ISTNRM = EVENTS | 7;
}

static void send(const struct quad *quad) {
    u32 block[8] = {0x80800000 | quad->list << 24 | quad->pcw, quad->isp, quad->tsp, quad->tcw};
    send_block(block);
    static const float zero = 0;
    for (int n = 0; n < 4; n++) {
        block[0] = n == 3 ? LAST_VERTEX : VERTEX;
        block[1] = words(n & 1 ? &quad->right : &quad->left);
        block[2] = words(n & 2 ? &quad->bottom : &quad->top);
        block[3] = words(&quad->z);
        block[4] = words(n & 1 ? &quad->scale : &zero);
        block[5] = words(n & 2 ? &quad->scale : &zero);
        block[6] = quad->colours[n];
        block[7] = 0;
        send_block(block);
    }
}

/* Ends the lists, draws in a format, and gives the CRC of the pixels; 0 if the picture does not end. */
static u32 finish(u32 event, u32 format) {
    static const u32 end[8];
    send_block(end);
    start_stopwatch();
    while (!(ISTNRM & event))
        if (stopwatch() > LIMIT) return 0;
    u32 bytes = format == ARGB8888 ? 4 : 2;
    PVR(0x20) = PARAMETERS;
    PVR(0x2C) = REGION_ARRAY;
    PVR(0x48) = format;
    PVR(0x4C) = SIDE * bytes / 8;
    PVR(0x60) = PVR(0x64) = FRAME_0;
    PVR(0x68) = (SIDE - 1) << 16;
    PVR(0x6C) = (SIDE - 1) << 16;
    PVR(0x88) = 0x38D1B717;
    PVR(0x8C) = 1 << 24 | (BACKGROUND - PARAMETERS) / 4 << 3;
    PVR(0x14) = 0xFFFFFFFF;
    start_stopwatch();
    while (!(ISTNRM & RENDER_DONE))
        if (stopwatch() > LIMIT) return 0;
    u32 crc = 0xFFFFFFFF;
    for (u32 n = 0; n < SIDE * SIDE * bytes; n += 4) {
        u32 word = REG32(VRAM32 + FRAME_0 + n);
        crc = crc_words(crc, &word, 1);
    }
    return ~crc;
}

static u32 picture(const struct quad *quads, u32 count, u32 format) {
    static const u32 events[5] = {OPAQUE_DONE, 0, TRANSLUCENT_DONE, 0, PUNCH_THROUGH_DONE};
    begin(quads->list, 0xFF203040);
    for (u32 n = 0; n < count; n++) send(&quads[n]);
    return finish(events[quads->list], format);
}

static void colours(void) {
    static const struct quad shaded = {OPAQUE, GOURAUD, GREATER, REPLACE, 0, 3, 5, 61, 59, 0.5f, 0,
        {0xFF000000, 0xFFFF8040, 0xFF10FF80, 0xFFFFFFFF}};
    observe_one("scene.shaded_8888", picture(&shaded, 1, ARGB8888));
    observe_one("scene.shaded_565", picture(&shaded, 1, RGB565));
    observe_one("scene.shaded_dither", picture(&shaded, 1, DITHERED));
}

/* Corners at centres of pixels: the edges go through other centres. */
static void edges(void) {
    static const struct quad quad = {OPAQUE, 0, GREATER, REPLACE, 0, 8.5f, 8.5f, 40.5f, 40.5f, 0.5f, 0,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}};
    observe_one("scene.edges", picture(&quad, 1, ARGB8888));
}

/* The second rectangle is nearer by one unit of the 24-bit mantissa. */
static void depth(void) {
    static const struct quad quads[2] = {
        {OPAQUE, 0, GREATER, REPLACE, 0, 8, 8, 56, 56, 0.5f, 0,
            {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}},
        {OPAQUE, 0, GREATER, REPLACE, 0, 16, 16, 48, 48, 0.50000006f, 0,
            {0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0xFF00FF00}},
    };
    observe_one("scene.depth", picture(quads, 2, ARGB8888));
}

static void write_texture(void) {
    seed_random(0x1234567);
    for (u32 n = 0; n < 64 * 64 * 2; n += 4) REG32(VRAM64 + TEXTURE + n) = next_random() | 0xF000F000;
}

static void textures(void) {
    struct quad quad = {OPAQUE, TEXTURED, GREATER, REPLACE | BY_64, LINEAR | AS_565 | TEXTURE / 8, 2, 2, 62, 62, 0.5f, 0.7f,
        {0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}};
    write_texture();
    observe_one("scene.point", picture(&quad, 1, ARGB8888));
    quad.tsp |= 1 << 13;
    observe_one("scene.bilinear", picture(&quad, 1, ARGB8888));
    quad.tcw = AS_4444 | TEXTURE / 8;
    observe_one("scene.twiddled", picture(&quad, 1, ARGB8888));
    quad.tsp |= 1 << 12;
    observe_one("scene.supersample", picture(&quad, 1, ARGB8888));
}

static void blending(void) {
    static const struct quad quad = {TRANSLUCENT, GOURAUD, GREATER, BLEND, 0, 4, 4, 60, 60, 0.5f, 0,
        {0x00FF0000, 0x40FF8040, 0xC010FF80, 0xFFFFFFFF}};
    observe_one("scene.blend", picture(&quad, 1, ARGB8888));
}

/* A later rectangle of the punch-through list lies behind, and its own mode says "always". */
static void punch_through(void) {
    static const struct quad quads[2] = {
        {PUNCH_THROUGH, 0, GREATER, BLEND, 0, 8, 8, 56, 56, 0.5f, 0,
            {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}},
        {PUNCH_THROUGH, 0, 7u << 29, BLEND, 0, 16, 16, 48, 48, 0.25f, 0,
            {0xFF00FF00, 0xFF00FF00, 0xFF00FF00, 0xFF00FF00}},
    };
    PVR(0x11C) = 0x80; /* PT_ALPHA_REF */
    observe_one("scene.punch_through", picture(quads, 2, ARGB8888));
}

const struct experiment scene_experiments[] = {
    {"colours", colours}, {"edges", edges}, {"depth", depth}, {"textures", textures}, {"blending", blending},
    {"punch_through", punch_through}, {0, 0},
};
