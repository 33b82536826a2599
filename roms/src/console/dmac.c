/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dmac: channel 1 of the CPU's DMA controller copies and fills memory (SH7750 manual, section 14). */
#include "console.h"

#define SAR1 REG32(0xFFA00010)
#define DAR1 REG32(0xFFA00014)
#define DMATCR1 REG32(0xFFA00018)
#define CHCR1 REG32(0xFFA0001C)
#define DMAOR REG32(0xFFA00040)
#define IPRC REG16(0xFFD0000C)

enum { ENABLE = 1, END = 2, INTERRUPT = 4, BYTES_32 = 4 << 4, BYTE = 1 << 4, AUTO = 4 << 8 };
enum { SOURCE_UP = 1 << 12, TARGET_UP = 1 << 14 };

static u8 source[1024] __attribute__((aligned(32)));
static u8 target[1024] __attribute__((aligned(32)));
static volatile u32 cause, done;

static void on_end(u32 code) {
    cause = code;
    CHCR1 &= ~(END | ENABLE); /* END read as 1, written as 0; with ENABLE left the channel would start again */
    done = 1;
}

static void transfer(const void *from, void *to, u32 units, u32 mode) {
    SAR1 = physical(from);
    DAR1 = physical(to);
    DMATCR1 = units;
    CHCR1 = mode | AUTO | ENABLE;
}

static u32 count_equal(void) {
    const volatile u8 *a = uncached(source), *b = uncached(target);
    u32 equal = 0;
    for (u32 n = 0; n < 1024; n++) equal += a[n] == b[n];
    return equal;
}

int main(void) {
    volatile u8 *bytes = uncached(source);
    for (u32 n = 0; n < 1024; n++) bytes[n] = n * 7 + n / 256 + 1;
    print_hex("dmaor", DMAOR);
    print_number("equal before", count_equal());
    /* 32 units of 32 bytes; the end by interrupt. */
    handle_event = on_end;
    IPRC = 0x0300;
    enable_interrupts();
    transfer(source, target, 32, SOURCE_UP | TARGET_UP | BYTES_32 | INTERRUPT);
    sleep_until(&done, 1);
    block_interrupts();
    print_number("equal after", count_equal());
    print_hex("intevt", cause);
    print_number("source moved", SAR1 - physical(source));
    print_number("target moved", DAR1 - physical(target));
    print_number("units left", DMATCR1);
    print_number("end", CHCR1 >> 1 & 1);
    /* A fixed source: 100 copies of a byte. The end by polling. */
    transfer(source, target + 100, 100, TARGET_UP | BYTE);
    while (!(CHCR1 & END)) {}
    const volatile u8 *filled = uncached(target);
    u32 equal = 0;
    for (u32 n = 100; n < 200; n++) equal += filled[n] == bytes[0];
    print_number("filled", equal);
    print_number("behind", filled[200] == bytes[200]);
    print_number("source stayed", SAR1 == physical(source));
    return 0;
}
