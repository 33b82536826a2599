/* SPDX-License-Identifier: MIT OR Apache-2.0
 * mmu: a page of virtual memory, and every exception on the way to it (SH7750 manual, section 3). */
#include "console.h"

#define PTEH REG32(0xFF000000)
#define PTEL REG32(0xFF000004)
#define TEA REG32(0xFF00000C)
#define MMUCR REG32(0xFF000010)

enum { TRANSLATE = 1, INVALIDATE = 4 };
/* PTEL: valid, 4 KiB (SZ0), dirty; protection 0 lets privileged code read, 1 lets it write too. */
enum { VALID = 0x100, KIB4 = 0x10, DIRTY = 4, READ_ONLY = 0 << 5, READ_WRITE = 1 << 5 };
enum { MISS_READ = 0x040, MISS_WRITE = 0x060, FIRST_WRITE = 0x080, PROTECTED = 0x0C0 };
enum { PAGE = 0x00123000 };

static u8 memory[8192] __attribute__((aligned(4096)));
static volatile u32 cause, address, page, entry;

/* A miss: LDTLB loads the entry, and the instruction runs again. Without an entry, and for all other exceptions,
 * the instruction is skipped. */
static void on_exception(u32 code) {
    cause = code;
    address = TEA;
    page = PTEH & 0xFFFFFC00;
    if (entry && (code == MISS_READ || code == MISS_WRITE)) {
        PTEL = entry;
        __asm__ volatile("ldtlb" : : : "memory");
        return;
    }
    set_spc(get_spc() + 2);
}

/* Translation on, both TLBs empty; what a miss loads. */
static void start(u32 next_entry) {
    MMUCR = TRANSLATE | INVALIDATE;
    entry = next_entry;
    cause = 0;
}

static void map(u32 bits) { start((physical(memory) & 0x1FFFFC00) | VALID | KIB4 | bits); }

static u32 load(u32 at) {
    u32 value = 0xEEEEEEEE;
    __asm__ volatile("mov.l @%1, %0\n\tnop" : "+r"(value) : "r"(at) : "memory");
    return value;
}

static void store(u32 at, u32 value) { __asm__ volatile("mov.l %0, @%1\n\tnop" : : "r"(value), "r"(at) : "memory"); }

int main(void) {
    volatile u32 *words = uncached(memory);
    words[4] = 0x11223344;
    handle_event = on_exception;
    enable_interrupts(); /* BL = 0: with BL = 1 an exception resets the CPU */
    PTEH = 0;
    /* No entry. */
    start(0);
    print_hex("read nothing", load(PAGE + 16));
    print_hex("expevt", cause);
    print_hex("tea", address);
    print_hex("pteh", page);
    store(PAGE + 20, 1);
    print_hex("write miss", cause);
    /* A page for reading: a miss loads it, then it is there. */
    map(READ_ONLY);
    print_hex("read", load(PAGE + 16));
    print_hex("by a miss", cause);
    cause = 0;
    print_hex("read again", load(PAGE + 16));
    print_hex("without one", cause);
    store(PAGE + 16, 1);
    print_hex("write", cause);
    /* A page for writing whose D is 0: the first write traps. */
    map(READ_WRITE);
    load(PAGE + 16);
    store(PAGE + 16, 2);
    print_hex("first write", cause);
    /* With D = 1 it goes through. */
    map(READ_WRITE | DIRTY);
    store(PAGE + 16, 0x55667788);
    print_hex("written", words[4]);
    print_hex("by a miss", cause);
    /* P1 is not translated. */
    print_hex("p1", load(((u32)words & 0x1FFFFFFF) | 0x80000000 | 16));
    MMUCR = INVALIDATE;
    return 0;
}
