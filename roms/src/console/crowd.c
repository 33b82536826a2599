/* SPDX-License-Identifier: MIT OR Apache-2.0
 * crowd: 250 textured cubes turn for ever: 3,000 triangles a frame, 60 frames a second. The texture and the faces are
 * spin's. */
#define main spin_main
#include "spin.c"
#undef main

enum { COLUMNS = 10, ROWS = 5, LAYERS = 5, CUBES = COLUMNS * ROWS * LAYERS };

/* Both sides of a cube along an axis. */
#define SIDES(centre) {(centre) - 0.07f, (centre) + 0.07f}
static const float along_x[COLUMNS][2] = {
    SIDES(-1.35f), SIDES(-1.05f), SIDES(-0.75f), SIDES(-0.45f), SIDES(-0.15f),
    SIDES(0.15f), SIDES(0.45f), SIDES(0.75f), SIDES(1.05f), SIDES(1.35f),
};
static const float across[ROWS][2] = {SIDES(-0.8f), SIDES(-0.4f), SIDES(0), SIDES(0.4f), SIDES(0.8f)};

static float model[CUBES * 8][3];

static void make_cube(u32 cube) {
    u32 column = cube % COLUMNS, row = cube / COLUMNS % ROWS, layer = cube / COLUMNS / ROWS;
    for (u32 corner = 0; corner < 8; corner++) {
        float *point = model[cube * 8 + corner];
        point[0] = along_x[column][corner & 1];
        point[1] = across[row][corner >> 1 & 1];
        point[2] = across[layer][corner >> 2];
    }
}

/* A vertex straight into a store queue: send_block would copy it from memory. The queues take turns. */
static void send_vertex(u32 queue, u32 control, const float *point, const float *texel, u32 colour) {
    struct vertex *vertex = (struct vertex *)(0xE0000000 | queue);
    vertex->control = control;
    vertex->x = point[0];
    vertex->y = point[1];
    vertex->z = point[2];
    vertex->u = texel[0];
    vertex->v = texel[1];
    vertex->colour = colour;
    vertex->offset = 0;
    __asm__ volatile("pref @%0" : : "r"(vertex) : "memory");
}

static void send_face(const float (*points)[3], int face) {
    for (int n = 0; n < 4; n++) {
        u32 control = n == 3 ? LAST_VERTEX : VERTEX;
        send_vertex((n & 1) * 32, control, points[faces[face][n]], texture_corners[n], shades[face]);
    }
}

static void send_crowd(u32 frame) {
    static float points[CUBES * 8][3];
    project(frame * 400 & 0xFFFF, frame * 100 & 0xFFFF, model, points, CUBES * 8);
    send_block(polygon); /* it holds for all strips behind it */
    for (u32 cube = 0; cube < CUBES; cube++) {
        for (int face = 0; face < 6; face++) send_face(points + cube * 8, face);
    }
    send_block(end_of_list);
}

int main(void) {
    start_video(FRAME_0);
    start_render(0xFF203050);
    make_texture();
    for (u32 cube = 0; cube < CUBES; cube++) make_cube(cube);
    start_events(VBLANK_IN | OPAQUE_DONE | RENDER_DONE);
    for (u32 frame = 0;; frame++) {
        u32 hidden = frame & 1 ? FRAME_0 : FRAME_1;
        begin_lists();
        send_crowd(frame);
        wait_for(OPAQUE_DONE);
        draw(hidden);
        wait_for(RENDER_DONE);
        forget(VBLANK_IN);
        wait_for(VBLANK_IN);
        show(hidden);
    }
}
