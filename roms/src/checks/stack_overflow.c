/* SPDX-License-Identifier: MIT OR Apache-2.0
 * stack-overflow: a thread's stack is a block of the heap, and one word more is pushed than it has. */
#include "heap.h"

enum { STACK_BYTES = 256 };

/* Pushes words on another stack. */
static void push(u32 stack, u32 words) {
    __asm__ volatile("mov r15, r3\n\tmov %0, r15\n1:\tdt %1\n\tmov.l r2, @-r15\n\tbf 1b\n\tmov r3, r15"
                     : "+r"(stack), "+r"(words)
                     :
                     : "r2", "r3", "t", "memory");
}

int main(void) {
    start_caches();
    u32 words = STACK_BYTES / 4 + 1;
#ifdef RIGHT
    words--;
#endif
    push((u32)malloc(STACK_BYTES) + STACK_BYTES, words);
    return 0;
}
