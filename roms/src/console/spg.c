/* SPDX-License-Identifier: MIT OR Apache-2.0
 * spg: the sync pulse generator on VGA. Lines and fields by the timer, and the order of the blanking events. */
#include "video.h"

enum { VBLANK_OUT = 1 << 4, HBLANK = 1 << 5 };
#define SPG_STATUS PVR(0x10C)

static u32 line(void) { return SPG_STATUS & 0x3FF; }

static void wait_event(u32 event) {
    forget(event);
    wait_for(event);
}

/* Microseconds from one event to the last of `count` after it. */
static u32 time_of(u32 event, u32 count) {
    wait_event(event);
    start_stopwatch();
    for (u32 n = 0; n < count; n++) wait_event(event);
    return microseconds(stopwatch());
}

static u32 highest_line(void) {
    u32 highest = 0;
    wait_event(VBLANK_IN);
    for (;;) {
        u32 now = line();
        if (now < highest) break;
        if (now > highest) highest = now;
    }
    return highest;
}

int main(void) {
    start_video(0);
    start_events(VBLANK_IN | VBLANK_OUT | HBLANK);
    /* Ten fields: what the handler takes is the same at both ends. */
    print_number("ten fields us", time_of(VBLANK_IN, 10));
    /* An event every line: SPG_HBLANK_INT, mode 2. A hundred lines of 31.78 us. */
    PVR(0xC8) = 0x03452000;
    print_number("hundred lines us", time_of(HBLANK, 100));
    PVR(0xC8) = 0x03450000;
    print_number("highest line", highest_line());
    wait_event(VBLANK_IN);
    print_number("vblank in", line());
    print_number("blank bit in", SPG_STATUS >> 13 & 1);
    wait_event(VBLANK_OUT);
    print_number("vblank out", line());
    while (line() < 0x28) {}
    print_number("blank bit at 40", SPG_STATUS >> 13 & 1);
    /* An event at line 100, dot 0. */
    PVR(0xC8) = 100;
    wait_event(HBLANK);
    print_number("hblank line", line());
    print_number("field", SPG_STATUS >> 10 & 1);
    return 0;
}
