/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound-underrun: a ring of two halves, which the program fills in turn; one half is not filled in time. */
#include "../console/sound.h"

enum { RING = 0x10000, SAMPLES = 4096, HALF = SAMPLES / 2, LOOPS = 0x200 };

static u32 seed = 1;

/* Half a ring of random 16-bit samples. */
static void fill(u32 part) {
    for (u32 n = 0; n < HALF / 2; n++) {
        seed = seed * 1664525 + 1013904223;
        write_sound_ram(RING + part % 2 * 2 * HALF + 4 * n, seed >> 4 & 0x0FFF0FFF);
    }
}

int main(void) {
    fill(0);
    fill(1);
    write_sound(0x2800, 0xF);
    write_sound(0x04, RING & 0xFFFF);
    write_sound(0x08, 0);
    write_sound(0x0C, SAMPLES);
    write_sound(0x10, 0x1F);
    write_sound(0x14, 0x3C1F);
    write_sound(0x18, 0);
    write_sound(0x24, 0xF00);
    write_sound(0x28, 0x24);
    write_sound(0x280C, 0); /* monitor channel 0 */
    write_sound(0x00, 0xC000 | LOOPS | RING >> 16);
    for (u32 part = 2; part < 10; part++) {
        while ((AICA(0x2814) & 0xFFFF) / HALF == part % 2) {}
#ifndef RIGHT
        if (part == 7) continue;
#endif
        fill(part);
    }
    write_sound(0x00, 0x8000 | LOOPS | RING >> 16);
    return 0;
}
