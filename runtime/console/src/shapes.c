/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions through shapes: vertex chunks that stand in for a model's own. */
#include "internal.h"

uint32_t swr_quotient(uint32_t value, uint32_t by)
{
    uint32_t quotient = 0, bit = 1;
    for (; by <= value >> 1; by <<= 1)
        bit <<= 1;
    for (; bit; bit >>= 1, by >>= 1) {
        if (value < by)
            continue;
        value -= by;
        quotient |= bit;
    }
    return quotient;
}

int swr_multiple(uint32_t value, uint32_t by) { return swr_quotient(value, by) * by == value; }

/* The chunk of a shape that a key names; loading has checked it. */
static const uint8_t *shape_of(const struct swr_shapes *shapes, const struct swr_moved *moved, uint32_t key)
{
    uint32_t shape = swr_word(moved->keys.keys + 8 * key + 4);
    uint32_t array = swr_word(shapes->list + shapes->groups + 8 * shape);
    return shapes->list + swr_word(shapes->list + array + 4 * moved->entry);
}

/* Positions and normals to `out`, vertex by vertex; how many floats. */
static uint32_t floats_of(const uint8_t *chunk, const struct shape_kind *kind, uint32_t vertices,
    uint32_t *out)
{
    uint32_t i, parts = kind->stride - kind->diffuse;
    if (!kind->diffuse)
        swirl_copy_bytes(out, chunk + 4, 4 * vertices * parts, 0, 0);
    for (i = 0; i < vertices && kind->diffuse; i++)
        swr_copy(out + i * parts, chunk + 4 + 4 * i * kind->stride, 4 * parts);
    return vertices * parts;
}

static uint32_t colours_of(const uint8_t *chunk, const struct shape_kind *kind, uint32_t vertices,
    uint32_t *out)
{
    uint32_t i;
    for (i = 0; i < vertices && kind->diffuse; i++)
        out[i] = swr_word(chunk + 4 + 4 * (i * kind->stride + kind->stride - 1));
    return i;
}

/* To the nearest of -512 to 511; halves away from zero. */
static uint32_t tenth(float part)
{
    float scaled = part * 512.0f, rest;
    int32_t whole = (int32_t)scaled;
    if (scaled >= 511.0f || scaled <= -512.0f)
        return scaled > 0.0f ? 511 : 0x200;
    rest = scaled - (float)whole;
    whole += (rest >= 0.5f) - (rest <= -0.5f);
    return (uint32_t)whole & 0x3FF;
}

static void put_normal(uint32_t *vertex, uint32_t id, const uint32_t *normal)
{
    const struct vertex_kind *kind = swr_vertex_kind(id);
    if (kind->normal == FLOAT_NORMAL)
        swr_copy(vertex + normal_word(id), normal, 12);
    if (kind->normal == PACKED_NORMAL)
        vertex[NORMAL_WORD] = tenth(swr_from_bits(normal[0])) << 20 | tenth(swr_from_bits(normal[1])) << 10
            | tenth(swr_from_bits(normal[2]));
}

static void put_floats(struct swr_moved *moved, const struct shape_kind *kind, const uint32_t *floats)
{
    uint32_t *words = (uint32_t *)(void *)moved->stand_in, id = words[0] & 0xFF, i;
    uint32_t stride = swr_vertex_kind(id)->stride, parts = kind->stride - kind->diffuse;
    for (i = 0; i < moved->vertices; i++) {
        if (kind->position)
            swr_copy(words + 2 + i * stride, floats + i * parts, 12);
        if (kind->normal)
            put_normal(words + 2 + i * stride, id, floats + i * parts + 3 * kind->position);
    }
}

/* A colour of 8 bits in 4, rounded to the nearest. */
static uint32_t nibble(uint32_t byte) { return swr_quotient((byte & 0xFF) + 8, 17); }

static void put_colour(uint32_t *vertex, const struct vertex_kind *kind, uint32_t colour)
{
    uint32_t *word = vertex + kind->at, half = 0;
    switch (kind->attribute) {
    case ATTRIBUTE_D8:
    case ATTRIBUTE_D8_S8: *word = colour; return;
    case ATTRIBUTE_NINJA_D8: word[1] = colour; return;
    case ATTRIBUTE_S5: half = (colour >> 19 & 31) << 11 | (colour >> 10 & 63) << 5
        | (colour >> 3 & 31); break;
    case ATTRIBUTE_S4:
        half = nibble(colour >> 24) << 12 | nibble(colour >> 16) << 8 | nibble(colour >> 8) << 4
            | nibble(colour);
        break;
    case ATTRIBUTE_INTENSITY: half = colour & 0xFF00; break;
    default: return;
    }
    *word = half << 16 | (*word & 0xFFFF);
}

static void put_colours(struct swr_moved *moved, const struct shape_kind *kind, const uint32_t *colours)
{
    uint32_t *words = (uint32_t *)(void *)moved->stand_in, i;
    const struct vertex_kind *own = swr_vertex_kind(words[0] & 0xFF);
    for (i = 0; i < moved->vertices && kind->diffuse; i++)
        put_colour(words + 2 + i * own->stride, own, colours[i]);
}

static void blend(const struct swr_shapes *shapes, struct swr_moved *moved, const struct swr_interval *at,
    float frame)
{
    uint32_t *first = (uint32_t *)(void *)shapes->between, *second = first + shapes->most, n;
    const uint8_t *before = shape_of(shapes, moved, at->before), *after = shape_of(shapes, moved, at->after);
    uint32_t moment[3];
    struct shape_kind kind;
    moment[0] = swirl_bits(frame);
    moment[1] = at->start;
    moment[2] = at->length;
    swr_shape_kind(swr_word(before) & 0xFF, &kind);
    n = floats_of(before, &kind, moved->vertices, first);
    floats_of(after, &kind, moved->vertices, second);
    if (n && at->between)
        swirl_shape_floats((const float *)first, (const float *)second, n, moment, (float *)first);
    put_floats(moved, &kind, first);
    n = colours_of(before, &kind, moved->vertices, first);
    colours_of(after, &kind, moved->vertices, second);
    if (n && at->between)
        swirl_shape_colours(first, second, n, moment, first);
    put_colours(moved, &kind, first);
}

int swr_shape(struct swr_model *model, struct swr_shapes *shapes, float frame)
{
    uint32_t i;
    if (!(frame >= 0.0f) || !swr_finite(frame) || !(frame < (float)(int32_t)shapes->length))
        return 0;
    for (i = 0; i < shapes->count; i++) {
        struct swr_moved *moved = &shapes->moved[i];
        struct swr_interval at;
        swr_interval_at(&moved->keys, shapes->length, shapes->last_key, frame, &at);
        blend(shapes, moved, &at, frame);
    }
    model->shapes = shapes;
    return 1;
}

/* The chunk that stands in for chunk `number` of a node's vertex list, or the chunk itself. */
const uint8_t *swr_stand_in(const struct swr_model *model, uint32_t node, uint32_t number, const uint8_t *own)
{
    const struct swr_shapes *shapes = model->shapes;
    uint32_t i;
    for (i = 0; shapes && i < shapes->count; i++)
        if (shapes->moved[i].node == node && shapes->moved[i].chunk == number)
            return shapes->moved[i].stand_in;
    return own;
}
