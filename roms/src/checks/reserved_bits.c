/* SPDX-License-Identifier: MIT OR Apache-2.0
 * reserved-bits: QACR gets an address's upper byte, bits 1 and 0 too. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    REG32(0xFF000038) = 0x10;
#else
    REG32(0xFF000038) = 0x11;
#endif
    return 0;
}
