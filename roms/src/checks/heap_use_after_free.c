/* SPDX-License-Identifier: MIT OR Apache-2.0
 * heap-use-after-free: a word of a block is written after free(). */
#include "heap.h"

int main(void) {
    start_caches();
    u32 *first = malloc(40);
    free(first);
#ifdef RIGHT
    first = malloc(40);
#endif
    *(volatile u32 *)(first + 4) = 1;
    return 0;
}
