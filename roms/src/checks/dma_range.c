/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dma-range: a DMA of memory that the protection register does not open. */
#include "checks.h"

static u8 samples[64] __attribute__((aligned(32)));

int main(void) {
    start_g2(samples, 32, 0);
    wait_g2();
#ifndef RIGHT
    G2_WINDOW = 0x46594F4F; /* the last megabyte only */
#endif
    G2_RAM = physical(samples);
    G2_LENGTH = 0x80000020;
    G2_ENABLE = 1;
    G2_START = 1;
    wait_g2();
    return 0;
}
