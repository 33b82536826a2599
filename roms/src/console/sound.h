/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The sound block's registers and memory. */
#ifndef SOUND_H
#define SOUND_H

#include "console.h"

#define AICA(offset) REG32(0xA0700000 + (offset))
#define SOUND_RAM(offset) REG32(0xA0800000 + (offset))

/* The bus to the sound block takes writes into a buffer: wait until it is empty (bits 0 and 4). */
static void g2_wait(void) {
    while (REG32(0xA05F688C) & 0x11) {}
}

static void write_sound(u32 offset, u32 value) {
    g2_wait();
    AICA(offset) = value;
}

static void write_sound_ram(u32 offset, u32 value) {
    g2_wait();
    SOUND_RAM(offset) = value;
}

#endif
