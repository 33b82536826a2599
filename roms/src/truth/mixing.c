/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Experiments of the mixer and the effect DSP. Channel 0 sends known samples to the DSP's input 0. MIXS shows what
 * arrives, TEMP, MEMS and EFREG what the DSP makes of it. Nothing is audible: all levels to the output are 0. */
#include "sound.h"

enum { TEMP = 0x4000, MEMS = 0x4400, MIXS = 0x4500, EFREG = 0x4580, COEF = 0x3000, MADRS = 0x3200, PROGRAM = 0x3400 };
enum { NO_LEVEL = 0x40, NO_FILTER = 0x20, PLAIN = NO_LEVEL | NO_FILTER, FULL_SEND = 0xF0 };
enum { ADPCM = 2 << 7, STREAM = 3 << 7 };
/* Places in sound memory: samples; the DSP's ring. */
enum { SAMPLES = 0x8000, RING_PAGE = 0x40, RING_AT = RING_PAGE << 11 };

/* Samples first, first + step and so on. */
static void set_samples(u32 count, u32 first, u32 step) {
    for (u32 n = 0; n < count; n += 2)
        write_memory(SAMPLES + 2 * n, ((first + step * n) & 0xFFFF) | (first + step * (n + 1)) << 16);
}

/* Keys a channel off, and on with other registers. */
static void start(u32 channel, u32 control, u32 end, u32 pitch, u32 level) {
    u32 at = channel * CHANNEL;
    write_register(at + RELEASE, NO_SCALING | 0x1F);
    write_register(at + CONTROL, KEY_EXECUTE);
    wait_ms(10);
    write_register(at + ADDRESS, SAMPLES);
    write_register(at + LOOP_START, 0);
    write_register(at + LOOP_END, end);
    write_register(at + ENVELOPE, AT_ONCE);
    write_register(at + PITCH, pitch);
    write_register(at + LFO, 0);
    write_register(at + EFFECT, FULL_SEND);
    write_register(at + SEND, 0);
    write_register(at + LEVEL, level);
    for (u32 n = 0; n < 5; n++) write_register(at + FILTER + 4 * n, 0x1800);
    write_register(at + FILTER_RATES, 0x1F1F);
    write_register(at + FILTER_RATES + 4, 0x1F1F);
    write_register(at + CONTROL, control | KEY_EXECUTE | KEY_ON);
}

/* Plays a constant. */
static void start_constant(u32 value, u32 level) {
    set_samples(256, value, 0);
    start(0, LOOPS, 200, NORMAL, level);
    wait_ms(1);
}

/* Ends all sound, and the DSP's and the CD's levels to the output. */
static void silence(void) {
    for (u32 n = 0; n < 2; n++) write_register(n * CHANNEL + CONTROL, 0);
    write_register(CONTROL, KEY_EXECUTE);
    for (u32 at = OUTPUTS; at < OUTPUTS_END; at += 4) write_register(at, 0);
}

/* The 20 bits of input 0. */
static u32 mixs(void) { return read_register(MIXS + 4) << 4 | (read_register(MIXS) & 15); }

static u32 mixs_after(u32 offset, u32 value) {
    write_register(offset, value);
    wait_ms(1);
    return mixs();
}

/* Eight total levels of the greatest and the least sample; six levels of the send; two samples that overflow. */
void mix_levels(void) {
    static const u8 totals[8] = {0, 1, 8, 0xF, 0x10, 0x55, 0xEF, 0xF0}, sends[6] = {15, 14, 13, 12, 8, 1};
    u32 values[8];
    silence();
    for (u32 is_negative = 0; is_negative < 2; is_negative++) {
        start_constant(is_negative ? 0x8000 : 0x7FFF, NO_FILTER);
        for (u32 n = 0; n < 8; n++) values[n] = mixs_after(LEVEL, totals[n] << 8 | NO_FILTER);
        observe(is_negative ? "mix.level_negative" : "mix.level", values, 8);
    }
    start_constant(0x4001, PLAIN);
    for (u32 n = 0; n < 6; n++) values[n] = mixs_after(EFFECT, sends[n] << 4);
    observe("mix.sends", values, 6);
    start_constant(0x7FFF, PLAIN);
    start(1, LOOPS, 200, NORMAL, PLAIN);
    wait_ms(1);
    observe_one("mix.overflow", mixs());
    silence();
}

/* Observes the first different values of MIXS 19:4, starting in silence. */
static void observe_first(const char *name, u32 count) {
    u32 values[12], found = 0, last = 0;
    for (u32 n = 0; n < count; n++) values[n] = 0;
    for (start_stopwatch(); found < count && stopwatch() < 100 * TICKS_OF_MS;) {
        u32 value = read_register(MIXS + 4);
        if (value != last) values[found++] = last = value;
    }
    observe(name, values, count);
}

