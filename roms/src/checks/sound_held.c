/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound-held: a channel that starts while the ARM7 is held in reset. */
#include "../console/sound.h"

int main(void) {
    write_sound_ram(0, 0xEAFFFFFE); /* b to itself */
#ifdef RIGHT
    write_sound(0x2C00, AICA(0x2C00) & ~1);
#endif
    write_sound(0x0C, 1000);
    write_sound(0x00, 0xC200);
    return 0;
}
