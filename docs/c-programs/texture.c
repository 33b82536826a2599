/* SPDX-License-Identifier: MIT OR Apache-2.0
 * texture: a square with a texture of 64 x 64 texels of 16 bits (565). */
#include "picture.h"

enum { SIDE = 64, SIZE_64 = 3 << 3 | 3, CLAMP = 3 << 15, NOT_TWIDDLED = 1 << 26, RGB565 = 1 << 27 };

int main(void) {
    static const u32 polygon[8] = {
        POLYGON | TEXTURED, GREATER, SOURCE_ONLY | CLAMP | SIZE_64, RGB565 | NOT_TWIDDLED | TEXTURE / 8,
    };
    volatile u16 *texels = (volatile u16 *)(VRAM64 + TEXTURE);

    for (u32 y = 0; y < SIDE; y++) {
        for (u32 x = 0; x < SIDE; x++) {
            u32 dark = (x / 8 + y / 8) & 1;
            texels[SIDE * y + x] = dark ? 0 : (x / 2) << 11 | y << 5 | 31;
        }
    }
    start_picture(0xFF203050);
    send_square(polygon, 192, 112, 448, 368);
    show_picture();
    return 0;
}
