/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The same steps in plain C. */

#include "mesh.h"

void transform_c(const float *matrix, const struct vertex *src, float *dst, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const float *p = src[i].position;
        for (int row = 0; row < 4; row++)
            dst[4 * i + row] = matrix[row] * p[0] + matrix[4 + row] * p[1] + matrix[8 + row] * p[2] + matrix[12 + row];
    }
}

void light_c(const float *direction, const struct vertex *src, uint32_t *colours, uint32_t n)
{
    static const float diffuse[3] = { 200, 180, 160 }, ambient[3] = { 40, 40, 55 };
    for (uint32_t i = 0; i < n; i++) {
        const float *v = src[i].normal;
        float incidence = v[0] * direction[0] + v[1] * direction[1] + v[2] * direction[2];
        uint32_t colour = 0xFF;
        if (incidence < 0)
            incidence = 0;
        for (int k = 0; k < 3; k++) {
            float channel = ambient[k] + diffuse[k] * incidence;
            colour = colour << 8 | (uint32_t)(int32_t)(channel < 255 ? channel : 255);
        }
        colours[i] = colour;
    }
}

void project_c(const float *viewport, const float *src, float *dst, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        float w = 0 - src[4 * i + 2], over = 1 / w;
        dst[4 * i] = viewport[2] + src[4 * i] * viewport[0] * over;
        dst[4 * i + 1] = viewport[3] + src[4 * i + 1] * viewport[1] * over;
        dst[4 * i + 2] = over;
        dst[4 * i + 3] = w;
    }
}

void submit_c(const float *screen, const uint32_t *colours, const int16_t *indices, uint32_t n, void *sq)
{
    volatile uint32_t *queue = sq;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *position = (const uint32_t *)(const void *)(screen + 4 * indices[i]);
        queue[0] = i + 1 == n ? 0xF0000000 : 0xE0000000;
        queue[1] = position[0];
        queue[2] = position[1];
        queue[3] = position[2];
        queue[4] = queue[5] = 0;
        queue[6] = colours[indices[i]];
        queue[7] = 0;
        __asm__ volatile("pref @%0" : : "r"(queue) : "memory");
        /* The other queue. */
        queue = (volatile uint32_t *)((uintptr_t)queue ^ 32);
    }
}
