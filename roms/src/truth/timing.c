/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Times by the CPU's performance counter: instructions, pairs of instructions, caches, the bus. Code in timing.S. */
#include "truth.h"
#include "../console/render.h"

enum { ELAPSED = 0x23, TRIES = 4, LINES = 64, KIB16 = 0x4000 };

/* The cache's 16 KiB twice, and room for a test over many lines. */
static u32 buffer[0x20000 / 4] __attribute__((aligned(0x4000)));
enum { MANY = 0x20000 / 32 };

/* What a line of `buffer` is before each try. The lines that hit are 8 KiB behind. */
enum state {
    AS_IS,
    HIT,          /* in the cache, clean */
    MISS,         /* not in the cache */
    DIRTY,        /* in the cache, changed */
    EVICTS_DIRTY, /* not in the cache; a changed line is in its place */
};

static u32 line_at(u32 n) { return (u32)buffer + 32 * n; }

static void purge(u32 address) { __asm__ volatile("ocbp @%0" : : "r"(address) : "memory"); }

static void set_lines(enum state state) {
    if (state == AS_IS) return;
    for (u32 n = 0; n < LINES; n++) {
        purge(line_at(n));
        purge(line_at(n) + KIB16);
        if (state == HIT || state == DIRTY) (void)REG32(line_at(n));
        if (state == DIRTY) REG32(line_at(n)) = n;
        if (state == EVICTS_DIRTY) REG32(line_at(n) + KIB16) = n;
    }
    (void)REG32(line_at(0) + KIB16 / 2);
}

/* The least of several tries: refresh and cold code only add. */
static u32 least(const u32 arguments[4], void (*code)(void), enum state state) {
    u32 result = 0xFFFFFFFF;
    for (int n = 0; n < TRIES; n++) {
        set_lines(state);
        u32 count = measure(arguments, code, ELAPSED);
        if (count < result) result = count;
    }
    return result;
}

static u32 overhead;

static u32 cycles(const u32 arguments[4], void (*code)(void), enum state state) {
    return least(arguments, code, state) - overhead;
}

#define CODE(name) void code_##name(void);
CODE(empty) CODE(fsrra) CODE(fsca) CODE(fsca_busy) CODE(ftrv) CODE(ftrv_vectors) CODE(fdiv_d) CODE(fsqrt_d)
CODE(fdiv_d_tail_0) CODE(fdiv_d_tail_1) CODE(fdiv_d_tail_2) CODE(fdiv_d_tail_3) CODE(fdiv_d_tail_4) CODE(fdiv_d_tail_5)
CODE(fsqrt_d_tail_0) CODE(fsqrt_d_tail_1) CODE(fsqrt_d_tail_2) CODE(fsqrt_d_tail_3) CODE(fsqrt_d_tail_4)
CODE(fsqrt_d_tail_5) CODE(float) CODE(lds_fpscr) CODE(fsqrt_output) CODE(fdiv_output) CODE(loop_even) CODE(loop_odd)
CODE(loop_odd_pair) CODE(slot) CODE(ocbi) CODE(ocbp) CODE(ocbwb_read) CODE(movca) CODE(bus_load_rw) CODE(bus_load_rrww)
CODE(bus_load_rrrrwwww) CODE(bus_pref_rw) CODE(bus_pref_rrww) CODE(bus_pref_rrrrwwww) CODE(loads) CODE(prefs)
CODE(store_in_fill) CODE(hit_in_fill) CODE(stores) CODE(alternate) CODE(reads) CODE(writes) CODE(byte_reads)
CODE(queues) CODE(traps) CODE(many) CODE(mixture) CODE(div1) CODE(mul) CODE(mac) CODE(load_use) CODE(fdiv) CODE(fsqrt)
CODE(fipr) CODE(fmac)

struct row {
    const char *name;
    void (*code)(void);
    enum state state;
};

/* R4: lines, R5: the same past the cache, R6: a line that hits, R7: a line that misses. */
static void set_arguments(u32 arguments[4]) {
    arguments[0] = line_at(0);
    arguments[1] = line_at(0) | 0x20000000;
    arguments[2] = line_at(0) + KIB16 / 2;
    arguments[3] = line_at(0) + KIB16 / 2 + 0x1000;
    purge(arguments[3]);
}

static void measure_rows(const struct row *row) {
    u32 arguments[4];
    set_arguments(arguments);
    for (; row->name; row++) {
        u32 sr = mask_interrupts();
        u32 count = cycles(arguments, row->code, row->state);
        restore_interrupts(sr);
        observe_one(row->name, count);
    }
}

