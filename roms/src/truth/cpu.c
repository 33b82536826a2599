/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Experiments of the SH4. */
#include "truth.h"

/* FPSCR: flush denormals, round to zero, double precision, enable bits of overflow, underflow, inexact. */
enum { DN = 0x40000, RZ = 1, PR = 0x80000, ENABLE_O = 0x200, ENABLE_U = 0x100, ENABLE_I = 0x80 };
enum { ONE = 0x3F800000, MAX = 0x7F7FFFFF, MIN = 0x00800000, INF = 0x7F800000, NAN = 0x7FC00000, SIGN = 0x80000000 };

static void fsrra(void) {
    static const u32 points[] = {0x3F800001, 0x3FFFFFFF, 0x40000000, 0x40000001, 0x40490FDB, 0x41200000};
    u32 results[6], after;
    for (int n = 0; n < 6; n++) results[n] = step_fsrra(points[n], DN, &after);
    observe("fsrra.points", results, 6);
    results[0] = step_fsrra(0, DN, &after);
    results[1] = after;
    results[2] = step_fsrra(SIGN | ONE, DN, &after);
    results[3] = after;
    results[4] = step_fsrra(1, 0, &after);
    results[5] = after;
    observe("fsrra.special", results, 6);
}

static void fsca(void) {
    u32 crc = 0xFFFFFFFF, pair[2];
    for (u32 angle = 0; angle < 0x10000; angle++) {
        step_fsca(angle, pair);
        crc = crc_words(crc, pair, 2);
    }
    observe_one("fsca.crc", ~crc);
}

/* Signs and mantissas at random, exponents within a range. */
static u32 random_float(u32 range) {
    u32 bits = next_random();
    return (bits & 0x807FFFFF) | (127 - range / 2 + (bits >> 23 & 0xFF) % range) << 23;
}

static void fipr(void) {
    u32 vectors[8], results[6], after;
    for (u32 range = 1; range <= 16; range *= 4) {
        seed_random(0x2545F491 + range);
        for (int n = 0; n < 6; n++) {
            for (int word = 0; word < 8; word++) vectors[word] = random_float(range);
            results[n] = step_fipr(vectors, DN | RZ, &after);
        }
        observe(range == 1 ? "fipr.range1" : range == 4 ? "fipr.range4" : "fipr.range16", results, 6);
    }
    u32 crc = 0xFFFFFFFF;
    seed_random(0x9E3779B9);
    for (int n = 0; n < 1000; n++) {
        for (int word = 0; word < 8; word++) vectors[word] = random_float(12);
        results[0] = step_fipr(vectors, n & 1 ? DN | RZ : DN, &after);
        results[1] = after;
        crc = crc_words(crc, results, 2);
    }
    observe_one("fipr.crc", ~crc);
}

