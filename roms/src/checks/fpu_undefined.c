/* SPDX-License-Identifier: MIT OR Apache-2.0
 * fpu-undefined: FSCHG under PR = 1. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    u32 fpscr = 0x00040001;
#else
    u32 fpscr = 0x000C0001;
#endif
    /* lds r0,fpscr; fschg; fschg: this file is compiled without an FPU. */
    __asm__ volatile("mov %0, r0\n .word 0x406A\n .word 0xF3FD\n .word 0xF3FD" : : "r"(fpscr) : "r0");
    return 0;
}
