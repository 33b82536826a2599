/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Input of the tile accelerator that sources dispute: the observation is the CRC of what it writes to video memory. */
#include "picture.h"

static const struct quad whole = {OPAQUE, 0, GREATER, REPLACE, 0, 4, 4, 60, 60, 0.5f, 0,
    {0xFFFF0000, 0xFFFF0000, 0xFFFF0000, 0xFFFF0000}, 0, 0};
enum { GROUP = 1 << 23, INSIDE = 2 << 16 };

/* A user clip parameter: one tile. */
static void send_clip(u32 x, u32 y) {
    u32 block[8] = {0x20000000, 0, 0, 0, x, y, x, y};
    send_block(block);
}

static void send_clipped(u32 pcw_bits) {
    struct quad quad = whole;
    quad.pcw = pcw_bits;
    send_quad(&quad);
}

/* A clipped object and one that is not; the same with another rectangle in between; a polygon without group bit. */
static void user_clip(void) {
    u32 results[3];
    for (int n = 0; n < 2; n++) {
        begin_scene(1 << OPAQUE, 0);
        send_clip(0, 0);
        send_clipped(INSIDE);
        if (n) send_clip(1, 1);
        send_clipped(0);
        results[n] = end_list(OPAQUE) ? list_crc() : 0;
    }
    begin_scene(1 << OPAQUE, 0);
    send_clip(0, 0);
    u32 header[8] = {0x80000000 | INSIDE, GREATER, REPLACE, 0};
    send_block(header);
    static const struct vertex corners[3] = {
        {VERTEX, 4, 4, 0.5f, 0, 0, 0, 0}, {VERTEX, 60, 4, 0.5f, 0, 0, 0, 0}, {LAST_VERTEX, 4, 60, 0.5f, 0, 0, 0, 0},
    };
    for (int n = 0; n < 3; n++) send_block(&corners[n]);
    results[2] = end_list(OPAQUE) ? list_crc() : 0;
    observe("ta.user_clip", results, 3);
}

/* More objects than a block of the translucent list holds, which is larger than one of the opaque list. */
static void overflow(void) {
    struct quad quad = whole;
    quad.list = TRANSLUCENT;
    quad.pcw = 1 << 18; /* strips of two triangles: each has a word of its own */
    begin_scene(1 << OPAQUE | 1 << TRANSLUCENT, 0);
    PVR(0x140) = 2 << 8 | 1;
    PVR(0x164) = OBJECT_LISTS + TILES * (32 + 64);
    PVR(0x144) = 0x80000000;
    (void)PVR(0x144);
    for (int n = 0; n < 40; n++) send_quad(&quad);
    observe_one("ta.overflow", end_list(TRANSLUCENT) ? list_crc() : 0);
}

/* A polygon parameter while a strip is open, and its own vertices. */
static void open_strip(void) {
    static const struct vertex corners[3] = {
        {VERTEX, 4, 4, 0.5f, 0, 0, 0, 0}, {VERTEX, 60, 4, 0.5f, 0, 0, 0, 0}, {VERTEX, 4, 60, 0.5f, 0, 0, 0, 0},
    };
    begin_scene(1 << OPAQUE, 0);
    u32 header[8] = {0x80800000, GREATER, REPLACE, 0};
    send_block(header);
    for (int n = 0; n < 3; n++) send_block(&corners[n]);
    send_quad(&whole);
    observe_one("ta.open_strip", end_list(OPAQUE) ? list_crc() : 0);
}

/* The closing triangle lies in other tiles than the first one. */
static void last_triangle(void) {
    static const float corners[2][3][2] = {{{4, 4}, {20, 4}, {4, 20}}, {{40, 40}, {60, 40}, {40, 60}}};
    begin_scene(1 << OPAQUE_VOLUME, 0);
    send_volume_triangle(OPAQUE_VOLUME, corners[0], 0.7f, 0);
    send_volume_triangle(OPAQUE_VOLUME, corners[1], 0.7f, 1);
    observe_one("ta.last_triangle", end_list(OPAQUE_VOLUME) ? list_crc() : 0);
}

/* Two macroblocks, 4:2:0, for a texture of one; the chip is given no new address between them. */
static void yuv(void) {
    enum { CONVERTER = 0x10800000, BYTES = 384 };
    static u32 values[BYTES / 4];
    PVR(0x148) = TEXTURE; /* TA_YUV_TEX_BASE */
    PVR(0x14C) = 0;       /* TA_YUV_TEX_CTRL: 16 x 16, 4:2:0 */
    (void)PVR(0x14C);
    u32 queue = queue_to(CONVERTER);
    for (u32 block = 0; block < 2; block++) {
        for (u32 n = 0; n < BYTES / 4; n++) values[n] = (block ? 0x80706050 : 0x10203040) + n;
        for (u32 n = 0; n < BYTES; n += 32) step_store_queue(queue | (n & 32), values + n / 4);
    }
    u32 crc = 0xFFFFFFFF;
    for (volatile u32 wait = 0; wait < 1000; wait++) {}
    for (u32 n = 0; n < 16 * 16 * 2; n += 4) {
        u32 word = REG32(VRAM64 + TEXTURE + n);
        crc = crc_words(crc, &word, 1);
    }
    observe_two("ta.yuv", ~crc, PVR(0x150));
}

/* What is kept of all ones in registers that only set an address, a size or a colour. They get their values back. */
static void masks(void) {
    static const u16 offsets[] = {
        0x020, 0x02C, 0x040, 0x060, 0x064, 0x068, 0x06C, 0x074, 0x078, 0x07C, 0x080, 0x084, 0x088, 0x08C,
        0x098, 0x0B0, 0x0B4, 0x0B8, 0x0BC, 0x0C0, 0x0E4, 0x108, 0x118, 0x11C, 0x124, 0x128,
        0x12C, 0x130, 0x13C, 0x140, 0x148, 0x14C, 0x164, 0x200, 0x1000,
    };
    enum { COUNT = sizeof offsets / sizeof offsets[0] };
    u32 results[COUNT];
    for (int n = 0; n < COUNT; n++) {
        u32 before = PVR(offsets[n]);
        PVR(offsets[n]) = 0xFFFFFFFF;
        results[n] = PVR(offsets[n]);
        PVR(offsets[n]) = 0;
        results[n] ^= PVR(offsets[n]);
        PVR(offsets[n]) = before;
    }
    observe("pvr.masks", results, COUNT);
}

/* Registers as the loader left them that nobody in this program writes, and the sync generator's. */
static void values(void) {
    static const u16 offsets[] = {0x000, 0x004, 0x0A4, 0x0A8, 0x0C4, 0x0C8, 0x0D0, 0x0D4, 0x0D8, 0x0DC, 0x0E0,
        0x0E8, 0x0EC, 0x0F0, 0x118};
    enum { COUNT = sizeof offsets / sizeof offsets[0] };
    u32 results[COUNT];
    for (int n = 0; n < COUNT; n++) results[n] = PVR(offsets[n]);
    observe("pvr.values", results, COUNT);
}

const struct experiment list_experiments[] = {
    {"user_clip", user_clip}, {"overflow", overflow}, {"open_strip", open_strip}, {"last_triangle", last_triangle},
    {"yuv", yuv},             {"masks", masks},       {"values", values},         {0, 0},
};
