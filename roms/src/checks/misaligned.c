/* SPDX-License-Identifier: MIT OR Apache-2.0
 * misaligned: a word at an odd address. */
#include "checks.h"

static u32 words[2];

static void skip(u32 cause) {
    (void)cause;
    set_spc(get_spc() + 2);
}

int main(void) {
    handle_event = skip;
    enable_interrupts();
#ifdef RIGHT
    *(volatile u32 *)((u8 *)words + 4) = 1;
#else
    *(volatile u32 *)((u8 *)words + 2) = 1;
#endif
    return 0;
}
