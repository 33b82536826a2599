/* SPDX-License-Identifier: MIT OR Apache-2.0
 * unmapped: an address in area 5, where nothing is. */
#include "checks.h"

int main(void) {
#ifdef RIGHT
    REG32(0xA4000000) = 1;
#else
    REG32(0xB4000000) = 1;
#endif
    return 0;
}
