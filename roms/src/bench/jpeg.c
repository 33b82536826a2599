/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Decodes a baseline JPEG picture with 4:2:0 chroma: Huffman codes, integer inverse DCT, conversion to 565. */
#include "../console/console.h"

extern const u8 picture[] __asm__("picture");
__asm__(".section .rodata\npicture: .incbin \"picture.jpg\"\n.text\n");

enum { ROUNDS = 3, WIDTH = 320, HEIGHT = 240 };

struct codes {
    u8 counts[17];
    u8 symbols[256];
};

struct component {
    u32 sampling, quantiser, dc, ac;
    int last;
    u8 *plane;
    u32 stride;
};

static u8 luma[WIDTH * HEIGHT], chroma[2][WIDTH / 2 * HEIGHT / 2];
static u16 screen[WIDTH * HEIGHT];
static u16 quantisers[4][64];
static struct codes codes[8];
static struct component components[3];
static const u8 *input;
static u32 bits, bit_count;

static const u8 ZIGZAG[] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
                            41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
                            30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};
/* cos(n * pi / 16) * sqrt(2), 11 bits behind the point. */
static const int COSINES[] = {2896, 2841, 2676, 2408, 2048, 1609, 1108, 565};

static u32 fail(const char *why) {
    print(why);
    quit(1);
    return 0;
}

static u32 next_bit(void) {
    if (bit_count == 0) {
        bits = *input++;
        if (bits == 0xFF)
            input++; /* a zero follows each FF */
        bit_count = 8;
    }
    return bits >> --bit_count & 1;
}

static int receive(u32 count) {
    int value = 0;
    for (u32 n = 0; n < count; n++)
        value = value << 1 | (int)next_bit();
    if (count && value < 1 << (count - 1))
        value -= (1 << count) - 1;
    return value;
}

static u32 symbol(const struct codes *table) {
    int code = 0, begin = 0, index = 0;
    for (u32 length = 1; length <= 16; length++) {
        code |= (int)next_bit();
        int count = table->counts[length];
        if (code - count < begin)
            return table->symbols[index + (code - begin)];
        index += count;
        begin = (begin + count) << 1;
        code <<= 1;
    }
    return fail("unknown code\n");
}

static u32 half(const u8 *at) { return (u32)at[0] << 8 | at[1]; }

/* One dimension of the inverse transform, in place. */
static void transform(int *v, u32 step, int shift) {
    int out[8];
    for (int x = 0; x < 8; x++) {
        int sum = v[0] * 2048;
        for (int u = 1; u < 8; u++) {
            /* cos((2x + 1) u pi / 16): the angle modulo 32, in sixteenths of a half turn. */
            int angle = (2 * x + 1) * u & 31;
            int sign = 1;
            if (angle > 16)
                angle = 32 - angle;
            if (angle > 8) {
                angle = 16 - angle;
                sign = -1;
            }
            sum += angle == 8 ? 0 : v[(u32)u * step] * sign * COSINES[angle];
        }
        out[x] = sum >> shift;
    }
    for (u32 x = 0; x < 8; x++)
        v[x * step] = out[x];
}

static void decode_block(struct component *part, u8 *out) {
    int block[64] = {0};
    u32 size = symbol(&codes[part->dc]);
    const u16 *quantiser = quantisers[part->quantiser];
    part->last += receive(size);
    block[0] = part->last * quantiser[0];
    for (u32 n = 1; n < 64; n++) {
        u32 found = symbol(&codes[4 + part->ac]);
        if (found == 0)
            break;
        n += found >> 4;
        if (found & 15)
            block[ZIGZAG[n & 63]] = receive(found & 15) * quantiser[n & 63];
    }
    for (u32 row = 0; row < 8; row++)
        transform(block + 8 * row, 1, 9);
    for (u32 column = 0; column < 8; column++)
        transform(block + column, 8, 16);
    for (u32 y = 0; y < 8; y++)
        for (u32 x = 0; x < 8; x++) {
            int value = block[8 * y + x] + 128;
            out[y * part->stride + x] = (u8)(value < 0 ? 0 : value > 255 ? 255 : value);
        }
}

static void decode_scan(void) {
    for (u32 y = 0; y < HEIGHT / 16; y++)
        for (u32 x = 0; x < WIDTH / 16; x++)
            for (u32 n = 0; n < 3; n++) {
                struct component *part = &components[n];
                u32 across = part->sampling;
                for (u32 block = 0; block < across * across; block++) {
                    u32 row = (y * across + block / across) * 8, column = (x * across + block % across) * 8;
                    decode_block(part, part->plane + row * part->stride + column);
                }
            }
}

static void read_codes(const u8 *at, const u8 *end) {
    while (at < end) {
        struct codes *table = &codes[(*at >> 4) * 4 + (*at & 3)];
        u32 count = 0;
        for (u32 n = 1; n <= 16; n++)
            count += table->counts[n] = at[n];
        for (u32 n = 0; n < count; n++)
            table->symbols[n] = at[17 + n];
        at += 17 + count;
    }
}

static void read_headers(void) {
    const u8 *at = picture + 2;
    for (;;) {
        u32 marker = at[1], size = half(at + 2);
        const u8 *data = at + 4, *end = at + 2 + size;
        if (marker == 0xDB) /* DQT */
            for (; data < end; data += 65)
                for (u32 n = 0; n < 64; n++)
                    quantisers[*data & 3][n] = data[1 + n];
        if (marker == 0xC4) /* DHT */
            read_codes(data, end);
        if (marker == 0xC0) { /* SOF0 */
            if (half(data + 1) != HEIGHT || half(data + 3) != WIDTH || data[5] != 3)
                fail("unexpected size\n");
            for (u32 n = 0; n < 3; n++) {
                components[n].sampling = data[7 + 3 * n] & 3;
                components[n].quantiser = data[8 + 3 * n] & 3;
                components[n].plane = n ? chroma[n - 1] : luma;
                components[n].stride = n ? WIDTH / 2 : WIDTH;
                components[n].last = 0;
            }
        }
        if (marker == 0xDA) { /* SOS */
            for (u32 n = 0; n < 3; n++) {
                components[n].dc = data[2 + 2 * n] >> 4 & 3;
                components[n].ac = data[2 + 2 * n] & 3;
            }
            input = end;
            bit_count = 0;
            return;
        }
        at = end;
    }
}

static u32 clamped(int value) { return value < 0 ? 0 : value > 255 ? 255 : (u32)value; }

static u32 convert(void) {
    u32 sum = 0;
    for (u32 y = 0; y < HEIGHT; y++)
        for (u32 x = 0; x < WIDTH; x++) {
            u32 at = y / 2 * (WIDTH / 2) + x / 2;
            int l = luma[y * WIDTH + x] << 16, b = chroma[0][at] - 128, r = chroma[1][at] - 128;
            u32 red = clamped((l + 91881 * r) >> 16), blue = clamped((l + 116130 * b) >> 16);
            u32 green = clamped((l - 22554 * b - 46802 * r) >> 16);
            u16 pixel = (u16)((red & 0xF8) << 8 | (green & 0xFC) << 3 | blue >> 3);
            screen[y * WIDTH + x] = pixel;
            sum = (sum << 1 | sum >> 31) ^ pixel;
        }
    return sum;
}

int main(void) {
    u32 sum = 0;
    for (u32 round = 0; round < ROUNDS; round++) {
        read_headers();
        decode_scan();
        sum = (sum << 1 | sum >> 31) ^ convert();
    }
    print_hex("jpeg", sum);
    return 0;
}
