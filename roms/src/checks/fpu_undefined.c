/* SPDX-License-Identifier: MIT OR Apache-2.0
 * fpu-undefined: FSCHG under PR = 1. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    u32 fpscr = 0x00040001;
#else
    u32 fpscr = 0x000C0001;
#endif
    __asm__ volatile("lds %0, fpscr\n .word 0xF3FD\n .word 0xF3FD" : : "r"(fpscr));
    return 0;
}
