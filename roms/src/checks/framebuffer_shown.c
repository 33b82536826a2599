/* SPDX-License-Identifier: MIT OR Apache-2.0
 * framebuffer-shown: a render into the frame buffer on the screen. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
    /* Until a frame has begun, the display has not taken the address. */
    ISTNRM = VBLANK_IN;
    while (!(ISTNRM & VBLANK_IN)) {}
#ifdef RIGHT
    draw(FRAME_0);
#else
    draw(FRAME_1);
#endif
    return 0;
}
