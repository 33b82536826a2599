/* SPDX-License-Identifier: MIT OR Apache-2.0
 * A G2 poller: feeds a sound stream. The SH4 writes each block into sound memory, and polls the position of a channel
 * over the G2 bus until the sound block has played the block before. */
#include "../console/sound.h"

enum { BLOCK = 512, BLOCKS = 80, START = 0x1000 };

static u32 seed = 9;

static u32 next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return seed;
}

/* 16-bit samples, two in a word. */
static u32 write_block(u32 half) {
    u32 sum = 0, base = START + half * BLOCK * 2;
    for (u32 at = 0; at < BLOCK * 2; at += 4) {
        u32 word = next_random() >> 3 & 0x1FFF1FFF;
        write_sound_ram(base + at, word);
        sum = (sum << 1 | sum >> 31) ^ word;
    }
    return sum;
}

static void start_channel(void) {
    write_sound(0x2800, 15);     /* master volume */
    write_sound(0x04, START);
    write_sound(0x08, 0);        /* loop start and end, in samples */
    write_sound(0x0C, 2 * BLOCK - 1);
    write_sound(0x10, 0x001F);   /* attack at once, no decay */
    write_sound(0x14, 0x001F);
    write_sound(0x18, 0);        /* 44,100 Hz */
    write_sound(0x24, 0x0F00);   /* full volume */
    write_sound(0x28, 0x0024);
    write_sound(0x00, 0xC200);   /* key on, loop, 16 bits */
}

/* The half that channel 0 plays now. */
static u32 playing(void) {
    return (AICA(0x2814) & 0xFFFF) >= BLOCK;
}

int main(void) {
    write_sound(0x2C00, 1); /* the ARM7 stays in reset */
    write_sound(0x280C, 0); /* the monitor shows channel 0 */
    u32 sum = write_block(0) ^ write_block(1);
    start_channel();
    for (u32 block = 0; block < BLOCKS; block++) {
        while (playing() == (block & 1))
            ;
        sum = (sum << 1 | sum >> 31) ^ write_block(block & 1);
    }
    for (u32 at = 0; at < BLOCK * 4; at += 4)
        sum = (sum << 1 | sum >> 31) ^ SOUND_RAM(START + at);
    write_sound(0x00, 0x8000);
    print_hex("poller", sum);
    return 0;
}
