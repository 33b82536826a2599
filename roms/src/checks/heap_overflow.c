/* SPDX-License-Identifier: MIT OR Apache-2.0
 * heap-overflow: a loop writes one byte too many. */
#include "heap.h"

int main(void) {
    start_caches();
    volatile u8 *text = malloc(21);
    volatile u8 *next = malloc(8);
    u32 bytes = 22;
#ifdef RIGHT
    bytes = 21;
#endif
    for (u32 n = 0; n < bytes; n++) text[n] = (u8)n;
    next[0] = text[0];
    return 0;
}
