/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Small pictures of 64 x 64 pixels in video memory, and lists of the tile accelerator. See picture.h. Register names
 * and fields: docs/hardware/pvr2.md. */
#include "picture.h"

enum { EMPTY = 0x80000000, LISTS = 5, PER_LIST = 32 };

static const u32 done[LISTS] = {OPAQUE_DONE, 1 << 8, 1 << 9, 1 << 10, 1 << 21};

static u32 words(const float *value) { return *(const u32 *)value; }

u32 shadow_scale = 1;
u32 half_offset_register = 7;

/* Lists whose bits are set get a block of 8 words in each tile; the tile accelerator lays them out in this order. */
void begin_scene(u32 lists, u32 tile_flags) {
    start_render(0xFF203040);
    PVR(0x74) = shadow_scale;
    PVR(0x80) = half_offset_register;
    volatile u32 *at = (volatile u32 *)(VRAM32 + REGION_ARRAY);
    u32 control = 0, count = 0;
    for (u32 list = 0; list < LISTS; list++)
        if (lists >> list & 1) control |= 1 << 4 * list, count++;
    for (u32 tile = 0; tile < TILES; tile++) {
        u32 place = OBJECT_LISTS;
        *at++ = (tile == TILES - 1 ? 0x80000000 : 0) | tile_flags | tile / 2 << 8 | tile % 2 << 2;
        for (u32 list = 0; list < LISTS; list++) {
            int is_open = lists >> list & 1;
            *at++ = is_open ? place + tile * PER_LIST : EMPTY;
            if (is_open) place += TILES * PER_LIST;
        }
    }
    for (u32 n = 0; n < LIST_BYTES; n += 4) REG32(VRAM32 + OBJECT_LISTS + n) = 0;
    PVR(0x124) = OBJECT_LISTS;
    PVR(0x12C) = OBJECT_LIMIT;
    PVR(0x128) = PARAMETERS;
    PVR(0x130) = BACKGROUND;
    PVR(0x13C) = 1 << 16 | 1;
    PVR(0x140) = control;
    PVR(0x164) = OBJECT_LISTS + count * TILES * PER_LIST;
    PVR(0x144) = 0x80000000;
    (void)PVR(0x144);
    ISTNRM = done[0] | done[1] | done[2] | done[3] | done[4] | 7;
}

static void send_vertices(const struct quad *quad) {
    static const float zero = 0;
    u32 block[8];
    for (int n = 0; n < 4; n++) {
        block[0] = n == 3 ? LAST_VERTEX : VERTEX;
        block[1] = words(n & 1 ? &quad->right : &quad->left);
        block[2] = words(n & 2 ? &quad->bottom : &quad->top);
        block[3] = words(n & 2 && quad->bottom_z != 0 ? &quad->bottom_z : &quad->z);
        block[4] = words(n & 1 ? &quad->scale : &zero);
        block[5] = words(n & 2 ? &quad->scale : &zero);
        block[6] = quad->colours[n];
        block[7] = quad->offset;
        send_block(block);
    }
}

void send_quad(const struct quad *quad) {
    u32 block[8] = {0x80800000 | quad->list << 24 | quad->pcw, quad->isp, quad->tsp, quad->tcw};
    send_block(block);
    send_vertices(quad);
}

void send_volume_triangle(u32 list, const float corners[3][2], float z, u32 last_instruction) {
    u32 header[8] = {0x80000000 | list << 24 | (last_instruction ? 0x40 : 0), last_instruction << 29};
    u32 block[16] = {LAST_VERTEX};
    for (int corner = 0; corner < 3; corner++) {
        block[1 + 3 * corner] = words(&corners[corner][0]);
        block[2 + 3 * corner] = words(&corners[corner][1]);
        block[3 + 3 * corner] = words(&z);
    }
    send_block(header);
    send_block(block);
    send_block(block + 8);
}

/* Two triangles; the second one closes the volume. */
void send_volume(const struct volume *volume) {
    const float corners[2][3][2] = {
        {{volume->right, volume->top}, {volume->left, volume->bottom}, {volume->left, volume->top}},
        {{volume->right, volume->top}, {volume->left, volume->bottom}, {volume->right, volume->bottom}},
    };
    send_volume_triangle(volume->list, corners[0], volume->z, 0);
    send_volume_triangle(volume->list, corners[1], volume->z, volume->instruction);
}

/* Waits for an event; 0 if it does not come. */
static int has_come(u32 event) {
    start_stopwatch();
    return ticks_until(event) != NEVER;
}

int end_list(u32 list) {
    static const u32 end[8];
    send_block(end);
    return has_come(done[list]);
}

u32 list_crc(void) {
    u32 crc = 0xFFFFFFFF, stored = PVR(0x138) - PARAMETERS;
    for (u32 n = 0; n < LIST_BYTES; n += 4) {
        u32 word = REG32(VRAM32 + OBJECT_LISTS + n);
        crc = crc_words(crc, &word, 1);
    }
    for (u32 n = 0; n < stored && n < LIST_BYTES; n += 4) {
        u32 word = REG32(VRAM32 + PARAMETERS + n);
        crc = crc_words(crc, &word, 1);
    }
    return ~crc;
}

int draw_scene(u32 format, u32 target) {
    u32 bytes = format == ARGB8888 ? 4 : 2;
    PVR(0x20) = PARAMETERS;
    PVR(0x2C) = REGION_ARRAY;
    PVR(0x48) = format;
    PVR(0x4C) = SIDE * bytes / 8;
    PVR(0x60) = PVR(0x64) = target;
    PVR(0x68) = (SIDE - 1) << 16;
    PVR(0x6C) = (SIDE - 1) << 16;
    PVR(0x88) = 0x38D1B717;
    PVR(0x8C) = 1 << 24 | (BACKGROUND - PARAMETERS) / 4 << 3;
    PVR(0x14) = 0xFFFFFFFF;
    return has_come(RENDER_DONE);
}

u32 pixel_crc(u32 format, u32 address) {
    u32 crc = 0xFFFFFFFF, bytes = SIDE * SIDE * (format == ARGB8888 ? 4 : 2);
    for (u32 n = 0; n < bytes; n += 4) {
        u32 word = REG32(address + n);
        crc = crc_words(crc, &word, 1);
    }
    return ~crc;
}

/* Sends quads, whose lists go up, and volumes; draws; gives the CRC of the pixels. 0 if an end does not come. */
u32 volume_picture(const struct quad *quads, u32 count, const struct volume *volume, u32 tile_flags) {
    u32 lists = volume ? 1 << volume->list : 0;
    for (u32 n = 0; n < count; n++) lists |= 1 << quads[n].list;
    begin_scene(lists, tile_flags);
    for (u32 n = 0; n < count; n++) {
        send_quad(&quads[n]);
        int is_last = n + 1 == count || quads[n + 1].list != quads[n].list;
        if (is_last && !end_list(quads[n].list)) return 0;
    }
    if (volume) {
        send_volume(volume);
        if (!end_list(volume->list)) return 0;
    }
    return draw_scene(ARGB8888, FRAME_0) ? pixel_crc(ARGB8888, VRAM32 + FRAME_0) : 0;
}

u32 picture(const struct quad *quads, u32 count, u32 format) {
    begin_scene(1 << quads->list, 0);
    for (u32 n = 0; n < count; n++) send_quad(&quads[n]);
    if (!end_list(quads->list) || !draw_scene(format, FRAME_0)) return 0;
    return pixel_crc(format, VRAM32 + FRAME_0);
}
