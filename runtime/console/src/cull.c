/* SPDX-License-Identifier: MIT OR Apache-2.0
 * What is out of sight. Only decisions are made here: no number of a picture comes from this file's
 * arithmetic. */
#include "internal.h"

static float height(const struct plane *plane, const float at[3])
{
    return plane->normal[0] * at[0] + plane->normal[1] * at[1] + plane->normal[2] * at[2] + plane->distance;
}

static float absolute(float value) { return swr_from_bits(swirl_bits(value) & 0x7FFFFFFF); }

/* Out of sight by more than the rounding of its projection. */
static int hides(const struct plane *plane, const float at[3])
{
    float x = absolute(at[0]), y = absolute(at[1]), z = absolute(at[2]);
    float size = x > y ? x : y;
    size = size > z ? size : z;
    return height(plane, at) < -1.0e-3f * size;
}

static void put_side(struct walk *walk, float x, float y, float z)
{
    struct plane *plane = &walk->planes[walk->plane_count++];
    float length = swr_from_bits(swr_root_bits(swirl_bits(x * x + y * y + z * z)));
    plane->normal[0] = x / length;
    plane->normal[1] = y / length;
    plane->normal[2] = z / length;
    plane->distance = 0.0f;
}

/* A pixel is centre + scale * x / w with w = -z: it is at 0 or more where scale * x - centre * z is. A view
 * without a near plane has no frustum. */
void swr_frustum(struct walk *walk)
{
    const struct swr_scene *scene = walk->scene;
    const float *port = scene->viewport;
    struct plane *near = &walk->planes[4];
    walk->plane_count = 0;
    if (!swr_finite(scene->near))
        return;
    put_side(walk, port[0], 0.0f, -port[2]);
    put_side(walk, -port[0], 0.0f, port[2] - scene->width);
    put_side(walk, 0.0f, port[1], -port[3]);
    put_side(walk, 0.0f, -port[1], port[3] - scene->height);
    near->normal[0] = near->normal[1] = 0.0f;
    near->normal[2] = -1.0f;
    near->distance = -scene->near;
    walk->plane_count = 5;
}

/* The plane that the model's bounding sphere lies wholly behind; 0 if there is none. */
const struct plane *swr_hiding(struct walk *walk, const float matrix[16], const uint8_t *model)
{
    float sphere[4] __attribute__((aligned(8)));
    uint32_t i;
    swr_copy(sphere, model + 8, 16);
    swirl_bounding_sphere(matrix, sphere, sphere);
    for (i = 0; i < walk->plane_count; i++)
        if (height(&walk->planes[i], sphere) < -sphere[3])
            return &walk->planes[i];
    return 0;
}

/* Whether named vertices can be left out: those of a model whose sphere is out of sight, if they are so
 * themselves. They are looked at one by one because strips may name vertices of other nodes, and spheres may
 * be too small. */
int swr_out_of_sight(struct walk *walk, const struct named *named)
{
    const struct buffer *buffer = &walk->runtime->buffer;
    const struct alike *run;
    uint32_t slot;
    if (walk->scene->settings.no_culling || !walk->beyond)
        return 0;
    for (run = named->runs; run != named->end; run++)
        for (slot = run->start; slot < run->end; slot++)
            if ((buffer->kinds[slot] & NAMED) && !hides(walk->beyond, buffer->positions[slot]))
                return 0;
    return 1;
}
