/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The vertex buffer: transformed vertices that outlive the node that made them. */
#include "loops.h"

/* Vertices that go through all steps together. */
enum { AT_ONCE = 96 };

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

/* Slots of one kind have been filled, one after the other: behind those filled last, or others. */
static void add_latest(struct buffer *buffer, uint32_t start, uint32_t count, uint32_t kind)
{
    struct latest *latest = &buffer->latest;
    if (latest->kind != kind || latest->end != start) {
        latest->start = latest->projected = start;
        latest->kind = kind;
        latest->behind = 0;
    }
    latest->end = start + count;
    latest->copied[0] = latest->copied[1] = 0;
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

/* A word of each vertex. */
static void take_column(uint32_t *out, uint32_t count, const uint32_t *word, uint32_t stride)
{
    uint32_t *end = out + count;
    for (; out != end; word += stride)
        *out++ = *word;
}

/* All slots of a chunk, one after the other, have changed; their colours are words of the vertices, if they
 * have any. */
static void changed_row(struct buffer *buffer, const struct chunk *chunk, uint32_t kind)
{
    const uint32_t *colours = chunk->words + chunk->kind->at;
    uint32_t volume, has_specular = chunk->kind->attribute == ATTRIBUTE_D8_S8;
    if (chunk->kind->attribute != NO_ATTRIBUTE) {
        take_column(&buffer->diffuse[chunk->offset], chunk->count, colours, chunk->kind->stride);
        kind |= HAS_DIFFUSE;
    }
    if (has_specular) {
        take_column(&buffer->specular[chunk->offset], chunk->count, colours + 1, chunk->kind->stride);
        kind |= HAS_SPECULAR;
    }
    swr_fill_bytes(&buffer->kinds[chunk->offset], chunk->count, FILLED | kind);
    add_latest(buffer, chunk->offset, chunk->count, FILLED | kind);
    for (volume = 0; volume < 2 && buffer->colours[volume].made_for; volume++)
        swr_fill_words(&buffer->colours[volume].made_for[chunk->offset], chunk->count, 0);
}

static void replace(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i, kind = 0, normal = chunk->kind->normal != NO_NORMAL ? HAS_NORMAL : 0;
    swirl_transform_points(matrix, (const float *)chunk->words, &buffer->positions[chunk->offset],
        chunk->count, chunk->kind->stride * 4u, swirl_bits(1.0f));
    replace_normals(walk, matrix, chunk);
    if (chunk->kind->attribute == NO_ATTRIBUTE || chunk->kind->attribute == ATTRIBUTE_D8
        || chunk->kind->attribute == ATTRIBUTE_D8_S8) {
        changed_row(buffer, chunk, normal);
        return;
    }
    for (i = 0; i < chunk->count; i++) {
        uint32_t slot = chunk->offset + i;
        const uint32_t *vertex = chunk->words + i * chunk->kind->stride;
        kind = normal | own_colours(chunk->kind, vertex, &buffer->diffuse[slot], &buffer->specular[slot]);
        changed(buffer, slot, kind);
    }
    add_latest(buffer, chunk->offset, chunk->count, FILLED | kind);
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

/* All slots of a weighted chunk have changed, and have no colours of their own. */
static void changed_all(struct buffer *buffer, const struct chunk *chunk, uint32_t kind)
{
    const uint32_t *flags = chunk->words + chunk->kind->at;
    uint8_t *kinds = buffer->kinds + chunk->offset;
    uint32_t *first = buffer->colours[0].made_for + chunk->offset;
    uint32_t *second = buffer->colours[1].made_for;
    uint32_t left, stride = chunk->kind->stride;
    for (left = chunk->count; left; left--, flags += stride) {
        int32_t index = (int16_t)(*flags & 0xFFFF);
        kinds[index] = (uint8_t)(FILLED | kind);
        first[index] = 0;
        if (second)
            second[(int32_t)chunk->offset + index] = 0;
    }
}

/* Weight status: 0 overwrites slots, 1 adds, 2 adds and takes the vertices' colours. */
static void blend(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i, normal = chunk->kind->normal != NO_NORMAL, kind = normal ? HAS_NORMAL : 0;
    buffer->latest.kind = buffer->latest.end = 0;
    /* Indices count from the chunk's offset: for them the buffer begins at -offset. */
    swirl_blend_weighted(matrix, (const float *)weighted_words(walk, chunk), chunk->count, buffer->positions,
        buffer->normals, 0 - chunk->offset, (chunk->status != 0) | normal << 1,
        swirl_bits(walk->model->weight_scale));
    if (chunk->status != 2 || chunk->kind->attribute != ATTRIBUTE_NINJA_D8) {
        changed_all(buffer, chunk, kind);
        return;
    }
    for (i = 0; i < chunk->count; i++) {
        const uint32_t *vertex = chunk->words + i * chunk->kind->stride;
        uint32_t slot = (uint32_t)((int32_t)chunk->offset + (int16_t)(vertex[chunk->kind->at] & 0xFFFF));
        changed(buffer, slot,
            kind | own_colours(chunk->kind, vertex, &buffer->diffuse[slot], &buffer->specular[slot]));
    }
}

static int is_weighted(const struct chunk *chunk)
{
    uint32_t attribute = chunk->kind->attribute;
    return (attribute == ATTRIBUTE_NINJA || attribute == ATTRIBUTE_NINJA_D8) && chunk->status < 3;
}

/* Piece by piece: what several kernels and loops read stays in the cache. */
static void fill_pieces(struct walk *walk, const float matrix[16], const struct chunk *chunk)
{
    struct chunk piece = *chunk;
    uint32_t left = chunk->count, weighted = (uint32_t)is_weighted(chunk);
    for (; left; left -= piece.count) {
        piece.count = left < AT_ONCE ? left : AT_ONCE;
        if (weighted) {
            blend(walk, matrix, &piece);
        } else {
            replace(walk, matrix, &piece);
            piece.offset += piece.count;
        }
        piece.words += piece.count * piece.kind->stride;
    }
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
    fill_pieces(walk, matrix, &chunk);
}

/* Transforms the vertex list of a node, which loading has checked. */
int swr_fill(struct walk *walk, uint32_t node, const float matrix[16], const uint8_t *list)
{
    uint32_t head, number;
    for (number = 0; (head = swr_word(list)) % 256 != 255; number++, list += 4 + (head >> 16) * 4)
        fill_chunk(walk, matrix, swr_stand_in(walk->model, node, number, list));
    return SWR_OK;
}

/* Whether a slot of a run is marked; four at once. */
static uint32_t any_behind(const struct buffer *buffer, const struct alike *run)
{
    const uint8_t *at = buffer->kinds + run->start, *end = buffer->kinds + run->end;
    uint32_t bits = 0;
    for (; at < end && ((uintptr_t)at & 3); at++)
        bits |= *at;
    for (; at + 4 <= end; at += 4)
        bits |= *(const uint32_t *)(const void *)at;
    for (; at < end; at++)
        bits |= *at;
    return bits & BEHIND * 0x01010101u;
}

/* Marks slots from `start` on that lie behind the near plane; whether there are any. Four at once, as few do. */
static uint32_t mark_behind(struct buffer *buffer, uint32_t start, uint32_t count, float near)
{
    const float *w = &buffer->screen[start][3], *end = w + 4 * count;
    uint8_t *kind = &buffer->kinds[start];
    uint32_t any = 0;
    while (w != end) {
        if (end - w >= 16 && w[0] > near && w[4] > near && w[8] > near && w[12] > near) {
            w += 16;
            kind += 4;
            continue;
        }
        if (!(*w > near)) {
            *kind |= BEHIND;
            any = 1;
        }
        w += 4;
        kind++;
    }
    return any;
}

/* Makes screen positions of slots one after the other; whether one lies behind the near plane. */
static uint32_t project(struct walk *walk, uint32_t start, uint32_t end)
{
    struct buffer *buffer = &walk->runtime->buffer;
    float viewport[4] __attribute__((aligned(8)));
    uint32_t n, behind = 0;
    if (start < end)
        swr_copy(viewport, walk->scene->viewport, sizeof viewport);
    for (; start < end; start += n) {
        n = end - start < AT_ONCE ? end - start : AT_ONCE;
        swirl_project_points(viewport, buffer->positions[start], n, &buffer->screen[start], 16);
        behind |= mark_behind(buffer, start, n, walk->scene->near);
    }
    return behind;
}

/* All slots that were filled last get screen positions at once. */
static void project_latest(struct walk *walk, struct named *named)
{
    struct latest *latest = &walk->runtime->buffer.latest;
    latest->behind |= project(walk, latest->projected, latest->end);
    latest->projected = latest->end;
    named->behind = latest->behind && any_behind(&walk->runtime->buffer, named->runs);
}

/* Makes screen positions of named slots. */
void swr_project(struct walk *walk, struct named *named)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct alike *run;
    if (named->in_latest) {
        project_latest(walk, named);
        return;
    }
    for (run = named->runs; run != named->end; run++) {
        if (!(run->kind & PROJECTED)) {
            swr_change_kinds(buffer, run, PROJECTED, 0);
            project(walk, run->start, run->end);
        }
        named->behind |= any_behind(buffer, run);
    }
}
