/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Experiments of the console around the CPU. */
#include "truth.h"

/* Holly's revisions, and the drive's unlock register (reads only). */
enum { SBREV = 0xA05F689C, DRIVE_UNLOCK = 0xA05F74EC, PVR_ID = 0xA05F8000, PVR_REVISION = 0xA05F8004 };

static void revisions(void) {
    observe_one("sb.revision", REG32(SBREV));
    observe_two("pvr.revision", REG32(PVR_ID), REG32(PVR_REVISION));
    observe_one("gdrom.unlock", REG32(DRIVE_UNLOCK));
}

/* Cycles / 16 of 10 fields, by timer 0. The display keeps the loader's mode. */
static void field(void) {
    for (int n = 0; n <= 10; n++) {
        ISTNRM = VBLANK_IN;
        while (!(ISTNRM & VBLANK_IN)) {}
        if (n == 0) start_stopwatch();
    }
    observe_one("time.fields", stopwatch());
}

static void loop(void) {
    start_stopwatch();
    for (volatile u32 n = 0; n < 1000; n++) {}
    observe_one("time.loop", stopwatch());
}

/* Ticks of timer 0 that starts again and again, a few instructions apart. */
static void prescaler(void) {
    u32 ticks = 0;
    for (volatile u32 n = 0; n < 64; n++) {
        start_stopwatch();
        for (volatile u32 wait = 0; wait < (n & 7); wait++) {}
        ticks = ticks * 3 + stopwatch();
    }
    observe_one("timer.starts", ticks);
}

/* The halves may change between their reads: until two readings agree. */
u32 read_clock(void) {
    u32 before = 0, now = 1;
    while (now != before) {
        before = now;
        now = (REG32(0xA0710000) & 0xFFFF) << 16 | (REG32(0xA0710004) & 0xFFFF);
    }
    return now;
}

static u32 next_second(u32 now) {
    u32 next;
    while ((next = read_clock()) == now) {}
    return next;
}

/* Ticks of timer 0 in a second of the battery-backed clock, and how far that moves. */
static void clock_rate(void) {
    u32 from = next_second(read_clock());
    start_stopwatch();
    u32 to = next_second(from), ticks = stopwatch();
    observe_one("time.clock", ticks);
    observe_one("clock.step", to - from);
}

const struct experiment console_experiments[] = {
    {"revisions", revisions}, {"field", field}, {"loop", loop}, {"prescaler", prescaler}, {0, 0},
};

const struct experiment clock_experiments[] = {{"clock_rate", clock_rate}, {0, 0}};
