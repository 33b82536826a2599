/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Text by the ROM font. See font.h. */
#include "font.h"

/* The font call: its address is at 8C0000B4; R1 = 0 asks for the address of the glyphs. */
static u32 font_address(void) {
    u32 entry = REG32(0x8C0000B4), result;
    __asm__ volatile("mov #0, r1\n\tjsr @%1\n\tnop\n\tmov r0, %0"
                     : "=r"(result) : "r"(entry)
                     : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "pr", "t", "memory");
    return result;
}

/* Glyph 0 is an overbar, 1 to 94 are ASCII 33 to 126. 12 bits a row: two rows in three bytes. The blank is the first
 * wide glyph, 288 narrow ones on. */
static void draw_letter(volatile u16 *at, u32 font, char letter, u16 ink, u16 paper) {
    u32 glyph = letter > 32 && letter < 127 ? letter - 32 : 288;
    const volatile u8 *bits = (const volatile u8 *)(font + glyph * 36);
    for (u32 y = 0; y < 24; y++) {
        for (u32 x = 0; x < 12; x++) {
            u32 bit = y * 12 + x;
            at[y * WIDTH + x] = bits[bit / 8] >> (7 - bit % 8) & 1 ? ink : paper;
        }
    }
}

void draw_text(u32 frame, u32 x, u32 y, const char *text, u16 ink, u16 paper) {
    u32 font = font_address();
    volatile u16 *at = (volatile u16 *)(VRAM32 + frame) + y * WIDTH + x;
    for (; *text; text++, at += 12) draw_letter(at, font, *text, ink, paper);
}
