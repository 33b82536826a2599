/* SPDX-License-Identifier: MIT OR Apache-2.0
 * interrupt: timer 1 interrupts 100 times a second. The program sleeps until the handler has counted 100. */
#include "console.h"

enum { UNDERFLOW = 0x100, ENABLE = 0x20, INTEVT_TIMER_1 = 0x420, PCK_64 = 2 };

static volatile u32 count, done;

/* All exceptions and interrupts come here. */
static void on_event(u32 cause) {
    if (cause != INTEVT_TIMER_1) quit(2);
    TCR(1) = ENABLE | PCK_64; /* acknowledges */
    done = ++count == 100;
}

int main(void) {
    handle_event = on_event;
    TSTR = 0;
    TCR(1) = ENABLE | PCK_64;
    TCOR(1) = TCNT(1) = 7792;  /* 49.875 MHz / 64 / 7,793 = 100 Hz */
    REG16(0xFFD00004) = 0x0F00; /* IPRA: timer 1 at level 15 */
    start_stopwatch();
    TSTR |= 2;
    enable_interrupts();
    sleep_until(&done, 1);
    u32 time = microseconds(stopwatch());
    TSTR = 0;
    print_number("100 interrupts, in milliseconds:", (time + 500) / 1000);
    return 0;
}
