/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Experiments of Holly's devices: DMA, Maple, the tile accelerator. Times end with the event's bit, by polling. */
#include "truth.h"
#include "../console/maple.h"
#include "../console/render.h"

#define C2DSTAT REG32(0xA05F6800)
#define C2DLEN REG32(0xA05F6804)
#define C2DST REG32(0xA05F6808)
#define LMMODE0 REG32(0xA05F6884)
#define SAR2 REG32(0xFFA00020)
#define DMATCR2 REG32(0xFFA00028)
#define CHCR2 REG32(0xFFA0002C)
#define DMAOR REG32(0xFFA00040)
#define G2(n) REG32(0xA05F7800 + 4 * (n))
#define G2APRO REG32(0xA05F78BC)
enum { UNITS = 1024, G2_BYTES = 2048, LIMIT = 1 << 20, SOUND = 0x00810000, ALL_OF_RAM = 0x4659007F };

static u8 memory[32 * UNITS] __attribute__((aligned(32)));

u32 ticks_until(u32 event) {
    while (!(ISTNRM & event))
        if (stopwatch() > LIMIT) return NEVER;
    return stopwatch();
}

static void prepare_channel2(void) {
    ISTNRM = CHANNEL2_DONE;
    DMAOR = 0x8201;
    SAR2 = physical(memory);
    DMATCR2 = UNITS;
    CHCR2 = 0x12C1; /* from memory to device, source up, 32 bytes, burst, enabled */
    C2DSTAT = 0x11000000 + TEXTURE;
    C2DLEN = 32 * UNITS;
}

void start_channel2(void) {
    prepare_channel2();
    C2DST = 1;
}

u32 finish_channel2(void) {
    u32 ticks = ticks_until(CHANNEL2_DONE);
    CHCR2 = 0;
    return ticks;
}

static u32 channel2(u32 path) {
    u32 before = LMMODE0;
    LMMODE0 = path;
    prepare_channel2();
    start_stopwatch();
    C2DST = 1;
    u32 ticks = finish_channel2();
    LMMODE0 = before;
    return ticks;
}

static void dma(void) {
    observe_one("time.channel2_64", channel2(0));
    observe_one("time.channel2_32", channel2(1));
    G2APRO = ALL_OF_RAM;
    ISTNRM = G2_DONE;
    G2(0) = SOUND;
    G2(1) = physical(memory);
    G2(2) = G2_BYTES | 1u << 31; /* disabled at its end */
    G2(3) = G2(4) = 0;           /* to sound memory, started by the CPU */
    G2(5) = 1;
    start_stopwatch();
    G2(6) = 1;
    observe_one("time.g2", ticks_until(G2_DONE));
}

static void maple(void) {
    start_maple();
    start_stopwatch();
    const volatile u32 *answer = ask(0, DEVICE_REQUEST, 0, 0);
    u32 ticks = stopwatch();
    observe_one("maple.reply", answer[0] & 0xFF);
    observe_one("time.maple", ticks);
}

/* The time of a list's event behind its end, and whether an end without list gives one. */
static void list_events(void) {
    static const u32 polygon[8] = {0x80800000, 0xE0000000, 0x20800000};
    static const u32 end[8];
    static const struct vertex corners[3] = {
        {VERTEX, 4, 4, 0.5f, 0, 0, 0, 0}, {VERTEX, 28, 4, 0.5f, 0, 0, 0, 0}, {LAST_VERTEX, 4, 28, 0.5f, 0, 0, 0, 0},
    };
    start_render(0);
    begin_lists();
    ISTNRM = OPAQUE_DONE;
    send_block(polygon);
    for (int n = 0; n < 3; n++) send_block(&corners[n]);
    send_block(end);
    start_stopwatch();
    observe_one("time.list", ticks_until(OPAQUE_DONE));
    begin_lists();
    ISTNRM = OPAQUE_DONE;
    start_stopwatch();
    send_block(end);
    observe_one("ta.end_without_list", ticks_until(OPAQUE_DONE) != NEVER);
}

const struct experiment device_experiments[] = {
    {"dma", dma}, {"maple", maple}, {"list_events", list_events}, {0, 0},
};
