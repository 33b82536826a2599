/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Cells to tile accelerator input, by the kernels, a few cells at a time. */
#include "cells.h"

enum { TOGETHER = 16 };
enum { SOURCE_ALPHA = 4, INVERSE_SOURCE_ALPHA = 5, ONE = 1 };

/* Cells of the same kind of space that are drawn together. Corners are 8-byte aligned. */
struct batch {
    float corners[TOGETHER][4][2] __attribute__((aligned(8)));
    uint32_t placings[TOGETHER][8] __attribute__((aligned(8)));
    struct swirl_cell cells[TOGETHER];
    float depths[TOGETHER];
    uint32_t colours[TOGETHER][4];
    uint32_t count, offset_colour;
};

struct cell_drawing {
    struct swr_runtime *runtime;
    const struct swr_scene *scene;
    const struct swr_cell_settings *settings;
    const struct swr_cell_space *space; /* 0: pixels of the screen */
    struct swirl_cell_sprite sprite;
    float nearest, farthest;            /* 1/w */
    struct batch batch;
};

struct cell_material {
    uint32_t sprite, list;
    uint32_t header[8];
};

static int in_unit(float value) { return value >= 0.0f && value <= 1.0f; }

/* Cells have no clamp flags. Filtered edges must not show the texture's other side, but coordinates beyond
 * the texture mean that it is repeated. */
static uint32_t clamp(const struct swirl_cell *cell, uint32_t axis)
{
    return (uint32_t)(in_unit(cell->uv[0][axis]) && in_unit(cell->uv[1][axis]));
}

static uint32_t blend(const struct swirl_cell *cell, uint32_t list)
{
    if (list == SWR_TRANSLUCENT)
        return (cell->attributes >> 27 & 7) << 29 | (cell->attributes >> 24 & 7) << 26;
    /* In the punch-through list the blend still runs for texels that fail the test, with alpha 0. */
    if (list == SWR_PUNCH_THROUGH)
        return (uint32_t)SOURCE_ALPHA << 29 | (uint32_t)INVERSE_SOURCE_ALPHA << 26;
    return (uint32_t)ONE << 29;
}

static uint32_t tsp_word(const struct cell_drawing *it, const struct swirl_cell *cell, uint32_t list,
    const struct swr_texture *texture)
{
    uint32_t alpha = list != SWR_OPAQUE;
    return blend(cell, list) | alpha << 20 | (alpha ^ 1) << 19 | 2u << 22 | clamp(cell, 0) << 16
        | clamp(cell, 1) << 15 | (it->settings->point_sampled ? 0u : 1u << 13) | (alpha ? 3u : 1u) << 6
        | swr_size_bits(texture);
}

/* Whether a cell can be a sprite: one colour, and texture coordinates of 16 bits. */
static uint32_t is_sprite(const struct cell_drawing *it, const struct swirl_cell *cell,
    const uint32_t colours[4])
{
    uint32_t k, low = 0;
    if (it->settings->form == SWR_CELL_STRIPS)
        return 0;
    for (k = 1; k < 4; k++)
        if (colours[k] != colours[0])
            return 0;
    for (k = 0; k < 4; k++)
        low |= swirl_bits(cell->uv[k >> 1][k & 1]) & 0xFFFF;
    return low == 0 || it->settings->form == SWR_CELL_SPRITES;
}

static uint32_t list_of(const struct cell_drawing *it, uint32_t attributes)
{
    if ((attributes & CELL_PUNCH_THROUGH) && !it->settings->ignore_punch_through)
        return SWR_PUNCH_THROUGH;
    return attributes & CELL_ALPHA ? SWR_TRANSLUCENT : SWR_OPAQUE;
}

static void bind(const struct cell_drawing *it, uint32_t number, struct swr_texture *texture)
{
    const struct swr_scene *scene = it->scene;
    if (number >> 15 || !scene->texture || !scene->texture(scene->texture_context, number, texture))
        *texture = scene->missing;
}

static void make_material(const struct cell_drawing *it, uint32_t i, struct cell_material *out)
{
    const struct swirl_cell *cell = &it->batch.cells[i];
    const uint32_t *colours = it->batch.colours[i];
    struct swr_texture texture = {0, 0, 0};
    bind(it, cell->attributes & 0xFFFF, &texture);
    swr_clear(out, sizeof *out);
    out->sprite = is_sprite(it, cell, colours);
    out->list = list_of(it, cell->attributes);
    /* A sprite with coordinates of 16 bits; or Gouraud strips of up to six triangles. Textured, with offset
     * colour. */
    out->header[0] = out->list << 24 | 1u << 3 | 1u << 2
        | (out->sprite ? 5u << 29 | 1u : 4u << 29 | 1u << 23 | 3u << 18 | 1u << 1);
    out->header[1] = 6u << 29;
    out->header[2] = tsp_word(it, cell, out->list, &texture);
    out->header[3] = texture.word;
    out->header[4] = out->sprite ? colours[0] : 0;
    out->header[5] = out->sprite ? it->batch.offset_colour : 0;
}

static int same(const struct cell_material *a, const struct cell_material *b)
{
    const uint32_t *left = &a->sprite, *right = &b->sprite;
    uint32_t k;
    for (k = 0; k < sizeof *a / 4; k++)
        if (left[k] != right[k])
            return 0;
    return 1;
}

