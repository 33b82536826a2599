/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Polygon lists: what CP remembers, DP draws. */
#include "internal.h"

/* More polygon chunks than this in one tree are a loop: remembered lists may run many times, but not for
 * ever. */
enum { CHUNK_LIMIT = 4000000 };
enum { CACHE_POLYGONS = 4, DRAW_POLYGONS = 5 };

uint32_t swr_polygon_words(const uint16_t *chunk)
{
    uint32_t id = chunk[0] & 0xFF;
    if (id >= 128)
        return 0;
    return id < 8 ? 1 : id < 16 ? 2 : 2u + chunk[1];
}

static int draw_chunk(struct walk *walk, const uint16_t *words, uint32_t count, const struct rest *rest)
{
    struct strip_chunk chunk;
    chunk.id = words[0] & 0xFF;
    chunk.kind = swr_strip_kind(chunk.id);
    if (chunk.kind) {
        chunk.flags = words[0] >> 8;
        chunk.user = words[2] >> 14;
        chunk.count = words[2] & 0x3FFF;
        chunk.words = words + 3;
        return swr_strips(walk, &chunk, rest->matrix);
    }
    if (chunk.id >= 56 && chunk.id <= 58)
        return swr_volume(walk, rest->vertices, words);
    swr_apply(walk, words, count);
    return SWR_OK;
}

/* Runs the remembered list behind what is running now. */
static int enter(struct walk *walk, uint32_t number, uint32_t *depth)
{
    struct running *running = walk->runtime->running;
    const struct rest *cached = &walk->runtime->cached[number];
    uint32_t i;
    /* Lists of hidden models are not remembered, as their vertices are not made. */
    if (!(walk->runtime->remembered[number >> 5] >> (number & 31) & 1))
        return walk->hidden == 0 ? SWR_UNKNOWN_LIST : SWR_OK;
    for (i = 0; i < *depth; i++)
        if (running[i].number == (int32_t)number)
            return SWR_RECURSIVE;
    running[*depth].number = (int32_t)number;
    swr_copy(&running[*depth].rest, cached, sizeof *cached);
    ++*depth;
    return SWR_OK;
}

static int step(struct walk *walk, uint32_t *depth)
{
    struct running *now = &walk->runtime->running[*depth - 1];
    const uint16_t *chunk = (const uint16_t *)(const void *)now->rest.at;
    uint32_t words = swr_polygon_words(chunk), number = chunk[0] >> 8;
    if (words == 0) {
        --*depth;
        return SWR_OK;
    }
    if (++walk->chunks > CHUNK_LIMIT)
        return SWR_ENDLESS;
    now->rest.at += 2 * words;
    if ((chunk[0] & 0xFF) == DRAW_POLYGONS)
        return enter(walk, number, depth);
    if ((chunk[0] & 0xFF) != CACHE_POLYGONS)
        return draw_chunk(walk, chunk, words, &now->rest);
    swr_copy(&walk->runtime->cached[number], &now->rest, sizeof now->rest);
    walk->runtime->remembered[number >> 5] |= 1u << (number & 31);
    --*depth;
    return SWR_OK;
}

/* Runs a node's polygon list, which loading has checked; `vertices` is its model's vertex list or 0. */
int swr_polygons(struct walk *walk, const uint8_t *list, const uint8_t *vertices, const float matrix[16])
{
    struct running *own = walk->runtime->running;
    uint32_t depth = 1;
    own->number = -1;
    own->rest.at = list;
    own->rest.vertices = vertices;
    swr_copy(own->rest.matrix, matrix, 64);
    while (depth)
        SWR_TRY(step(walk, &depth));
    return SWR_OK;
}
