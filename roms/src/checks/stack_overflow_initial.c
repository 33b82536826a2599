/* SPDX-License-Identifier: MIT OR Apache-2.0
 * stack-overflow: the initial stack reaches the end of the program's image. The right program stops before. */
#include "checks.h"

extern char _bss_end[];

/* Pushes words on a stack that ends at `end`, as a recursion without end does. */
static void push(u32 end, u32 words) {
    u32 stack = end + words * 4;
    __asm__ volatile("mov r15, r3\n\tmov %0, r15\n1:\tdt %1\n\tmov.l r2, @-r15\n\tbf 1b\n\tmov r3, r15"
                     : "+r"(stack), "+r"(words)
                     :
                     : "r2", "r3", "t", "memory");
}

int main(void) {
    start_caches();
    u32 end = (u32)_bss_end;
#ifdef RIGHT
    end += 256;
#endif
    push(end, 128);
#ifdef RIGHT
    /* Memory behind the image may be used for other things than a stack. */
    *(volatile u32 *)_bss_end = 1;
#endif
    return 0;
}
