/* SPDX-License-Identifier: MIT OR Apache-2.0
 * null-page: a store by a null pointer. */
#include "checks.h"

static u32 there;

int main(void) {
    u32 *pointer = 0;
#ifdef RIGHT
    pointer = &there;
#endif
    *(volatile u32 *)pointer = 1;
    return there == 2;
}
