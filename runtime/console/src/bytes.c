/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Memory and words. */
#include "internal.h"

int swr_finite(float value) { return (swirl_bits(value) & 0x7F800000) != 0x7F800000; }

/* Bytes on a multiple of 32, a cache line; 0 if there are not so many. */
void *swr_take(struct swr_memory *memory, uint32_t bytes)
{
    uint32_t gap = -(uint32_t)(uintptr_t)memory->next & 31;
    uint32_t left = (uint32_t)(memory->end - memory->next);
    uint8_t *found = memory->next + gap;
    if (gap > left || bytes > left - gap)
        return 0;
    memory->next = found + bytes;
    return found;
}

void *swr_borrow(struct swr_memory *memory, uint32_t bytes)
{
    uint32_t left = (uint32_t)(memory->end - memory->next);
    uint32_t taken = ((bytes + 31) & ~31u) + ((uint32_t)(uintptr_t)memory->end & 31);
    if (bytes > left || taken > left)
        return 0;
    memory->end -= taken;
    swr_clear(memory->end, bytes);
    return memory->end;
}

uint32_t *swr_borrow_bits(struct swr_memory *memory, uint32_t last)
{
    return swr_borrow(memory, (last >> 5) * 4 + 4);
}

void swr_set(uint32_t *bits, uint32_t i) { bits[i >> 5] |= 1u << (i & 31); }
uint32_t swr_get(const uint32_t *bits, uint32_t i) { return bits[i >> 5] >> (i & 31) & 1; }

void swr_clear(void *at, uint32_t bytes)
{
    uint32_t *word = at;
    uint8_t *byte;
    if (((uintptr_t)at & 3) == 0) {
        for (; bytes >= 16; bytes -= 16, word += 4)
            word[0] = word[1] = word[2] = word[3] = 0;
        for (; bytes >= 4; bytes -= 4)
            *word++ = 0;
    }
    byte = (uint8_t *)word;
    while (bytes--)
        *byte++ = 0;
}

/* A call would cost more than so few words. */
enum { FEW = 8 };

void swr_fill_words(void *to, uint32_t words, uint32_t value)
{
    uint32_t gap = (uint32_t)(uintptr_t)to & 31, *word = to;
    if (words > FEW)
        swirl_fill_words((uint32_t *)(void *)((uint8_t *)to - gap), words, value, gap >> 2);
    else
        while (words--)
            *word++ = value;
}

void swr_fill_bytes(uint8_t *to, uint32_t bytes, uint32_t value)
{
    uint32_t gap = (uint32_t)(uintptr_t)to & 31;
    if (bytes > FEW)
        swirl_fill_bytes(to - gap, bytes, value, gap);
    else
        while (bytes--)
            *to++ = (uint8_t)value;
}

void swr_copy(void *to, const void *from, uint32_t bytes)
{
    uint32_t *word = to;
    const uint32_t *next = from;
    uint8_t *target;
    const uint8_t *source;
    if ((((uintptr_t)to | (uintptr_t)from) & 3) == 0) {
        for (; bytes >= 16; bytes -= 16, word += 4, next += 4) {
            uint32_t a = next[0], b = next[1], c = next[2], d = next[3];
            word[0] = a;
            word[1] = b;
            word[2] = c;
            word[3] = d;
        }
        for (; bytes >= 4; bytes -= 4)
            *word++ = *next++;
    }
    target = (uint8_t *)word;
    source = (const uint8_t *)next;
    while (bytes--)
        *target++ = *source++;
}
