/* SPDX-License-Identifier: MIT OR Apache-2.0
 * red_zone: a value that is stored below R15 and loaded again. */
#include "checks.h"

int main(void) {
    u32 value;
#ifdef RIGHT
    __asm__ volatile("add #-8,r15\n\tmov.l %1,@r15\n\tmov.l @r15,%0\n\tadd #8,r15" : "=&r"(value) : "r"(7) : "memory");
#else
    u32 place;
    __asm__ volatile("mov r15,%1\n\tadd #-8,%1\n\tmov.l %2,@%1\n\tmov.l @%1,%0"
                     : "=&r"(value), "=&r"(place)
                     : "r"(7)
                     : "memory");
#endif
    return (int)value - 7;
}
