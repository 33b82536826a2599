/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Material state: polygon lists carry differences, this is what they add up to. */
#include "internal.h"

/* Factors, then which buffers: as the TSP word has them in bits 31 to 24, in another order. */
static uint32_t blend_of(uint32_t bits) { return (bits & 63) << 26 | (bits >> 6 & 3) << 24; }

enum { ADJUST = 15 << 8 };

/* The state before the first material: opaque white without highlights. */
void swr_start_material(struct walk *walk, const float view[16])
{
    uint32_t i;
    swr_clear(walk->materials, sizeof walk->materials);
    for (i = 0; i < 2; i++) {
        walk->materials[i].diffuse = 0xFFFFFFFF;
        walk->materials[i].ambient = 0xFFFFFFFF;
        walk->shadings[i].valid = 0;
    }
    walk->shading_number = 0;
    swr_inverse_rotation(view, walk->to_world);
    swr_light_blocks(walk->scene, view, walk->runtime->lights);
}

static uint32_t colour_of(const uint16_t *halves) { return (uint32_t)halves[1] << 16 | halves[0]; }

/* Ids 17 to 23 for the first, 25 to 31 for the second parameter; bit 0 diffuse, 1 ambient, 2 specular. */
static void apply_material(struct walk *walk, const uint16_t *chunk, uint32_t words)
{
    uint32_t id = chunk[0] & 0xFF, bits = id & 7, second = id >= 25;
    uint32_t colours = (bits & 1) + (bits >> 1 & 1) + (bits >> 2);
    struct volume_material *material = &walk->materials[second];
    const uint16_t *next = chunk + 2;
    if (words != 2 + 2 * colours)
        return;
    material->blend = blend_of(chunk[0] >> 8);
    if (bits & 1) {
        material->diffuse = colour_of(next);
        next += 2;
    }
    if (bits & 2) {
        material->ambient = colour_of(next);
        next += 2;
    }
    if (bits & 4) {
        material->specular = colour_of(next) & 0xFFFFFF;
        material->exponent = colour_of(next) >> 24;
    }
    walk->shadings[0].valid = walk->shadings[1].valid = 0;
}

static void apply_texture(struct walk *walk, const uint16_t *chunk)
{
    struct tiny *tiny = &walk->materials[(chunk[0] & 0xFF) == 9].tiny;
    uint32_t head = chunk[0], word = chunk[1];
    tiny->present = 1;
    tiny->bits = (head & 0xF000) << 3 | (word & 0xE000) >> 1 | (head & ADJUST);
    tiny->texture = word & 0x1FFF;
}

/* Takes over a difference; chunks that carry none are passed over. */
void swr_apply(struct walk *walk, const uint16_t *chunk, uint32_t words)
{
    uint32_t id = chunk[0] & 0xFF, bits = chunk[0] >> 8;
    struct volume_material *first = &walk->materials[0];
    if (id == 1) {
        first->blend = blend_of(bits);
    } else if (id == 2 && !walk->scene->settings.skip_bits) {
        if (first->tiny.present)
            first->tiny.bits = (first->tiny.bits & ~(uint32_t)ADJUST) | (bits << 8 & ADJUST);
    } else if (id == 3 && !walk->scene->settings.skip_bits) {
        first->exponent = bits & 31;
        walk->shadings[0].valid = walk->shadings[1].valid = 0;
    } else if (id == 8 || id == 9) {
        apply_texture(walk, chunk);
    } else if (id >= 17 && id <= 31 && id != 24) {
        apply_material(walk, chunk, words);
    }
}

/* Flags of light_vertices for the highlights of strips. */
static uint32_t highlight_of(const struct walk *walk, uint32_t flags)
{
    uint32_t highlight = walk->scene->settings.highlight;
    if ((flags & IGNORE_SPECULAR) || highlight == SWR_NO_HIGHLIGHT)
        return 0;
    return SWIRL_LIGHT_HIGHLIGHT | (highlight == SWR_REFLECTED ? SWIRL_LIGHT_REFLECTED : 0);
}

/* Whether strips whose vertices have normals and no colours are to have intensities. */
int swr_can_intensity(const struct walk *walk, uint32_t flags)
{
    int shines = highlight_of(walk, flags) != 0 && walk->materials[0].specular != 0;
    return walk->scene->settings.intensity && !(flags & IGNORE_LIGHT) && !shines;
}

int swr_textured(const struct walk *walk, const struct strip_chunk *chunk)
{
    return (chunk->kind->pairs > 0 || (chunk->flags & ENVIRONMENT)) && walk->materials[0].tiny.present;
}

/* The block of the kernel that does one directional light and ambient at once. */
static void single_light(struct walk *walk, struct shading *shading)
{
    const struct swr_scene *scene = walk->scene;
    struct swirl_directional_light *light = &shading->light;
    if (scene->light_count != 1 || scene->lights[0].kind != SWR_DIRECTIONAL)
        return;
    swr_clear(light, sizeof *light);
    swr_copy(light->matrix, walk->to_world, 64);
    swr_copy(light->direction, scene->lights[0].place, 12);
    swr_scaled(scene->lights[0].colour, shading->diffuse, light->diffuse);
    swr_copy(light->ambient, shading->shade.ambient, 12);
    light->alpha = shading->diffuse & 0xFF000000;
    shading->single = 1;
}

void swr_prepare_light(struct walk *walk, struct shading *shading)
{
    uint32_t no_ambient = shading->flags & IGNORE_AMBIENT;
    if (shading->prepared)
        return;
    shading->prepared = 1;
    shading->ambient_intensity = no_ambient ? 0.0f : swr_mean(walk->scene->ambient);
    swr_clear(shading->shade.ambient, 12);
    if (!no_ambient)
        swr_scaled(walk->scene->ambient, shading->ambient, shading->shade.ambient);
    shading->single = 0;
    if (!shading->highlight || (shading->specular & 0xFFFFFF) == 0)
        single_light(walk, shading);
}

static void make_shading(struct walk *walk, uint32_t volume, struct shading *shading)
{
    const struct volume_material *material = &walk->materials[volume];
    uint32_t flags = shading->flags;
    shading->number = ++walk->shading_number;
    shading->used = shading->offsets = 0;
    shading->lit = !(flags & IGNORE_LIGHT);
    shading->diffuse = material->diffuse | (flags & USE_ALPHA ? 0 : 0xFF000000);
    shading->specular = 0xFF000000 | material->specular;
    shading->ambient = material->ambient;
    shading->highlight = highlight_of(walk, flags);
    shading->exponent = material->exponent;
    shading->shade.fold = shading->fold;
    shading->prepared = shading->single = 0;
}

/* Brings shadings[volume] up to date. */
void swr_shading(struct walk *walk, uint32_t volume, uint32_t flags, uint32_t fold, uint32_t intensity)
{
    struct shading *shading = &walk->shadings[volume];
    flags &= IGNORE_LIGHT | IGNORE_SPECULAR | IGNORE_AMBIENT | USE_ALPHA;
    if (shading->valid && shading->flags == flags && shading->fold == fold && shading->intensity == intensity)
        return;
    shading->valid = 1;
    shading->flags = flags;
    shading->fold = fold;
    shading->intensity = intensity;
    make_shading(walk, volume, shading);
}
