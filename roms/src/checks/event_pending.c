/* SPDX-License-Identifier: MIT OR Apache-2.0
 * event-pending: a handler is missing while an event is enabled. */
#include "checks.h"

int main(void) {
    start_video(FRAME_0);
    ISTNRM = 0xFFFFFFFF;
    IML6NRM = VBLANK_IN; /* SR.BL is 1: no interrupt comes */
    for (int frame = 0; frame < 3; frame++) {
        u32 line = 0;
        while (line < 100) line = REG32(0xA05F810C) & 0x3FF;
        while (line >= 100) line = REG32(0xA05F810C) & 0x3FF;
#ifdef RIGHT
        ISTNRM = VBLANK_IN;
#endif
    }
    return 0;
}
