/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What the programs of the checks share. */
#ifndef CHECKS_H
#define CHECKS_H
#include "../console/render.h"

#define CCR REG32(0xFF00001C)
#define C2DSTAT REG32(0xA05F6800)
#define C2DLEN REG32(0xA05F6804)
#define C2DST REG32(0xA05F6808)
#define SAR2 REG32(0xFFA00020)
#define DMATCR2 REG32(0xFFA00028)
#define CHCR2 REG32(0xFFA0002C)
/* G2 DMA, channel 0. */
#define G2_BUS REG32(0xA05F7800)
#define G2_RAM REG32(0xA05F7804)
#define G2_LENGTH REG32(0xA05F7808)
#define G2_TO_RAM REG32(0xA05F780C)
#define G2_TRIGGER REG32(0xA05F7810)
#define G2_ENABLE REG32(0xA05F7814)
#define G2_START REG32(0xA05F7818)
#define G2_WINDOW REG32(0xA05F78BC)
enum { SOUND_RAM = 0x00800000 };

/* Both caches on, P1 copied back, as KallistiOS has them: OCE, CB, OCI, ICE, ICI. */
static inline void start_caches(void) { CCR = 0x0000090D; }

/* Cache instructions on the lines of a buffer: invalidate, purge, write back. */
#define EACH_LINE(instruction, buffer, bytes) \
    for (u32 at_ = (u32)(buffer) & ~31; at_ < (u32)(buffer) + (bytes); at_ += 32) \
        __asm__ volatile(instruction " @%0" : : "r"(at_) : "memory")

/* Starts a DMA between RAM and sound RAM; waits for its end. */
static inline void start_g2(const void *ram, u32 bytes, u32 to_ram) {
    G2_WINDOW = 0x4659007F;
    G2_BUS = SOUND_RAM;
    G2_RAM = (u32)ram & 0x1FFFFFFF;
    G2_LENGTH = 0x80000000 | bytes;
    G2_TO_RAM = to_ram;
    G2_TRIGGER = 0;
    G2_ENABLE = 1;
    G2_START = 1;
}
static inline void wait_g2(void) {
    while (G2_START & 1) {}
}

/* A triangle of an opaque polygon without texture. */
static const u32 opaque_polygon[8] = {0x80800000, 4u << 29, 0x20800000, 0};
static inline void send_vertex(u32 control, u32 x, u32 y, u32 z) {
    u32 words[8] = {control, x, y, z, 0, 0, 0xFFFF0000, 0};
    send_block(words);
}
/* Floats as words. */
enum { F0_5 = 0x3F000000, F8 = 0x41000000, F24 = 0x41C00000, NEGATIVE = 0xBF000000 };
static inline void send_triangle(u32 last, u32 z) {
    send_vertex(VERTEX, F8, F8, F0_5);
    send_vertex(VERTEX, F24, F8, F0_5);
    send_vertex(last, F8, F24, z);
}
static inline void send_end(void) {
    static const u32 end_of_list[8];
    send_block(end_of_list);
}
static inline void start_pvr(void) {
    start_video(FRAME_1);
    start_render(0xFF203050);
    begin_lists();
}

#endif
