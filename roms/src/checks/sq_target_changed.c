/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sq-target-changed: an interrupt's code uses the store queues between the words and PREF. */
#include "checks.h"

int main(void) {
    volatile u32 *queue = (volatile u32 *)0xE0000000;
    REG32(0xFF000038) = 0x04;
    for (int n = 0; n < 8; n++) queue[n] = n;
    REG32(0xFF000038) = 0x0C;
#ifdef RIGHT
    REG32(0xFF000038) = 0x04;
#endif
    __asm__ volatile("pref @%0" : : "r"(queue) : "memory");
    return 0;
}
