/* SPDX-License-Identifier: MIT OR Apache-2.0
 * spin: a textured cube turns for ever, 60 frames a second.
 *
 * Each frame: send the cube to the tile accelerator, wait for the end of
 * the list, draw into the hidden frame buffer, wait for the end of the render and for vertical blank, show the buffer. */
#include "render.h"

/* spin_thrash.c defines work that runs before each frame. */
#ifndef BEFORE_FRAME
#define BEFORE_FRAME() (void)0
#endif

void project(u32 turn, u32 tilt, const float (*in)[3], float (*out)[3], u32 count);

/* The address of a texel in a twiddled texture: bits of x and y alternate, y first. */
static u32 twiddled(u32 x, u32 y) {
    u32 index = 0;
    for (int bit = 0; bit < 6; bit++) {
        index |= (y >> bit & 1) << (2 * bit) | (x >> bit & 1) << (2 * bit + 1);
    }
    return index;
}

enum { SIDE = 64 };

/* Tiles of 16 texels, light and dark, that turn from red to blue along x and get green along y; a white rim. */
static void make_texture(void) {
    volatile u16 *texture = (volatile u16 *)(VRAM64 + TEXTURE);
    for (u32 y = 0; y < SIDE; y++) {
        for (u32 x = 0; x < SIDE; x++) {
            u32 dark = (x / 16 + y / 16) & 1;
            u32 red = (31 - x / 2) >> dark, green = (y / 2) >> dark, blue = (x / 2) >> dark;
            u32 rim = x < 2 || y < 2 || x >= SIDE - 2 || y >= SIDE - 2;
            texture[twiddled(x, y)] = rim ? 0xFFFF : red << 11 | (green * 2) << 5 | blue;
        }
    }
}

static const float corners[8][3] = {
    {-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {-1, 1, 1}, {1, 1, 1},
};
/* Each face is a strip of four vertices. */
static const u8 faces[6][4] = {
    {0, 1, 2, 3}, {5, 4, 7, 6}, {4, 0, 6, 2}, {1, 5, 3, 7}, {4, 5, 0, 1}, {2, 3, 6, 7},
};
static const u32 shades[6] = {0xFFFFFFFF, 0xFFE0E0E0, 0xFFC0C0C0, 0xFFD0D0D0, 0xFFF0F0F0, 0xFFA0A0A0};
static const float texture_corners[4][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}};

/* The opaque polygon's parameters: PCW with texture and Gouraud shading, strips of two triangles; ISP "greater";
 * TSP source only, no fog, bilinear, modulate, 64 x 64; TCW 565, twiddled. */
static const u32 polygon[8] = {
    0x80840000 | 8 | 2, 4u << 29, 0x20800000 | 1 << 13 | 1 << 6 | 3 << 3 | 3, 1 << 27 | TEXTURE / 8,
};
static const u32 end_of_list[8];

static void send_cube(u32 frame) {
    static float points[8][3];
    project(frame * 400 & 0xFFFF, frame * 100 & 0xFFFF, corners, points, 8);
    for (int face = 0; face < 6; face++) {
        send_block(polygon);
        for (int n = 0; n < 4; n++) {
            const float *point = points[faces[face][n]];
            struct vertex vertex = {
                n == 3 ? LAST_VERTEX : VERTEX, point[0], point[1], point[2],
                texture_corners[n][0], texture_corners[n][1], shades[face], 0,
            };
            send_block(&vertex);
        }
    }
    send_block(end_of_list);
}

int main(void) {
    start_video(FRAME_0);
    start_render(0xFF203050);
    make_texture();
    start_events(VBLANK_IN | OPAQUE_DONE | RENDER_DONE);
    for (u32 frame = 0;; frame++) {
        u32 hidden = frame & 1 ? FRAME_0 : FRAME_1;
        BEFORE_FRAME();
        begin_lists();
        send_cube(frame);
        wait_for(OPAQUE_DONE);
        draw(hidden);
        wait_for(RENDER_DONE);
        forget(VBLANK_IN); /* one that came during the render is too early: the next one counts */
        wait_for(VBLANK_IN);
        show(hidden);
    }
}
