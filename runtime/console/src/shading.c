/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Colours of vertices: light and material to packed base and offset colours. */
#include "internal.h"

/* C99 does not convert these by itself. */
#define CONST_VECTORS(vectors) ((const float (*)[4])(vectors))

static void fill_vectors(float (*vectors)[4], uint32_t count, float value)
{
    uint32_t i, k;
    for (i = 0; i < count; i++)
        for (k = 0; k < 4; k++)
            vectors[i][k] = value;
}

static void add_lights(struct walk *walk, const struct lit_vertices *vertices, uint32_t highlight,
    uint32_t exponent, int grey)
{
    struct work *work = &walk->runtime->work;
    uint32_t i, k;
    for (i = 0; i < walk->scene->light_count; i++) {
        struct swirl_light light = walk->runtime->lights[i];
        float mean = swr_mean(light.colour);
        light.flags |= highlight;
        light.exponent = exponent;
        for (k = 0; grey && k < 3; k++)
            light.colour[k] = mean;
        swirl_light_vertices(
            &light, CONST_VECTORS(vertices->positions), CONST_VECTORS(vertices->normals), vertices->count,
            work->lit,
            work->gloss);
    }
}

/* Intensities, floats, in the place of base colours. */
static void intensities(struct walk *walk, const struct shading *shading,
    const struct lit_vertices *vertices, uint32_t *base,
    uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    uint32_t i;
    fill_vectors(work->lit, vertices->count, shading->ambient_intensity);
    fill_vectors(work->gloss, vertices->count, 0.0f);
    add_lights(walk, vertices, 0, 0, 1);
    for (i = 0; i < vertices->count; i++) {
        base[i] = swirl_bits(work->lit[i][0]);
        offset[i] = 0;
    }
}

static int all_equal(const uint32_t *words, uint32_t count, uint32_t value)
{
    uint32_t i;
    for (i = 0; i < count; i++)
        if (words[i] != value)
            return 0;
    return 1;
}

void swr_light(struct walk *walk, const struct shading *shading, const struct lit_vertices *vertices,
    uint32_t *base,
    uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    uint32_t i, n = vertices->count;
    if (shading->intensity) {
        intensities(walk, shading, vertices, base, offset);
        return;
    }
    if (shading->single && all_equal(vertices->diffuse, n, shading->diffuse)
        && all_equal(vertices->specular, n, shading->specular)) {
        swirl_transform_normals_and_light(&shading->light, vertices->normals[0], n, base, 16);
        for (i = 0; i < n; i++)
            offset[i] = 0;
        return;
    }
    fill_vectors(work->lit, n, 0.0f);
    fill_vectors(work->gloss, n, 0.0f);
    add_lights(walk, vertices, shading->highlight, shading->exponent, 0);
    swirl_shade_colours(
        &shading->shade, CONST_VECTORS(work->lit), CONST_VECTORS(work->gloss), n, vertices->diffuse,
        vertices->specular,
        base, offset);
}

/* Vertices that are not lit but have specular colours of their own. */
static void unlit(struct walk *walk, const struct shading *shading, const struct lit_vertices *vertices,
    uint32_t *base,
    uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    struct swirl_shade shade = {{0.0f, 0.0f, 0.0f}, 1};
    uint32_t i, n = vertices->count;
    if (!shading->shade.fold) {
        for (i = 0; i < n; i++) {
            base[i] = vertices->diffuse[i];
            offset[i] = vertices->specular[i];
        }
        return;
    }
    fill_vectors(work->lit, n, 1.0f);
    fill_vectors(work->gloss, n, 1.0f);
    swirl_shade_colours(&shade, CONST_VECTORS(work->lit), CONST_VECTORS(work->gloss), n, vertices->diffuse,
        vertices->specular, base, offset);
}

enum { LIGHT_WORK, UNLIT_WORK, COPY_WORK };

static int work_of(const struct buffer *buffer, uint32_t slot, const struct shading *shading)
{
    uint32_t kind = buffer->kinds[slot];
    if ((kind & HAS_NORMAL) && shading->lit)
        return LIGHT_WORK;
    return (kind & HAS_SPECULAR) && shading->highlight ? UNLIT_WORK : COPY_WORK;
}

static int needs(const struct buffer *buffer, uint32_t slot, uint32_t volume, const struct shading *shading,
    int kind)
{
    return (buffer->kinds[slot] & NAMED) && buffer->colours[volume].made_for[slot] != shading->number
        && work_of(buffer, slot, shading) == kind;
}

/* The colours of slots from `start` on, the material's where a vertex has none. */
static void gather(struct walk *walk, uint32_t start, uint32_t count, const struct shading *shading)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i;
    for (i = 0; i < count; i++) {
        uint32_t kind = buffer->kinds[start + i];
        walk->runtime->work.diffuse[i] = kind & HAS_DIFFUSE ? buffer->diffuse[start + i] : shading->diffuse;
        walk->runtime->work.specular[i] = kind & HAS_SPECULAR ? buffer->specular[start + i]
            : shading->specular;
    }
}

static void colour_run(struct walk *walk, uint32_t start, uint32_t count, uint32_t volume,
    const struct shading *shading, int kind)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct slot_colours *colours = &buffer->colours[volume];
    struct lit_vertices vertices;
    gather(walk, start, count, shading);
    vertices.positions = &buffer->positions[start];
    vertices.normals = &buffer->normals[start];
    vertices.diffuse = walk->runtime->work.diffuse;
    vertices.specular = walk->runtime->work.specular;
    vertices.count = count;
    if (kind == LIGHT_WORK)
        swr_light(walk, shading, &vertices, &colours->base[start], &colours->offset[start]);
    else
        unlit(walk, shading, &vertices, &colours->base[start], &colours->offset[start]);
}

static void colour_runs(struct walk *walk, const struct named *named, uint32_t volume,
    const struct shading *shading, int kind)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    uint32_t slot = named->first, start;
    while (slot <= named->last) {
        for (start = slot; slot <= named->last && needs(buffer, slot, volume, shading, kind); slot++) {
        }
        if (slot == start)
            slot++;
        else
            colour_run(walk, start, slot - start, volume, shading, kind);
    }
}

/* Makes colours of named slots for the material of a volume. */
void swr_colour(struct walk *walk, const struct named *named, uint32_t volume, const struct shading *shading)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct slot_colours *colours = &buffer->colours[volume];
    uint32_t slot;
    if (!named->any)
        return;
    if (shading->lit)
        colour_runs(walk, named, volume, shading, LIGHT_WORK);
    if (shading->highlight)
        colour_runs(walk, named, volume, shading, UNLIT_WORK);
    for (slot = named->first; slot <= named->last; slot++) {
        if (!(buffer->kinds[slot] & NAMED))
            continue;
        if (work_of(buffer, slot, shading) == COPY_WORK) {
            colours->base[slot] = buffer->kinds[slot] & HAS_DIFFUSE ? buffer->diffuse[slot]
                : shading->diffuse;
            colours->offset[slot] = 0;
        }
        colours->made_for[slot] = shading->number;
    }
}
