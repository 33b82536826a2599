/* SPDX-License-Identifier: MIT OR Apache-2.0
 * delay-slot: a branch stands in a delay slot. */
#include "checks.h"

static void skip(u32 cause) {
    (void)cause;
    set_spc(get_spc() + 4);
}

int main(void) {
    handle_event = skip;
    enable_interrupts();
#ifdef RIGHT
    __asm__ volatile("bra 1f\n nop\n1:");
#else
    __asm__ volatile(".word 0xA000, 0xA000"); /* bra .+4; bra .+4 */
#endif
    return 0;
}
