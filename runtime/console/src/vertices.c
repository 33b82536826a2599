/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The vertex buffer: transformed vertices that outlive the node that made them. */
#include "internal.h"

static uint32_t widen_565(uint32_t half)
{
    return 0xFF000000 | (half >> 11 & 31) << 19 | (half >> 5 & 63) << 10 | (half & 31) << 3;
}

static uint32_t widen_4444(uint32_t half)
{
    uint32_t nibbles = (half >> 12 & 15) << 24 | (half >> 8 & 15) << 16 | (half >> 4 & 15) << 8 | (half & 15);
    return nibbles << 4 | nibbles;
}

static uint32_t widen_intensity(uint32_t half)
{
    uint32_t grey = half >> 8;
    return 0xFF000000 | grey << 16 | grey << 8 | grey;
}

/* The colours of a vertex of its own; gives HAS_DIFFUSE and HAS_SPECULAR. */
static uint32_t own_colours(const struct vertex_kind *kind, const uint32_t *vertex, uint32_t *diffuse,
    uint32_t *specular)
{
    uint32_t word = vertex[kind->at];
    switch (kind->attribute) {
    case ATTRIBUTE_D8: *diffuse = word; return HAS_DIFFUSE;
    case ATTRIBUTE_NINJA_D8: *diffuse = vertex[kind->at + 1]; return HAS_DIFFUSE;
    case ATTRIBUTE_D8_S8: *diffuse = word; *specular = vertex[kind->at + 1]; return HAS_DIFFUSE
        | HAS_SPECULAR;
    case ATTRIBUTE_S5: *diffuse = widen_565(word >> 16); *specular = widen_565(word & 0xFFFF); break;
    case ATTRIBUTE_S4:
        *diffuse = widen_4444(word >> 16);
        *specular = widen_565(word & 0xFFFF) & 0xFFFFFF;
        break;
    case ATTRIBUTE_INTENSITY:
        *diffuse = widen_intensity(word >> 16);
        *specular = widen_intensity(word & 0xFFFF);
        break;
    default: return 0;
    }
    return HAS_DIFFUSE | HAS_SPECULAR;
}

static void changed(struct buffer *buffer, uint32_t slot, uint32_t kind)
{
    buffer->kinds[slot] = (uint8_t)(FILLED | kind);
    buffer->colours[0].made_for[slot] = 0;
    if (buffer->colours[1].made_for)
        buffer->colours[1].made_for[slot] = 0;
}

struct chunk {
    uint32_t id, status, offset, count;
    const struct vertex_kind *kind;
    const uint32_t *words;
};

static void replace_normals(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    float (*normals)[4] = &walk->runtime->buffer.normals[chunk->offset];
    const uint32_t *words = chunk->words + normal_word(chunk->id);
    uint32_t stride = chunk->kind->stride * 4u;
    float (*unpacked)[4] = walk->runtime->work.unpacked;
    if (chunk->kind->normal == FLOAT_NORMAL)
        swirl_transform_points(matrix, (const float *)words, normals, chunk->count, stride, swirl_bits(0.0f));
    if (chunk->kind->normal != PACKED_NORMAL)
        return;
    swirl_unpack_normals(words, chunk->count, stride, unpacked);
    swirl_transform_points(matrix, unpacked[0], normals, chunk->count, 16, swirl_bits(0.0f));
}

static void replace(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i, normal = chunk->kind->normal != NO_NORMAL ? HAS_NORMAL : 0;
    swirl_transform_points(matrix, (const float *)chunk->words, &buffer->positions[chunk->offset],
        chunk->count,
        chunk->kind->stride * 4u, swirl_bits(1.0f));
    replace_normals(walk, matrix, chunk);
    for (i = 0; i < chunk->count; i++) {
        uint32_t slot = chunk->offset + i;
        const uint32_t *vertex = chunk->words + i * chunk->kind->stride;
        changed(buffer, slot,
            normal | own_colours(chunk->kind, vertex, &buffer->diffuse[slot], &buffer->specular[slot]));
    }
}

