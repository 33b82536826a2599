/* SPDX-License-Identifier: MIT OR Apache-2.0
 * wdt: the watchdog timer as an interval timer (SH7750 manual, section 10). */
#include "console.h"

/* Read as bytes; written as words with a key in the upper byte: 5A for the count, A5 for the control. */
#define WTCNT_READ REG8(0xFFC00008)
#define WTCNT REG16(0xFFC00008)
#define WTCSR_READ REG8(0xFFC0000C)
#define WTCSR REG16(0xFFC0000C)
enum { RUN = 0x80, OVERFLOWED = 0x08, BY_4096 = 7 };

static volatile u32 cause, done;

static void on_interval(u32 code) {
    cause = code;
    done = 1;
    WTCSR = 0xA500 | RUN | BY_4096; /* the flag falls when 0 is written */
}

static u32 interval(void) {
    done = 0;
    sleep_until(&done, 1);
    start_stopwatch();
    done = 0;
    sleep_until(&done, 1);
    return microseconds(stopwatch());
}

int main(void) {
    WTCNT = 0x0012; /* no key */
    print_hex("without key", WTCNT_READ);
    WTCNT = 0x5A34;
    print_hex("with key", WTCNT_READ);
    WTCNT = 0x5A00;
    handle_event = on_interval;
    REG16(0xFFD00008) = 0xF000; /* IPRB: level 15 */
    WTCSR = 0xA500 | RUN | BY_4096;
    enable_interrupts();
    print_number("256 counts in 10 us", interval() / 10);
    print_hex("intevt", cause);
    print_hex("control", WTCSR_READ);
    WTCSR = 0xA500;
    print_hex("stopped", WTCSR_READ);
    return 0;
}
