/* SPDX-License-Identifier: MIT OR Apache-2.0
 * tones: nine sounds, each between silences: a tone of 440 Hz in 16 bits, 8 bits and 4 bits, noise, an envelope, a panned
 * tone, a filtered tone, a tone with an echo by the effect DSP, and a stream in 4 bits. The SH4 plays all of them: the
 * ARM7 is held in reset. */
#include "sound.h"

/* A loop of 2205 samples at 44,100 Hz with 22 periods: 440 Hz. The stream has four loops. */
enum { LOOP_SAMPLES = 2205, PERIODS = 22, STREAM_SAMPLES = 4 * LOOP_SAMPLES };
/* Places in sound RAM. */
enum { WORDS = 0x10000, BYTES = 0x12000, NIBBLES = 0x13000, RING = 0x14000, ECHO = 0x80000 };
/* Bits of a channel's first register. */
enum { EXECUTE = 0x8000, KEY_ON = 0x4000, NOISE = 0x400, LOOPS = 0x200, FORMAT = 0x80 };

static u32 tone_words[(LOOP_SAMPLES + 1) / 2];
static u32 tone_nibbles[STREAM_SAMPLES / 8 + 1];

/* A sine of amplitude 16,384 by Bhaskara's formula: 16 x (H - x) / (5 H^2 - 4 x (H - x)) for half a period of H. */
static int sine(u32 n) {
    u32 phase = n * PERIODS % LOOP_SAMPLES * 65536 / LOOP_SAMPLES;
    u32 x = phase & 0x7FFF;
    u32 q = x * (0x8000 - x) >> 12;
    int value = (int)((q << 12) / ((1310720 - 4 * q) >> 4)) * 4;
    return phase & 0x8000 ? -value : value;
}

static int clamp(int value, int low, int high) { return value < low ? low : value > high ? high : value; }

/* The tone in all formats. The 4-bit encoder follows the decoder, and takes the nearest difference below. */
static void make_tones(void) {
    static const int factors[8] = {230, 230, 230, 230, 307, 409, 512, 614};
    u32 word = 0, byte_word = 0, nibble_word = 0;
    int last = 0, step = 127;
    for (u32 n = 0; n < STREAM_SAMPLES; n++) {
        int value = sine(n);
        int distance = value - last;
        u32 size = distance < 0 ? -distance : distance;
        u32 nibble = clamp(size * 4 / step, 0, 7);
        int difference = clamp(step * (2 * nibble + 1) >> 3, 0, 32767);
        last = clamp(distance < 0 ? last - difference : last + difference, -32768, 32767);
        step = clamp(step * factors[nibble] >> 8, 127, 24576);
        nibble_word |= (distance < 0 ? nibble | 8 : nibble) << n % 8 * 4;
        if (n % 8 == 7 || n == STREAM_SAMPLES - 1) {
            tone_nibbles[n / 8] = nibble_word;
            nibble_word = 0;
        }
        if (n >= LOOP_SAMPLES) continue;
        word |= (value & 0xFFFF) << n % 2 * 16;
        byte_word |= (value >> 8 & 0xFF) << n % 4 * 8;
        if (n % 2 == 1 || n == LOOP_SAMPLES - 1) {
            tone_words[n / 2] = word;
            word = 0;
        }
        if (n % 4 == 3 || n == LOOP_SAMPLES - 1) {
            write_sound_ram(BYTES + n / 4 * 4, byte_word);
            byte_word = 0;
        }
    }
}

static void copy(u32 target, const u32 *source, u32 words) {
    for (u32 n = 0; n < words; n++) write_sound_ram(target + 4 * n, source[n]);
}

static void wait_ms(u32 count) {
    start_stopwatch();
    while (microseconds(stopwatch()) < count * 1000) {}
}

/* Channel 0 with full level on both sides, no filter, no LFO, and the fastest envelope. */
static void set_up(u32 start, u32 end) {
    static const u32 registers[][2] = {
        {0x08, 0}, {0x10, 0x1F}, {0x14, 0x3C1F}, {0x18, 0}, {0x1C, 0}, {0x20, 0}, {0x24, 0xF00}, {0x28, 0x24},
    };
    for (u32 n = 0; n < sizeof registers / sizeof *registers; n++) write_sound(registers[n][0], registers[n][1]);
    write_sound(0x04, start & 0xFFFF);
    write_sound(0x0C, end);
}

static void key_on(u32 control, u32 start) { write_sound(0, EXECUTE | KEY_ON | control | start >> 16); }
static void key_off(u32 control, u32 start) { write_sound(0, EXECUTE | control | start >> 16); }