static int32_t slot_of(const struct chunk *chunk, uint32_t i)
{
    const uint32_t *vertex = chunk->words + i * chunk->kind->stride;
    return (int32_t)chunk->offset + (int16_t)(vertex[chunk->kind->at] & 0xFFFF);
}

/* The words as the kernel takes them: NinjaFlags last, without a colour behind. */
static const uint32_t *weighted_words(struct walk *walk, const struct chunk *chunk)
{
    uint32_t *out = walk->runtime->work.words;
    uint32_t i, k;
    if (chunk->kind->attribute != ATTRIBUTE_NINJA_D8)
        return chunk->words;
    for (i = 0; i < chunk->count; i++)
        for (k = 0; k < 4; k++)
            out[4 * i + k] = chunk->words[5 * i + k];
    return out;
}

/* Weight status: 0 overwrites slots, 1 adds, 2 adds and takes the vertices' colours. */
static void blend(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i, normal = chunk->kind->normal != NO_NORMAL;
    int32_t first = slot_of(chunk, 0);
    for (i = 1; i < chunk->count; i++)
        first = slot_of(chunk, i) < first ? slot_of(chunk, i) : first;
    swirl_blend_weighted(matrix, (const float *)weighted_words(walk, chunk), chunk->count,
        &buffer->positions[first],
        &buffer->normals[first], (uint32_t)(first - (int32_t)chunk->offset), (chunk->status != 0)
        | normal << 1,
        swirl_bits(walk->model->weight_scale));
    for (i = 0; i < chunk->count; i++) {
        uint32_t slot = (uint32_t)slot_of(chunk, i), own = 0;
        if (chunk->status == 2)
            own = own_colours(chunk->kind, chunk->words + i * chunk->kind->stride, &buffer->diffuse[slot],
                &buffer->specular[slot]);
        changed(buffer, slot, (normal ? HAS_NORMAL : 0) | own);
    }
}

static int is_weighted(const struct chunk *chunk)
{
    uint32_t attribute = chunk->kind->attribute;
    return (attribute == ATTRIBUTE_NINJA || attribute == ATTRIBUTE_NINJA_D8) && chunk->status < 3;
}

static void fill_chunk(struct walk *walk, const float matrix[16], const uint8_t *at)
{
    struct chunk chunk;
    uint32_t head = swr_word(at), counts = swr_word(at + 4);
    chunk.id = head & 0xFF;
    chunk.kind = swr_vertex_kind(chunk.id);
    chunk.status = head >> 8 & 3;
    chunk.offset = counts & 0xFFFF;
    chunk.count = counts >> 16;
    chunk.words = (const uint32_t *)(const void *)(at + 8);
    if (chunk.count == 0)
        return;
    if (is_weighted(&chunk))
        blend(walk, matrix, &chunk);
    else
        replace(walk, matrix, &chunk);
}

/* Transforms the vertex list of a node, which loading has checked. */
int swr_fill(struct walk *walk, uint32_t node, const float matrix[16], const uint8_t *list)
{
    uint32_t head, number;
    for (number = 0; (head = swr_word(list)) % 256 != 255; number++, list += 4 + (head >> 16) * 4)
        fill_chunk(walk, matrix, swr_stand_in(walk->model, node, number, list));
    return SWR_OK;
}

/* Makes screen positions of named slots. */
void swr_project(struct walk *walk, const struct named *named)
{
    struct buffer *buffer = &walk->runtime->buffer;
    float viewport[4] __attribute__((aligned(8)));
    uint32_t slot = named->first, start;
    swr_copy(viewport, walk->scene->viewport, sizeof viewport);
    while (named->any && slot <= named->last) {
        for (start = slot; slot <= named->last && (buffer->kinds[slot] & (NAMED
            | PROJECTED)) == NAMED; slot++)
            buffer->kinds[slot] |= PROJECTED;
        if (slot == start)
            slot++;
        else
            swirl_project_points(viewport, buffer->positions[start], slot - start, &buffer->screen[start],
                16);
    }
}
