/* SPDX-License-Identifier: MIT OR Apache-2.0
 * access-width: a register of the PowerVR2 is written by half words. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    REG32(0xA05F8040) = 0xFF;
#else
    REG16(0xA05F8040) = 0xFF;
#endif
    return 0;
}
