/* SPDX-License-Identifier: MIT OR Apache-2.0
 * fault: a misaligned read three calls deep, which no handler takes. It has debug information: `swirl run`
 * prints where it happened, who called, and the last branches. */
#include "console.h"

struct level { u8 name[3]; u8 data[9]; };

static const struct level __attribute__((aligned(4))) level = {"L1", {0, 1, 2, 3, 4, 5, 6, 7, 8}};

/* The cast is wrong: data lies at an address that is not a multiple of 4. */
static inline __attribute__((always_inline)) u32 first_word(const u8 *at) { return *(const u32 *)at; }

static u32 checksum(const struct level *from) {
    u32 sum = 0;
    for (u32 n = 0; n < 3; n++) sum += from->name[n];
    return sum + first_word(from->data);
}

static u32 load_level(const struct level *from) {
    print("loading ");
    print((const char *)from->name);
    print("\n");
    return checksum(from) + 1;
}

int main(void) {
    print_hex("sum", load_level(&level));
    return 0;
}
