/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Colours of vertices: light and material to packed base and offset colours. */
#include "loops.h"

/* C99 does not convert these by itself. */
#define CONST_VECTORS(vectors) ((const float (*)[4])(vectors))

/* Vertices that are coloured together: what the kernels hand on stays in the cache. */
enum { AT_ONCE = 96 };

static void fill_vectors(float (*vectors)[4], uint32_t count, float value)
{
    swr_fill_words(vectors, 4 * count, swirl_bits(value));
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
        swirl_light_vertices(&light, CONST_VECTORS(vertices->positions), CONST_VECTORS(vertices->normals),
            vertices->count, work->lit, work->gloss);
    }
}

/* Intensities, floats, in the place of base colours. */
static void intensities(struct walk *walk, const struct shading *shading, const struct lit_vertices *vertices,
    uint32_t *base, uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    uint32_t i;
    fill_vectors(work->lit, vertices->count, shading->ambient_intensity);
    fill_vectors(work->gloss, vertices->count, 0.0f);
    add_lights(walk, vertices, 0, 0, 1);
    for (i = 0; i < vertices->count; i++)
        base[i] = swirl_bits(work->lit[i][0]);
    swr_fill_words(offset, vertices->count, 0);
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
    uint32_t *base, uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    uint32_t n = vertices->count;
    if (shading->intensity) {
        intensities(walk, shading, vertices, base, offset);
        return;
    }
    if (shading->single
        && !((vertices->own & HAS_DIFFUSE) && !all_equal(vertices->diffuse, n, shading->diffuse))
        && !((vertices->own & HAS_SPECULAR) && !all_equal(vertices->specular, n, shading->specular))) {
        swirl_transform_normals_and_light(&shading->light, vertices->normals[0], n, base, 16);
        swr_fill_words(offset, n, 0);
        return;
    }
    fill_vectors(work->lit, n, 0.0f);
    fill_vectors(work->gloss, n, 0.0f);
    add_lights(walk, vertices, shading->highlight, shading->exponent, 0);
    swirl_shade_colours(&shading->shade, CONST_VECTORS(work->lit), CONST_VECTORS(work->gloss), n,
        vertices->diffuse, vertices->specular, base, offset);
}

/* Vertices that are not lit but have specular colours of their own. */
static void unlit(struct walk *walk, const struct shading *shading, const struct lit_vertices *vertices,
    uint32_t *base, uint32_t *offset)
{
    struct work *work = &walk->runtime->work;
    struct swirl_shade shade = {{0.0f, 0.0f, 0.0f}, 1};
    uint32_t n = vertices->count;
    if (!shading->shade.fold) {
        swirl_copy_bytes(base, vertices->diffuse, 4 * n, 0, 0);
        swirl_copy_bytes(offset, vertices->specular, 4 * n, 0, 0);
        return;
    }
    fill_vectors(work->lit, n, 1.0f);
    fill_vectors(work->gloss, n, 1.0f);
    swirl_shade_colours(&shade, CONST_VECTORS(work->lit), CONST_VECTORS(work->gloss), n, vertices->diffuse,
        vertices->specular, base, offset);
}

enum { LIGHT_WORK, UNLIT_WORK, COPY_WORK };

static int work_of(uint32_t kind, const struct shading *shading)
{
    if ((kind & HAS_NORMAL) && shading->lit)
        return LIGHT_WORK;
    return (kind & HAS_SPECULAR) && shading->highlight ? UNLIT_WORK : COPY_WORK;
}

static int any_offset(const uint32_t *offset, uint32_t count)
{
    const uint32_t *end = offset + count;
    for (; offset != end; offset++)
        if (*offset & 0xFFFFFF)
            return 1;
    return 0;
}

/* Whether an offset colour would change a pixel. */
int swr_has_offsets(const struct walk *walk, const struct named *named, uint32_t volume)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    const uint32_t *offset = buffer->colours[volume].offset;
    const struct alike *run;
    uint32_t slot;
    if (!walk->shadings[volume].offsets)
        return 0;
    for (run = named->runs; run != named->end; run++)
        for (slot = run->start; slot < run->end; slot++)
            if ((offset[slot] & 0xFFFFFF) && (buffer->kinds[slot] & NAMED))
                return 1;
    return 0;
}

