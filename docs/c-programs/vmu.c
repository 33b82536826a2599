/* SPDX-License-Identifier: MIT OR Apache-2.0
 * vmu: reads the root block of the visual memory in port A, and counts its free blocks. */
#include "maple.h"

enum { SLOT_1 = 1, ROOT = 255, FAT = 254, DATA_REPLY = 8, FREE = 0xFFFC };

/* A block of 512 bytes, after the reply's header, function and location; 0 if there is no answer. */
static const volatile u32 *read_block(u32 number) {
    u32 parameters[2] = {STORAGE, number >> 8 << 16 | (number & 255) << 24};
    const volatile u32 *reply = ask_unit(0, SLOT_1, BLOCK_READ, parameters, 2);
    return (reply[0] & 0xFF) == DATA_REPLY ? reply + 3 : 0;
}

static u32 half(const volatile u32 *block, u32 n) { return block[n / 2] >> (n & 1 ? 16 : 0) & 0xFFFF; }

int main(void) {
    u32 free = 0;
    start_maple();
    const volatile u32 *root = read_block(ROOT);
    if (!root) {
        print("no visual memory: run with --vmu FILE\n");
        return 1;
    }
    u32 blocks = half(root, 0x50 / 2);
    const volatile u32 *table = read_block(FAT);
    for (u32 n = 0; n < blocks; n++) free += half(table, n) == FREE;
    print_number("blocks for files", blocks);
    print_number("free", free);
    return 0;
}
