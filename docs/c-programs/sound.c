/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound: channel 0 repeats 100 samples at 44,100 Hz, a tone of 441 Hz, for half a second.
 * Registers: docs/hardware/aica.md. */
#include "console.h"

#define AICA(offset) REG32(0xA0700000 + (offset))
#define SOUND_RAM16(offset) REG16(0xA0800000 + (offset))
enum { SAMPLES = 0x1000, PERIOD = 100 };

/* The bus to the sound block has a queue: wait until it is empty. */
static void g2_wait(void) {
    while (REG32(0xA05F688C) & 0x11) {}
}

static void set(u32 offset, u32 value) {
    g2_wait();
    AICA(offset) = value;
}

int main(void) {
    set(0x2C00, AICA(0x2C00) | 1); /* hold the sound block's ARM7 in reset */
    set(0x2800, 15);               /* master volume */
    for (int n = 0; n < PERIOD; n++) {
        g2_wait();
        SOUND_RAM16(SAMPLES + 2 * n) = n < PERIOD / 2 ? 8000 : -8000;
    }
    set(0x04, SAMPLES);         /* start address */
    set(0x08, 0);               /* loop start and end, in samples */
    set(0x0C, PERIOD);
    set(0x10, 31);              /* attack at once, no decay */
    set(0x14, 31);              /* release at once */
    set(0x18, 0);               /* pitch: 44,100 Hz */
    set(0x24, 15 << 8);         /* direct output, both sides */
    set(0x28, 1 << 5);          /* full level, without the filter */
    set(0x00, 3 << 14 | 1 << 9 | SAMPLES >> 16); /* key on: 16-bit samples, loop */
    start_events(VBLANK_IN);
    for (int frame = 0; frame < 30; frame++) wait_for(VBLANK_IN);
    set(0x00, 1 << 15 | 1 << 9); /* key off */
    print("played half a second\n");
    return 0;
}
