/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dma-busy: a second transfer is set up while the first runs. */
#include "checks.h"

static u8 samples[1024] __attribute__((aligned(32)));

int main(void) {
    start_g2(samples, sizeof samples, 0);
#ifdef RIGHT
    wait_g2();
#endif
    G2_START = 1;
    wait_g2();
    return 0;
}
