/* SPDX-License-Identifier: MIT OR Apache-2.0
 * loopback: tones for a recording of the console's output, between two markers. docs/hardware/loopback.md has the
 * format. The SH4 plays all of them: the ARM7 is held in reset. */
#include "sound.h"

/* A loop of 441 samples at 44,100 Hz with 10 periods: 1,000 Hz. */
enum { LOOP_SAMPLES = 441, PERIODS = 10, MARKER_SAMPLES = 512, WORDS = 0x10000, MARKER = 0x12000, CHANNEL = 0x80 };
enum { EXECUTE = 0x8000, KEY_ON = 0x4000, LOOPS = 0x200 };
enum { OCTAVE_DOWN_2 = 14 << 11, OCTAVE_UP = 1 << 11 };
/* Ticks of timer 0 in a section of 300 ms, and in its tone. */
enum { SECTION = 3740625, TONE = 3117187 };

/* Register and value that a section changes; up to two, and the number of channels that play. */
struct section {
    u16 at, value, at_2, value_2, channels;
};

enum { PITCH = 0x18, EFFECT = 0x20, DIRECT = 0x24, LEVEL = 0x28, FILTER = 0x2C, MASTER = 0x2800, OUTPUT = 0x2000 };
/* Level register: Q 4, filter off, and levels off; then with the filter and with the levels. */
enum { PLAIN = 0x64, FILTERED = 0x40, LEVELLED = 0x24 };

