/* SPDX-License-Identifier: MIT OR Apache-2.0
 * render-busy: a render is started while another runs. */
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
    REG32(0xA05F8014) = 1;
    return 0;
}
