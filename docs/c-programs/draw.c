/* SPDX-License-Identifier: MIT OR Apache-2.0
 * draw: a triangle with a colour at each corner, through the tile accelerator. */
#include "picture.h"

int main(void) {
    static const u32 polygon[8] = {POLYGON | GOURAUD, GREATER, SOURCE_ONLY};
    static const struct vertex corners[3] = {
        {VERTEX, 320, 80, 0.5f, 0, 0, 0xFFFF4040, 0},
        {VERTEX, 560, 400, 0.5f, 0, 0, 0xFF40FF40, 0},
        {LAST_VERTEX, 80, 400, 0.5f, 0, 0, 0xFF4040FF, 0},
    };

    start_picture(0xFF203050);
    send_block(polygon);
    for (int n = 0; n < 3; n++) send_block(&corners[n]);
    show_picture();
    return 0;
}
