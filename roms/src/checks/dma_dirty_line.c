/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dma-dirty-line: a sound effect goes to sound RAM by DMA; its bytes are still in the cache. */
#include "checks.h"

static u8 samples[64] __attribute__((aligned(32)));

static void play(void) {
#ifdef RIGHT
    EACH_LINE("ocbwb", samples, sizeof samples);
#endif
    start_g2(samples, sizeof samples, 0);
    wait_g2();
}

int main(void) {
    start_caches();
    for (u32 n = 0; n < sizeof samples; n++) samples[n] = n + 1;
    play();
    return 0;
}
