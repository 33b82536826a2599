/* SPDX-License-Identifier: MIT OR Apache-2.0
 * channels: the sound block's write buffer, G2 DMA to its registers, key rate scaling, a loop start past the loop end. */
#include "console.h"

#define AICA(offset) REG32(0xA0700000 + (offset))
#define SOUND_RAM(offset) REG32(0xA0800000 + (offset))
#define FFST REG32(0xA05F688C)
#define G2(n) REG32(0xA05F7800 + 4 * (n))
enum { BUS, MEMORY, LENGTH, DIRECTION, TRIGGER, ENABLE, START };
enum { CONTROL, ADDRESS = 4, LOOP_START = 8, LOOP_END = 0xC, ENVELOPE = 0x10, RELEASE = 0x14, PITCH = 0x18 };
enum { KEY = 0xC000, EXECUTE = 0x8000, LOOPS = 0x200, MONITOR = 0x280C, STATE = 0x2810, POSITION = 0x2814 };

static u32 words[8] __attribute__((aligned(32)));

static void write_sound(u32 offset, u32 value) {
    while (FFST & 0x11) {}
    AICA(offset) = value;
}

static void wait_ms(u32 count) {
    start_stopwatch();
    while (microseconds(stopwatch()) < count * 1000) {}
}

/* Bit 0 is set by the writes and falls when they are stored. */
static void buffer(void) {
    while (FFST & 1) {}
    for (u32 n = 0; n < 8; n++) SOUND_RAM(0x1000 + 4 * n) = n;
    u32 polls = 0;
    print_number("set after eight words", FFST & 1);
    while (FFST & 1 && polls < 6143) polls++;
    print_number("falls", polls < 6143);
    wait_ms(1);
    print_number("later", FFST & 1);
}

/* Eight registers of channel 1, which take 32 bits of address space each, and back. */
static void registers_by_dma(void) {
    volatile u32 *data = uncached(words);
    for (u32 n = 0; n < 8; n++) data[n] = 0x11110000 | 0x101 * n;
    REG32(0xA05F78BC) = 0x4659007F; /* all of RAM is open to G2 */
    G2(BUS) = 0x00700080;
    G2(MEMORY) = physical(words);
    G2(LENGTH) = 32 | 1u << 31;
    G2(DIRECTION) = 0;
    G2(TRIGGER) = 0;
    ISTNRM = G2_DONE;
    G2(ENABLE) = G2(START) = 1;
    while (!(ISTNRM & G2_DONE)) {}
    print_hex("loop start", AICA(0x80 + LOOP_START));
    print_hex("pitch", AICA(0x80 + PITCH));
    G2(BUS) = 0x00700080;
    G2(MEMORY) = physical(words);
    G2(DIRECTION) = 1;
    ISTNRM = G2_DONE;
    G2(ENABLE) = G2(START) = 1;
    while (!(ISTNRM & G2_DONE)) {}
    print_hex("read back", data[6]);
}

/* Keys channel 0 on, silently. */
static void play(u32 control, u32 loop_start, u32 loop_end, u32 envelope, u32 release, u32 pitch) {
    write_sound(RELEASE, 31);
    write_sound(CONTROL, EXECUTE);
    wait_ms(6);
    write_sound(LOOP_START, loop_start);
    write_sound(LOOP_END, loop_end);
    write_sound(ENVELOPE, envelope);
    write_sound(RELEASE, release);
    write_sound(PITCH, pitch);
    write_sound(0x28, 0xFF24);
    write_sound(MONITOR, 0);
    write_sound(CONTROL, KEY | control);
}

/* Milliseconds of decay 1 at rate 18 to level 100. */
static u32 decay(u32 scaling, u32 octave) {
    play(LOOPS, 0, 0xFFFF, 18 << 6 | 31, scaling << 10 | 8 << 5 | 31, octave << 11);
    start_stopwatch();
    while ((AICA(STATE) >> 13 & 3) != 2) {}
    return (microseconds(stopwatch()) + 500) / 1000;
}

/* The flag and highest position of a channel 40 ms after its start. */
static void ends(const char *name, u32 control) {
    u32 highest = 0;
    play(control, 1000, 500, 31, 15 << 10 | 31, 0);
    (void)AICA(STATE);
    start_stopwatch();
    while (microseconds(stopwatch()) < 40000) {
        u32 position = AICA(POSITION);
        if (position > highest) highest = position;
    }
    print(name);
    print("\n");
    print_number("past the loop end", highest > 900 && highest < 1000);
    print_number("position", AICA(POSITION));
    print_number("flag", AICA(STATE) >> 15 & 1);
    print_hex("key", AICA(CONTROL) & 0x4000);
}

int main(void) {
    write_sound(0x2C00, AICA(0x2C00) | 1);
    buffer();
    registers_by_dma();
    print_number("without scaling", decay(15, 0));
    print_number("scaling 0 octave -4", decay(0, 12));
    print_number("scaling 7 octave -8", decay(7, 8));
    print_number("scaling 4 octave 0", decay(4, 0));
    ends("looping", LOOPS);
    ends("once", 0);
    return 0;
}
