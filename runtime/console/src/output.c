/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Blocks for the tile accelerator, by the store queues. */
#include "internal.h"

void swr_begin(struct swr_runtime *runtime, const struct swr_sink *sink)
{
    uint32_t list;
    runtime->sink = sink;
    for (list = 0; list < SWR_LISTS; list++)
        runtime->lists[list].open = 0;
}

static int same(const uint32_t *a, const uint32_t *b)
{
    uint32_t k;
    for (k = 0; k < 8; k++)
        if (a[k] != b[k])
            return 0;
    return 1;
}

/* Fills a store queue and sends it. The list's state takes the header. */
static void send_header(struct list_state *state, const uint32_t header[8], void *queue)
{
    volatile uint32_t *words = queue;
    uint32_t k;
    for (k = 0; k < 8; k++)
        words[k] = state->header[k] = header[k];
    __asm__ volatile("pref @%0" : : "r"(queue) : "memory");
    state->open = 1;
}

/* Room for `blocks` behind a header, which is sent if it is new or `always`. */
uint8_t *swr_open_list(struct swr_runtime *runtime, uint32_t list, const uint32_t header[8], uint32_t blocks,
    int always)
{
    struct list_state *state = &runtime->lists[list];
    const struct swr_sink *sink = runtime->sink;
    int fresh = always || !state->open || !same(state->header, header);
    uint8_t *queue = sink->reserve(sink->context, list, blocks + (uint32_t)fresh);
    if (!queue || !fresh)
        return queue;
    send_header(state, header, queue);
    return queue + 32;
}

/* Sends a strip as it lies in the polygon list, once for each pass. */
int swr_send_strip(struct walk *walk, const struct strip_batch *batch, const struct strip_part *part)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    const struct strip_chunk *chunk = part->chunk;
    const int16_t *entries = (const int16_t *)swr_entries(walk, chunk, part);
    uint32_t i;
    for (i = 0; i < batch->pass_count; i++) {
        const struct pass *pass = &batch->passes[i];
        uint8_t *queue = swr_open_list(walk->runtime, pass->list, pass->header, part->count + part->reversed,
            0);
        if (!queue)
            return SWR_SINK;
        swirl_submit_strip((const float (*)[4])buffer->screen, buffer->colours[0].base, entries, part->count,
            0, chunk->kind->words, swirl_bits(chunk->kind->scale), 0, part->reversed, queue);
    }
    return SWR_OK;
}

/* Sends all strips of a chunk as they lie in the polygon list, once for each pass: `blocks` with the first
 * vertices of reversed strips. */
int swr_send_strips(struct walk *walk, const struct strip_batch *batch, const struct strip_chunk *chunk,
    uint32_t blocks)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i;
    for (i = 0; i < batch->pass_count && blocks; i++) {
        const struct pass *pass = &batch->passes[i];
        uint8_t *queue = swr_open_list(walk->runtime, pass->list, pass->header, blocks, 0);
        if (!queue)
            return SWR_SINK;
        swirl_submit_strips((const float (*)[4])buffer->screen, buffer->colours[0].base,
            buffer->colours[0].offset, (const int16_t *)chunk->words, chunk->count, chunk->kind->words,
            swirl_bits(chunk->kind->scale), batch->offset_mask, queue);
    }
    return SWR_OK;
}

enum { TWO_TEXTURED = 1 };

/* Sends finished corners, once for each pass. */
int swr_send_corners(struct walk *walk, const struct strip_batch *batch, const struct swirl_corner *corners,
    uint32_t count, uint32_t reversed)
{
    uint32_t i, blocks = (count + reversed) << (batch->form == TWO_TEXTURED);
    for (i = 0; i < batch->pass_count; i++) {
        const struct pass *pass = &batch->passes[i];
        uint8_t *queue = swr_open_list(walk->runtime, pass->list, pass->header, blocks, 0);
        if (!queue)
            return SWR_SINK;
        swirl_submit_vertices(corners, count, batch->form, reversed, queue);
    }
    return SWR_OK;
}

/* Sends triangles of a modifier volume, with its last triangle or before. Positions on the screen are in
 * work.view. */
int swr_send_volume(struct walk *walk, uint32_t list, uint32_t last, const uint16_t (*triangles)[3],
    uint32_t count)
{
    uint32_t header[8];
    uint8_t *queue;
    swr_clear(header, sizeof header);
    /* No culling; volume instruction 1, inside, with the last triangle. */
    header[0] = 4u << 29 | list << 24 | last << 6;
    header[1] = last << 29;
    queue = swr_open_list(walk->runtime, list, header, 2 * count, 1);
    if (!queue)
        return SWR_SINK;
    swirl_submit_volume((const float (*)[4])walk->runtime->work.view, triangles, count, queue);
    return SWR_OK;
}
