/* SPDX-License-Identifier: MIT OR Apache-2.0
 * song: the first line of Beethoven's "Ode to Joy", in three voices: a melody of 16-bit samples on the left, a bass of
 * 8-bit samples in the middle, and noise on the right. The SH4 plays it: the ARM7 is held in reset. */
#include "sound.h"

/* A loop of 2205 samples at 44,100 Hz: 22 periods, 440 Hz, the note A4. */
enum { LOOP_SAMPLES = 2205, PERIODS = 22, WORDS = 0x10000, BYTES = 0x12000 };
/* Bits of a channel's first register. */
enum { EXECUTE = 0x8000, KEY_ON = 0x4000, NOISE = 0x400, LOOPS = 0x200, FORMAT = 0x80 };
enum { MELODY, BASS, DRUM };
/* Milliseconds of a quarter note. */
enum { QUARTER = 200 };

/* FNS of the semitones: 1024 x (2^(n / 12) - 1). */
static const u16 semitones[12] = {0, 61, 125, 194, 266, 343, 424, 510, 601, 698, 801, 909};

/* Notes of the melody in semitones from A4, and their eighths. */
static const signed char melody[15][2] = {
    {-5, 2}, {-5, 2}, {-4, 2}, {-2, 2}, {-2, 2}, {-4, 2}, {-5, 2}, {-7, 2},
    {-9, 2}, {-9, 2}, {-7, 2}, {-5, 2}, {-5, 3}, {-7, 1}, {-7, 4},
};
/* Notes of the bass: one for each note of the melody, 0 where the last one goes on. */
static const signed char bass[15] = {-21, 0, 0, 0, -26, 0, 0, 0, -21, 0, 0, 0, -26, 0, 0};

static u32 control[3];

/* A triangle of amplitude 12,288. */
static int triangle(u32 n) {
    u32 phase = n * PERIODS % LOOP_SAMPLES * 65536 / LOOP_SAMPLES;
    int rise = phase & 0x8000 ? 0xFFFF - phase : phase;
    return (rise - 0x4000) * 3 / 4;
}

static void make_waves(void) {
    u32 word = 0, byte_word = 0;
    for (u32 n = 0; n < LOOP_SAMPLES + 3; n++) {
        int value = triangle(n);
        word |= (value & 0xFFFF) << n % 2 * 16;
        byte_word |= (value >> 8 & 0xFF) << n % 4 * 8;
        if (n % 2 == 1) {
            write_sound_ram(WORDS + n / 2 * 4, word);
            word = 0;
        }
        if (n % 4 == 3) {
            write_sound_ram(BYTES + n / 4 * 4, byte_word);
            byte_word = 0;
        }
    }
}

static void set(u32 channel, u32 offset, u32 value) { write_sound(0x80 * channel + offset, value); }

static void set_up(u32 channel, u32 format, u32 start, u32 envelope, u32 release, u32 send) {
    control[channel] = format | LOOPS | start >> 16;
    set(channel, 0x04, start & 0xFFFF);
    set(channel, 0x08, 0);
    set(channel, 0x0C, LOOP_SAMPLES);
    set(channel, 0x10, envelope);
    set(channel, 0x14, 0x3C00 | release);
    set(channel, 0x18, 0);
    set(channel, 0x1C, 0);
    set(channel, 0x20, 0);
    set(channel, 0x24, send);
    set(channel, 0x28, 0x24);
}

/* The pitch register of a note in semitones from A4. */
static u32 pitch(int note) {
    int octave = 0;
    while (note < 0) {
        note += 12;
        octave--;
    }
    return (octave & 15) << 11 | semitones[note];
}

static void key_off(u32 channel) { set(channel, 0, EXECUTE | control[channel]); }
static void key_on(u32 channel) {
    key_off(channel);
    set(channel, 0, EXECUTE | KEY_ON | control[channel]);
}

static void wait_ms(u32 count) {
    start_stopwatch();
    while (microseconds(stopwatch()) < count * 1000) {}
}

int main(void) {
    write_sound(0x2C00, AICA(0x2C00) | 1);
    write_sound(0x2800, 0xF);
    make_waves();
    set_up(MELODY, 0, WORDS, 12 << 6 | 31, 6 << 5 | 20, 0xF1F);
    set_up(BASS, FORMAT, BYTES, 31, 18, 0xD00);
    set_up(DRUM, NOISE, WORDS, 24 << 11 | 24 << 6 | 31, 31, 0xB0F);
    for (u32 n = 0; n < sizeof melody / sizeof *melody; n++) {
        set(MELODY, 0x18, pitch(melody[n][0]));
        if (bass[n]) {
            set(BASS, 0x18, pitch(bass[n]));
            key_on(BASS);
        }
        key_on(MELODY);
        key_on(DRUM);
        wait_ms(melody[n][1] * QUARTER / 2 - 20);
        key_off(MELODY);
        wait_ms(20);
    }
    key_off(BASS);
    key_off(DRUM);
    wait_ms(200);
    print("Ode to Joy\n");
    return 0;
}
