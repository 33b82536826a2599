/* SPDX-License-Identifier: MIT OR Apache-2.0
 * One picture of opaque polygons, for the programs that draw one. */
#ifndef PICTURE_H
#define PICTURE_H

#include "render.h"

/* Words of a polygon's parameters. Control: polygon, opaque list; texture (8), Gouraud shading (2).
 * ISP: depth test "greater". TSP: source only, no fog. */
enum { POLYGON = 0x80800000, TEXTURED = 8, GOURAUD = 2, GREATER = 4u << 29, SOURCE_ONLY = 0x20800000 };

/* The display, the background and an empty opaque list. */
static inline void start_picture(u32 background) {
    start_video(FRAME_0);
    start_render(background);
    start_events(VBLANK_IN | OPAQUE_DONE | RENDER_DONE);
    begin_lists();
}

/* Ends the list, draws it and waits until the display shows it. */
static inline void show_picture(void) {
    static const u32 end_of_list[8];

    send_block(end_of_list);
    wait_for(OPAQUE_DONE);
    draw(FRAME_1);
    wait_for(RENDER_DONE);
    show(FRAME_1);
    for (int frame = 0; frame < 2; frame++) {
        forget(VBLANK_IN);
        wait_for(VBLANK_IN);
    }
}

/* A strip of four corners that shows a whole texture, from (left, top) on. */
static inline void send_square(const u32 *polygon, float left, float top, float right, float bottom) {
    const struct vertex corners[4] = {
        {VERTEX, left, top, 0.5f, 0, 0, 0xFFFFFFFF, 0},
        {VERTEX, right, top, 0.5f, 1, 0, 0xFFFFFFFF, 0},
        {VERTEX, left, bottom, 0.5f, 0, 1, 0xFFFFFFFF, 0},
        {LAST_VERTEX, right, bottom, 0.5f, 1, 1, 0xFFFFFFFF, 0},
    };

    send_block(polygon);
    for (int n = 0; n < 4; n++) send_block(&corners[n]);
}

#endif
