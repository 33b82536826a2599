/* SPDX-License-Identifier: MIT OR Apache-2.0
 * An allocator with the C library's names that hands out memory in order, for the programs of the heap's rules. */
#ifndef HEAP_H
#define HEAP_H
#include "checks.h"

static u32 heap_[1024] __attribute__((aligned(8)));
static u32 heap_used_;

/* A size word, then the block; every block begins at a multiple of 8. */
__attribute__((noinline)) void *malloc(u32 bytes) {
    u32 words = ((bytes + 4 + 7) & ~7u) / 4;
    u32 *block = &heap_[heap_used_ + 2];
    if (words < 4) words = 4;
    if (heap_used_ + 2 + words > 1024) return 0;
    block[-1] = words * 4 | 1;
    heap_used_ += words;
    return block;
}
__attribute__((noinline)) void free(void *block) {
    if (block) ((u32 *)block)[0] = 0;
}

#endif