static void begin(void) {
    static const u32 arguments[4];
    u32 sr = mask_interrupts();
    prepare_caches();
    overhead = 0;
    overhead = least(arguments, code_empty, AS_IS);
    restore_interrupts(sr);
    observe_one("cycles.call", overhead);
}

static void instructions(void) {
    static const struct row rows[] = {
        {"cycles.fsrra", code_fsrra, AS_IS},
        {"cycles.fsca", code_fsca, AS_IS},
        {"cycles.fsca_busy", code_fsca_busy, AS_IS},
        {"cycles.ftrv", code_ftrv, AS_IS},
        {"cycles.ftrv_vectors", code_ftrv_vectors, AS_IS},
        {"cycles.fipr", code_fipr, AS_IS},
        {"cycles.fmac", code_fmac, AS_IS},
        {"cycles.fdiv", code_fdiv, AS_IS},
        {"cycles.fsqrt", code_fsqrt, AS_IS},
        {"cycles.fdiv_d", code_fdiv_d, AS_IS},
        {"cycles.fsqrt_d", code_fsqrt_d, AS_IS},
        {"cycles.float", code_float, AS_IS},
        {"cycles.fsqrt_output", code_fsqrt_output, AS_IS},
        {"cycles.fdiv_output", code_fdiv_output, AS_IS},
        {"cycles.div1", code_div1, AS_IS},
        {"cycles.mul", code_mul, AS_IS},
        {"cycles.mac", code_mac, HIT},
        {"cycles.load_use", code_load_use, HIT},
        {"cycles.loop_even", code_loop_even, AS_IS},
        {"cycles.loop_odd", code_loop_odd, AS_IS},
        {"cycles.loop_odd_pair", code_loop_odd_pair, AS_IS},
        {"cycles.slot", code_slot, AS_IS},
        {0, 0, 0},
    };
    measure_rows(rows);
    for (u32 n = 0; n < 8; n++) buffer[n] = 0x00040000;
    static const struct row fpscr[] = {{"cycles.lds_fpscr", code_lds_fpscr, AS_IS}, {0, 0, 0}};
    measure_rows(fpscr);
    static void (*const division[6])(void) = {
        code_fdiv_d_tail_0, code_fdiv_d_tail_1, code_fdiv_d_tail_2,
        code_fdiv_d_tail_3, code_fdiv_d_tail_4, code_fdiv_d_tail_5,
    };
    static void (*const root[6])(void) = {
        code_fsqrt_d_tail_0, code_fsqrt_d_tail_1, code_fsqrt_d_tail_2,
        code_fsqrt_d_tail_3, code_fsqrt_d_tail_4, code_fsqrt_d_tail_5,
    };
    u32 arguments[4], results[2][6], sr = mask_interrupts();
    set_arguments(arguments);
    for (int n = 0; n < 6; n++) {
        results[0][n] = cycles(arguments, division[n], AS_IS);
        results[1][n] = cycles(arguments, root[n], AS_IS);
    }
    restore_interrupts(sr);
    observe("cycles.fdiv_d_tail", results[0], 6);
    observe("cycles.fsqrt_d_tail", results[1], 6);
}

/* Two instructions again and again: each of these behind each. Their registers are apart but for T, MACL and FPUL.
 * Branches go behind the next instruction; BRA executes that one, and may have no branch there. */
struct operation {
    const char *name;
    u16 opcode;
    enum { NO_BRANCH, CONDITIONAL, DELAYED } branch;
};
static const struct operation operations[] = {
    {"nop", 0x0009, 0},      {"mov", 0x6123, 0},      {"tst", 0x2118, 0},     {"cmp_eq", 0x3120, 0},
    {"add", 0x7301, 0},      {"shll2", 0x4608, 0},    {"addc", 0x352E, 0},    {"dt", 0x4210, 0},
    {"load", 0x6042, 0},     {"store", 0x2412, 0},    {"fload", 0xF048, 0},   {"fmov", 0xF23C, 0},
    {"fldi0", 0xF58D, 0},    {"lds_fpul", 0x415A, 0}, {"fadd", 0xF760, 0},    {"fmul", 0xF982, 0},
    {"fmac", 0xFBAE, 0},     {"float", 0xFC2D, 0},    {"fsrra", 0xFE7D, 0},   {"fdiv", 0xFDE3, 0},
    {"mul_l", 0x0127, 0},    {"sts_macl", 0x031A, 0}, {"stc_gbr", 0x0312, 0}, {"lds_macl", 0x411A, 0},
    {"bra", 0xA000, DELAYED}, {"bt", 0x8900, CONDITIONAL}, {"bf", 0x8B00, CONDITIONAL},
};
enum { OPERATIONS = sizeof operations / sizeof operations[0], REPEATS = 12, NOP = 0x0009, RTS = 0x000B };

