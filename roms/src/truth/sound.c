/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Experiments of the sound block: registers, timers, channels, its interrupt, its ARM7. Nothing is audible: the
 * channels send nothing to the output. Offsets and bits: docs/hardware/aica.md. */
#include "sound.h"

/* Registers of the block. */
enum { MASTER = 0x2800, TIMER_A = 0x2890, ENABLE = 0x28B4, PENDING = 0x28B8, CLEAR = 0x28BC, ARM_RESET = 0x2C00 };
enum { ARM_ENABLE = 0x289C, ARM_LEVELS = 0x28A8 };
enum { BY_SOFTWARE = 1 << 5, TIMER_A_DONE = 1 << 6, ALL_SOURCES = 0x7FF };
enum { LOOP_PASSED = 0x8000, LEVEL_MASK = 0x1FFF, HALF_LEVEL = 0x1000, LIMIT = 500 * TICKS_OF_MS };

/* Writes go through a buffer of the bus: bits 0 and 4 are set until it is empty. */
static void wait_for_bus(void) {
    while (REG32(0xA05F688C) & 0x11) {}
}

void write_register(u32 offset, u32 value) {
    wait_for_bus();
    REG32(0xA0700000 + offset) = value;
}

u32 read_register(u32 offset) { return REG32(0xA0700000 + offset); }

void write_memory(u32 offset, u32 value) {
    wait_for_bus();
    REG32(0xA0800000 + offset) = value;
}

u32 read_memory(u32 offset) { return REG32(0xA0800000 + offset); }

static void wait_until(u32 ticks) {
    while (stopwatch() < ticks) {}
}

void wait_ms(u32 count) {
    start_stopwatch();
    wait_until(count * TICKS_OF_MS);
}

static u32 arm_reset_at_start;

/* Holds the ARM7 and keys all channels off. Observes the interrupt registers of the boot ROM's driver. */
static void quiet(void) {
    u32 interrupts[4] = {read_register(ARM_ENABLE)};
    for (u32 bit = 0; bit < 3; bit++) interrupts[1 + bit] = read_register(ARM_LEVELS + 4 * bit);
    observe("aica.arm_interrupts", interrupts, 4);
    arm_reset_at_start = read_register(ARM_RESET);
    write_register(ARM_RESET, arm_reset_at_start | 1);
    for (u32 channel = 0; channel < CHANNEL_END; channel += CHANNEL) {
        write_register(channel + CONTROL, 0);
        write_register(channel + RELEASE, 0x1F);
    }
    write_register(CONTROL, KEY_EXECUTE);
    write_register(ENABLE, 0);
    write_register(CLEAR, ALL_SOURCES);
    observe_two("aica.arm_reset", arm_reset_at_start, read_register(ARM_RESET));
}

/* Words, halves and bytes of sound memory. */
static void memory(void) {
    enum { AT = 0x10000 };
    u32 values[4];
    write_memory(AT, 0x12345678);
    values[0] = read_memory(AT);
    wait_for_bus();
    REG16(0xA0800000 + AT + 2) = 0xABCD;
    values[1] = read_memory(AT);
    wait_for_bus();
    REG8(0xA0800000 + AT + 1) = 0xEF;
    values[2] = read_memory(AT);
    values[3] = REG16(0xA0800000 + AT + 2) << 16 | REG8(0xA0800000 + AT + 1);
    observe("aica.memory", values, 4);
}

/* Register 2800 with two values, and what channel 63 keeps of all ones. */
static void registers(void) {
    u32 before = read_register(MASTER), values[11], count = 0;
    write_register(MASTER, 8);
    values[0] = read_register(MASTER);
    write_register(MASTER, 0);
    values[1] = read_register(MASTER);
    write_register(MASTER, before & 0xF);
    observe("aica.master", values, 2);
    for (u32 offset = ADDRESS; offset <= 0x2C; offset += 4) {
        u32 at = LAST_CHANNEL + offset, kept = read_register(at);
        write_register(at, 0xFFFF);
        values[count] = read_register(at);
        write_register(at, 0);
        values[count++] ^= read_register(at);
        write_register(at, kept);
    }
    observe("aica.masks", values, count);
}

/* Ticks until a source is pending, from the last start of the stopwatch, or NEVER. */
static u32 ticks_until_source(u32 source) {
    while (!(read_register(PENDING) & source))
        if (stopwatch() > LIMIT) return NEVER;
    return stopwatch();
}

/* 256 samples of each timer; then timer A with a prescaler of 128 samples, begun at eight times that are 16 samples
 * apart: it starts with the write, or it is one of all samples. */
