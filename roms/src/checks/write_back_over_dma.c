/* SPDX-License-Identifier: MIT OR Apache-2.0
 * write-back-over-dma: a variable shares a cache line with a buffer of a DMA. */
#include "checks.h"

static volatile u32 line[8] __attribute__((aligned(32)));

int main(void) {
    start_caches();
    REG32(0xA0800000) = 0x12345678;
    line[7] = 1;
#ifdef RIGHT
    EACH_LINE("ocbp", line, sizeof line);
#endif
    start_g2((void *)line, sizeof line, 1);
    wait_g2();
    EACH_LINE("ocbp", line, sizeof line);
    return 0;
}
