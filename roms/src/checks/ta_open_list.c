/* SPDX-License-Identifier: MIT OR Apache-2.0
 * ta-open-list: the next frame begins before the list is ended. */
#include "checks.h"

int main(void) {
    start_pvr();
    send_block(opaque_polygon);
    send_triangle(LAST_VERTEX, F0_5);
#ifdef RIGHT
    send_end();
#endif
    begin_lists();
    return 0;
}
