/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Mixes voices and copies the samples into sound memory, as a sound driver does. */
#include "../console/console.h"

enum { VOICES = 16, SAMPLES = 735, FRAMES = 360, WAVE = 1024 };

/* The FIFO between the bus and the sound block: bits 0 and 4 are set while it is not empty. */
#define FIFO REG32(0xA05F688C)
#define SOUND ((volatile u32 *)0xA0800000)

typedef struct { u32 position, step; int left, right; const short *wave; } voice;

static short waves[4][WAVE];
static voice voices[VOICES];
static int mixed[2 * SAMPLES];
static u32 output[SAMPLES];
static u32 seed = 7;

static u32 next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

static void make_voices(void) {
    for (u32 i = 0; i < WAVE; i++) {
        waves[0][i] = (short)(i * 64 - 32768);
        waves[1][i] = i < WAVE / 2 ? 20000 : -20000;
        waves[2][i] = (short)next_random();
        waves[3][i] = (short)(i < WAVE / 2 ? i * 128 - 32768 : 32767 - (i - WAVE / 2) * 128);
    }
    for (u32 n = 0; n < VOICES; n++)
        voices[n] = (voice){0, 0x4000 + next_random(), (int)(next_random() & 255), (int)(next_random() & 255), waves[n & 3]};
}

/* Linear interpolation between two samples. */
static int sample(const voice *v) {
    u32 at = v->position >> 16;
    int here = v->wave[at & (WAVE - 1)], next = v->wave[(at + 1) & (WAVE - 1)];
    return here + ((next - here) * (int)(v->position >> 1 & 0x7FFF) >> 15);
}

static void mix(voice *v) {
    for (u32 i = 0; i < SAMPLES; i++) {
        int value = sample(v);
        mixed[2 * i] += value * v->left >> 8;
        mixed[2 * i + 1] += value * v->right >> 8;
        v->position += v->step;
    }
}

static u32 clip(int value) {
    if (value > 32767)
        return 32767;
    if (value < -32768)
        return 0x8000;
    return (u32)value & 0xFFFF;
}

static void wait_for_fifo(void) {
    while (FIFO & 0x11)
        ;
}

static void copy(u32 at) {
    for (u32 i = 0; i < SAMPLES; i++) {
        if ((i & 7) == 0)
            wait_for_fifo();
        SOUND[at + i] = output[i];
    }
}

int main(void) {
    u32 sum = 0;
    make_voices();
    for (u32 frame = 0; frame < FRAMES; frame++) {
        for (u32 i = 0; i < 2 * SAMPLES; i++)
            mixed[i] = 0;
        for (u32 n = 0; n < VOICES; n++)
            mix(&voices[n]);
        for (u32 i = 0; i < SAMPLES; i++) {
            output[i] = clip(mixed[2 * i] >> 2) | clip(mixed[2 * i + 1] >> 2) << 16;
            sum = (sum << 1 | sum >> 31) ^ output[i];
        }
        copy((frame & 7) * SAMPLES);
    }
    wait_for_fifo();
    for (u32 i = 0; i < 8 * SAMPLES; i++)
        sum = (sum << 1 | sum >> 31) ^ SOUND[i];
    print_hex("mixer", sum);
    return 0;
}
