/* SPDX-License-Identifier: MIT OR Apache-2.0
 * division_by_zero: an integer divided by 0. */
#include "checks.h"

static volatile int dividend = 7;
#ifdef RIGHT
static volatile int divisor = 1;
#else
static volatile int divisor = 0;
#endif
static volatile int quotient;

int main(void) {
    quotient = dividend / divisor;
    return 0;
}
