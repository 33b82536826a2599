/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Small functions that run for each vertex; inline, since a call would cost more than their work. */
#ifndef SWR_LOOPS_H
#define SWR_LOOPS_H

#include "internal.h"

/* Copies four words. */
static inline void swr_copy_vector(void *to, const void *from)
{
    uint32_t *words = to;
    const uint32_t *next = from;
    uint32_t a = next[0], b = next[1], c = next[2], d = next[3];
    words[0] = a;
    words[1] = b;
    words[2] = c;
    words[3] = d;
}

/* Entry `i` of a part: user words follow entries from a strip's third on. */
static inline const uint16_t *swr_entry(const struct strip_chunk *chunk, const struct strip_part *part,
    uint32_t i)
{
    uint32_t n = part->start + i;
    const uint16_t *entry = part->words + n * chunk->kind->words;
    return chunk->user && n > 2 ? entry + (n - 2) * chunk->user : entry;
}

/* Whether a node has made the vertex of a slot. */
static inline int swr_holds(const struct buffer *buffer, uint32_t slot)
{
    return slot < buffer->slots && (buffer->kinds[slot] & FILLED);
}

/* Whether a projected slot lies in front of the near plane. */
static inline int swr_front(const struct walk *walk, uint32_t slot)
{
    return walk->runtime->buffer.screen[slot][3] > walk->scene->near;
}

/* Whether a position in view space lies in front of the near plane. */
static inline int swr_in_front(const float position[4], float near) { return -position[2] > near; }

#endif
