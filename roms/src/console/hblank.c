/* SPDX-License-Identifier: MIT OR Apache-2.0
 * hblank: horizontal-blank events of an interlaced mode: a television's line has two counts of the sync generator. */
#include "video.h"

enum { HBLANK = 1 << 5, AT_LINE = 0, EVERY_LINES = 1 << 12, EVERY = 2 << 12, DOT = 0x03450000 };

/* Events of some fields. */
static u32 count(u32 mode, u32 fields) {
    u32 events = 0, passed = 0;
    PVR(0xC8) = DOT | mode;
    ISTNRM = VBLANK_IN;
    while (!(ISTNRM & VBLANK_IN)) {}
    ISTNRM = VBLANK_IN | HBLANK;
    while (passed < fields) {
        u32 now = ISTNRM & (VBLANK_IN | HBLANK);
        ISTNRM = now;
        events += now >> 5 & 1;
        passed += now >> 3 & 1;
    }
    return events;
}

int main(void) {
    start_video(0);
    print_hex("control", PVR(0xD0));
    print_number("each line 2 fields", count(EVERY, 2));
    print_number("line 100 4 fields", count(AT_LINE | 100, 4));
    print_number("every 16 lines 4 fields", count(EVERY_LINES | 16, 4));
    return 0;
}
