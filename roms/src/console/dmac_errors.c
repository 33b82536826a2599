/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dmac_errors: address errors of the CPU's DMA controller (SH7750 manual, section 14). DMAOR.AE and DMAE's interrupt come
 * in place of the channel's end, and the registers name the unit at fault. */
#include "console.h"

#define SAR(n) REG32(0xFFA00000 + 16 * (n))
#define DAR(n) REG32(0xFFA00004 + 16 * (n))
#define DMATCR(n) REG32(0xFFA00008 + 16 * (n))
#define CHCR(n) REG32(0xFFA0000C + 16 * (n))
#define DMAOR REG32(0xFFA00040)
#define IPRC REG16(0xFFD0000C)
#define C2DSTAT REG32(0xA05F6800)
#define C2DLEN REG32(0xA05F6804)
#define C2DST REG32(0xA05F6808)

enum { ENABLE = 1, END = 2, INTERRUPT = 4, LONGS = 3 << 4, BYTES_32 = 4 << 4, AUTO = 4 << 8, UP = 1 << 12 | 1 << 14 };
enum { MASTER = 1, ERROR = 4, DDT = 0x8201 };

static u32 source[64] __attribute__((aligned(32)));
static u32 target[64] __attribute__((aligned(32)));
static volatile u32 cause, count;

static void on_event(u32 code) {
    cause = code;
    count++;
    DMAOR = DDT; /* AE read as 1, written as 0 */
    CHCR(1) = CHCR(2) = 0;
}

/* Longwords by channel 1, and what becomes of them. */
static void copy(const char *name, u32 from, u32 to, u32 units) {
    cause = count = 0;
    DMAOR = DDT;
    CHCR(1) = 0;
    SAR(1) = from;
    DAR(1) = to;
    DMATCR(1) = units;
    CHCR(1) = LONGS | AUTO | UP | INTERRUPT | ENABLE;
    for (volatile int n = 0; n < 2000; n++) {}
    print(name);
    print("\n");
    print_number("interrupts", count);
    print_hex("intevt", cause);
    print_number("source moved", SAR(1) - from);
    print_number("target moved", DAR(1) - to);
    print_number("units left", DMATCR(1));
}

int main(void) {
    volatile u32 *words = uncached(source);
    for (u32 n = 0; n < 64; n++) words[n] = 0xAB000000 | n;
    handle_event = on_event;
    IPRC = 0x0F00;
    enable_interrupts();
    copy("good", physical(source), physical(target), 4);
    copy("misaligned source", physical(source) + 2, physical(target), 4);
    copy("misaligned target", physical(source), physical(target) + 1, 4);
    copy("to nothing", physical(source), 0x08000000, 4);
    copy("across a mirror", 0x0CFFFFF0, physical(target), 8);
    copy("past the last mirror", 0x0FFFFFF0, physical(target), 8);
    print_number("still running", DMAOR & ERROR);
    /* Channel 2, which Holly starts: the source is not RAM. Holly's event comes all the same. */
    cause = count = 0;
    DMAOR = DDT;
    CHCR(2) = 0;
    SAR(2) = 0x0FFFFFC0;
    DMATCR(2) = 8;
    CHCR(2) = BYTES_32 | 2 << 8 | 1 << 12 | INTERRUPT | ENABLE;
    ISTNRM = CHANNEL2_DONE;
    C2DSTAT = 0x11000000;
    C2DLEN = 256;
    C2DST = 1;
    while (!(ISTNRM & CHANNEL2_DONE)) {}
    print("channel 2\n");
    print_number("interrupts", count);
    print_hex("intevt", cause);
    print_hex("source", SAR(2));
    print_number("units left", DMATCR(2));
    print_number("bytes left", C2DLEN);
    print_number("busy", C2DST);
    return 0;
}