/* Plays channel 0 as it is set up, and is silent for 60 ms. */
static void play(u32 control, u32 start, u32 ms) {
    key_on(control, start);
    wait_ms(ms);
    key_off(control, start);
    wait_ms(60);
}

static void play_envelope(void) {
    set_up(WORDS, LOOP_SAMPLES);
    write_sound(0x10, 14 << 6 | 18); /* decay 1, attack */
    write_sound(0x14, 0x3C00 | 4 << 5 | 20); /* decay level, release */
    key_on(LOOPS, WORDS);
    wait_ms(120);
    key_off(LOOPS, WORDS);
    wait_ms(250);
}

/* FLV 1800 and Q 4; 564 Hz, where the filter takes 3 dB. */
static void play_filter(void) {
    set_up(WORDS, LOOP_SAMPLES);
    write_sound(0x18, 289);
    write_sound(0x28, 0x04);
    for (u32 n = 0; n < 5; n++) write_sound(0x2C + 4 * n, 0x1800);
    play(LOOPS, WORDS, 100);
}

/* Input 0 comes back 2205 samples, 50 ms, later at half its level. */
static void play_echo(void) {
    static const u16 steps[][5] = {
        {0, 0x0000, 0xB000, 0x0002, 0x0000}, /* input 0 x coefficient 0 */
        {1, 0x0000, 0x0000, 0x4002, 0x0000}, /* is written to address 0 */
        {3, 0x0000, 0x0000, 0x2000, 0x0200}, /* reads address 1 */
        {5, 0x0000, 0x0044, 0x0000, 0x0000}, /* into MEMS 2 */
        {6, 0x0000, 0xA100, 0x0002, 0x0000}, /* MEMS 2 x coefficient 6 */
        {7, 0x0000, 0x0000, 0x1100, 0x0000}, /* is output 1 */
    };
    for (u32 n = 0; n < 0x2000; n += 2) write_sound_ram(ECHO + 2 * n, 0x60006000); /* silence */
    write_sound(0x2804, ECHO >> 11);
    write_sound(0x3000, 0x7FF8);
    write_sound(0x3018, 0x7FF8);
    write_sound(0x3204, 2205);
    for (u32 n = 0; n < sizeof steps / sizeof *steps; n++)
        for (u32 part = 0; part < 4; part++) write_sound(0x3400 + 16 * steps[n][0] + 4 * part, steps[n][part + 1]);
    write_sound(0x2004, 0xD00);
    set_up(WORDS, LOOP_SAMPLES);
    write_sound(0x20, 0xF0);
    play(LOOPS, WORDS, 20);
    wait_ms(40);
    write_sound(0x2004, 0);
    wait_ms(10);
}

/* A ring of two halves of 2048 samples, 1024 bytes each: the half that is not played is filled anew. */
static void play_stream(void) {
    u32 next = 2;
    copy(RING, tone_nibbles, 512);
    set_up(RING, 4096);
    write_sound(0x280C, 0); /* monitor channel 0 */
    key_on(LOOPS | 3 * FORMAT, RING);
    while (next < 6) {
        u32 position = AICA(0x2814) & 0xFFFF;
        if ((position >= 2048) == next % 2) continue;
        if (next < 4) copy(RING + next % 2 * 1024, tone_nibbles + 256 * next, 256);
        next++;
    }
    key_off(LOOPS | 3 * FORMAT, RING);
    wait_ms(60);
}

int main(void) {
    write_sound(0x2C00, AICA(0x2C00) | 1);
    write_sound(0x2800, 0xF);
    make_tones();
    copy(WORDS, tone_words, (LOOP_SAMPLES + 1) / 2);
    copy(NIBBLES, tone_nibbles, (LOOP_SAMPLES + 7) / 8);
    set_up(WORDS, LOOP_SAMPLES);
    play(LOOPS, WORDS, 100);
    set_up(BYTES, LOOP_SAMPLES);
    play(LOOPS | FORMAT, BYTES, 100);
    set_up(NIBBLES, LOOP_SAMPLES);
    play(LOOPS | 2 * FORMAT, NIBBLES, 100);
    set_up(WORDS, LOOP_SAMPLES);
    play(LOOPS | NOISE, WORDS, 50);
    play_envelope();
    set_up(WORDS, LOOP_SAMPLES);
    write_sound(0x24, 0xF03); /* three steps of 3 dB less on the left */
    play(LOOPS, WORDS, 100);
    play_filter();
    play_echo();
    play_stream();
    print("nine sounds\n");
    return 0;
}
