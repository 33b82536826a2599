/* SPDX-License-Identifier: MIT OR Apache-2.0
 * numbers: arithmetic that a C compiler leaves to functions: 64-bit division, counts of bits, floats. */
#include "console.h"

/* `volatile` makes the program compute what the compiler could. */
static volatile u32 five = 5, seven = 7, large = 3000000000u;
static volatile unsigned long long billion = 1000000000000ull;

int main(void) {
    print_number("zero bits before 5:", __builtin_clz(five));
    print_number("zero bits after 200:", __builtin_ctz(40 * five));
    print_number("10^12 / 7:", (u32)(billion / seven));
    print_number("remainder:", (u32)(billion % seven));
    print_number("5 * 1.5 + 0.25, in hundredths:", (u32)((five * 1.5f + 0.25f) * 100.0f));
    print_number("3000000000 as a float and back:", (u32)(float)large);
    return 0;
}