static int is_allowed(const struct operation *first, const struct operation *second) {
    return !(first->branch == DELAYED && second->branch) && !(second->branch == DELAYED && first->branch);
}

/* The first line of the code in `buffer`: in the instruction cache it has the places of the middle of timing.S. So
 * neither `measure` nor `least`, which lie before and behind, takes its lines away. */
static u32 first_code_line(void) { return (((u32)measure + 0x400) & 0x1FFF) / 32; }

/* One piece of code of 64 bytes for each operation behind `first`. */
static void write_pairs(const struct operation *first) {
    for (u32 second = 0; second < OPERATIONS; second++) {
        volatile u16 *at = (volatile u16 *)(line_at(first_code_line() + 2 * second) | 0x20000000);
        for (int n = 0; n < REPEATS; n++) {
            *at++ = first->opcode;
            *at++ = operations[second].opcode;
        }
        *at++ = NOP;
        *at++ = RTS;
        *at = NOP;
    }
    prepare_caches();
}

static void pairs(void) {
    u32 arguments[4] = {line_at(0) + KIB16, 1, 1, 1};
    set_lines(MISS);
    for (u32 first = 0; first < OPERATIONS; first++) {
        u32 results[OPERATIONS], sr = mask_interrupts();
        char name[32] = "pair.";
        write_pairs(&operations[first]);
        for (u32 second = 0; second < OPERATIONS; second++) {
            void (*code)(void) = (void (*)(void))line_at(first_code_line() + 2 * second);
            int is_code = is_allowed(&operations[first], &operations[second]);
            results[second] = is_code ? cycles(arguments, code, AS_IS) : 0xFFFFFFFF;
        }
        restore_interrupts(sr);
        u32 at = length(name);
        for (const char *byte = operations[first].name; *byte; byte++) name[at++] = *byte;
        observe(name, results, OPERATIONS);
    }
}

static void caches(void) {
    static const struct row rows[] = {
        {"cycles.ocbi", code_ocbi, HIT},
        {"cycles.ocbp", code_ocbp, DIRTY},
        {"cycles.ocbwb_read", code_ocbwb_read, DIRTY},
        {"cycles.movca_clean", code_movca, MISS},
        {"cycles.movca_dirty", code_movca, EVICTS_DIRTY},
        {"cycles.loads_hit", code_loads, HIT},
        {"cycles.loads_miss", code_loads, MISS},
        {"cycles.loads_evict", code_loads, EVICTS_DIRTY},
        {"cycles.prefs_miss", code_prefs, MISS},
        {"cycles.prefs_evict", code_prefs, EVICTS_DIRTY},
        {"cycles.stores_hit", code_stores, HIT},
        {"cycles.stores_miss", code_stores, MISS},
        {"cycles.stores_evict", code_stores, EVICTS_DIRTY},
        {"cycles.store_in_fill", code_store_in_fill, MISS},
        {"cycles.hit_in_fill", code_hit_in_fill, MISS},
        {0, 0, 0},
    };
    measure_rows(rows);
}

/* R5 is a store queue whose target is main memory. */
static void bus(void) {
    static const struct row rows[] = {
        {"cycles.bus_load_rw", code_bus_load_rw, MISS},
        {"cycles.bus_load_rrww", code_bus_load_rrww, MISS},
        {"cycles.bus_load_rrrrwwww", code_bus_load_rrrrwwww, MISS},
        {"cycles.bus_pref_rw", code_bus_pref_rw, MISS},
        {"cycles.bus_pref_rrww", code_bus_pref_rrww, MISS},
        {"cycles.bus_pref_rrrrwwww", code_bus_pref_rrrrwwww, MISS},
        {0, 0, 0},
    };
    u32 arguments[4], queue = queue_to(physical(buffer) + KIB16 * 3), sr = mask_interrupts();
    set_arguments(arguments);
    arguments[1] = queue;
    u32 results[6];
    for (int n = 0; rows[n].name; n++) results[n] = cycles(arguments, rows[n].code, rows[n].state);
    arguments[1] = queue;
    arguments[2] = queue + 32;
    u32 to_memory = cycles(arguments, code_queues, AS_IS);
    arguments[1] = queue_to(0x11000000 + TEXTURE);
    arguments[2] = arguments[1] + 32;
    u32 to_video = cycles(arguments, code_queues, AS_IS);
    restore_interrupts(sr);
    for (int n = 0; rows[n].name; n++) observe_one(rows[n].name, results[n]);
    observe_one("cycles.queues_memory", to_memory);
    observe_one("cycles.queues_video", to_video);
}