/* The kernel sends all cells of a call to one address, as the tile accelerator takes them; memory does
 * not. */
static void send_sprites(const struct batch *batch, uint32_t start, uint32_t count, uint8_t *queue)
{
    uint32_t i;
    for (i = start; i < start + count; i++, queue += 64)
        swirl_submit_cell_sprites((const float (*)[4][2])&batch->corners[i], &batch->depths[i],
            &batch->cells[i], 1, queue);
}

/* Sends cells of one material. */
static int send_run(const struct cell_drawing *it, uint32_t start, uint32_t count,
    const struct cell_material *material)
{
    const struct batch *batch = &it->batch;
    const float (*corners)[4][2] = (const float (*)[4][2])&batch->corners[start];
    uint32_t blocks = material->sprite ? 2 * count : 4 * count;
    uint8_t *queue = swr_open_list(it->runtime, material->list, material->header, blocks, 0);
    if (!queue)
        return SWR_SINK;
    if (material->sprite)
        send_sprites(batch, start, count, queue);
    else
        swirl_submit_cell_strips(corners, &batch->depths[start], &batch->cells[start],
            (const uint32_t (*)[4])&batch->colours[start], count, batch->offset_colour, queue);
    return SWR_OK;
}

static int send(struct cell_drawing *it)
{
    struct cell_material material, next;
    uint32_t start, end;
    swirl_cell_colours(&it->sprite, it->batch.cells, it->batch.count, it->batch.colours,
        &it->batch.offset_colour);
    for (start = 0; start < it->batch.count; start = end) {
        make_material(it, start, &material);
        for (end = start + 1; end < it->batch.count; end++) {
            make_material(it, end, &next);
            if (!same(&material, &next))
                break;
        }
        SWR_TRY(send_run(it, start, end - start, &material));
    }
    return SWR_OK;
}

static int is_seen(const struct cell_drawing *it, float depth)
{
    if (!it->space)
        return depth >= 0.0f;
    return depth > 0.0f && depth < it->nearest && depth >= it->farthest;
}

/* Drops the cells that are not seen. */
static void keep_seen(struct cell_drawing *it)
{
    struct batch *batch = &it->batch;
    uint32_t i, kept = 0;
    for (i = 0; i < batch->count; i++) {
        if (!is_seen(it, batch->depths[i]))
            continue;
        if (kept != i) {
            batch->cells[kept] = batch->cells[i];
            batch->depths[kept] = batch->depths[i];
            swr_copy(batch->corners[kept], batch->corners[i], sizeof batch->corners[i]);
        }
        kept++;
    }
    batch->count = kept;
}

static void place_flat(struct cell_drawing *it)
{
    struct batch *batch = &it->batch;
    swirl_cell_corners(&it->sprite, batch->cells, batch->count, batch->corners, 0);
    swirl_cell_depths(&it->sprite, batch->cells, batch->count, batch->depths);
}

/* Each cell has a place of its own, in the form of the head of a sprite. */
static void place_in_space(struct cell_drawing *it)
{
    struct batch *batch = &it->batch;
    uint32_t i;
    swirl_cell_billboards(&it->sprite, it->scene->viewport, batch->cells, batch->count, batch->placings);
    swirl_cell_corners((const struct swirl_cell_sprite *)(const void *)batch->placings, batch->cells,
        batch->count, batch->corners, sizeof batch->placings[0]);
    for (i = 0; i < batch->count; i++)
        batch->depths[i] = swr_from_bits(batch->placings[i][4]);
}

static int draw_batch(struct cell_drawing *it)
{
    if (it->space)
        place_in_space(it);
    else
        place_flat(it);
    keep_seen(it);
    if (it->batch.count)
        SWR_TRY(send(it));
    it->batch.count = 0;
    return SWR_OK;
}

static void start(struct cell_drawing *it, const struct swr_sprite *sprite)
{
    float view[16] __attribute__((aligned(8)));
    swr_copy(&it->sprite, sprite, sizeof it->sprite);
    it->batch.count = 0;
    if (!it->space)
        return;
    swr_camera(it->scene, view);
    swr_transform(view, sprite->position, 1.0f, it->sprite.position);
    it->nearest = it->scene->near > 0.0f ? 1.0f / it->scene->near : swr_from_bits(0x7F800000);
    it->farthest = 1.0f / it->space->far;
}

int swr_draw_cells(struct swr_runtime *runtime, const struct swr_sprite *sprite, const uint32_t (*cells)[16],
    const struct swr_scene *scene, const struct swr_cell_settings *settings,
    const struct swr_cell_space *space)
{
    struct cell_drawing it;
    uint32_t i;
    it.runtime = runtime;
    it.scene = scene;
    it.settings = settings;
    it.space = space;
    start(&it, sprite);
    for (i = 0; i < sprite->count; i++) {
        if (cells[i][0] & CELL_HIDDEN)
            continue;
        swr_copy(&it.batch.cells[it.batch.count++], cells[i], 64);
        if (it.batch.count == TOGETHER)
            SWR_TRY(draw_batch(&it));
    }
    return it.batch.count ? draw_batch(&it) : SWR_OK;
}
