/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Lights, and what they are in view space. */
#include "internal.h"

static float absolute(float value) { return swr_from_bits(swirl_bits(value) & 0x7FFFFFFF); }

static float larger(float a, float b) { return a > b ? a : b; }

/* Offset and slope of the line that is 1 at `full` and 0 at `gone`, not steeper than a single can tell. */
static void slope(float full, float gone, float out[2])
{
    float least = larger(larger(absolute(gone), absolute(full)), 1.0e-20f) * 1.1920929e-7f;
    float way = gone - full;
    if (absolute(way) < least)
        way = swr_from_bits(swirl_bits(least) | (swirl_bits(way) & 0x80000000));
    out[0] = gone / way;
    out[1] = -1.0f / way;
}

static void spot(const struct swr_light_source *source, const float view[16], struct swirl_light *light)
{
    uint32_t angles[2], k;
    float back[3], waves[2][2] __attribute__((aligned(8)));
    for (k = 0; k < 3; k++)
        back[k] = -source->beam[k];
    swr_transform(view, back, 0.0f, light->axis);
    angles[0] = (uint32_t)source->inner;
    angles[1] = (uint32_t)source->outer;
    swirl_sincos(angles, 2, waves);
    slope(waves[0][1], waves[1][1], light->cone);
    light->flags |= SWIRL_LIGHT_CONE;
}

void swr_light_blocks(const struct swr_scene *scene, const float view[16], struct swirl_light *lights)
{
    uint32_t i;
    for (i = 0; i < scene->light_count; i++) {
        const struct swr_light_source *source = &scene->lights[i];
        struct swirl_light *light = &lights[i];
        swr_clear(light, sizeof *light);
        swr_copy(light->colour, source->colour, 12);
        swr_copy(light->gloss, source->specular, 12);
        swr_transform(view, source->place, source->kind == SWR_DIRECTIONAL ? 0.0f : 1.0f, light->place);
        if (source->kind == SWR_DIRECTIONAL)
            continue;
        slope(source->near, source->far, light->range);
        light->flags = SWIRL_LIGHT_POSITION;
        if (source->kind == SWR_SPOT)
            spot(source, view, light);
    }
}

/* light * material, channel by channel; the material's are 0 to 255. */
void swr_scaled(const float light[3], uint32_t material, float out[3])
{
    float diagonal[16] __attribute__((aligned(8)));
    float channels[3];
    uint32_t k;
    swr_clear(diagonal, sizeof diagonal);
    for (k = 0; k < 3; k++) {
        diagonal[5 * k] = light[k];
        channels[k] = (float)(int32_t)(material >> (16 - 8 * k) & 0xFF);
    }
    swr_transform(diagonal, channels, 0.0f, out);
}

float swr_mean(const float channels[3]) { return (channels[0] + channels[1] + channels[2]) / 3.0f; }
