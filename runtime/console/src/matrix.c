/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Matrices of nodes and cameras, by the kernels: M = parent * T * R * S, in the order of the evaluation
 * flags. */
#include "internal.h"

void swr_identity(float out[16])
{
    swr_clear(out, 64);
    out[0] = out[5] = out[10] = out[15] = 1.0f;
}

void swr_translate(const float at[16], const float by[3], float out[16])
{
    float move[16] __attribute__((aligned(8)));
    swr_identity(move);
    swr_copy(&move[12], by, 12);
    swirl_matrix_multiply(at, move, out);
}

static void scale(float at[16], const float by[3])
{
    float factors[16] __attribute__((aligned(8)));
    swr_identity(factors);
    factors[0] = by[0];
    factors[5] = by[1];
    factors[10] = by[2];
    swirl_matrix_multiply(at, factors, at);
}

/* About axis 0 to 2; the low 16 bits of the angle count, and 0 is skipped. */
static void rotate(float at[16], uint32_t axis, int32_t angle)
{
    float turn[16] __attribute__((aligned(8)));
    float wave[1][2] __attribute__((aligned(8)));
    uint32_t bams = (uint32_t)angle;
    uint32_t from = axis == 2 ? 0 : axis + 1, to = from == 2 ? 0 : from + 1;
    if ((bams & 0xFFFF) == 0)
        return;
    swirl_sincos(&bams, 1, wave);
    swr_identity(turn);
    turn[4 * from + from] = wave[0][1];
    turn[4 * from + to] = wave[0][0];
    turn[4 * to + from] = -wave[0][0];
    turn[4 * to + to] = wave[0][1];
    swirl_matrix_multiply(at, turn, at);
}

static void turn(float at[16], const struct swr_pose *pose)
{
    const int32_t *angles = pose->turn.angles;
    if (pose->rotation == SWR_QUATERNION_PARTS) {
        float parts[1][4] __attribute__((aligned(8)));
        float rotation[1][16] __attribute__((aligned(8)));
        swr_copy(parts, pose->turn.quaternion, 16);
        swirl_quaternion_matrix((const float (*)[4])parts, 1, rotation);
        swirl_matrix_multiply(at, rotation[0], at);
    } else if (pose->rotation == SWR_ZXY) {
        rotate(at, 1, angles[1]);
        rotate(at, 0, angles[0]);
        rotate(at, 2, angles[2]);
    } else if (pose->rotation == SWR_XYZ) {
        rotate(at, 2, angles[2]);
        rotate(at, 1, angles[1]);
        rotate(at, 0, angles[0]);
    }
}

void swr_node_matrix(const float parent[16], const struct swr_pose *pose, float out[16])
{
    if (pose->has_position)
        swr_translate(parent, pose->position, out);
    else
        swr_copy(out, parent, 64);
    turn(out, pose);
    if (pose->has_scale)
        scale(out, pose->scale);
}

/* From world to view space. */
void swr_camera(const struct swr_scene *scene, float out[16])
{
    float back[3] = {0.0f, 0.0f, 0.0f}, centre[3];
    uint32_t k;
    back[2] = -scene->distance;
    for (k = 0; k < 3; k++)
        centre[k] = -scene->target[k];
    swr_identity(out);
    rotate(out, 2, -scene->roll);
    swr_translate(out, back, out);
    rotate(out, 0, scene->pitch);
    rotate(out, 1, -scene->yaw);
    swr_translate(out, centre, out);
}

/* The transposed rotation part: the inverse of a matrix that only turns and moves, as far as directions
 * go. */
void swr_inverse_rotation(const float at[16], float out[16])
{
    uint32_t column, row;
    swr_identity(out);
    for (column = 0; column < 3; column++)
        for (row = 0; row < 3; row++)
            out[4 * column + row] = at[4 * row + column];
}

void swr_transform(const float at[16], const float in[3], float w, float out[3])
{
    float found[1][4] __attribute__((aligned(8)));
    swirl_transform_points(at, in, found, 1, 12, swirl_bits(w));
    swr_copy(out, found, 12);
}
