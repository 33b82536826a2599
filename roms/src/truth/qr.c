/* SPDX-License-Identifier: MIT OR Apache-2.0
 * See qr.h. Numbers of version 15-L are from the tables of ISO/IEC 18004: codewords and blocks (table 9), alignment
 * patterns (annex E). The mask is always number 0: readers take any. */
#include "qr.h"

enum { VERSION = 15, BLOCKS = 6, SHORT_BLOCKS = 5, SHORT_DATA = 87, CHECK = 22, DATA = 523, ALL = DATA + BLOCKS * CHECK };
enum { DARK = 1, FIXED = 2, LEVEL_L = 1, MASK = 0 };

/* GF(256) by x^8 + x^4 + x^3 + x^2 + 1. */
static u8 multiply(u8 a, u8 b) {
    u32 product = 0;
    for (int bit = 7; bit >= 0; bit--) {
        product = product << 1 ^ (product & 0x80 ? 0x11D : 0);
        if (b >> bit & 1) product ^= a;
    }
    return product;
}

/* The rest of a block's polynomial by (x - 1)(x - 2)(x - 4) ... */
static void add_check(const u8 *data, u32 count, u8 check[CHECK]) {
    u8 generator[CHECK] = {0}, root = 1;
    generator[CHECK - 1] = 1;
    for (int n = 0; n < CHECK; n++) {
        for (int at = 0; at < CHECK; at++)
            generator[at] = multiply(generator[at], root) ^ (at + 1 < CHECK ? generator[at + 1] : 0);
        root = multiply(root, 2);
    }
    for (int at = 0; at < CHECK; at++) check[at] = 0;
    for (u32 n = 0; n < count; n++) {
        u8 factor = data[n] ^ check[0];
        for (int at = 0; at < CHECK; at++)
            check[at] = (at + 1 < CHECK ? check[at + 1] : 0) ^ multiply(generator[at], factor);
    }
}

/* Mode, length, bytes, and bytes of padding; all four bits behind a byte's beginning. */
static void write_data(const u8 *bytes, u32 count, u8 data[DATA]) {
    u32 at = 0;
    data[at++] = 0x40 | count >> 12;
    data[at++] = count >> 4;
    u8 half = count << 4;
    for (u32 n = 0; n < count; n++) {
        data[at++] = half | bytes[n] >> 4;
        half = bytes[n] << 4;
    }
    data[at++] = half;
    for (u8 pad = 0xEC; at < DATA; pad ^= 0xEC ^ 0x11) data[at++] = pad;
}

/* Codewords of the blocks in turns. */
static void interleave(const u8 data[DATA], u8 words[ALL]) {
    static u8 check[BLOCKS][CHECK];
    u32 starts[BLOCKS + 1], at = 0;
    for (u32 n = 0; n <= BLOCKS; n++) starts[n] = n * SHORT_DATA + (n > SHORT_BLOCKS ? n - SHORT_BLOCKS : 0);
    for (u32 n = 0; n < BLOCKS; n++) add_check(data + starts[n], starts[n + 1] - starts[n], check[n]);
    for (u32 word = 0; word <= SHORT_DATA; word++)
        for (u32 n = 0; n < BLOCKS; n++)
            if (word < starts[n + 1] - starts[n]) words[at++] = data[starts[n] + word];
    for (u32 word = 0; word < CHECK; word++)
        for (u32 n = 0; n < BLOCKS; n++) words[at++] = check[n][word];
}

/* Squares around a centre: dark and light rings. */
static void draw_rings(u8 modules[QR_SIDE][QR_SIDE], int x, int y, int radius, u32 dark_rings) {
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            int ax = dx < 0 ? -dx : dx, ay = dy < 0 ? -dy : dy, ring = ax > ay ? ax : ay;
            if (x + dx < 0 || x + dx >= QR_SIDE || y + dy < 0 || y + dy >= QR_SIDE) continue;
            modules[y + dy][x + dx] = FIXED | (dark_rings >> ring & 1);
        }
}

/* `bits` data bits with `more` check bits by a generator. */
static u32 with_check(u32 value, u32 more, u32 generator) {
    u32 rest = value << more;
    for (int bit = 17; bit >= (int)more; bit--)
        if (rest >> bit & 1) rest ^= generator << (bit - more);
    return value << more | rest;
}

static void draw_fixed(u8 modules[QR_SIDE][QR_SIDE]) {
    static const u8 centres[] = {6, 26, 48, 70};
    for (int n = 0; n < QR_SIDE; n++) modules[6][n] = modules[n][6] = FIXED | (n % 2 == 0);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            if (!((x == 0 && y == 0) || (x == 0 && y == 3) || (x == 3 && y == 0)))
                draw_rings(modules, centres[x], centres[y], 2, 5);
    draw_rings(modules, 3, 3, 4, 0xB);
    draw_rings(modules, QR_SIDE - 4, 3, 4, 0xB);
    draw_rings(modules, 3, QR_SIDE - 4, 4, 0xB);
    u32 format = with_check(LEVEL_L << 3 | MASK, 10, 0x537) ^ 0x5412, version = with_check(VERSION, 12, 0x1F25);
    for (int bit = 0; bit < 15; bit++) {
        u8 module = FIXED | (format >> bit & 1);
        modules[bit < 6 ? bit : bit < 8 ? bit + 1 : QR_SIDE - 15 + bit][8] = module;
        modules[8][bit < 8 ? QR_SIDE - 1 - bit : bit == 8 ? 7 : 14 - bit] = module;
    }
    modules[QR_SIDE - 8][8] = FIXED | DARK;
    for (int bit = 0; bit < 18; bit++) {
        u8 module = FIXED | (version >> bit & 1);
        modules[bit / 3][QR_SIDE - 11 + bit % 3] = modules[QR_SIDE - 11 + bit % 3][bit / 3] = module;
    }
}

/* Two columns at a time, from the right, up and down in turns. Mask 0 inverts where row and column have an even sum. */
static void draw_words(const u8 words[ALL], u8 modules[QR_SIDE][QR_SIDE]) {
    u32 bit = 0;
    int up = 1;
    for (int right = QR_SIDE - 1; right > 0; right -= 2, up = !up) {
        if (right == 6) right--;
        for (int n = 0; n < QR_SIDE; n++)
            for (int column = right; column > right - 2; column--) {
                int row = up ? QR_SIDE - 1 - n : n;
                u8 *module = &modules[row][column];
                if (*module & FIXED) continue;
                u32 dark = bit < 8 * ALL ? words[bit / 8] >> (7 - bit % 8) & 1 : 0;
                *module = dark ^ ((row + column) % 2 == 0);
                bit++;
            }
    }
}

void encode_qr(const u8 *bytes, u32 count, u8 modules[QR_SIDE][QR_SIDE]) {
    static u8 data[DATA], words[ALL];
    for (int y = 0; y < QR_SIDE; y++)
        for (int x = 0; x < QR_SIDE; x++) modules[y][x] = 0;
    draw_fixed(modules);
    write_data(bytes, count, data);
    interleave(data, words);
    draw_words(words, modules);
}
