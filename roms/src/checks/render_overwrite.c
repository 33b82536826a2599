/* SPDX-License-Identifier: MIT OR Apache-2.0
 * render-overwrite: the region array is written during a render. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
    ISTNRM = RENDER_DONE;
    draw(FRAME_0);
#ifdef RIGHT
    while (!(ISTNRM & RENDER_DONE)) {}
#endif
    REG32(VRAM32 + REGION_ARRAY + 24) = 1 << 2;
    return 0;
}
