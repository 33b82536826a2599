/* SPDX-License-Identifier: MIT OR Apache-2.0
 * pad: prints each button of the controller in port A when it goes down, until Start does. */
#include "maple.h"

static const struct {
    u32 bit;
    const char *name;
} buttons[] = {
    {4, "A\n"}, {2, "B\n"}, {0x400, "X\n"}, {0x200, "Y\n"}, {8, "Start\n"},
    {16, "up\n"}, {32, "down\n"}, {64, "left\n"}, {128, "right\n"},
};

int main(void) {
    u32 before = 0, now = 0;

    start_events(VBLANK_IN);
    start_maple();
    while (!(now & BUTTON_START)) {
        wait_for(VBLANK_IN);
        now = read_buttons();
        for (u32 n = 0; n < sizeof buttons / sizeof *buttons; n++) {
            if (now & ~before & buttons[n].bit) print(buttons[n].name);
        }
        before = now;
    }
    return 0;
}
