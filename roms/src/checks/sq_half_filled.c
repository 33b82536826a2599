/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sq-half-filled: four of a store queue's eight words. */
#include "checks.h"

int main(void) {
    volatile u32 *queue = (volatile u32 *)0xE0000000;
    REG32(0xFF000038) = 0x04;
#ifdef RIGHT
    for (int n = 0; n < 8; n++) queue[n] = n;
#else
    for (int n = 0; n < 4; n++) queue[n] = n;
#endif
    __asm__ volatile("pref @%0" : : "r"(queue) : "memory");
    return 0;
}
