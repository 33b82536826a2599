/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Registers of the sound block, and functions that sound.c and mixing.c share. Offsets and bits:
 * docs/hardware/aica.md. */
#ifndef TRUTH_SOUND_H
#define TRUTH_SOUND_H
#include "truth.h"

enum { CHANNEL_END = 0x2000, CHANNEL = 0x80, LAST_CHANNEL = 63 * CHANNEL };
/* Registers of a channel. */
enum { CONTROL, ADDRESS = 4, LOOP_START = 8, LOOP_END = 0xC, ENVELOPE = 0x10, RELEASE = 0x14, PITCH = 0x18 };
enum { LFO = 0x1C, EFFECT = 0x20, SEND = 0x24, LEVEL = 0x28, FILTER = 0x2C, FILTER_RATES = 0x40 };
enum { KEY_EXECUTE = 0x8000, KEY_ON = 0x4000, LOOPS = 0x200, NO_SCALING = 15 << 10, AT_ONCE = 0x1F };
enum { NORMAL = 0, OCTAVE_UP = 1 << 11, OCTAVE_DOWN = 15 << 11, LOWEST_OCTAVE = 8 << 11 };
/* Levels of the DSP's and the CD's outputs, of 4 bytes each. The monitor shows a channel's state and position. */
enum { OUTPUTS = 0x2000, OUTPUTS_END = 0x2048, MONITOR = 0x280C, STATE = 0x2810, POSITION = 0x2814, RING = 0x2804 };
enum { TICKS_OF_MS = 12469 };

void write_register(u32 offset, u32 value);
u32 read_register(u32 offset);
void write_memory(u32 offset, u32 value);
u32 read_memory(u32 offset);
void wait_ms(u32 count);

/* mixing.c: rows of the table in sound.c. */
void mix_levels(void);
void mix_samples(void);
void mix_lfo_and_filter(void);
void effect_steps(void);
void effect_memory(void);

#endif
