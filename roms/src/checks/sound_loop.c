/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound-loop: a loop from sample 100 to sample 100. */
#include "../console/sound.h"

int main(void) {
    write_sound_ram(0, 0);
    write_sound(0x08, 100);
#ifdef RIGHT
    write_sound(0x0C, 101);
#else
    write_sound(0x0C, 100);
#endif
    write_sound(0x00, 0xC200);
    return 0;
}
