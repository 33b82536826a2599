/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-overflow: more polygons than there is space for. */
#include "checks.h"

int main(void) {
    start_pvr();
#ifndef RIGHT
    REG32(0xA05F8130) = PARAMETERS + 64;
    REG32(0xA05F8144) = 0x80000000;
#endif
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
    return 0;
}
