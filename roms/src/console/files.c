/* SPDX-License-Identifier: MIT OR Apache-2.0
 * files: lists the folder that the host shares (/pc of KallistiOS programs) and prints readme.txt from it. */
#include "console.h"

enum { READ = 0, OPEN = 2, CLOSE = 3, OPENDIR = 16, CLOSEDIR = 17, READDIR = 18 };

/* dcload's directory entry: the type at byte 10 (4 is a directory), the name from byte 11 on. */
static void list(const char *folder) {
    int handle = dcload(OPENDIR, (u32)folder, 0, 0);
    if (handle == 0 || handle == -1) {
        print("no folder\n");
        return;
    }
    for (;;) {
        const char *entry = (const char *)dcload(READDIR, handle, 0, 0);
        if (!entry) break;
        print(entry[10] == 4 ? "dir  " : "file ");
        print(entry + 11);
        print("\n");
    }
    dcload(CLOSEDIR, handle, 0, 0);
}

static int type(const char *path) {
    static char buffer[257];
    int handle = dcload(OPEN, (u32)path, 0, 0);
    if (handle < 0) {
        print("no file\n");
        return 1;
    }
    for (;;) {
        int count = dcload(READ, handle, (u32)buffer, 256);
        if (count <= 0) break;
        buffer[count] = 0;
        print(buffer);
    }
    dcload(CLOSE, handle, 0, 0);
    return 0;
}

int main(void) {
    list("/");
    return type("/readme.txt");
}
