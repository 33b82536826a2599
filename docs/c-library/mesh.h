/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The four steps of drawing a mesh, twice: by libswirl and in plain C. mesh.c calls them; kernels.toml compares them. */

#ifndef MESH_H
#define MESH_H

#include <stdint.h>

/* A vertex: position and normal. */
struct vertex {
    float position[3];
    float normal[3];
};

/* matrix is column after column; dst[i] = matrix * (position, 1). */
void transform(const float *matrix, const struct vertex *src, float *dst, uint32_t n);
void transform_c(const float *matrix, const struct vertex *src, float *dst, uint32_t n);

/* A colour for each normal under one light (direction, unit length) and ambient light; colours from 0 to 255. */
void light(const float *direction, const struct vertex *src, uint32_t *colours, uint32_t n);
void light_c(const float *direction, const struct vertex *src, uint32_t *colours, uint32_t n);

/* Perspective: viewport is scale x, scale y, centre x, centre y; dst is x, y, 1/w, w with w = -z. */
void project(const float *viewport, const float *src, float *dst, uint32_t n);
void project_c(const float *viewport, const float *src, float *dst, uint32_t n);

/* The vertices at `indices` as one triangle strip to the tile accelerator; sq is an address in the store queues. */
void submit(const float *screen, const uint32_t *colours, const int16_t *indices, uint32_t n, void *sq);
void submit_c(const float *screen, const uint32_t *colours, const int16_t *indices, uint32_t n, void *sq);

#endif