/* What vertices of one kind have in common while they are coloured. */
struct colouring {
    struct walk *walk;
    struct shading *shading;
    struct slot_colours *colours;
    uint32_t kind;
};

/* The colours of slots, the material's where vertices have none. */
static void gather(const struct colouring *it, uint32_t start, struct lit_vertices *vertices)
{
    const struct buffer *buffer = &it->walk->runtime->buffer;
    struct work *work = &it->walk->runtime->work;
    vertices->own = it->kind & (HAS_DIFFUSE | HAS_SPECULAR);
    vertices->diffuse = it->kind & HAS_DIFFUSE ? &buffer->diffuse[start] : work->diffuse;
    vertices->specular = it->kind & HAS_SPECULAR ? &buffer->specular[start] : work->specular;
    if (it->shading->single && it->kind & HAS_NORMAL && !vertices->own)
        return; /* nothing reads them */
    if (!(it->kind & HAS_DIFFUSE))
        swr_fill_words(work->diffuse, vertices->count, it->shading->diffuse);
    if (!(it->kind & HAS_SPECULAR))
        swr_fill_words(work->specular, vertices->count, it->shading->specular);
}

static void colour_run(const struct colouring *it, uint32_t start, uint32_t end)
{
    struct buffer *buffer = &it->walk->runtime->buffer;
    struct lit_vertices vertices;
    int is_lit = work_of(it->kind, it->shading) == LIGHT_WORK;
    if (is_lit)
        swr_prepare_light(it->walk, it->shading);
    for (; start < end; start += vertices.count) {
        uint32_t *base = &it->colours->base[start], *offset = &it->colours->offset[start];
        vertices.count = end - start < AT_ONCE ? end - start : AT_ONCE;
        vertices.positions = &buffer->positions[start];
        vertices.normals = &buffer->normals[start];
        gather(it, start, &vertices);
        if (is_lit)
            swr_light(it->walk, it->shading, &vertices, base, offset);
        else
            unlit(it->walk, it->shading, &vertices, base, offset);
        if (!it->shading->offsets)
            it->shading->offsets = (uint32_t)any_offset(offset, vertices.count);
    }
}

/* Slots without light have their own colours, or the material's. */
static void copy_run(const struct colouring *it, uint32_t start, uint32_t end)
{
    const struct buffer *buffer = &it->walk->runtime->buffer;
    uint32_t n = end - start;
    if (it->kind & HAS_DIFFUSE)
        swirl_copy_bytes(&it->colours->base[start], &buffer->diffuse[start], 4 * n, 0, 0);
    else
        swr_fill_words(&it->colours->base[start], n, it->shading->diffuse);
    swr_fill_words(&it->colours->offset[start], n, 0);
}

/* Those of the slots that have no colours of this shading yet. */
static void colour_alike(const struct colouring *it, const struct alike *run)
{
    const uint32_t *made_for = it->colours->made_for;
    uint32_t at = run->start, start, number = it->shading->number;
    if (!it->shading->used) {
        colour_run(it, run->start, run->end);
        return;
    }
    while (at < run->end) {
        for (start = at; at < run->end && made_for[at] != number; at++) {
        }
        if (at > start)
            colour_run(it, start, at);
        else
            at++;
    }
}

/* All slots that were filled last get their own colours, or the material's, at once. */
static void copy_latest(const struct colouring *it, uint32_t volume)
{
    struct latest *latest = &it->walk->runtime->buffer.latest;
    if (latest->copied[volume] != it->shading->number)
        copy_run(it, latest->start, latest->end);
    latest->copied[volume] = it->shading->number;
}

/* Makes colours of named slots for the material of a volume. */
void swr_colour(struct walk *walk, const struct named *named, uint32_t volume, struct shading *shading)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct colouring it = {walk, shading, &buffer->colours[volume], 0};
    const struct alike *run;
    for (run = named->runs; run != named->end; run++) {
        it.kind = run->kind;
        if (work_of(run->kind, shading) == COPY_WORK) {
            if (named->in_latest)
                copy_latest(&it, volume);
            else
                copy_run(&it, run->start, run->end);
            continue;
        }
        colour_alike(&it, run);
        swr_fill_words(&it.colours->made_for[run->start], (uint32_t)run->end - run->start, shading->number);
    }
    shading->used = 1;
}