static void timers(void) {
    u32 values[8];
    for (u32 timer = 0; timer < 3; timer++) {
        u32 done = TIMER_A_DONE << timer;
        write_register(TIMER_A + 4 * timer, 0);
        write_register(CLEAR, done);
        start_stopwatch();
        ticks_until_source(done);
        write_register(CLEAR, done);
        start_stopwatch();
        values[timer] = ticks_until_source(done);
    }
    observe("time.aica_timers", values, 3);
    for (u32 n = 0; n < 8; n++) {
        start_stopwatch();
        wait_until(n * 16 * TICKS_OF_MS * 10 / 441);
        write_register(TIMER_A, 0x7FF);
        write_register(CLEAR, TIMER_A_DONE);
        start_stopwatch();
        values[n] = ticks_until_source(TIMER_A_DONE);
    }
    observe("time.aica_prescaler", values, 8);
}

/* Keys channel 0 off and on, silently: the sample begins at 0. */
static void play(u32 control, u32 loop_start, u32 loop_end, u32 envelope, u32 release, u32 pitch) {
    write_register(RELEASE, 0x1F);
    write_register(CONTROL, KEY_EXECUTE);
    wait_ms(5);
    write_register(ADDRESS, 0);
    write_register(LOOP_START, loop_start);
    write_register(LOOP_END, loop_end);
    write_register(ENVELOPE, envelope);
    write_register(RELEASE, release);
    write_register(PITCH, pitch);
    write_register(SEND, 0);
    write_register(LEVEL, 0xFF00);
    write_register(MONITOR, 0);
    write_register(CONTROL, control | KEY_EXECUTE | KEY_ON);
}

/* Positions 10 ms after key-on, at four pitches. */
static void positions(void) {
    static const u16 pitches[4] = {NORMAL, 0x200, OCTAVE_UP, OCTAVE_DOWN};
    u32 values[4];
    for (int n = 0; n < 4; n++) {
        play(0, 0, 0xFFFF, AT_ONCE, NO_SCALING, pitches[n]);
        wait_ms(10);
        values[n] = read_register(POSITION);
    }
    observe("time.aica_positions", values, 4);
}

/* A loop from 2 to 8: least and greatest position. A long one: its flag, read twice. A sample that ends at 8. */
static void loops(void) {
    u32 values[3] = {0xFFFF, 0};
    play(LOOPS, 2, 8, AT_ONCE, NO_SCALING, NORMAL);
    wait_ms(1);
    for (start_stopwatch(); stopwatch() < 2 * TICKS_OF_MS;) {
        u32 position = read_register(POSITION);
        if (position < values[0]) values[0] = position;
        if (position > values[1]) values[1] = position;
    }
    observe("aica.loop", values, 2);
    play(LOOPS, 0, 441, AT_ONCE, NO_SCALING, NORMAL);
    wait_ms(15);
    values[0] = read_register(STATE) & LOOP_PASSED;
    values[1] = read_register(STATE) & LOOP_PASSED;
    observe("aica.loop_flag", values, 2);
    play(0, 0, 8, AT_ONCE, NO_SCALING, NORMAL);
    wait_ms(2);
    values[0] = read_register(CONTROL);
    values[1] = read_register(POSITION);
    values[2] = read_register(STATE);
    observe("aica.end", values, 3);
}

/* Ticks from now until the level has passed the half, upwards or downwards: it is an attenuation. */
static u32 ticks_to_half(int is_attack) {
    start_stopwatch();
    while (((read_register(STATE) & LEVEL_MASK) < HALF_LEVEL) != is_attack)
        if (stopwatch() > LIMIT) return NEVER;
    return stopwatch();
}

/* An attack; a decay to the lowest level, its rate without and with scaling by the pitch, an octave up; a release. */
static void envelopes(void) {
    enum { TO_LOWEST = 31 << 5, SLOW_ATTACK = 16, DECAY_20 = 20 << 6 };
    u32 values[4];
    play(LOOPS, 0, 441, SLOW_ATTACK, NO_SCALING, NORMAL);
    values[0] = ticks_to_half(1);
    play(LOOPS, 0, 441, DECAY_20 | AT_ONCE, NO_SCALING | TO_LOWEST, OCTAVE_UP);
    wait_ms(1); /* the attack has ended */
    values[1] = ticks_to_half(0);
    play(LOOPS, 0, 441, DECAY_20 | AT_ONCE, TO_LOWEST, OCTAVE_UP);
    wait_ms(1);
    values[2] = ticks_to_half(0);
    play(LOOPS, 0, 441, AT_ONCE, NO_SCALING | 20, NORMAL);
    wait_ms(1);
    write_register(CONTROL, KEY_EXECUTE | LOOPS);
    values[3] = ticks_to_half(0);
    observe("time.aica_envelope", values, 4);
}

