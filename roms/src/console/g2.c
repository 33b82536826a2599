/* SPDX-License-Identifier: MIT OR Apache-2.0
 * g2: DMA channel 0 of the G2 bus carries data from RAM to sound memory and back. */
#include "console.h"

/* Channel 0: address on G2, address in RAM, bytes, direction, trigger, enable, start, suspend. */
#define G2(n) REG32(0xA05F7800 + 4 * (n))
#define ISTERR REG32(0xA05F6908)
#define G2APRO REG32(0xA05F78BC)
enum { BUS, MEMORY, LENGTH, DIRECTION, TRIGGER, ENABLE, START, SUSPEND };
enum { TO_SOUND = 0, TO_RAM = 1, BYTES = 2048, SOUND = 0x00810000 };
enum { DISABLE_AT_END = 1u << 31, IDLE = 0x30 };

static u8 source[BYTES] __attribute__((aligned(32)));
static u8 target[BYTES] __attribute__((aligned(32)));

static void program(u32 bus, const void *memory, u32 direction) {
    G2(BUS) = bus;
    G2(MEMORY) = physical(memory);
    G2(LENGTH) = BYTES | DISABLE_AT_END;
    G2(DIRECTION) = direction;
    G2(TRIGGER) = 0;
    G2(ENABLE) = 1;
    G2(START) = 1;
}

static u32 count_equal(const volatile u8 *a, const volatile u8 *b) {
    u32 equal = 0;
    for (u32 n = 0; n < BYTES; n++) equal += a[n] == b[n];
    return equal;
}

int main(void) {
    volatile u8 *from = uncached(source), *to = uncached(target);
    for (u32 n = 0; n < BYTES; n++) from[n] = n * 7 + n / 256 + 1;
    G2APRO = 0x4659007F; /* all of RAM is open to G2 */
    print_hex("idle", G2(SUSPEND));
    start_events(G2_DONE);
    program(SOUND, source, TO_SOUND);
    print_number("busy", G2(START));
    wait_for(G2_DONE);
    print_number("busy after", G2(START));
    print_number("enabled after", G2(ENABLE));
    print_number("in sound memory", count_equal(from, (const volatile u8 *)(SOUND | 0xA0000000)));
    print_number("equal before", count_equal(from, to));
    program(SOUND, target, TO_RAM);
    wait_for(G2_DONE);
    print_number("equal after", count_equal(from, to));
    print_hex("idle", G2(SUSPEND));
    /* Without EN a start does nothing. */
    G2(ENABLE) = 0;
    G2(START) = 1;
    print_number("not enabled", G2(START));
    /* Video memory is not on G2: illegal address of channel 0. */
    ISTERR = 0xFFFFFFFF;
    program(0x05000000, source, TO_SOUND);
    for (volatile int n = 0; n < 1000; n++) {}
    print_hex("illegal address", ISTERR & 0x00008000);
    return 0;
}
