/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Corners of strips that cannot be sent as they lie in the polygon list. */
#include "loops.h"

/* What the functions here share. */
struct drawing {
    struct walk *walk;
    const struct strip_chunk *chunk;
    const struct strip_part *part;
    const struct strip_batch *batch;
};

static uint32_t slot_at(const struct drawing *it, uint32_t i) { return swr_entry(it->chunk, it->part, i)[0]; }

static int all_in_front(const struct drawing *it)
{
    const struct buffer *buffer = &it->walk->runtime->buffer;
    uint32_t i;
    for (i = 0; i < it->part->count; i++)
        if (!swr_in_front(buffer->positions[slot_at(it, i)], it->walk->scene->near))
            return 0;
    return 1;
}

/* Begins each corner at the position of its slot, in view space or on the screen. */
static void place(const struct drawing *it, float (*from)[4])
{
    struct swr_runtime *runtime = it->walk->runtime;
    uint32_t i;
    for (i = 0; i < it->part->count; i++) {
        struct swirl_corner *corner = &runtime->work.corners[i];
        uint32_t k;
        swr_copy_vector(corner->position, from[slot_at(it, i)]);
        for (k = 0; k < 4; k++) {
            corner->uv[k >> 1][k & 1] = 0.0f;
            corner->colours[k] = 0;
        }
    }
}

/* The normals that a strip has itself, in view space, to work.normals. They belong to the node whose polygon
 * list it is. */
static void own_normals(const struct drawing *it)
{
    struct work *work = &it->walk->runtime->work;
    int16_t *halves = (int16_t *)work->halves;
    uint32_t i, k, n = it->part->count;
    for (i = 0; i < n; i++)
        for (k = 0; k < 3; k++) {
            int16_t axis = (int16_t)swr_entry(it->chunk, it->part, i)[1u + 2u * it->chunk->kind->pairs + k];
            /* Normals are cut to -1 to 1 (docs/formats/ninja.md 1.7). */
            halves[3 * i + k] = axis == -32768 ? -32767 : axis;
        }
    swirl_shorts_to_floats(halves, n, 3, 6, swirl_bits(1.0f / 32767.0f), work->vectors);
    swirl_transform_points(it->batch->matrix, work->vectors[0], work->normals, n, 16, swirl_bits(0.0f));
}

/* u = 1/2 + nx / 2, v = 1/2 - ny / 2, of normals in view space with y up (docs/formats/ninja.md 2.4). */
static const float ENVIRONMENT_MATRIX[16] __attribute__((aligned(8))) = {
    0.5f, 0.0f, 0.0f, 0.0f, 0.0f, -0.5f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.5f, 0.5f, 0.0f, 0.0f,
};

static void environment(const struct drawing *it)
{
    const struct buffer *buffer = &it->walk->runtime->buffer;
    struct work *work = &it->walk->runtime->work;
    uint32_t i;
    for (i = 0; i < it->part->count && !it->chunk->kind->normal; i++) {
        uint32_t slot = slot_at(it, i);
        if (buffer->kinds[slot] & HAS_NORMAL)
            swr_copy_vector(work->normals[i], buffer->normals[slot]);
        else
            swr_clear(work->normals[i], 16);
    }
    swirl_transform_points(
        ENVIRONMENT_MATRIX, work->normals[0], work->uv, it->part->count, 16, swirl_bits(1.0f));
}

static void texture_coordinates(const struct drawing *it)
{
    struct work *work = &it->walk->runtime->work;
    const struct strip_kind *kind = it->chunk->kind;
    uint32_t i, n = it->part->count;
    if (it->batch->flags & ENVIRONMENT)
        environment(it);
    else if (kind->pairs)
        swirl_shorts_to_floats((const int16_t *)swr_entries(it->walk, it->chunk, it->part) + 1, n,
            2u * kind->pairs, 2u * kind->words, swirl_bits(kind->scale), work->uv);
    else
        return;
    for (i = 0; i < n; i++)
        swr_copy_vector(work->corners[i].uv, work->uv[i]);
}

/* Colours of a strip's own normals. */
static void lit(const struct drawing *it, struct shading *shading)
{
    struct work *work = &it->walk->runtime->work;
    struct lit_vertices vertices;
    uint32_t i, n = it->part->count;
    for (i = 0; i < n; i++) {
        work->diffuse[i] = shading->diffuse;
        work->specular[i] = shading->specular;
        swr_copy_vector(work->vectors[i], it->walk->runtime->buffer.positions[slot_at(it, i)]);
    }
    vertices.positions = work->vectors;
    vertices.normals = work->normals;
    vertices.diffuse = work->diffuse;
    vertices.specular = work->specular;
    vertices.own = 0;
    vertices.count = n;
    swr_prepare_light(it->walk, shading);
    swr_light(it->walk, shading, &vertices, work->base, work->offset);
}

static void colours(const struct drawing *it, uint32_t volume)
{
    struct shading *shading = &it->walk->shadings[volume];
    const struct slot_colours *held = &it->walk->runtime->buffer.colours[volume];
    struct work *work = &it->walk->runtime->work;
    int own = it->chunk->kind->normal && shading->lit;
    uint32_t i;
    if (own)
        lit(it, shading);
    for (i = 0; i < it->part->count; i++) {
        uint32_t slot = slot_at(it, i);
        work->corners[i].colours[2 * volume] = own ? work->base[i] : held->base[slot];
        work->corners[i].colours[2 * volume + 1] = own ? work->offset[i] : held->offset[slot];
    }
}

/* Colours of strips; and intensities to where clipping treats them as the floats they are. */
static void own_colours(const struct drawing *it)
{
    const struct strip_kind *kind = it->chunk->kind;
    struct swirl_corner *corners = it->walk->runtime->work.corners;
    uint32_t i, at = 1 + 2u * kind->pairs;
    for (i = 0; i < it->part->count; i++) {
        const uint16_t *entry = swr_entry(it->chunk, it->part, i);
        if (it->batch->intensity)
            corners[i].uv[1][0] = swr_from_bits(corners[i].colours[0]);
        if (kind->colour) {
            corners[i].colours[0] = (uint32_t)entry[at + 1] << 16 | entry[at];
            corners[i].colours[1] = 0;
        }
    }
}

/* Sends a strip corner by corner. */
int swr_corners(struct walk *walk, const struct strip_chunk *chunk, const struct strip_part *part,
    const struct strip_batch *batch)
{
    struct drawing it = {walk, chunk, part, batch};
    const struct swirl_corner *corners = walk->runtime->work.corners;
    struct buffer *buffer = &walk->runtime->buffer;
    int front = all_in_front(&it);
    uint32_t i;
    place(&it, front ? buffer->screen : buffer->positions);
    if (chunk->kind->normal)
        own_normals(&it);
    texture_coordinates(&it);
    for (i = 0; i < batch->volumes; i++)
        colours(&it, i);
    own_colours(&it);
    if (!front)
        return swr_clip(walk, batch, part->count, part->reversed);
    return swr_send_corners(walk, batch, corners, part->count, part->reversed);
}