/* The line to the SH4, ISTEXT bit 1: before a request, 3 ms behind it, and after its end. */
static void interrupt(void) {
    u32 values[3], sr = mask_interrupts();
    write_register(CLEAR, ALL_SOURCES);
    write_register(ENABLE, BY_SOFTWARE);
    wait_ms(3);
    values[0] = REG32(0xA05F6904) & 2;
    write_register(PENDING, BY_SOFTWARE);
    wait_ms(3);
    values[1] = REG32(0xA05F6904) & 2;
    write_register(CLEAR, BY_SOFTWARE);
    wait_ms(3);
    values[2] = REG32(0xA05F6904) & 2;
    write_register(ENABLE, 0);
    restore_interrupts(sr);
    observe("aica.interrupt", values, 3);
}

static void start_arm(const u32 *program, u32 count) {
    write_register(ARM_RESET, arm_reset_at_start | 1);
    for (u32 n = 0; n < count; n++) write_memory(4 * n, program[n]);
    write_register(ARM_RESET, arm_reset_at_start & ~1);
}

/* Rounds of a loop in 10 ms:
 *      mov r0, #0x2000
 * loop: add r1, r1, #1
 *      str r1, [r0]
 *      b loop */
static void arm_speed(void) {
    static const u32 program[] = {0xE3A00A02, 0xE2811001, 0xE5801000, 0xEAFFFFFC};
    write_memory(0x2000, 0);
    u32 held = read_memory(0x2000);
    start_arm(program, sizeof program / 4);
    wait_ms(1);
    u32 before = read_memory(0x2000);
    wait_ms(10);
    u32 after = read_memory(0x2000);
    write_register(ARM_RESET, arm_reset_at_start | 1);
    wait_ms(1);
    u32 stopped = read_memory(0x2000);
    wait_ms(1);
    observe_one("time.arm7", after - before);
    observe_two("arm7.held", held, read_memory(0x2000) - stopped);
}

/* What the ARM7's data sheet forbids or leaves open: MUL with one register for result and first factor; STM and LDM
 * without registers: what they add to the base, and what STM stores. LDM may load R15, with the next address.
 *      mov r0, #0x2000
 *      mov r1, #7
 *      mov r2, #9
 *      mul r1, r1, r2
 *      str r1, [r0]
 *      mov r3, #0x3000
 *      stmia r3!, {}
 *      sub r3, r3, #0x3000
 *      str r3, [r0, #4]
 *      mov r3, #0x4000
 *      ldmia r3!, {}
 *      sub r3, r3, #0x4000
 *      str r3, [r0, #8]
 *      b . */
static void arm_rules(void) {
    static const u32 program[] = {
        0xE3A00A02, 0xE3A01007, 0xE3A02009, 0xE0010291, 0xE5801000, 0xE3A03A03, 0xE8A30000,
        0xE2433A03, 0xE5803004, 0xE3A03901, 0xE8B30000, 0xE2433901, 0xE5803008, 0xEAFFFFFE,
    };
    enum { BEHIND_LDM = 11 * 4 };
    for (u32 n = 0; n < 3; n++) write_memory(0x2000 + 4 * n, 0xFFFFFFFF);
    write_memory(0x3000, 0xFFFFFFFF);
    write_memory(0x4000, BEHIND_LDM);
    start_arm(program, sizeof program / 4);
    wait_ms(1);
    write_register(ARM_RESET, arm_reset_at_start | 1);
    u32 values[3] = {read_memory(0x2004), read_memory(0x2008), read_memory(0x3000)};
    observe_one("arm7.multiply", read_memory(0x2000));
    observe("arm7.empty_list", values, 3);
}

const struct experiment sound_experiments[] = {
    {"quiet", quiet},         {"sound_memory", memory}, {"sound_registers", registers}, {"sound_timers", timers},
    {"positions", positions}, {"loops", loops},         {"envelopes", envelopes},       {"sound_interrupt", interrupt},
    {"levels", mix_levels},   {"samples", mix_samples}, {"lfo_and_filter", mix_lfo_and_filter},
    {"effect_steps", effect_steps}, {"effect_memory", effect_memory},
    {"arm_speed", arm_speed}, {"arm_rules", arm_rules}, {0, 0},
};
