/* SPDX-License-Identifier: MIT OR Apache-2.0
 * uninitialised-read: memory behind the program, which nothing has written. */
#include "checks.h"

static volatile u32 got;

int main(void) {
    volatile u32 *heap = (volatile u32 *)0x8C800000;
#ifdef RIGHT
    heap[0] = 1;
#endif
    got = heap[0];
    return 0;
}
