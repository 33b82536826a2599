/* SPDX-License-Identifier: MIT OR Apache-2.0
 * maple-alignment: the reply's address is not a multiple of 32. */
#include "checks.h"

static u32 memory[128] __attribute__((aligned(32)));

int main(void) {
    volatile u32 *frame = uncached(memory);
    REG32(0xA05F6C8C) = 0x6155404F;
    REG32(0xA05F6C80) = 0xC3500000;
    REG32(0xA05F6C14) = 1;
    frame[0] = 0x80000000;
#ifdef RIGHT
    frame[1] = physical(memory + 32);
#else
    frame[1] = physical(memory + 36);
#endif
    frame[2] = 0x00002001;
    REG32(0xA05F6C04) = physical(memory);
    REG32(0xA05F6C18) = 1;
    while (REG32(0xA05F6C18) & 1) {}
    return 0;
}
