/* SPDX-License-Identifier: MIT OR Apache-2.0
 * file: counts the lines and the bytes of words.txt in the folder that the host shares. */
#include "console.h"

enum { READ = 0, OPEN = 2, CLOSE = 3 };

int main(void) {
    static char bytes[64];
    u32 lines = 0, size = 0;
    int file = dcload(OPEN, (u32) "/words.txt", 0, 0);

    if (file < 0) {
        print("no words.txt: run with --files FOLDER\n");
        return 1;
    }
    for (;;) {
        int count = dcload(READ, file, (u32)bytes, sizeof bytes);
        if (count <= 0) break;
        for (int n = 0; n < count; n++) lines += bytes[n] == '\n';
        size += count;
    }
    dcload(CLOSE, file, 0, 0);
    print_number("lines", lines);
    print_number("bytes", size);
    return 0;
}
