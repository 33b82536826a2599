/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound-keyed: a second sample on a channel that plays, without a key-off. */
#include "../console/sound.h"

int main(void) {
    write_sound_ram(0, 0);
    write_sound(0x0C, 1000);
    write_sound(0x00, 0xC300); /* 4 bits, a loop */
#ifdef RIGHT
    write_sound(0x00, 0x8300);
#endif
    write_sound(0x04, 0x1000);
    write_sound(0x00, 0xC300);
    return 0;
}
