/* SPDX-License-Identifier: MIT OR Apache-2.0
 * uncached-dirty-read: a word is stored through the cache and read past it. */
#include "checks.h"

static volatile u32 word[8] __attribute__((aligned(32)));
static volatile u32 got;

int main(void) {
    start_caches();
    word[0] = 1;
#ifdef RIGHT
    EACH_LINE("ocbwb", word, 32);
#endif
    got = *(volatile u32 *)uncached(word);
    return 0;
}
