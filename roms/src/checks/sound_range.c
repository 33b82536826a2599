/* SPDX-License-Identifier: MIT OR Apache-2.0
 * sound-range: a sample of 256 words whose second half is behind sound RAM. */
#include "../console/sound.h"

int main(void) {
    u32 start = 0x1FFF00;
#ifdef RIGHT
    start -= 0x100;
#endif
    write_sound_ram(0, 0);
    write_sound(0x04, start & 0xFFFF);
    write_sound(0x0C, 256);
    write_sound(0x00, 0xC000 | start >> 16);
    return 0;
}
