/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-vertex-without-header: a vertex is the first parameter of a list. */
#include "checks.h"

int main(void) {
    start_pvr();
#ifdef RIGHT
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
#else
    send_vertex(LAST_VERTEX, F8, F8, F0_5);
#endif
    send_end();
    return 0;
}
