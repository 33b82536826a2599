/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Decodes a PNG picture: DEFLATE with all three kinds of blocks, the five filters, CRC-32 and Adler-32. */
#include "../console/console.h"

extern const u8 picture[] __asm__("picture"), picture_end[] __asm__("picture_end");
__asm__(".section .rodata\npicture: .incbin \"picture.png\"\npicture_end: .byte 0\n.text\n");

enum { ROUNDS = 6, MOST_BYTES = 512 * 1024, MOST_BITS = 15 };

/* Canonical Huffman codes: the number of codes of each length, and the symbols in the order of their codes. */
struct codes {
    u16 counts[MOST_BITS + 1];
    u16 symbols[288];
};

struct stream {
    const u8 *at, *end;
    u32 bits, count;
};

static u8 packed[MOST_BYTES], unpacked[MOST_BYTES];
static u32 crc_table[256];

static const u16 LENGTH_BASES[] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
static const u8 LENGTH_BITS[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
static const u16 DISTANCE_BASES[] = {1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
                                     193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
static const u8 DISTANCE_BITS[] = {0, 0, 0, 0, 1, 1, 2, 2,  3,  3,  4,  4,  5,  5,  6,
                                   6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13};
static const u8 ORDER[] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

static u32 fail(const char *why) {
    print(why);
    quit(1);
    return 0;
}

static u32 take(struct stream *s, u32 count) {
    while (s->count < count) {
        u32 byte = s->at < s->end ? *s->at++ : fail("end of data\n");
        s->bits |= byte << s->count;
        s->count += 8;
    }
    u32 value = s->bits & ((1u << count) - 1);
    s->bits >>= count;
    s->count -= count;
    return value;
}

static void make_codes(struct codes *codes, const u8 *lengths, u32 count) {
    u16 offsets[MOST_BITS + 1];
    for (u32 n = 0; n <= MOST_BITS; n++)
        codes->counts[n] = 0;
    for (u32 n = 0; n < count; n++)
        codes->counts[lengths[n]]++;
    codes->counts[0] = 0;
    offsets[1] = 0;
    for (u32 n = 1; n < MOST_BITS; n++)
        offsets[n + 1] = (u16)(offsets[n] + codes->counts[n]);
    for (u32 n = 0; n < count; n++)
        if (lengths[n])
            codes->symbols[offsets[lengths[n]]++] = (u16)n;
}

/* Reads a code bit by bit: codes of each length begin after those of the length before. */
static u32 symbol(struct stream *s, const struct codes *codes) {
    int code = 0, begin = 0, index = 0;
    for (u32 length = 1; length <= MOST_BITS; length++) {
        code |= (int)take(s, 1);
        int count = codes->counts[length];
        if (code - count < begin)
            return codes->symbols[index + (code - begin)];
        index += count;
        begin = (begin + count) << 1;
        code <<= 1;
    }
    return fail("unknown code\n");
}

static void read_codes(struct stream *s, struct codes *lengths, struct codes *distances) {
    u8 sizes[320];
    u32 literals = take(s, 5) + 257, places = take(s, 5) + 1, used = take(s, 4) + 4;
    for (u32 n = 0; n < 19; n++)
        sizes[ORDER[n]] = n < used ? (u8)take(s, 3) : 0;
    make_codes(lengths, sizes, 19);
    for (u32 n = 0; n < literals + places;) {
        u32 found = symbol(s, lengths);
        if (found < 16) {
            sizes[n++] = (u8)found;
            continue;
        }
        u8 value = found == 16 ? sizes[n - 1] : 0;
        u32 count = found == 16 ? 3 + take(s, 2) : found == 17 ? 3 + take(s, 3) : 11 + take(s, 7);
        while (count--)
            sizes[n++] = value;
    }
    make_codes(lengths, sizes, literals);
    make_codes(distances, sizes + literals, places);
}

static void fixed_codes(struct codes *lengths, struct codes *distances) {
    u8 sizes[288];
    for (u32 n = 0; n < 288; n++)
        sizes[n] = n < 144 ? 8 : n < 256 ? 9 : n < 280 ? 7 : 8;
    make_codes(lengths, sizes, 288);
    for (u32 n = 0; n < 30; n++)
        sizes[n] = 5;
    make_codes(distances, sizes, 30);
}

static u8 *inflate_block(struct stream *s, u8 *out, const struct codes *lengths, const struct codes *distances) {
    for (;;) {
        u32 found = symbol(s, lengths);
        if (found < 256) {
            *out++ = (u8)found;
            continue;
        }
        if (found == 256)
            return out;
        u32 length = LENGTH_BASES[found - 257] + take(s, LENGTH_BITS[found - 257]);
        u32 place = symbol(s, distances);
        const u8 *from = out - (DISTANCE_BASES[place] + take(s, DISTANCE_BITS[place]));
        while (length--)
            *out++ = *from++;
    }
}

static u32 inflate(const u8 *data, u32 size) {
    struct stream s = {data + 2, data + size, 0, 0};
    u8 *out = unpacked;
    u32 is_last;
    do {
        static struct codes lengths, distances;
        is_last = take(&s, 1);
        u32 kind = take(&s, 2);
        if (kind == 0) {
            take(&s, s.count & 7);
            u32 count = take(&s, 16);
            take(&s, 16);
            while (count--)
                *out++ = (u8)take(&s, 8);
            continue;
        }
        if (kind == 1)
            fixed_codes(&lengths, &distances);
        else
            read_codes(&s, &lengths, &distances);
        out = inflate_block(&s, out, &lengths, &distances);
    } while (!is_last);
    return (u32)(out - unpacked);
}

static u32 adler(const u8 *data, u32 size) {
    u32 a = 1, b = 0;
    for (u32 n = 0; n < size; n++) {
        a += data[n];
        if (a >= 65521)
            a -= 65521;
        b += a;
        if (b >= 65521)
            b -= 65521;
    }
    return b << 16 | a;
}

static u32 crc(const u8 *data, u32 size) {
    u32 value = 0xFFFFFFFF;
    while (size--)
        value = value >> 8 ^ crc_table[(value ^ *data++) & 255];
    return ~value;
}

static u32 big(const u8 *at) { return (u32)at[0] << 24 | (u32)at[1] << 16 | (u32)at[2] << 8 | at[3]; }

static u8 paeth(int a, int b, int c) {
    int p = a + b - c, pa = p < a ? a - p : p - a, pb = p < b ? b - p : p - b, pc = p < c ? c - p : p - c;
    return (u8)(pa <= pb && pa <= pc ? a : pb <= pc ? b : c);
}

static void unfilter(u32 width, u32 height) {
    static const u8 zeros[4096];
    u32 row = width * 3;
    const u8 *above = zeros;
    for (u32 y = 0; y < height; y++) {
        u8 *line = unpacked + y * (row + 1), kind = *line++;
        for (u32 x = 0; x < row; x++) {
            int left = x < 3 ? 0 : line[x - 3], up = above[x], corner = x < 3 ? 0 : above[x - 3];
            switch (kind) {
            case 1: line[x] = (u8)(line[x] + left); break;
            case 2: line[x] = (u8)(line[x] + up); break;
            case 3: line[x] = (u8)(line[x] + (left + up) / 2); break;
            case 4: line[x] = (u8)(line[x] + paeth(left, up, corner)); break;
            }
        }
        above = line;
    }
}

static u32 decode(void) {
    u32 width = 0, height = 0, size = 0;
    for (const u8 *at = picture + 8; at < picture_end;) {
        u32 count = big(at), kind = big(at + 4);
        const u8 *data = at + 8;
        if (crc(at + 4, count + 4) != big(data + count))
            return fail("wrong CRC\n");
        if (kind == 0x49484452) { /* IHDR */
            width = big(data);
            height = big(data + 4);
            if (data[8] != 8 || data[9] != 2 || data[12] != 0)
                return fail("expected 8-bit RGB\n");
        }
        if (kind == 0x49444154) /* IDAT */
            for (u32 n = 0; n < count; n++)
                packed[size++] = data[n];
        at = data + count + 4;
    }
    u32 bytes = inflate(packed, size);
    if (bytes != (width * 3 + 1) * height || adler(unpacked, bytes) != big(packed + size - 4))
        return fail("wrong size or Adler-32\n");
    unfilter(width, height);
    u32 sum = 0;
    for (u32 n = 0; n < bytes; n++)
        sum = (sum << 1 | sum >> 31) ^ unpacked[n];
    return sum;
}

int main(void) {
    for (u32 n = 0; n < 256; n++) {
        u32 value = n;
        for (u32 bit = 0; bit < 8; bit++)
            value = value >> 1 ^ (value & 1 ? 0xEDB88320 : 0);
        crc_table[n] = value;
    }
    u32 sum = 0;
    for (u32 round = 0; round < ROUNDS; round++)
        sum = (sum << 1 | sum >> 31) ^ decode();
    print_hex("png", sum);
    return 0;
}
