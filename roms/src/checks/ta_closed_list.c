/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-closed-list: more polygons for a list that was ended. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
#ifdef RIGHT
    begin_lists();
#endif
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
    send_end();
    return 0;
}