/* In the order of SECTIONS in harness/cli/src/truth/loopback/sections.rs. */
static const struct section sections[] = {
    {LEVEL, PLAIN, LEVEL, PLAIN, 1},
    {MASTER, 14, LEVEL, PLAIN, 1},
    {MASTER, 13, LEVEL, PLAIN, 1},
    {MASTER, 8, LEVEL, PLAIN, 1},
    {DIRECT, 0xE00, LEVEL, PLAIN, 1},
    {DIRECT, 0xD00, LEVEL, PLAIN, 1},
    {DIRECT, 0x800, LEVEL, PLAIN, 1},
    {DIRECT, 0xF01, LEVEL, PLAIN, 1},
    {DIRECT, 0xF03, LEVEL, PLAIN, 1},
    {DIRECT, 0xF0F, LEVEL, PLAIN, 1},
    {DIRECT, 0xF11, LEVEL, PLAIN, 1},
    {DIRECT, 0xF1F, LEVEL, PLAIN, 1},
    {DIRECT, 0xE11, LEVEL, PLAIN, 1},
    {DIRECT, 0xF1F, MASTER, 0x800F, 1},
    {LEVEL, 0x1000 | LEVELLED, LEVEL, 0x1000 | LEVELLED, 1},
    {LEVEL, 0x1800 | LEVELLED, LEVEL, 0x1800 | LEVELLED, 1},
    {LEVEL, FILTERED | 4, FILTER, 0x1800, 1},
    {LEVEL, FILTERED | 4, FILTER, 0x1A00, 1},
    {LEVEL, FILTERED | 4, FILTER, 0x1C00, 1},
    {LEVEL, FILTERED | 28, FILTER, 0x1A00, 1},
    {PITCH, OCTAVE_UP, LEVEL, PLAIN, 1},
    {PITCH, 0x155, LEVEL, PLAIN, 1},
    {DIRECT, 0xF00, LEVEL, PLAIN, 4},
    {DIRECT, 0, EFFECT, 0xF0, 1},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* A sine of amplitude 12,288 by Bhaskara's formula: 16 x (H - x) / (5 H^2 - 4 x (H - x)) for half a period of H. */
static u32 sine(u32 n) {
    u32 phase = n * PERIODS % LOOP_SAMPLES * 65536 / LOOP_SAMPLES;
    u32 x = phase & 0x7FFF;
    u32 q = x * (0x8000 - x) >> 12;
    int value = (int)((q << 12) / ((1310720 - 4 * q) >> 4)) * 3;
    return (phase & 0x8000 ? -value : value) & 0xFFFF;
}

/* 16-bit noise of Marsaglia's xorshift with 13, 17, 5: at most 8,191 either way. */
static void make_marker(u32 seed) {
    u32 word = 0;
    for (u32 n = 0; n < MARKER_SAMPLES; n++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        word |= ((u32)((int)seed >> 18) & 0xFFFF) << n % 2 * 16;
        if (n % 2) {
            write_sound_ram(MARKER + 2 * (n - 1), word);
            word = 0;
        }
    }
}

static void wait_until(u32 ticks) {
    while (stopwatch() < ticks) {}
}

/* A channel with full level on both sides, no filter, no LFO, the fastest envelope. */
static void set_up(u32 channel, u32 start, u32 end) {
    static const u16 registers[][2] = {
        {0x08, 0}, {0x10, 0x1F}, {0x14, 0x3C1F}, {0x18, 0}, {0x1C, 0}, {0x20, 0}, {0x24, 0xF00}, {0x28, PLAIN},
    };
    u32 at = channel * CHANNEL;
    for (u32 n = 0; n < sizeof registers / sizeof *registers; n++) write_sound(at + registers[n][0], registers[n][1]);
    for (u32 n = 0; n < 5; n++) write_sound(at + FILTER + 4 * n, 0x1FF8);
    write_sound(at + 0x04, start & 0xFFFF);
    write_sound(at + 0x0C, end);
}

static void key(u32 channels, u32 control) {
    for (u32 n = channels; n-- > 0;) write_sound(n * CHANNEL, (n ? 0 : EXECUTE) | control | WORDS >> 16);
}

/* A marker of 2,048 samples at the start of a section. */
static void play_marker(u32 seed, u32 at) {
    make_marker(seed);
    set_up(0, MARKER, MARKER_SAMPLES);
    write_sound(PITCH, OCTAVE_DOWN_2);
    wait_until(at);
    key(1, KEY_ON);
    wait_until(at + TONE);
    key(1, 0);
}

static void set(u32 at, u32 value, u32 channels) {
    if (at == FILTER)
        for (u32 n = 0; n < 5; n++) write_sound(FILTER + 4 * n, value);
    else if (at < CHANNEL)
        for (u32 n = 0; n < channels; n++) write_sound(n * CHANNEL + at, value);
    else write_sound(at, value);
}

/* The effect DSP copies input 0 to output 0. */
static void start_effect(void) {
    static const u16 steps[2][4] = {{0, 0xB000, 0x0002, 0}, {0, 0, 0x1000, 0}};
    for (u32 at = 0x3400; at < 0x3C00; at += 4) write_sound(at, 0);
    write_sound(0x3000, 0x7FF8);
    for (u32 n = 0; n < 8; n++) write_sound(0x3400 + 4 * n, steps[n / 4][n % 4]);
    for (u32 at = OUTPUT; at < OUTPUT + 0x48; at += 4) write_sound(at, at == OUTPUT ? 0xF00 : 0);
}

int main(void) {
    write_sound(0x2C00, AICA(0x2C00) | 1);
    for (u32 n = 0; n < 64; n++) {
        write_sound(n * CHANNEL + 0x14, 0x3C1F);
        write_sound(n * CHANNEL, 0);
    }
    write_sound(0, EXECUTE);
    start_effect();
    write_sound(MASTER, 15);
    for (u32 n = 0; n < LOOP_SAMPLES + 1; n += 2) write_sound_ram(WORDS + 2 * n, sine(n) | sine(n + 1) << 16);
    start_stopwatch();
    play_marker(1, SECTION);
    for (u32 n = 0; n < SECTIONS; n++) {
        const struct section *section = &sections[n];
        for (u32 channel = 0; channel < section->channels; channel++) set_up(channel, WORDS, LOOP_SAMPLES);
        set(section->at, section->value, section->channels);
        set(section->at_2, section->value_2, section->channels);
        wait_until((n + 2) * SECTION);
        key(section->channels, LOOPS | KEY_ON);
        wait_until((n + 2) * SECTION + TONE);
        key(section->channels, LOOPS);
        wait_until((n + 2) * SECTION + TONE + TONE / 10);
        write_sound(MASTER, 15);
    }
    play_marker(2, (SECTIONS + 2) * SECTION);
    wait_until((SECTIONS + 4) * SECTION);
    print_number("sections", SECTIONS);
    return 0;
}