/* Two addresses of main memory past the cache: in one row of the SDRAM, in two rows, in two banks. */
static void rows(void) {
    static const u32 distances[4] = {0x100, 0x800, 0x2000, 0x400000};
    u32 arguments[4], results[4], sr = mask_interrupts();
    for (int n = 0; n < 4; n++) {
        arguments[0] = line_at(0) | 0x20000000;
        arguments[2] = arguments[0] + distances[n];
        results[n] = cycles(arguments, code_alternate, AS_IS);
    }
    restore_interrupts(sr);
    observe("cycles.rows", results, 4);
}

struct device {
    const char *name;
    u32 address;
    void (*code)(void);
};

/* Reads have no effect on these. Writes go to memory that nobody uses. */
static void devices(void) {
    static const struct device table[] = {
        {"cycles.read.timer", 0xFFD8000C, code_reads},
        {"cycles.read.ccn", 0xFF00001C, code_reads},
        {"cycles.read.memory", 0, code_reads},
        {"cycles.read_byte.memory", 0, code_byte_reads},
        {"cycles.write.memory", 0, code_writes},
        {"cycles.read.video32", VRAM32 + FRAME_1, code_reads},
        {"cycles.read.video64", VRAM64 + TEXTURE, code_reads},
        {"cycles.write.video32", VRAM32 + FRAME_1, code_writes},
        {"cycles.write.video64", VRAM64 + TEXTURE, code_writes},
        {"cycles.read.core", 0xA05F8000, code_reads},
        {"cycles.read.system", 0xA05F689C, code_reads},
        {"cycles.read.maple", 0xA05F6C04, code_reads},
        {"cycles.read.g1", 0xA05F7404, code_reads},
        {"cycles.read.g2", 0xA05F7800, code_reads},
        {"cycles.read.pvr_interface", 0xA05F7C00, code_reads},
        {"cycles.read.sound", 0xA0810000, code_reads},
        {"cycles.write.sound", 0xA0810000, code_writes},
        {"cycles.read.clock", 0xA0710000, code_reads},
        {"cycles.read.rom", 0xA0000000, code_reads},
        {"cycles.read_byte.rom", 0xA0000000, code_byte_reads},
        {"cycles.read.flash", 0xA0200000, code_reads},
        {0, 0, 0},
    };
    for (const struct device *device = table; device->name; device++) {
        u32 arguments[4] = {device->address ? device->address : line_at(0) | 0x20000000};
        u32 sr = mask_interrupts();
        u32 count = cycles(arguments, device->code, AS_IS);
        restore_interrupts(sr);
        observe_one(device->name, count);
    }
}

static void entry(void) {
    static const u32 arguments[4];
    u32 sr = mask_interrupts(), count = cycles(arguments, code_traps, AS_IS), cause;
    restore_interrupts(sr);
    take_exceptions(&cause);
    observe_one("cycles.traps", count);
}

/* One try each: refresh and DMA are what is measured. */
static void contention(void) {
    u32 arguments[4] = {line_at(0), 0xFFD80004, 0, MANY}, results[2], sr = mask_interrupts();
    for (int n = 0; n < 2; n++) {
        for (u32 line = 0; line < MANY; line++) purge(line_at(line));
        if (n == 1) start_channel2();
        results[n] = measure(arguments, code_many, ELAPSED) - overhead;
    }
    finish_channel2();
    restore_interrupts(sr);
    observe_one("cycles.many", results[0]);
    observe_one("cycles.many_dma", results[1]);
}

/* All events of one mixture of code. */
static void events(void) {
    static const u8 codes[] = {
        0x01, 0x02, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x0F, 0x10, 0x11,
        0x12, 0x13, 0x14, 0x15, 0x18, 0x21, 0x22, 0x23, 0x24, 0x25, 0x27, 0x28, 0x29,
    };
    u32 arguments[4] = {line_at(0)}, results[sizeof codes], sr = mask_interrupts();
    for (u32 n = 0; n < sizeof codes; n++) {
        if (n == 0) measure(arguments, code_mixture, ELAPSED);
        set_lines(MISS);
        results[n] = measure(arguments, code_mixture, codes[n]);
    }
    restore_interrupts(sr);
    observe("events", results, sizeof codes);
}

const struct experiment timing_experiments[] = {
    {"counter", begin}, {"events", events}, {"instructions", instructions}, {"pairs", pairs},
    {"caches", caches}, {"bus", bus},       {"rows", rows},                 {"devices", devices},
    {"entry", entry},   {"contention", contention},                         {0, 0},
};
