/* SPDX-License-Identifier: MIT OR Apache-2.0
 * fpu-undefined: FSCHG under PR = 1. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    u32 fpscr = 0x00040001;
#else
    u32 fpscr = 0x000C0001;
#endif
    /* lds r0,fpscr; fschg; lds r1,fpscr: this file is compiled without an FPU. */
    __asm__ volatile("mov %0, r0\n mov %1, r1\n .word 0x406A\n .word 0xF3FD\n .word 0x416A"
                     : : "r"(fpscr), "r"(0x00040001) : "r0", "r1");
    return 0;
}
