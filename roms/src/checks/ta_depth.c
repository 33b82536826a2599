/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-depth: a vertex behind the eye is not clipped. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
#ifdef RIGHT
    send_triangle(LAST_VERTEX, 0);
#else
    send_triangle(LAST_VERTEX, NEGATIVE);
#endif
    send_end();
    return 0;
}
