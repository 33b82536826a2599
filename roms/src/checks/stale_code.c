/* SPDX-License-Identifier: MIT OR Apache-2.0
 * stale-code: a function is copied over another that has run. */
#include "checks.h"

static u16 code[16] __attribute__((aligned(32))) = {0xE001, 0x000B, 0x0009}; /* mov #1,r0; rts; nop */

static u32 call(void) { return ((u32(*)(void))code)(); }

int main(void) {
    start_caches();
    call();
    code[0] = 0xE002; /* mov #2,r0 */
    EACH_LINE("ocbwb", code, sizeof code);
#ifdef RIGHT
    /* From an uncached address, as the manual asks: the address array of the instruction cache. */
    REG32(0xF0000008 | ((u32)code & 0x1FE0)) = physical(code) & 0x1FFFFC00;
#endif
    call();
    return 0;
}