/* A slow slope from 0 to 7FFF: 1/16384 of a sample at a time, then 1/262144. 4-bit samples of 0: their sum, and the
 * position after 5 ms, two octaves up. */
void mix_samples(void) {
    silence();
    set_samples(2, 0, 0x7FFF);
    start(0, 0, 2, LOWEST_OCTAVE | 0x410, PLAIN);
    observe_first("mix.interpolation", 4);
    start(0, 0, 2, LOWEST_OCTAVE | 0x401, PLAIN);
    wait_ms(140);
    observe_one("mix.fine_pitch", mixs());
    set_samples(1024, 0, 0);
    start(0, LOOPS | STREAM, 4000, NORMAL, PLAIN);
    wait_ms(200);
    observe_one("mix.adpcm", mixs());
    write_register(MONITOR, 0);
    start(0, ADPCM, 0xFFFF, 2 * OCTAVE_UP, PLAIN);
    wait_ms(5);
    observe_one("time.aica_adpcm_octave", read_register(POSITION));
    silence();
}

/* Greatest and least value of MIXS 19:4 in 20 ms, of positive samples. */
static void range(u32 *greatest, u32 *least) {
    *greatest = 0;
    *least = 0xFFFF;
    for (start_stopwatch(); stopwatch() < 20 * TICKS_OF_MS;) {
        u32 value = read_register(MIXS + 4);
        if (value > *greatest) *greatest = value;
        if (value < *least) *least = value;
    }
}

/* Square waves of the amplitude LFO, of 256 samples: free, with LFORE in a loop of 64 samples, in one of 200. Then a
 * step through the filter, with an attack. */
void mix_lfo_and_filter(void) {
    enum { SQUARE = 31 << 10 | 1 << 3 | 7, RESETS = 0x8000 };
    u32 values[6];
    silence();
    start_constant(0x7FFF, NO_FILTER);
    write_register(LFO, SQUARE);
    range(&values[0], &values[1]);
    write_register(LOOP_END, 64);
    write_register(LFO, SQUARE | RESETS);
    wait_ms(5);
    range(&values[2], &values[3]);
    write_register(LOOP_END, 200);
    write_register(LFO, SQUARE | RESETS);
    wait_ms(5);
    range(&values[4], &values[5]);
    observe("mix.lfo", values, 6);
    set_samples(256, 10000, 0);
    start(0, LOOPS, 200, NORMAL, 4);
    observe_first("mix.filter", 12);
    silence();
}

/* Fields of a step's four words, highest bits first. */
enum { TEMP_WRITE = 1 << 8 };
enum { X_INPUT = 1 << 15, Y_COEF = 1 << 13, IWT = 1 << 6 };
#define IRA(n) ((n) << 7)
#define IWA(n) ((n) << 1)
enum { TABLE = 1 << 15, MWT = 1 << 14, MRD = 1 << 13, EWT = 1 << 12, ADRL = 1 << 7, ZERO = 1 << 1, B_ACC = 1 };
#define EWA(n) ((n) << 8)
#define SHIFT(n) ((n) << 4)
enum { NO_FLOAT = 1 << 15, ADREB = 1 << 8, INPUT = 0x20, ALMOST_ONE = 0x7FF8 };
#define MASA(n) ((n) << 9)

static void set_step(u32 n, u32 a, u32 b, u32 c, u32 d) {
    u32 words[4] = {a, b, c, d};
    for (u32 part = 0; part < 4; part++) write_register(PROGRAM + 16 * n + 4 * part, words[part]);
}

static void set_coefficient(u32 n, u32 value) { write_register(COEF + 4 * n, value); }

/* Step n: the accumulator becomes input 0 by a coefficient. */
static void set_product(u32 n, u32 coefficient) {
    set_coefficient(n, coefficient);
    set_step(n, 0, X_INPUT | Y_COEF | IRA(INPUT), ZERO, 0);
}

/* Clears the program. */
static void clear_program(void) {
    for (u32 n = 0; n < 128; n++) set_step(n, 0, 0, 0, 0);
}

/* The upper 16 bits of a word of TEMP or MEMS. */
static u32 upper(u32 words, u32 n) { return read_register(words + 8 * n + 4); }

/* Five observations: the delay in samples from MIXS to EFREG; IRA 32 to 3F after a step with an input; the four shifts
 * of an accumulator that exceeds 24 bits, of both signs; a product that must be rounded; the accumulator of step 127 in
 * step 0. */
