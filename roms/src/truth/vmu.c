/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The report as a file on a visual memory unit (VMU). Only the menu calls it. It writes free blocks, then the FAT and
 * one directory block; what other files have stays. docs/hardware/truth.md, "The file on a VMU", has the format. */
#include "truth.h"
#include "../console/maple.h"

enum { BLOCK = 512, ROOT = 255, FREE = 0xFFFC, LAST = 0xFFFA, DATA_FILE = 0x33, ENTRY = 32, BLOCKS = 256 };
enum { STATUS = 5, ACKNOWLEDGE = 7, DATA_TRANSFER = 8, PHASES = 4, PHASE_WORDS = 32, TRIES = 4 };
enum { HEADER = 0x80, ICON = 0x200, ICON_SIDE = 32, CRC_AT = 0x46, FILE_BYTES = BLOCKS * BLOCK };
enum { NAME_BYTES = 12 };

static const char file_name[NAME_BYTES] = "SWIRL_TRUTH";
static u32 port, unit;

static int find_unit(void) {
    for (port = 0; port < 4; port++)
        for (unit = 1; unit <= 2; unit++) {
            const volatile u32 *answer = ask_unit(port, unit, DEVICE_REQUEST, 0, 0);
            if ((answer[0] & 0xFF) == STATUS && answer[1] & STORAGE) return 1;
        }
    return 0;
}

/* A location has the block in bits 31:24 and the phase in bits 15:8. */
static int read_block(u32 block, void *to) {
    u32 parameters[2] = {STORAGE, block << 24};
    const volatile u32 *answer = ask_unit(port, unit, BLOCK_READ, parameters, 2);
    if ((answer[0] & 0xFF) != DATA_TRANSFER || answer[1] != STORAGE || answer[2] != parameters[1]) return 0;
    for (u32 n = 0; n < BLOCK / 4; n++) ((u32 *)to)[n] = answer[3 + n];
    return 1;
}

static int send_phases(u32 block, const u32 *from) {
    u32 parameters[2 + PHASE_WORDS] = {STORAGE};
    for (u32 phase = 0; phase <= PHASES; phase++) {
        parameters[1] = block << 24 | phase << 8;
        for (u32 n = 0; n < PHASE_WORDS && phase < PHASES; n++) parameters[2 + n] = from[phase * PHASE_WORDS + n];
        const volatile u32 *answer = phase < PHASES ? ask_unit(port, unit, BLOCK_WRITE, parameters, 2 + PHASE_WORDS)
                                                    : ask_unit(port, unit, LAST_ERROR, parameters, 2);
        if ((answer[0] & 0xFF) != ACKNOWLEDGE) return 0;
    }
    return 1;
}

static int is_equal(const u8 *a, const u8 *b, u32 count) {
    for (u32 n = 0; n < count; n++)
        if (a[n] != b[n]) return 0;
    return 1;
}

/* Writes a block and reads it back. A unit may be busy: it is asked again, as KallistiOS does. */
static int write_block(u32 block, const void *from) {
    static u32 written[BLOCK / 4];
    for (u32 n = 0; n < TRIES; n++) {
        if (send_phases(block, from) && read_block(block, written) && is_equal((u8 *)written, from, BLOCK)) return 1;
        start_stopwatch();
        while (microseconds(stopwatch()) < 100000) {}
    }
    return 0;
}

static u8 file[FILE_BYTES] __attribute__((aligned(4)));

static u8 *add_field(u8 *at, const char *text, u32 size, u8 padding) {
    while (size--) *at++ = *text ? *text++ : padding;
    return at;
}

static u8 *add_half(u8 *at, u32 value) {
    *at++ = value;
    *at++ = value >> 8;
    return at;
}

/* A letter T. Two points a byte, the left one in the high half. */
static void draw_icon(u8 *at) {
    for (u32 y = 0; y < ICON_SIDE; y++)
        for (u32 x = 0; x < ICON_SIDE; x++) {
            int is_ink = (y >= 6 && y < 10 && x >= 6 && x < 26) || (y >= 10 && y < 26 && x >= 14 && x < 18);
            if (is_ink) at[(y * ICON_SIDE + x) / 2] |= x & 1 ? 0x01 : 0x10;
        }
}

/* Header, icon, a line feed (so that a reader of lines finds the report's first one), the report. Gives the bytes. */
static u32 make_file(void) {
    u32 size = 1 + length(report_text), all = HEADER + ICON + size;
    if (all > FILE_BYTES) return 0;
    for (u32 n = 0; n < FILE_BYTES; n++) file[n] = 0;
    u8 *at = add_field(file, "HARDWARE TRUTH", 16, ' ');
    at = add_field(at, "Report of truth.elf", 32, ' ');
    at = add_field(at, "swirl truth", 16, 0);
    at = add_half(at, 1);      /* icons */
    at = add_half(at, 0);      /* speed */
    at = add_half(at, 0);      /* no large picture */
    at = add_half(at, 0);      /* CRC, below */
    at = add_half(at, size);
    add_half(at, size >> 16);
    add_half(add_half(file + 0x60, 0xF008), 0xFFFF); /* palette, ARGB 4444 */
    draw_icon(file + HEADER);
    add_field(add_field(file + HEADER + ICON, "\n", 1, 0), report_text, size - 1, 0);
    u32 crc = 0; /* CCITT, from 0 on, of the file as it is now */
    for (u32 n = 0; n < all; n++) {
        crc ^= file[n] << 8;
        for (int bit = 0; bit < 8; bit++) crc = crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0);
        crc &= 0xFFFF;
    }
    add_half(file + CRC_AT, crc);
    return all;
}

