/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-list-disabled: translucent polygons, and TA_ALLOC_CTRL has only the opaque list. */
#include "checks.h"

int main(void) {
    start_pvr();
    u32 polygon[8] = {0x82800000, 4u << 29, 0x94800000, 0};
#ifdef RIGHT
    REG32(0xA05F8140) = 0x101;
    REG32(0xA05F8144) = 0x80000000;
#endif
    send_block(polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
    return 0;
}
