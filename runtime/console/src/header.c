/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Material and texture state to polygon headers (docs/hardware/pvr2.md). */
#include "internal.h"

enum { FILTER_BILINEAR = 1, FILTER_A = 2, FILTER_B = 3 };
enum { FACTOR_ZERO = 0, FACTOR_ONE = 1 };

static uint32_t size_code(uint32_t texels)
{
    uint32_t code = 0;
    while (code < 7 && texels >= 16u << code)
        code++;
    return code;
}

uint32_t swr_size_bits(const struct swr_texture *texture)
{
    return size_code(texture->width) << 3 | size_code(texture->height);
}

static uint32_t with_filter(uint32_t word, uint32_t filter) { return (word & ~(3u << 13)) | filter << 13; }
static uint32_t with_src(uint32_t word, uint32_t factor) { return (word & ~(7u << 29)) | factor << 29; }
static uint32_t with_dst(uint32_t word, uint32_t factor) { return (word & ~(7u << 26)) | factor << 26; }

static uint32_t filter_of(const struct tiny *tiny) { return tiny->bits >> 13 & 3; }

/* The texture of `tiny`, which is present, and the filter that can be used. */
static void bind(struct walk *walk, struct tiny *tiny, struct swr_texture *texture)
{
    const struct swr_scene *scene = walk->scene;
    if (!scene->texture || !scene->texture(scene->texture_context, tiny->texture, texture))
        *texture = scene->missing;
    /* Without mipmaps there is nothing to filter between. */
    if (!(texture->word >> 31) && !scene->settings.filter_as_written && filter_of(tiny) == FILTER_A)
        tiny->bits = with_filter(tiny->bits, FILTER_BILINEAR);
}

/* The TSP word of a volume; no fog. */
static uint32_t tsp_word(
    const struct volume_material *material, const struct tiny *tiny, const struct swr_texture *texture,
    uint32_t flags)
{
    uint32_t word = 2u << 22 | (flags & USE_ALPHA ? 1u << 20 | material->blend : (uint32_t)FACTOR_ONE << 29);
    if (!tiny->present)
        return word;
    word |= swr_size_bits(texture) | tiny->bits;
    /* Modulate with alpha; or modulate, without the texture's alpha. */
    return word | (flags & USE_ALPHA ? 3u << 6 : 1u << 6 | 1u << 19);
}

/* What the passes of a strip have in common. */
struct look {
    const struct strip_style *style;
    const struct tiny *tiny;
    uint32_t texture;
};

static void header(const struct walk *walk, const struct look *look, uint32_t list, uint32_t tsp,
    uint32_t out[8])
{
    const struct strip_style *style = look->style;
    uint32_t textured = look->tiny->present;
    uint32_t shadow = style->two_volumes || walk->scene->settings.cheap_shadows;
    /* A polygon that sets the strip length: six triangles. */
    out[0] = 4u << 29 | list << 24 | 1u << 23 | 3u << 18 | shadow << 7 | style->two_volumes << 6
        | textured << 3 | (style->offset & textured) << 2 | (style->flags & FLAT ? 0u : 1u << 1);
    /* Depth: greater or equal. Front faces have a negative area on the screen: others are culled. */
    out[1] = 6u << 29 | (style->flags & DOUBLE_SIDE ? 0u : 3u << 27);
    out[2] = tsp;
    out[3] = textured ? look->texture : 0;
    out[4] = out[5] = out[6] = out[7] = 0;
}

/* The face colour of intensity polygons, floats A, R, G, B. */
static void put_face(uint32_t out[8], uint32_t diffuse, uint32_t flags)
{
    uint32_t k, colour = flags & USE_ALPHA ? diffuse : diffuse | 0xFF000000;
    out[0] |= 2u << 4;
    for (k = 0; k < 4; k++)
        out[4 + k] = swirl_bits(((float)(int32_t)(colour >> (24 - 8 * k) & 0xFF) + 1.0f) / 256.0f);
}

static void put_pass(struct walk *walk, const struct look *look, uint32_t list, uint32_t tsp,
    struct pass *pass)
{
    pass->list = list;
    header(walk, look, list, tsp, pass->header);
    if (look->style->intensity)
        put_face(pass->header, walk->materials[0].diffuse, look->style->flags);
}

/* Level by level into the secondary accumulation buffer, and that into the picture as the material blends. */
static uint32_t through_second(struct walk *walk, const struct look *look, uint32_t tsp,
    struct pass passes[3])
{
    uint32_t collected = with_src(tsp, FACTOR_ONE) | 1u << 24;
    put_pass(walk, look, SWR_TRANSLUCENT, with_dst(collected, FACTOR_ZERO), &passes[0]);
    put_pass(walk, look, SWR_TRANSLUCENT, with_filter(with_dst(collected, FACTOR_ONE), FILTER_B), &passes[1]);
    put_pass(walk, look, SWR_TRANSLUCENT, tsp | 1u << 25, &passes[2]);
    return 3;
}

/* A two-volume polygon: the second TSP and texture words lie behind the first ones. */
static uint32_t two_volumes(struct walk *walk, const struct look *look, uint32_t list, uint32_t tsp,
    struct pass *pass)
{
    struct tiny second = walk->materials[1].tiny.present ? walk->materials[1].tiny : walk->materials[0].tiny;
    struct swr_texture texture = {0, 0, 0};
    second.present = second.present && look->style->textured;
    if (second.present)
        bind(walk, &second, &texture);
    pass->list = list;
    header(walk, look, list, tsp, pass->header);
    pass->header[4] = tsp_word(&walk->materials[1], &second, &texture, look->style->flags);
    pass->header[5] = second.present ? texture.word : 0;
    return 1;
}

/* The passes that draw strips of a style: 1, 2 or 3. */
uint32_t swr_passes(struct walk *walk, const struct strip_style *style, struct pass passes[3])
{
    struct tiny tiny = walk->materials[0].tiny;
    struct swr_texture texture = {0, 0, 0};
    struct look look;
    uint32_t tsp, list = style->flags & USE_ALPHA ? SWR_TRANSLUCENT : SWR_OPAQUE;
    tiny.present = tiny.present && style->textured;
    if (tiny.present)
        bind(walk, &tiny, &texture);
    tsp = tsp_word(&walk->materials[0], &tiny, &texture, style->flags);
    look.style = style;
    look.tiny = &tiny;
    look.texture = texture.word;
    if (style->two_volumes)
        return two_volumes(walk, &look, list, tsp, &passes[0]);
    if (!tiny.present || filter_of(&tiny) != FILTER_A || !(texture.word >> 31)
        || walk->scene->settings.filter_as_written) {
        put_pass(walk, &look, list, tsp, &passes[0]);
        return 1;
    }
    if (list == SWR_TRANSLUCENT)
        return through_second(walk, &look, tsp, passes);
    put_pass(walk, &look, SWR_OPAQUE, tsp, &passes[0]);
    put_pass(walk, &look, SWR_TRANSLUCENT, with_dst(with_filter(tsp, FILTER_B), FACTOR_ONE), &passes[1]);
    return 2;
}
