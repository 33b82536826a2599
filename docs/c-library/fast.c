/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The steps by libswirl. */

#include "mesh.h"
#include "swirl.h"

/* Vertices of a call at most: the block of corners lies on the stack. */
enum { MOST = 64 };

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

void submit(const float *screen, const uint32_t *colours, uint32_t n, void *sq)
{
    struct swirl_corner corners[MOST];
    for (uint32_t i = 0; i < n; i++) {
        for (int k = 0; k < 4; k++)
            corners[i].position[k] = screen[4 * i + k];
        corners[i].uv[0][0] = corners[i].uv[0][1] = 0;
        corners[i].colours[0] = colours[i];
        corners[i].colours[1] = 0;
    }
    swirl_submit_vertices(corners, n, 0, 0, sq);
}
