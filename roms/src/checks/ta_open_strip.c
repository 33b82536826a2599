/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-open-strip: the last vertex has no end-of-strip bit. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
#ifdef RIGHT
    send_triangle(LAST_VERTEX, F0_5);
#else
    send_triangle(VERTEX, F0_5);
#endif
    send_end();
    return 0;
}
