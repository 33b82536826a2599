/* SPDX-License-Identifier: MIT OR Apache-2.0
 * stale-line: a DMA fills a buffer that the CPU has read before. */
#include "checks.h"

static volatile u32 buffer[16] __attribute__((aligned(32)));
static volatile u32 sum;

int main(void) {
    start_caches();
    REG32(0xA0800000) = 0x12345678;
    sum = buffer[0];
    start_g2((void *)buffer, sizeof buffer, 1);
    wait_g2();
#ifdef RIGHT
    EACH_LINE("ocbi", buffer, sizeof buffer);
#endif
    sum = buffer[0];
    return 0;
}
