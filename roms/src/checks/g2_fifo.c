/* SPDX-License-Identifier: MIT OR Apache-2.0
 * g2-fifo: nine words to sound RAM without a look at the FIFO. */
#include "checks.h"

int main(void) {
    for (int n = 0; n < 9; n++) {
#ifdef RIGHT
        if (n == 8) while (REG32(0xA05F688C) & 0x11) {}
#endif
        REG32(0xA0800000 + 4 * n) = n;
    }
    return 0;
}
