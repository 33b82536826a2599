/* SPDX-License-Identifier: MIT OR Apache-2.0
 * gdrom: a disc by the firmware's calls, and the drive's own registers. */
#include "disc.h"

#define ISTEXT REG32(0xA05F6904)
/* The drive: an ATA device. */
#define ALT_STATUS REG8(0xA05F7018)
#define DATA REG16(0xA05F7080)
#define ERROR REG8(0xA05F7084)
#define FEATURES REG8(0xA05F7084)
#define REASON REG8(0xA05F7088)
#define COUNT_LOW REG8(0xA05F7090)
#define COUNT_HIGH REG8(0xA05F7094)
#define STATUS REG8(0xA05F709C)
#define COMMAND REG8(0xA05F709C)
/* G1 DMA: address, bytes, direction, enable, start; protection. */
#define GDSTAR REG32(0xA05F7404)
#define GDLEN REG32(0xA05F7408)
#define GDDIR REG32(0xA05F740C)
#define GDEN REG32(0xA05F7414)
#define GDST REG32(0xA05F7418)
#define GDAPRO REG32(0xA05F74B8)

enum { G1_DONE = 1 << 14, BUSY = 0x80, TRACK = 150, DESCRIPTOR = TRACK + 16 };

static u8 first[2 * SECTOR] __attribute__((aligned(32)));
static u8 second[2 * SECTOR] __attribute__((aligned(32)));

static u32 count_equal(u32 bytes) {
    const volatile u8 *a = uncached(first), *b = uncached(second);
    u32 equal = 0;
    for (u32 n = 0; n < bytes; n++) equal += a[n] == b[n];
    return equal;
}

static void calls(void) {
    static u32 contents[102];
    u32 status[4], contents_of[4] = {0, (u32)contents, 0, 0};
    print_number("start", gd_run(START_DRIVE, 0, status));
    print_number("contents", gd_run(READ_CONTENTS, contents_of, status));
    print_hex("track 1", contents[0]);
    print_hex("track 2", contents[1]);
    print_hex("last", contents[100]);
    print_hex("lead-out", contents[101]);
    print_number("read", read_sector(DESCRIPTOR, uncached(first)));
    print_hex("descriptor", *(volatile u32 *)uncached(first));
    /* By DMA, whose end is an event. */
    u32 by_dma[4] = {DESCRIPTOR, 1, physical(second), 0};
    int handle = gd_call(GD_SEND, DMA_READ, (u32)by_dma);
    gd_call(GD_SERVER, 0, 0);
    print_number("under way", gd_call(GD_CHECK, handle, (u32)status));
    wait_for(G1_DONE);
    print_number("done", gd_call(GD_CHECK, handle, (u32)status));
    print_number("bytes", status[2]);
    print_number("forgotten", gd_call(GD_CHECK, handle, (u32)status));
    print_number("equal", count_equal(SECTOR));
    /* Behind the disc's end: illegal request. */
    u32 outside[4] = {400000, 1, physical(second), 0};
    print_hex("outside", gd_run(PIO_READ, outside, status));
    print_number("error", status[0]);
}

/* A stream of two sectors, taken in two halves of other sizes. */
static void streams(void) {
    u32 status[4], left, stream[4] = {DESCRIPTOR, 2, 0, 0};
    u32 part[2] = {physical(second), 1024};
    int handle = gd_call(GD_SEND, DMA_STREAM, (u32)stream);
    while (gd_call(GD_CHECK, handle, (u32)status) != GD_STREAMING) gd_call(GD_SERVER, 0, 0);
    gd_call(GD_DMA_TRANSFER, handle, (u32)part);
    print_number("busy", gd_call(GD_DMA_CHECK, handle, (u32)&left));
    wait_for(G1_DONE);
    print_number("still busy", gd_call(GD_DMA_CHECK, handle, (u32)&left));
    print_number("left", left);
    part[0] += 1024;
    part[1] = 3072;
    gd_call(GD_DMA_TRANSFER, handle, (u32)part);
    wait_for(G1_DONE);
    print_number("equal", count_equal(SECTOR));
    while (gd_call(GD_CHECK, handle, (u32)status) == GD_STREAMING) gd_call(GD_SERVER, 0, 0);
    u32 whole[4] = {0, 0x1000, 0, 2352};
    print_number("whole sectors", gd_call(GD_SECTOR_MODE, (u32)whole, 0));
    read_sector(TRACK, uncached(second));
    print_hex("sync", *(volatile u32 *)uncached(second));
    print_hex("address", ((volatile u32 *)uncached(second))[3]);
}

static void send_packet(u32 features, const u8 *packet) {
    const u16 *words = (const u16 *)packet;
    FEATURES = features;
    COMMAND = 0xA0;
    while (ALT_STATUS & BUSY) {}
    for (int n = 0; n < 6; n++) DATA = words[n];
    while (ALT_STATUS & BUSY) {}
}

static void registers(void) {
    static const u8 test[12] __attribute__((aligned(2))) = {0x00};
    static const u8 sense[12] __attribute__((aligned(2))) = {0x13, 0, 0, 0, 10};
    static const u8 mode[12] __attribute__((aligned(2))) = {0x11, 0, 4, 0, 8};
    static const u8 read[12] __attribute__((aligned(2))) = {0x30, 0x20, 0, 0, DESCRIPTOR, 0, 0, 0, 0, 0, 1};
    COMMAND = 0x08; /* reset */
    print_hex("reset", STATUS);
    print_hex("signature", COUNT_LOW | COUNT_HIGH << 8 | REASON << 16 | (u32)ERROR << 24);
    send_packet(0, test);
    print_hex("first command", STATUS | ERROR << 8);
    send_packet(0, sense);
    u16 words[5];
    for (int n = 0; n < 5; n++) words[n] = DATA;
    print_hex("key and code", (words[1] & 0xFF) << 8 | (words[4] & 0xFF));
    while (ALT_STATUS & BUSY) {}
    send_packet(0, mode);
    print_number("interrupt", ISTEXT & 1);
    print_hex("data", STATUS | REASON << 8 | COUNT_LOW << 16 | (u32)COUNT_HIGH << 24);
    print_number("taken back", ISTEXT & 1);
    for (int n = 0; n < 4; n++) words[n] = DATA;
    print_hex("mode", words[0] | (u32)words[1] << 16);
    print_hex("maker", words[3]);
    while (ALT_STATUS & BUSY) {}
    print_hex("end", STATUS | REASON << 8);
    /* A sector by G1 DMA. */
    volatile u32 *words32 = uncached(second);
    words32[0] = 0;
    GDAPRO = 0x8843407F;
    GDSTAR = physical(second);
    GDLEN = SECTOR;
    GDDIR = 1;
    GDEN = 1;
    forget(G1_DONE);
    send_packet(1, read);
    GDST = 1;
    wait_for(G1_DONE);
    print_number("equal", count_equal(SECTOR));
    REG32(0xA05F74E4) = 0x42FE;
    print_hex("disabled", REG32(0xA05F7080));
    REG32(0xA05F74E4) = 0x1FFFFF;
}

int main(void) {
    u32 state[2];
    gd_call(GD_INIT, 0, 0);
    gd_call(GD_STATUS, (u32)state, 0);
    print_number("state", state[0]);
    print_number("kind", state[1]);
    if (state[0] == NO_DISC) return 1;
    start_events(G1_DONE);
    calls();
    gd_call(GD_STATUS, (u32)state, 0);
    print_number("state", state[0]);
    streams();
    registers();
    return 0;
}
