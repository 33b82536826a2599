/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The drive and the file system. See disc.h. */
#include "disc.h"

enum { FIRST_BLOCK = 150, DESCRIPTOR = 16, DIRECTORY = 2 };

/* The pointer lies at 8C0000BC; R6 is 0 and R7 the function. */
int gd_call(u32 function, u32 first, u32 second) {
    int (*call)(u32, u32, u32, u32) = (void *)REG32(0x8C0000BC);
    return call(first, second, 0, function);
}

int gd_run(u32 command, const u32 *parameters, u32 *status) {
    int handle = gd_call(GD_SEND, command, (u32)parameters);
    int answer = GD_RUNNING;
    while (answer == GD_RUNNING || answer == GD_BUSY) {
        gd_call(GD_SERVER, 0, 0);
        answer = gd_call(GD_CHECK, handle, (u32)status);
    }
    return answer;
}

int read_sector(u32 address, void *buffer) {
    u32 parameters[4] = {address, 1, (u32)buffer, 0}, status[4];
    return gd_run(PIO_READ, parameters, status) == GD_DONE;
}

/* A number of 4 bytes at any address. */
static u32 word(const u8 *at) { return at[0] | at[1] << 8 | at[2] << 16 | (u32)at[3] << 24; }

/* The frame address of the last data track: control 4 in bits 31 to 28. Words 99 and 100 have first and last track. */
static u32 find_track(void) {
    static u32 contents[102];
    u32 parameters[4] = {0, (u32)contents, 0, 0}, status[4];
    if (gd_run(READ_CONTENTS, parameters, status) != GD_DONE) return 0;
    u32 first = contents[99] >> 16 & 0xFF, last = contents[100] >> 16 & 0xFF;
    for (u32 n = last; n >= first && n > 0 && n < 100; n--) {
        if (contents[n - 1] >> 28 == 4) return contents[n - 1] & 0xFFFFFF;
    }
    return 0;
}

/* A directory record: length, first sector at 2, size at 10, flags at 25, name from 33 on. */
static void take_record(const u8 *record, struct disc_file *file) {
    file->sector = word(record + 2);
    file->size = word(record + 10);
    file->directory = record[25] & DIRECTORY;
    u32 count = record[32], n = 0;
    while (n < count && n < 31 && record[33 + n] != ';') {
        file->name[n] = record[33 + n];
        n++;
    }
    if (n > 0 && file->name[n - 1] == '.') n--;
    file->name[n] = 0;
}

static u8 buffer[SECTOR] __attribute__((aligned(32)));
static u32 buffered;

static const u8 *sector(u32 block) {
    if (buffered != block + 1) {
        buffered = 0;
        if (!read_sector(block + FIRST_BLOCK, buffer)) return 0;
        buffered = block + 1;
    }
    return buffer;
}

int open_disc(struct disc_file *root) {
    u32 state[2], status[4];
    gd_call(GD_INIT, 0, 0);
    gd_call(GD_STATUS, (u32)state, 0);
    if (state[0] == NO_DISC || gd_run(START_DRIVE, 0, status) != GD_DONE) return 0;
    u32 track = find_track();
    if (!track) return 0;
    const u8 *descriptor = sector(track - FIRST_BLOCK + DESCRIPTOR);
    if (!descriptor || word(descriptor + 1) != 0x30304443) return 0; /* "CD00" */
    take_record(descriptor + 156, root);
    return 1;
}

/* Records do not cross a sector's end: a length of 0 leads to the next sector. */
int read_entry(const struct disc_file *directory, u32 number, struct disc_file *entry) {
    for (u32 at = 0; at < directory->size;) {
        const u8 *bytes = sector(directory->sector + at / SECTOR);
        if (!bytes) return 0;
        const u8 *record = bytes + at % SECTOR;
        if (record[0] == 0) {
            at = (at / SECTOR + 1) * SECTOR;
        } else if (number-- == 0) {
            take_record(record, entry);
            return 1;
        } else {
            at += record[0];
        }
    }
    return 0;
}
