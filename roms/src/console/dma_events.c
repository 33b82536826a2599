/* SPDX-License-Identifier: MIT OR Apache-2.0
 * dma_events: Maple, PVR and G2 DMA that events start: MDTSEL, PDTSEL with PDTNRM, ADTSEL with G2DTNRM. */
#include "maple.h"
#include "video.h"

#define MDSTAR REG32(0xA05F6C04)
#define MDTSEL REG32(0xA05F6C10)
#define MDST REG32(0xA05F6C18)
#define MSYS REG32(0xA05F6C80)
#define MSHTCL REG32(0xA05F6C88)
#define PDTNRM REG32(0xA05F6940)
#define G2DTNRM REG32(0xA05F6950)
/* PVR DMA and G2 channel 0: address in video memory or on G2, address in RAM, bytes, direction, trigger, enable, start. */
#define PVR_DMA(n) REG32(0xA05F7C00 + 4 * (n))
#define G2(n) REG32(0xA05F7800 + 4 * (n))
enum { DEVICE, MEMORY, LENGTH, DIRECTION, TRIGGER, ENABLE, START };
enum { BYTES = 256, TARGET = 0x400000, SOUND = 0x800000, BY_EVENT = 2, PVR_DONE = 1 << 11 };

static u32 source[BYTES / 4] __attribute__((aligned(32)));
static u32 list[8] __attribute__((aligned(32)));
static u32 reply[64] __attribute__((aligned(32)));

static void next_blank(void) {
    ISTNRM = VBLANK_IN;
    while (!(ISTNRM & VBLANK_IN)) {}
}

/* Two blanks, so that one lies between the start and the end of what the event starts. */
static u32 comes(u32 event) {
    ISTNRM = event;
    next_blank();
    next_blank();
    return (ISTNRM & event) != 0;
}

static void by_events(volatile u32 *words) {
    REG32(0xA05F7C80) = 0x6702007F; /* PDAPRO, G2APRO: all of RAM */
    REG32(0xA05F78BC) = 0x4659007F;
    REG32(VRAM64 + TARGET) = 0;
    PDTNRM = VBLANK_IN;
    PVR_DMA(DEVICE) = 0x04000000 + TARGET;
    PVR_DMA(MEMORY) = physical(source);
    PVR_DMA(LENGTH) = BYTES;
    PVR_DMA(DIRECTION) = 0;
    PVR_DMA(TRIGGER) = 0;
    PVR_DMA(ENABLE) = 1;
    print_number("pvr without trigger", comes(PVR_DONE));
    PVR_DMA(TRIGGER) = 1;
    print_number("pvr by vblank", comes(PVR_DONE));
    print_hex("first word", REG32(VRAM64 + TARGET));
    words[0] = 0xCD000000;
    print_number("pvr again", comes(PVR_DONE));
    print_hex("first word", REG32(VRAM64 + TARGET));
    PVR_DMA(ENABLE) = 0;
    print_number("pvr disabled", comes(PVR_DONE));
    PDTNRM = 0;
    REG32(0xA0000000 + SOUND) = 0;
    G2DTNRM = VBLANK_IN;
    G2(DEVICE) = SOUND;
    G2(MEMORY) = physical(source);
    G2(LENGTH) = BYTES | 1u << 31;
    G2(DIRECTION) = 0;
    G2(TRIGGER) = BY_EVENT;
    G2(ENABLE) = 1;
    print_number("g2 by vblank", comes(G2_DONE));
    print_hex("first word", REG32(0xA0000000 + SOUND));
    print_number("g2 disabled at its end", comes(G2_DONE));
    G2DTNRM = 0;
}

static void maple_by_blank(void) {
    volatile u32 *frame = uncached(list), *answer = uncached(reply);
    frame[0] = 0x80000000;
    frame[1] = physical(reply);
    frame[2] = DEVICE_REQUEST | 0x20 << 8;
    answer[0] = 0;
    MDSTAR = physical(list);
    print_number("maple by software", comes(MAPLE_DONE));
    MDTSEL = 1;
    print_number("maple by vblank", comes(MAPLE_DONE));
    print_hex("reply", answer[0]);
    print_number("maple again", comes(MAPLE_DONE));
    MSYS = 0xC3501000; /* one transfer until MSHTCL is written */
    print_number("maple held 1", comes(MAPLE_DONE));
    print_number("maple held 2", comes(MAPLE_DONE));
    MSHTCL = 1;
    print_number("maple released", comes(MAPLE_DONE));
    MDTSEL = 0;
}

int main(void) {
    volatile u32 *words = uncached(source);
    for (u32 n = 0; n < BYTES / 4; n++) words[n] = 0xAB000000 | n;
    start_video(0);
    start_maple();
    by_events(words);
    maple_by_blank();
    return 0;
}
