/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Work memory, sized by what models need. */
#include "internal.h"

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

void swr_combine_needs(struct swr_needs *needs, const struct swr_needs *other)
{
    needs->slots = larger(needs->slots, other->slots);
    needs->pending = larger(needs->pending, other->pending);
    needs->strip = larger(needs->strip, other->strip);
    needs->strip_words = larger(needs->strip_words, other->strip_words);
    needs->triangles = larger(needs->triangles, other->triangles);
    needs->vertices = larger(needs->vertices, other->vertices);
    needs->words = larger(needs->words, other->words);
    needs->second = larger(needs->second, other->second);
}

int swr_enough(const struct swr_needs *held, const struct swr_needs *wanted)
{
    struct swr_needs both = *held;
    const uint32_t *a = &both.slots, *b = &held->slots;
    uint32_t i;
    swr_combine_needs(&both, wanted);
    for (i = 0; i < sizeof both / 4; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

/* Memory for `count` elements; `failed` is set if there is none. */
static void *take(struct swr_memory *memory, uint32_t count, uint32_t bytes, int *failed)
{
    void *found = swr_take(memory, count * bytes);
    *failed |= !found;
    return found;
}

static void take_colours(struct slot_colours *colours, uint32_t slots, struct swr_memory *memory, int *failed)
{
    colours->base = take(memory, slots, 4, failed);
    colours->offset = take(memory, slots, 4, failed);
    colours->made_for = take(memory, slots, 4, failed);
}

static void take_buffer(struct buffer *buffer, const struct swr_needs *needs, struct swr_memory *memory,
    int *failed)
{
    uint32_t n = buffer->slots = needs->slots;
    buffer->positions = take(memory, n, 16, failed);
    buffer->normals = take(memory, n, 16, failed);
    buffer->screen = take(memory, n, 16, failed);
    buffer->kinds = take(memory, n, 1, failed);
    buffer->diffuse = take(memory, n, 4, failed);
    buffer->specular = take(memory, n, 4, failed);
    take_colours(&buffer->colours[0], n, memory, failed);
    if (needs->second)
        take_colours(&buffer->colours[1], n, memory, failed);
}

/* A strip has fewer triangles than entries, and a cut triangle two new corners. */
static uint32_t corners(const struct swr_needs *needs)
{
    uint32_t named = 3 * needs->triangles < needs->slots ? 3 * needs->triangles : needs->slots;
    return larger(3 * needs->strip, named + 2 * needs->triangles);
}

static void take_vectors(struct work *work, const struct swr_needs *needs, struct swr_memory *memory,
    int *failed)
{
    uint32_t lit = larger(needs->slots, needs->strip);
    work->lit = take(memory, lit, 16, failed);
    work->gloss = take(memory, lit, 16, failed);
    work->diffuse = take(memory, lit, 4, failed);
    work->specular = take(memory, lit, 4, failed);
    work->base = take(memory, needs->strip, 4, failed);
    work->offset = take(memory, needs->strip, 4, failed);
    work->normals = take(memory, needs->strip, 16, failed);
    work->vectors = take(memory, needs->strip, 16, failed);
    work->uv = take(memory, needs->strip, 16, failed);
    work->unpacked = take(memory, needs->vertices, 16, failed);
}

static void take_work(struct work *work, const struct swr_needs *needs, struct swr_memory *memory,
    int *failed)
{
    uint32_t n = corners(needs);
    take_vectors(work, needs, memory, failed);
    work->view = take(memory, n, 16, failed);
    work->corners = take(memory, n, sizeof(struct swirl_corner), failed);
    work->edges = take(memory, n, 4, failed);
    work->held = take(memory, n, 1, failed);
    work->front = take(memory, n, 1, failed);
    work->pieces = take(memory, n, 1, failed);
    work->words = take(memory, needs->words, 4, failed);
    work->halves = take(memory, larger(needs->strip_words, 3 * needs->strip), 2, failed);
    work->triangles = take(memory, needs->triangles, 6, failed);
    work->kept = take(memory, 3 * needs->triangles, 6, failed);
    work->index_of = take(memory, needs->slots, 2, failed);
    work->alike = take(memory, needs->slots, sizeof *work->alike, failed);
}

struct swr_runtime *swr_start(struct swr_memory *memory, const struct swr_needs *needs, uint32_t lights)
{
    int failed = 0;
    struct swr_runtime *runtime = take(memory, 1, sizeof *runtime, &failed);
    if (failed)
        return 0;
    swr_clear(runtime, sizeof *runtime);
    runtime->needs = *needs;
    runtime->max_lights = lights;
    take_buffer(&runtime->buffer, needs, memory, &failed);
    take_work(&runtime->work, needs, memory, &failed);
    runtime->pending = take(memory, needs->pending, sizeof *runtime->pending, &failed);
    runtime->running = take(memory, RUNNING, sizeof *runtime->running, &failed);
    runtime->cached = take(memory, 256, sizeof *runtime->cached, &failed);
    runtime->lights = take(memory, lights, sizeof *runtime->lights, &failed);
    return failed ? 0 : runtime;
}
