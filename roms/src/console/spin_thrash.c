/* SPDX-License-Identifier: MIT OR Apache-2.0
 * spin_thrash: spin, with a sum before each frame that misses the operand cache at every load of its table.
 *
 * The rows are 16 KiB apart, the size of the direct-mapped operand cache (SH7750 hardware manual, section 4). The words
 * of a column share one cache line, and each load evicts the word before it. */
void thrash(void);
#define BEFORE_FRAME thrash
#define main spin_main
#include "spin.c"
#undef main

enum { ROWS = 8, COLUMNS = 4096, COLUMN_STEP = 8 };
static volatile u32 table[ROWS][COLUMNS];

void thrash(void) {
    u32 sum = 0;
    for (u32 column = 0; column < COLUMNS; column += COLUMN_STEP) {
        for (u32 row = 0; row < ROWS; row++) sum += table[row][column];
    }
    table[0][0] = sum;
}

int main(void) {
    return spin_main();
}
