/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Rules of the operand cache and of the store queues. Each test has a line of its own, at first 11111111 in memory. */
#include "truth.h"

enum { MEMORY = 0x11111111, CACHED = 0x22222222, LATER = 0x33333333, WORDS = 8 };

static u32 lines[32][WORDS] __attribute__((aligned(32)));
static u32 next_line;

/* A new line: not in the cache. The second pointer goes past the cache. */
static volatile u32 *new_line(volatile u32 **memory) {
    volatile u32 *line = lines[next_line++ % 32];
    __asm__ volatile("ocbp @%0" : : "r"(line) : "memory");
    *memory = uncached(line);
    for (int n = 0; n < WORDS; n++) (*memory)[n] = MEMORY;
    return line;
}

#define CACHE(instruction, line) __asm__ volatile(instruction " @%0" : : "r"(line) : "memory")

static void operand_cache(void) {
    volatile u32 *memory, *line;
    u32 values[4];
    line = new_line(&memory);
    line[0] = CACHED;
    values[0] = memory[0];
    CACHE("ocbwb", line);
    values[1] = memory[0];
    memory[0] = LATER;
    values[2] = line[0];
    CACHE("ocbp", line);
    values[3] = line[0];
    observe("cache.write_back", values, 4);
    line = new_line(&memory);
    line[0] = CACHED;
    CACHE("ocbi", line);
    values[0] = line[0];
    values[1] = memory[0];
    observe("cache.invalidate", values, 2);
    line = new_line(&memory);
    line[1] = CACHED;
    CACHE("ocbp", line);
    values[0] = memory[0];
    values[1] = memory[1];
    observe("cache.purge", values, 2);
    line = new_line(&memory);
    CACHE("pref", line);
    (void)line[7]; /* the fill has ended */
    memory[0] = LATER;
    values[0] = line[0];
    CACHE("ocbi", line);
    values[1] = line[0];
    observe("cache.prefetch", values, 2);
    line = new_line(&memory);
    line[0] = CACHED;
    (void)((volatile u32 *)((u32)line + 0x4000))[0]; /* the same entry: the changed line goes to memory */
    values[0] = memory[0];
    observe("cache.evict", values, 1);
    /* MOVCA.L reads no line: only its own word is certain. */
    line = new_line(&memory);
    __asm__ volatile("mov %0, r0\n\tmovca.l r0, @%1" : : "r"(CACHED), "r"(line) : "r0", "memory");
    values[0] = line[0];
    values[1] = memory[0];
    CACHE("ocbp", line);
    values[2] = memory[0];
    observe("cache.allocate", values, 3);
}

/* Tags in the address array: bits 28:10 of the address, dirty in bit 1, valid in bit 0. */
static void address_array(void) {
    volatile u32 *memory, *line = new_line(&memory);
    volatile u32 *entry = (volatile u32 *)(0xF4000000 | ((u32)line & 0x3FE0));
    u32 values[4], tag = physical(line) & 0x1FFFFC00;
    values[0] = *entry & 3;
    (void)line[0];
    values[1] = *entry ^ tag;
    line[0] = CACHED;
    values[2] = *entry ^ tag;
    CACHE("ocbwb", line);
    values[3] = *entry ^ tag;
    CACHE("ocbi", line);
    observe("cache.tags", values, 4);
}

/* QACR as KallistiOS's sq_cpy has it: bits 28:26 of the target; the queue's address has the others. */
u32 queue_to(u32 target) {
    REG32(0xFF000038) = REG32(0xFF00003C) = target >> 24 & 0x1C;
    return 0xE0000000 | (target & 0x03FFFFE0);
}

static void store_queues(void) {
    static const u32 words[2][WORDS] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}};
    volatile u32 *memory[3];
    u32 queues[3], values[WORDS];
    for (int n = 0; n < 3; n++) queues[n] = queue_to(physical(new_line(&memory[n])));
    observe_two("queue.control", REG32(0xFF000038), REG32(0xFF00003C));
    step_store_queue(queues[0], words[0]);
    step_store_queue(queues[1], words[1]);
    for (int n = 0; n < WORDS; n++) values[n] = memory[n / 4][n % 4 * 2];
    observe("queue.sent", values, WORDS);
    /* Address bit 5 is the queue: lines 0 and 2 have the same one, and its words stay. */
    *(volatile u32 *)queues[2] = 0x55;
    CACHE("pref", queues[2]);
    for (int n = 0; n < WORDS; n++) values[n] = memory[2][n];
    observe("queue.kept", values, WORDS);
}

/* Half of the operand cache as RAM, with both choices of the address bit that selects its areas (CCR.OIX). Each address
 * gets its number here; addresses of one place have the last one's. */
static void cache_ram(void) {
    enum { CACHES_ON = 0x905, ORA = 0x20, OIX = 0x80, COUNT = 6 };
    static const u32 addresses[COUNT] = {0x7C000000, 0x7C001000, 0x7C002000, 0x7C003000, 0x7C004000, 0x7E000000};
    static u32 values[2][8] __attribute__((aligned(32)));
    volatile u32 *results = uncached(values);
    u32 sr = mask_interrupts();
    step_cache_ram(CACHES_ON | ORA, uncached(addresses), results, COUNT);
    step_cache_ram(CACHES_ON | ORA | OIX, uncached(addresses), results + 8, COUNT);
    restore_interrupts(sr);
    observe("cache.ram", values[0], COUNT);
    observe("cache.ram_index", values[1], COUNT);
}

const struct experiment cache_experiments[] = {
    {"operand_cache", operand_cache}, {"address_array", address_array}, {"store_queues", store_queues},
    {"cache_ram", cache_ram}, {0, 0},
};
