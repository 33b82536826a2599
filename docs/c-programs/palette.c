/* SPDX-License-Identifier: MIT OR Apache-2.0
 * palette: a square whose texture has 256 colours from the palette, in rings. */
#include "picture.h"

enum { SIDE = 64, SIZE_64 = 3 << 3 | 3, CLAMP = 3 << 15, INDICES_8 = 6 << 27 };

/* Palette textures are twiddled: bits of x and y alternate, y first. */
static u32 twiddled(u32 x, u32 y) {
    u32 index = 0;
    for (int bit = 0; bit < 6; bit++) {
        index |= (y >> bit & 1) << (2 * bit) | (x >> bit & 1) << (2 * bit + 1);
    }
    return index;
}

int main(void) {
    static const u32 polygon[8] = {
        POLYGON | TEXTURED, GREATER, SOURCE_ONLY | CLAMP | SIZE_64, INDICES_8 | TEXTURE / 8,
    };
    volatile u16 *pairs = (volatile u16 *)(VRAM64 + TEXTURE);

    PVR(0x108) = 1; /* PAL_RAM_CTRL: entries of 565 */
    for (u32 n = 0; n < 256; n++) PVR(0x1000 + 4 * n) = (n / 8) << 11 | (n & 63) << 5 | (31 - n / 8);
    /* Video memory takes no single bytes: two indices, of texels one above the other, in each store. */
    for (u32 y = 0; y < SIDE; y += 2) {
        for (u32 x = 0; x < SIDE; x++) {
            int right = x - SIDE / 2, down = y - SIDE / 2;
            u32 ring = (right * right + down * down) / 9;
            pairs[twiddled(x, y) / 2] = ring << 8 | ring;
        }
    }
    start_picture(0xFF203050);
    send_square(polygon, 192, 112, 448, 368);
    show_picture();
    return 0;
}