static u8 bcd(u32 value) { return value / 10 << 4 | value % 10; }

/* Century, year, month, day, hour, minute, second, day of the week from Monday on; by the console's clock, which counts
 * seconds since Sunday, 1 January 1950. */
static void write_date(u8 at[8]) {
    static const u8 days_of_months[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    u32 seconds = read_clock(), day = seconds / 86400, second = seconds % 86400, year = 1950, month = 0;
    at[7] = (day + 6) % 7;
    for (u32 size; size = year % 4 == 0 ? 366 : 365, day >= size; year++) day -= size; /* to 2086: 2000 is one of 366 */
    for (u32 size; size = days_of_months[month] + (month == 1 && year % 4 == 0), day >= size; month++) day -= size;
    at[0] = bcd(year / 100);
    at[1] = bcd(year % 100);
    at[2] = bcd(month + 1);
    at[3] = bcd(day + 1);
    at[4] = bcd(second / 3600);
    at[5] = bcd(second / 60 % 60);
    at[6] = bcd(second % 60);
}

static u16 fat[BLOCK / 2] __attribute__((aligned(4)));

/* Links `count` free blocks in the FAT, from the highest down. Gives the first, or ROOT if there are not so many. */
static u32 allocate(u32 user_blocks, u32 count) {
    u32 first = ROOT, before = ROOT;
    for (u32 block = user_blocks; block-- && count;) {
        if (fat[block] != FREE) continue;
        if (before == ROOT) first = block;
        else fat[before] = block;
        fat[block] = LAST;
        before = block;
        count--;
    }
    return count ? ROOT : first;
}

/* An empty entry of the directory: its block is then in `entries`. The reason why there is none, or 0. */
static const char *find_entry(u32 block, u32 blocks, u8 *entries, u32 *entry_block, u32 *entry) {
    *entry_block = ROOT;
    for (; blocks && block < BLOCKS; blocks--, block = fat[block]) {
        if (!read_block(block, entries)) return "The VMU does not give its directory.";
        for (u32 at = 0; at < BLOCK; at += ENTRY) {
            if (entries[at] && is_equal(entries + at + 4, (const u8 *)file_name, NAME_BYTES))
                return "The VMU has SWIRL_TRUTH already: delete it.";
            if (entries[at] || *entry_block != ROOT) continue;
            *entry_block = block;
            *entry = at;
        }
    }
    if (*entry_block == ROOT) return "The VMU's directory is full.";
    return read_block(*entry_block, entries) ? 0 : "The VMU does not give its directory.";
}

static const char *save(void) {
    static u16 root[BLOCK / 2] __attribute__((aligned(4))), old_fat[BLOCK / 2] __attribute__((aligned(4)));
    static u8 entries[BLOCK] __attribute__((aligned(4)));
    u32 bytes = make_file(), blocks = (bytes + BLOCK - 1) / BLOCK, entry_block, entry = 0;
    if (!bytes) return "The report is larger than a VMU.";
    if (!read_block(ROOT, root)) return "The VMU does not answer.";
    for (u32 n = 0; n < 8; n++)
        if (root[n] != 0x5555) return "The VMU is not formatted.";
    /* Of the root block: 46 the FAT's place, 48 its size, 4A and 4C those of the directory, 50 blocks for files. */
    u32 fat_block = root[0x46 / 2], user_blocks = root[0x50 / 2];
    if (root[0x48 / 2] != 1 || fat_block >= BLOCKS || user_blocks > BLOCKS) return "The VMU has an unknown layout.";
    if (!read_block(fat_block, old_fat)) return "The VMU does not give its FAT.";
    for (u32 n = 0; n < BLOCK / 2; n++) fat[n] = old_fat[n];
    const char *failure = find_entry(root[0x4A / 2], root[0x4C / 2], entries, &entry_block, &entry);
    if (failure) return failure;
    u32 first = allocate(user_blocks, blocks);
    if (first == ROOT) return "The VMU has too few free blocks.";
    for (u32 block = first, n = 0; n < blocks; block = fat[block], n++)
        if (!write_block(block, file + n * BLOCK)) return "The VMU did not take a block of the file.";
    for (u32 n = 0; n < ENTRY; n++) entries[entry + n] = 0;
    entries[entry] = DATA_FILE;
    add_half(entries + entry + 2, first);
    add_field(entries + entry + 4, file_name, NAME_BYTES, 0);
    write_date(entries + entry + 16);
    add_half(entries + entry + 24, blocks);
    if (!write_block(fat_block, fat)) return "The VMU did not take its FAT.";
    if (write_block(entry_block, entries)) return "Saved on the VMU as SWIRL_TRUTH.";
    write_block(fat_block, old_fat);
    return "The VMU did not take its directory.";
}

const char *save_to_vmu(void) { return find_unit() ? save() : "There is no VMU in any controller."; }
