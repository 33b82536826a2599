/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Strip chunks to vertex parameters. */
#include "loops.h"

const uint16_t *swr_entries(struct walk *walk, const struct strip_chunk *chunk, const struct strip_part *part)
{
    uint16_t *out = walk->runtime->work.halves;
    uint32_t i, k, size = chunk->kind->words;
    if (chunk->user == 0)
        return swr_entry(chunk, part, 0);
    for (i = 0; i < part->count; i++)
        for (k = 0; k < size; k++)
            out[i * size + k] = swr_entry(chunk, part, i)[k];
    return out;
}

/* The strip whose length word is at `words`; gives where the next one is. */
static const uint16_t *read_strip(const struct strip_chunk *chunk, const uint16_t *words,
    struct strip_part *part)
{
    int16_t length = (int16_t)words[0];
    part->chunk = chunk;
    part->words = words + 1;
    part->start = 0;
    part->reversed = length < 0;
    part->count = (uint32_t)(length < 0 ? -(int32_t)length : length);
    return swr_entry(chunk, part, part->count);
}

static int only_normals(const struct named *named)
{
    const struct alike *run;
    for (run = named->runs; run != named->end; run++)
        if ((run->kind & (HAS_NORMAL | HAS_DIFFUSE | HAS_SPECULAR)) != HAS_NORMAL)
            return 0;
    return 1;
}

static void colour_volumes(
    struct walk *walk, const struct strip_chunk *chunk, const struct named *named, uint32_t fold,
    struct strip_batch *batch)
{
    uint32_t volume;
    for (volume = 0; volume < batch->volumes; volume++) {
        swr_shading(walk, volume, chunk->flags, fold, batch->intensity);
        swr_colour(walk, named, volume, &walk->shadings[volume]);
    }
}

static uint32_t wants_offset(const struct walk *walk, const struct strip_chunk *chunk,
    const struct named *named, const struct strip_batch *batch, uint32_t textured)
{
    uint32_t volume, offset = 0;
    for (volume = 0; volume < batch->volumes; volume++) {
        const struct shading *shading = &walk->shadings[volume];
        offset |= (uint32_t)(textured && swr_has_offsets(walk, named, volume));
        offset |= (uint32_t)(chunk->kind->normal && shading->lit && shading->highlight);
    }
    return offset;
}

static void make_batch(struct walk *walk, const struct strip_chunk *chunk, const struct named *named,
    struct strip_batch *batch)
{
    const struct strip_kind *kind = chunk->kind;
    struct strip_style style;
    uint32_t plain;
    style.flags = batch->flags = chunk->flags;
    style.two_volumes = kind->second && !walk->scene->settings.cheap_shadows;
    style.textured = (uint32_t)swr_textured(walk, chunk);
    plain = !(style.two_volumes || kind->normal || kind->colour);
    batch->intensity = style.intensity =
        (uint32_t)(plain && swr_can_intensity(walk, chunk->flags) && only_normals(named));
    batch->volumes = 1 + style.two_volumes;
    colour_volumes(walk, chunk, named, !style.textured, batch);
    style.offset = wants_offset(walk, chunk, named, batch, style.textured);
    batch->pass_count = swr_passes(walk, &style, batch->passes);
    batch->form = !style.two_volumes ? 0 : style.textured ? 1 : 2;
    batch->in_place = plain && !(chunk->flags & ENVIRONMENT);
    batch->offset_mask = style.offset ? 0xFFFFFFFF : 0;
    batch->at_once = batch->pass_count == 1
        || (batch->pass_count == 2 && batch->passes[0].list != batch->passes[1].list);
}

/* Draws a strip, or what hidden vertices leave of one. */
static int draw_part(struct walk *walk, const struct strip_part *part, const struct strip_batch *batch)
{
    uint32_t i, front = 0;
    for (i = 0; i < part->count; i++)
        front += (uint32_t)swr_front(walk, swr_entry(part->chunk, part, i)[0]);
    if (front == 0)
        return SWR_OK;
    if (batch->in_place && !batch->offset_mask && front == part->count)
        return swr_send_strip(walk, batch, part);
    return swr_corners(walk, part->chunk, part, batch);
}

/* The next run of three and more for which `has` holds; begin with start = end = 0. Leaving out an odd
 * number in front turns the winding once more. */
int swr_next_run(const uint8_t *has, uint32_t count, uint32_t reversed, struct run *run)
{
    uint32_t start, end = run->end;
    while (end < count) {
        for (start = end; end < count && has[end]; end++) {
        }
        if (end >= start + 3) {
            run->start = start;
            run->end = end;
            run->reversed = reversed != (start & 1);
            return 1;
        }
        end++;
    }
    return 0;
}

static int draw_strip(struct walk *walk, const struct strip_part *strip, const struct strip_batch *batch)
{
    uint8_t *held = walk->runtime->work.held;
    struct run run = {0, 0, 0};
    uint32_t i;
    for (i = 0; i < strip->count; i++)
        held[i] = (uint8_t)swr_holds(&walk->runtime->buffer, swr_entry(strip->chunk, strip, i)[0]);
    while (swr_next_run(held, strip->count, strip->reversed, &run)) {
        struct strip_part part = *strip;
        part.start = run.start;
        part.count = run.end - run.start;
        part.reversed = run.reversed;
        SWR_TRY(draw_part(walk, &part, batch));
    }
    return SWR_OK;
}

static int draw_named(struct walk *walk, const struct strip_chunk *chunk, const float matrix[16],
    struct named *named)
{
    const uint16_t *next = chunk->words;
    struct strip_batch batch;
    struct strip_part strip;
    uint32_t i;
    if (swr_out_of_sight(walk, named))
        return SWR_OK;
    batch.matrix = matrix;
    swr_project(walk, named);
    make_batch(walk, chunk, named, &batch);
    if (batch.in_place && batch.at_once && !(named->missing || named->behind || chunk->user))
        return swr_send_strips(walk, &batch, chunk, named->blocks);
    for (i = 0; i < chunk->count; i++) {
        next = read_strip(chunk, next, &strip);
        if (named->missing || strip.count < 3)
            SWR_TRY(draw_strip(walk, &strip, &batch));
        else
            SWR_TRY(draw_part(walk, &strip, &batch));
    }
    return SWR_OK;
}

/* Draws every strip of a chunk with the present material. */
int swr_strips(struct walk *walk, const struct strip_chunk *chunk, const float matrix[16])
{
    struct named named;
    int result = swr_name_slots(walk, chunk, &named);
    if (result == SWR_OK)
        result = draw_named(walk, chunk, matrix, &named);
    swr_forget_names(walk, &named);
    return result;
}
