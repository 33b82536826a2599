/* SPDX-License-Identifier: MIT OR Apache-2.0
 * rtc: the battery-backed clock: seconds since 1 January 1950, in two halves, with a lock for writes. */
#include "console.h"

#define CLOCK_HIGH REG32(0xA0710000)
#define CLOCK_LOW REG32(0xA0710004)
#define CLOCK_UNLOCK REG32(0xA0710008)
enum { UNIE = 0x20 };

/* The halves may change between their reads: until two readings agree. */
static u32 seconds(void) {
    u32 last = 0, now = 1;
    while (now != last) {
        last = now;
        now = (CLOCK_HIGH & 0xFFFF) << 16 | (CLOCK_LOW & 0xFFFF);
    }
    return now;
}

static volatile u32 tick;

static void on_tick(u32 cause) {
    (void)cause;
    TCR(1) = UNIE; /* UNF = 0 */
    tick = 1;
}

/* Looks at the clock every 0.1 ms: timer 1 counts 4,988 ticks of Pck/4, at level 15. */
static void start_ticks(void) {
    handle_event = on_tick;
    TCR(1) = UNIE;
    TCOR(1) = TCNT(1) = 4987;
    TSTR |= 2;
    REG16(0xFFD00004) = 0x0F00;
    enable_interrupts();
}

static u32 wait_for_change(u32 from) {
    while (seconds() == from) {
        sleep_until(&tick, 1);
        tick = 0;
    }
    return seconds();
}

/* Writing the low half first: the high half locks the clock again. */
static void set(u32 value) {
    CLOCK_UNLOCK = 1;
    CLOCK_LOW = value & 0xFFFF;
    CLOCK_HIGH = value >> 16;
}

static void print_day(u32 now) {
    print_number("days since 1950", now / 86400);
    print_number("hour", now / 3600 % 24);
}

int main(void) {
    u32 now = seconds();
    print_hex("clock", now);
    print_day(now);
    start_ticks();
    u32 next = wait_for_change(now);
    start_stopwatch();
    u32 after = wait_for_change(next);
    u32 ticks = stopwatch();
    print_number("counted", after - next);
    print_number("a second in ms", (microseconds(ticks) + 500) / 1000);
    /* Locked, nothing changes. */
    CLOCK_HIGH = 0;
    print_number("locked", CLOCK_HIGH == after >> 16);
    set(0x8000FFFF);
    print_hex("set", seconds());
    print_hex("carry", wait_for_change(0x8000FFFF));
    CLOCK_LOW = 5;
    print_number("locked again", CLOCK_LOW == 0);
    return 0;
}
