/* SPDX-License-Identifier: MIT OR Apache-2.0
 * LZ77 with a hash table: compresses text, decompresses it, compares. */
#include "../console/console.h"

enum { SIZE = 65536, HASHES = 4096, LONGEST = 18, SHORTEST = 3, WINDOW = 4095, ROUNDS = 36 };

static u8 text[SIZE];
static u8 packed[2 * SIZE];
static u8 unpacked[SIZE];
static u32 heads[HASHES];
static u32 crcs[256];
static u32 seed = 1;

static u32 next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

/* Words from a small vocabulary, so that there is something to find. */
static void write_text(void) {
    u32 at = 0;
    while (at < SIZE) {
        u32 word = next_random() & 63, length = 2 + (word & 7);
        for (u32 i = 0; i < length && at < SIZE; i++)
            text[at++] = (u8)('a' + ((word * 7 + i * 11) & 15));
        if (at < SIZE)
            text[at++] = ' ';
    }
}

static void make_crcs(void) {
    for (u32 n = 0; n < 256; n++) {
        u32 c = n;
        for (u32 k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320 ^ c >> 1 : c >> 1;
        crcs[n] = c;
    }
}

static u32 crc(const u8 *bytes, u32 count) {
    u32 c = 0xFFFFFFFF;
    while (count--)
        c = crcs[(c ^ *bytes++) & 255] ^ c >> 8;
    return ~c;
}

static u32 hash(const u8 *at) { return (at[0] << 8 ^ at[1] << 4 ^ at[2]) & (HASHES - 1); }

static u32 match(const u8 *a, const u8 *b, u32 most) {
    u32 n = 0;
    while (n < most && a[n] == b[n])
        n++;
    return n;
}

/* Eight items follow a byte of flags: a literal, or a distance of 12 bits and a length of 4. */
static u32 compress(void) {
    u32 at = 0, out = 0, flags = 0, bit = 8;
    for (u32 i = 0; i < HASHES; i++)
        heads[i] = 0;
    while (at < SIZE) {
        if (bit == 8) {
            flags = out++;
            packed[flags] = 0;
            bit = 0;
        }
        u32 best = 0, distance = 0;
        if (at + SHORTEST <= SIZE) {
            u32 *head = &heads[hash(text + at)];
            if (*head != 0 && at + 1 - *head <= WINDOW && at + 1 != *head) {
                distance = at + 1 - *head;
                best = match(text + at, text + at - distance, SIZE - at < LONGEST ? SIZE - at : LONGEST);
            }
            *head = at + 1;
        }
        if (best >= SHORTEST) {
            packed[flags] |= (u8)(1 << bit);
            packed[out++] = (u8)distance;
            packed[out++] = (u8)((distance >> 8) << 4 | (best - SHORTEST));
            at += best;
        } else {
            packed[out++] = text[at++];
        }
        bit++;
    }
    return out;
}

static u32 decompress(u32 count) {
    u32 in = 0, out = 0, flags = 0, bit = 8;
    while (in < count) {
        if (bit == 8) {
            flags = packed[in++];
            bit = 0;
            continue;
        }
        if (flags >> bit & 1) {
            u32 distance = packed[in] | (u32)(packed[in + 1] >> 4) << 8;
            u32 length = (packed[in + 1] & 15) + SHORTEST;
            in += 2;
            for (u32 i = 0; i < length; i++, out++)
                unpacked[out] = unpacked[out - distance];
        } else {
            unpacked[out++] = packed[in++];
        }
        bit++;
    }
    return out;
}

int main(void) {
    u32 sum = 0;
    make_crcs();
    for (u32 round = 0; round < ROUNDS; round++) {
        write_text();
        u32 count = compress();
        u32 length = decompress(count);
        if (length != SIZE || match(text, unpacked, SIZE) != SIZE)
            return 1;
        sum = (sum << 1 | sum >> 31) ^ crc(packed, count) ^ crc(unpacked, length);
    }
    print_hex("pack", sum);
    return 0;
}
