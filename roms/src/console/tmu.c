/* SPDX-License-Identifier: MIT OR Apache-2.0
 * tmu: the timers. Each count is a division of the peripheral clock Pck (SH7750 manual, section 12). */
#include "console.h"

enum { UNF = 0x100, UNIE = 0x20 };

/* Ticks of timer 0 (Pck/4) while timer 1 counts from `start` to its underflow. */
static u32 ticks_to_underflow(u32 prescaler, u32 start) {
    TSTR = 0;
    TCR(0) = 0;
    TCR(1) = prescaler;
    TCNT(0) = 0xFFFFFFFF;
    TCOR(1) = 0xFFFFFFFF;
    TCNT(1) = start;
    TSTR = 3; /* both start in the same store */
    while (!(TCR(1) & UNF)) {}
    u32 ticks = stopwatch();
    TSTR = 0;
    return ticks;
}

static volatile u32 count, cause;

static void on_timer(u32 code) {
    cause = code;
    TCR(2) = UNIE; /* UNF = 0 */
    count++;
}

/* Underflows of timer 2, by interrupt, while timer 0 counts 10 ms. */
static void interrupts(void) {
    handle_event = on_timer;
    TSTR = 0;
    TCR(0) = 0;
    TCNT(0) = 0xFFFFFFFF;
    TCR(2) = UNIE;
    TCOR(2) = TCNT(2) = 12468; /* 12,469 ticks of Pck/4: 1.00002 ms */
    REG16(0xFFD00004) = 0x00F0; /* IPRA: timer 2 at level 15 */
    enable_interrupts();
    TSTR = 5;
    while (stopwatch() < 124688) {} /* 10 ms */
    TSTR = 0;
    block_interrupts();
    REG16(0xFFD00004) = 0;
    print_number("interrupts", count);
    print_hex("intevt", cause);
}

int main(void) {
    /* The loop that waits costs less than a tick of the next prescaler: divide by the prescaler's ratio. */
    print_number("pck4", ticks_to_underflow(0, 9999) / 100);
    print_number("pck16", ticks_to_underflow(1, 9999) / 400);
    print_number("pck64", ticks_to_underflow(2, 999) / 160);
    print_number("pck256", ticks_to_underflow(3, 99) / 64);
    print_number("pck1024", ticks_to_underflow(4, 99) / 256);
    /* The counter takes TCOR at the underflow, and goes on from there. */
    TCOR(1) = 5000;
    TCNT(1) = 10;
    TCR(1) = 0;
    TSTR = 2;
    while (!(TCR(1) & UNF)) {}
    TSTR = 0;
    print_number("reloaded", TCNT(1) > 4900 && TCNT(1) <= 5000);
    /* UNF stays when 1 is written, and falls when 0 is written. */
    TCR(1) = UNF;
    print_hex("kept", TCR(1));
    TCR(1) = 0;
    print_hex("cleared", TCR(1));
    /* A stopped counter keeps its value. */
    u32 before = TCNT(1);
    for (volatile int n = 0; n < 100; n++) {}
    print_number("stopped", TCNT(1) == before);
    interrupts();
    return 0;
}