void effect_steps(void) {
    u32 values[14], found = 0;
    silence();
    clear_program();
    set_product(0, ALMOST_ONE);
    set_step(1, 0, 0, EWT, 0);
    for (u32 n = 0; n < 4; n++) values[n] = NEVER;
    set_samples(1024, 0, 16);
    start(0, LOOPS, 1024, NORMAL, PLAIN);
    for (start_stopwatch(); found < 4 && stopwatch() < 50 * TICKS_OF_MS;) {
        u32 before = read_register(MIXS + 4), copy = read_register(EFREG);
        if (read_register(MIXS + 4) != before || before < 0x100 || before > 0x3000) continue;
        values[found++] = (before - copy + 8) >> 4;
    }
    observe("effect.delay", values, 4);

    start_constant(0x4000, PLAIN);
    set_step(0, 0, IRA(INPUT), 0, 0);
    set_coefficient(1, ALMOST_ONE);
    set_step(2, 0, 0, EWT, 0);
    for (u32 n = 0; n < 14; n++) {
        set_step(1, 0, X_INPUT | Y_COEF | IRA(0x32 + n), ZERO, 0);
        wait_ms(1);
        values[n] = read_register(EFREG);
    }
    observe("effect.ira", values, 14);

    set_product(0, ALMOST_ONE);
    set_product(1, ALMOST_ONE);
    set_step(1, 0, X_INPUT | Y_COEF | IRA(INPUT), B_ACC, 0);
    for (u32 n = 0; n < 4; n++) {
        set_coefficient(2 + n, 0);
        set_step(2 + n, 0, X_INPUT | Y_COEF | IRA(INPUT), EWT | EWA(n) | SHIFT(n) | B_ACC, 0);
    }
    for (u32 is_negative = 0; is_negative < 2; is_negative++) {
        start_constant(is_negative ? -0x5A00 : 0x5A00, PLAIN);
        for (u32 n = 0; n < 4; n++) values[4 * is_negative + n] = read_register(EFREG + 4 * n);
    }
    observe("effect.shift", values, 8);

    clear_program();
    set_product(0, 3 << 3);
    set_step(1, TEMP_WRITE, 0, SHIFT(3), 0);
    start_constant(-0x1235, PLAIN);
    wait_ms(5);
    observe_one("effect.product", upper(TEMP, 0) << 8 | (read_register(TEMP) & 0xFF));

    clear_program();
    set_product(127, ALMOST_ONE);
    set_step(0, 0, 0, EWT, 0);
    wait_ms(1);
    observe_one("effect.kept", read_register(EFREG));
    clear_program();
    silence();
}

/* Writes a value to the pair of words that contains word `at` of the ring. */
static void set_word(u32 at, u32 value) { write_memory(RING_AT + (2 * at & ~3), value | value << 16); }

/* Three observations: addresses from the inputs 40 and -40; a read whose next step has NOFL; a read and a write in even
 * steps. */
void effect_memory(void) {
    enum { POSITIVE = 0x40, EVEN = 2, WRITTEN = 4, READ = TABLE | MRD };
    u32 values[2], ring = read_register(RING);
    silence();
    clear_program();
    write_register(RING, RING_PAGE);
    set_word(0, 0x0101);
    set_word(EVEN, 0x4567);
    set_word(WRITTEN, 0x5678);
    set_word(POSITIVE, 0x1234);
    set_word(0x1000 - POSITIVE, 0x2345);
    set_word(0x10000 - POSITIVE, 0x3456);
    for (u32 n = 0; n < 4; n++) write_register(MADRS + 4 * n, n == 1 ? POSITIVE : n == 2 ? EVEN : n == 3 ? WRITTEN : 0);
    set_product(0, 0);
    set_step(1, 0, IRA(INPUT), ADRL, 0);
    set_step(3, 0, 0, READ, NO_FLOAT | ADREB);
    set_step(5, 0, IWT | IWA(0), 0, 0);
    for (u32 is_negative = 0; is_negative < 2; is_negative++) {
        start_constant(is_negative ? -0x4000 : 0x4000, PLAIN);
        values[is_negative] = upper(MEMS, 0);
    }
    observe("effect.address", values, 2);

    clear_program();
    set_step(1, 0, 0, READ, MASA(1));
    set_step(2, 0, 0, 0, NO_FLOAT);
    set_step(4, 0, IWT | IWA(1), 0, 0);
    wait_ms(1);
    observe_one("effect.float", upper(MEMS, 1));

    set_step(1, 0, 0, READ, NO_FLOAT | MASA(1));
    set_step(2, 0, 0, 0, 0);
    set_step(4, 0, 0, READ, NO_FLOAT | MASA(2));
    set_step(6, 0, IWT | IWA(1), 0, 0);
    set_product(7, ALMOST_ONE);
    set_step(8, 0, 0, TABLE | MWT, NO_FLOAT | MASA(3));
    wait_ms(1);
    values[0] = upper(MEMS, 1);
    set_step(8, 0, 0, 0, 0); /* before the others: it must not write another sum */
    wait_ms(1);
    values[1] = read_memory(RING_AT + 2 * WRITTEN) & 0xFFFF;
    observe("effect.even_steps", values, 2);
    clear_program();
    write_register(RING, ring);
    silence();
}