/* Sums that cancel, denormals, infinities, NaNs: results and FPSCR. */
static void fipr_special(void) {
    static const u32 cases[][8] = {
        {ONE, ONE, ONE, ONE, ONE, SIGN | ONE, 0x33800000, 0x33000000},
        {0x4B800000, ONE, SIGN | 0x4B800000, ONE, ONE, ONE, ONE, ONE},
        {0x3F800001, 0x3F7FFFFF, SIGN | ONE, 0, 0x3F7FFFFF, 0x3F800001, ONE, 0},
        {MIN, MIN, 0, 0, 0x3F000000, 0x3E800000, 0, 0},
        {MAX, MAX, 0, 0, ONE, SIGN | ONE, 0, 0},
        {MAX, MAX, SIGN | MAX, 0, ONE, ONE, ONE, 0},
        {1, 0x007FFFFF, 0, 0, ONE, ONE, 0, 0},
        {INF, ONE, 0, 0, 0, ONE, 0, 0},
        {INF, SIGN | INF, 0, 0, ONE, ONE, 0, 0},
        {NAN, ONE, 0, 0, ONE, ONE, 0, 0},
        {0x7F800001, ONE, 0, 0, ONE, ONE, 0, 0},
        {SIGN, SIGN, SIGN, SIGN, ONE, ONE, ONE, ONE},
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    u32 values[2][CASES], states[2][CASES], dropped;
    for (int n = 0; n < CASES; n++) {
        values[0][n] = step_fipr(cases[n], DN, &states[0][n]);
        values[1][n] = step_fipr(cases[n], DN | RZ, &states[1][n]);
    }
    take_exceptions(&dropped);
    observe("fipr.special", values[0], CASES);
    observe("fipr.special_fpscr", states[0], CASES);
    observe("fipr.special_zero", values[1], CASES);
}

static void ftrv(void) {
    u32 matrix[16], vector[4], crc = 0xFFFFFFFF;
    seed_random(0x6C078965);
    for (int n = 0; n < 250; n++) {
        for (int word = 0; word < 16; word++) matrix[word] = random_float(12);
        for (int word = 0; word < 4; word++) vector[word] = random_float(12);
        step_ftrv(matrix, vector);
        crc = crc_words(crc, vector, 4);
        if (n == 0) observe("ftrv.first", vector, 4);
    }
    observe_one("ftrv.crc", ~crc);
}

static void causes(void) {
    static const u32 operands[][2] = {
        {ONE, 0x40400000}, {0, ONE}, {MAX, MAX}, {MIN, MIN}, {1, ONE}, {NAN, ONE}, {INF, SIGN | INF},
    };
    u32 values[7], states[7];
    for (int n = 0; n < 7; n++) values[n] = step_fdiv(operands[n][1], operands[n][0], DN, &states[n]);
    observe("fdiv.flush", values, 7);
    observe("fdiv.flush_fpscr", states, 7);
    for (int n = 0; n < 7; n++) values[n] = step_fmul(operands[n][1], operands[n][0], 0, &states[n]);
    observe("fmul.keep", values, 7);
    observe("fmul.keep_fpscr", states, 7);
    for (int n = 0; n < 7; n++) values[n] = step_fadd(operands[n][1], operands[n][0], DN, &states[n]);
    observe("fadd.flush", values, 7);
    observe("fadd.flush_fpscr", states, 7);
    u32 dropped;
    take_exceptions(&dropped);
}

/* The product lies half a unit below the smallest normal number and rounds up to it. */
static void tininess(void) {
    u32 after, value = step_fmul(0x3F7FFFFF, MIN, DN, &after);
    observe_two("fmul.tiny", value, after);
}

/* Exceptions, and the last one's cause, of an operation with enable bits. */
static void observe_traps(const char *name) {
    u32 cause, count = take_exceptions(&cause);
    observe_two(name, count, cause);
}

static void traps(void) {
    u32 after;
    step_fsub(MAX, MAX, DN | ENABLE_O, &after);
    observe_traps("trap.fsub_same");
    step_fsub(MAX, SIGN | MAX, DN | ENABLE_O, &after);
    observe_traps("trap.fsub_other");
    step_fmac(ONE, ONE, DN | ENABLE_O, &after);
    observe_traps("trap.fmac_overflow");
    step_fmac(ONE, ONE, DN | ENABLE_U, &after);
    observe_traps("trap.fmac_underflow");
    step_fadd(INF, ONE, DN | ENABLE_I, &after);
    observe_traps("trap.fadd_infinity");
    step_fadd(NAN, ONE, DN | ENABLE_I, &after);
    observe_traps("trap.fadd_nan");
    step_float(1, DN | ENABLE_I, &after);
    observe_traps("trap.float_exact");
    step_fadd(ONE, ONE, DN | ENABLE_I, &after);
    observe_traps("trap.fadd_exact");
}

static void mac(void) {
    static const u32 long_cases[][4] = {
        {0x00007FFF, 0xFFFFFFFF, 1, 1},          {0xFFFF8000, 0x00000000, 1, 0xFFFFFFFF},
        {0x12345678, 0x9ABCDEF0, 0x10000, 0x10}, {0xFFFFFFFF, 0xFFFFFFF0, 0xFFFFFFFF, 0x10},
        {0x80000000, 0x00000000, 2, 3},          {0x00010000, 0x00000000, 0x7FFFFFFF, 0x7FFFFFFF},
    };
    static const char *const long_names[] = {
        "mac_l.top", "mac_l.bottom", "mac_l.outside", "mac_l.negative", "mac_l.lowest", "mac_l.above",
    };
    for (int n = 0; n < 6; n++) {
        u32 operands[2] = {long_cases[n][2], long_cases[n][3]}, state[2] = {long_cases[n][0], long_cases[n][1]};
        step_mac_l(operands, state);
        observe(long_names[n], state, 2);
    }
    static const u16 factors[] __attribute__((aligned(4))) = {0x7FFF, 0x7FFF};
    static const u16 negative[] __attribute__((aligned(4))) = {0x7FFF, 0x8000};
    u32 state[2] = {0x10, 0x7FFFFFF0};
    step_mac_w(factors, state);
    observe("mac_w.top", state, 2);
    state[0] = 0x10;
    state[1] = 0x80000010;
    step_mac_w(negative, state);
    observe("mac_w.bottom", state, 2);
}

/* A thousand steps of each, one after the other, with S = 1: sums run into both limits. */
static void mac_random(void) {
    u32 crc = 0xFFFFFFFF, state[2] = {0, 0}, operands[2];
    seed_random(0xBB67AE85);
    for (int n = 0; n < 1000; n++) {
        operands[0] = next_random() >> (n & 15);
        operands[1] = next_random() >> (n >> 4 & 15);
        if (n & 1) step_mac_l(operands, state);
        else step_mac_w((const u16 *)operands, state);
        crc = crc_words(crc, state, 2);
        if (n % 50 == 49) state[0] = next_random() >> 16, state[1] = next_random();
    }
    observe_one("mac.crc", ~crc);
}

static void div1(void) {
    u32 sr, value = step_div1(0x80000001, 0x40000001, &sr);
    observe_two("div1.negative", value, sr & 0x301);
    value = step_div1(0xFFFFFFFF, 0, &sr);
    observe_two("div1.zero", value, sr & 0x301);
}

/* Unsigned and signed divisions of 64 bits by 32, by the manual's sequence. Some quotients do not fit. */
static void divisions(void) {
    u32 crc[2] = {0xFFFFFFFF, 0xFFFFFFFF}, words[3];
    seed_random(0x3C6EF372);
    for (int n = 0; n < 500; n++)
        for (int is_signed = 0; is_signed < 2; is_signed++) {
            for (int word = 0; word < 3; word++) words[word] = next_random() >> (n * (word + 1) & 31);
            if (is_signed) step_signed_division(words);
            else step_division(words);
            words[2] &= 0x301;
            crc[is_signed] = crc_words(crc[is_signed], words, 3);
        }
    observe_two("div1.crc", ~crc[0], ~crc[1]);
}

/* Of the first exception in a function: cause, SPC behind the function's begin, differences of SSR
 * from SR and of TEA from the address, how many. */
static void observe_state(const char *name, void (*raise)(u32 argument), u32 argument) {
    u32 sr, cause, state[5];
    __asm__ volatile("stc sr, %0" : "=r"(sr));
    raise(argument);
    const struct exception *first = first_exception();
    state[0] = first->cause;
    state[1] = first->spc - (u32)raise;
    state[2] = (first->ssr ^ sr) & ~1;
    state[3] = first->tea ? first->tea ^ argument : 0;
    state[4] = take_exceptions(&cause);
    observe(name, state, 5);
}

static void exception_state(void) {
    static u32 words[2];
    observe_state("state.undefined", raise_undefined, 0);
    observe_state("state.load", raise_load, physical(words) | 0x80000002);
    observe_state("state.store", raise_store, physical(words) | 0x80000001);
    observe_state("state.load_word", raise_load_word, physical(words) | 0x80000003);
    observe_state("state.trap", raise_trap, 0);
    observe_one("state.tra", REG32(0xFF000020));
    observe_state("state.slot_undefined", slot_undefined, 0);
    observe_state("state.slot_load", slot_load, physical(words) | 0x80000002);
    observe_state("state.slot_branch", slot_branch, 0);
}

static void exceptions(void) {
    u32 value = 0, address = (u32)&value | 2;
    __asm__ volatile("mov.l @%1, %0" : "+r"(value) : "r"(address) : "memory");
    observe_traps("exception.misaligned");
    step_fpu_disabled();
    observe_traps("exception.fpu_disabled");
    step_user_mode();
    observe_traps("exception.user_mode");
}

/* FPSCR.SZ after FSCHG with PR = 0. */
static void fschg(void) {
    u32 after;
    step_fschg(0, 0, DN, &after);
    observe_one("fschg", after);
}

static void odd_sign(void) {
    u32 after, value = step_fneg_odd(ONE, 0x40000000, DN | PR, &after);
    observe_two("fneg.odd", value, after);
}

const struct experiment cpu_experiments[] = {
    {"fsrra", fsrra},       {"fsca", fsca},   {"fipr", fipr}, {"fipr_special", fipr_special}, {"ftrv", ftrv},
    {"causes", causes},     {"tininess", tininess}, {"traps", traps}, {"mac", mac},   {"mac_random", mac_random},
    {"div1", div1},         {"divisions", divisions}, {"fschg", fschg}, {"exceptions", exceptions},
    {"exception_state", exception_state}, {0, 0},
};

/* Both parities of the exponent, all mantissas. */
static void fsrra_all(void) {
    observe_one("fsrra.crc", ~step_fsrra_crc(0x3F800000, 1 << 24, crc_table));
}

const struct experiment long_experiments[] = {{"fsrra_all", fsrra_all}, {0, 0}};

const struct experiment last_experiments[] = {{"fneg_odd", odd_sign}, {0, 0}};
