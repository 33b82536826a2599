/* SPDX-License-Identifier: MIT OR Apache-2.0
 * lists: one triangle goes to the tile accelerator by channel 2 DMA; then its events, what it stored, and the events of
 * a render. */
#include "render.h"

#define C2DSTAT REG32(0xA05F6800)
#define C2DLEN REG32(0xA05F6804)
#define C2DST REG32(0xA05F6808)
#define SAR2 REG32(0xFFA00020)
#define DMATCR2 REG32(0xFFA00028)
#define CHCR2 REG32(0xFFA0002C)

/* An opaque polygon without texture and its three vertices, all in tile 0, and the end of the list. */
static const struct vertex list[5] __attribute__((aligned(32))) = {
    {0x80800000, 0, 0, 0, 0, 0, 0, 0},
    {VERTEX, 4, 4, 0.5f, 0, 0, 0xFFFF0000, 0},
    {VERTEX, 28, 4, 0.5f, 0, 0, 0xFF00FF00, 0},
    {LAST_VERTEX, 4, 28, 0.5f, 0, 0, 0xFF0000FF, 0},
    {0, 0, 0, 0, 0, 0, 0, 0},
};

/* The list holds floats where the polygon has its ISP and TSP words: a copy gets them. */
static u32 words[40] __attribute__((aligned(32)));

static void send(void) {
    volatile u32 *target = uncached(words);
    for (int n = 0; n < 40; n++) target[n] = ((const u32 *)list)[n];
    target[1] = 4u << 29;   /* ISP: greater */
    target[2] = 0x20800000; /* TSP: source only, no fog */
    SAR2 = physical(words);
    DMATCR2 = 5;      /* units of 32 bytes */
    CHCR2 = 0x12C1;   /* from memory to device, source up, 32 bytes, burst, enabled */
    C2DSTAT = 0x10000000;
    C2DLEN = 160;
    C2DST = 1;
}

int main(void) {
    start_video(FRAME_1);
    start_render(0xFF000000);
    begin_lists();
    start_events(OPAQUE_DONE | CHANNEL2_DONE | RENDER_DONE);
    send();
    wait_for(OPAQUE_DONE);
    wait_for(CHANNEL2_DONE);
    print_number("bytes left", C2DLEN);
    print_number("busy", C2DST);
    print_number("units left", DMATCR2);
    print_number("transfer end", CHCR2 >> 1 & 1);
    print_number("bytes read", SAR2 - physical(words));
    print_number("bytes stored", PVR(0x138) - PARAMETERS);
    print_hex("tile 0", REG32(VRAM32 + OBJECT_LISTS));
    print_hex("then", REG32(VRAM32 + OBJECT_LISTS + 4));
    print_hex("tile 1", REG32(VRAM32 + OBJECT_LISTS + 32));
    ISTNRM = 7;
    start_stopwatch();
    draw(FRAME_0);
    wait_for(RENDER_DONE);
    print_number("render ms", microseconds(stopwatch()) / 1000);
    while ((ISTNRM & 3) != 3) {} /* end of ISP and of video; the handler took the end of TSP */
    print_hex("other ends", ISTNRM & 7);
    /* 565, point (8, 8): 4 of 24 steps from red to each of the other corners. Outside: background. */
    print_number("inside", REG16(VRAM32 + FRAME_0 + 8 * WIDTH * 2 + 16) != 0);
    print_number("outside", REG16(VRAM32 + FRAME_0 + 100 * WIDTH * 2 + 200));
    return 0;
}
