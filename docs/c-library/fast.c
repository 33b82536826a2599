/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The steps by libswirl. */

#include "mesh.h"
#include "swirl.h"

void transform(const float *matrix, const struct vertex *src, float *dst, uint32_t n)
{
    swirl_transform_points(matrix, src->position, (float (*)[4])dst, n, sizeof *src, swirl_bits(1.0f));
}

void light(const float *direction, const struct vertex *src, uint32_t *colours, uint32_t n)
{
    struct swirl_directional_light sun = {
        .matrix = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 },
        .direction = { direction[0], direction[1], direction[2], 0 },
        .diffuse = { 200, 180, 160, 0 },
        .ambient = { 40, 40, 55, 0 },
        .alpha = 0xFF000000,
    };
    swirl_transform_normals_and_light(&sun, src->normal, n, colours, sizeof *src);
}

void project(const float *viewport, const float *src, float *dst, uint32_t n)
{
    swirl_project_points(viewport, src, n, (float (*)[4])dst, 16);
}

void submit(const float *screen, const uint32_t *colours, const int16_t *indices, uint32_t n, void *sq)
{
    swirl_submit_strip((const float (*)[4])screen, colours, indices, n, 0, 1, swirl_bits(0), 0, 0, sq);
}
