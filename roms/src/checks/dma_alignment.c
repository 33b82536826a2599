/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dma-alignment: a DMA of a buffer that is not aligned to 32 bytes. */
#include "checks.h"

static u8 samples[128] __attribute__((aligned(32)));

int main(void) {
#ifdef RIGHT
    start_g2(samples + 32, 32, 0);
#else
    start_g2(samples + 16, 32, 0);
#endif
    wait_g2();
    return 0;
}
