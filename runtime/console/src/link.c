/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Linked motions: what lies between the nodes as they are and a second motion (docs/formats/ninja.md 2.5). */
#include "internal.h"

/* A share is the time between two keys that are one frame apart. */
enum { START = 0, LENGTH = 1 };

/* A position or a scale; `none` on every axis stands in for one that is not applied. */
static void blend_vector(float own[3], uint32_t has_own, const float other[3], uint32_t has_other, float none,
    float share)
{
    float ends[2][3], found[1][3];
    uint32_t record[1][8], k;
    for (k = 0; k < 3; k++) {
        ends[0][k] = has_own ? own[k] : none;
        ends[1][k] = has_other ? other[k] : none;
    }
    record[0][0] = START;
    record[0][1] = LENGTH;
    swr_copy(&record[0][2], ends, 24);
    swirl_keys_linear(swirl_bits(share), (const uint32_t (*)[8])record, 1, found);
    swr_copy(own, found, 12);
}

/* `a` becomes a * b: the matrix of "multiplied by `a` from the left" times x, y, z and the real part of
 * `b`. */
static void multiply(float a[4], const float b[4])
{
    float left[16] __attribute__((aligned(8))), found[1][4] __attribute__((aligned(8)));
    float re = a[0], x = a[1], y = a[2], z = a[3];
    left[0] = re, left[1] = z, left[2] = -y, left[3] = -x;
    left[4] = -z, left[5] = re, left[6] = x, left[7] = -y;
    left[8] = y, left[9] = -x, left[10] = re, left[11] = -z;
    left[12] = x, left[13] = y, left[14] = z, left[15] = re;
    swirl_transform_points(left, &b[1], found, 1, 12, swirl_bits(b[0]));
    a[0] = found[0][3];
    swr_copy(&a[1], found, 12);
}

/* A rotation as a quaternion, real part first. An odd number of BAMS loses half a unit: a quaternion holds
 * the cosine and the sine of half an angle. */
static void quaternion(const struct swr_pose *pose, float out[4])
{
    static const uint8_t AXES[2][3] = {{2, 1, 0}, {1, 0, 2}};
    const uint8_t *axes = AXES[pose->rotation == SWR_ZXY];
    uint32_t k, half;
    if (pose->rotation == SWR_QUATERNION_PARTS) {
        swr_copy(out, pose->turn.quaternion, 16);
        return;
    }
    out[0] = 1.0f;
    out[1] = out[2] = out[3] = 0.0f;
    for (k = 0; k < 3 && pose->rotation != SWR_NONE; k++) {
        float wave[1][2] __attribute__((aligned(8))), factor[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        half = ((uint32_t)pose->turn.angles[axes[k]] & 0xFFFF) >> 1;
        if (half == 0)
            continue;
        swirl_sincos(&half, 1, wave);
        factor[0] = wave[0][1];
        factor[1 + axes[k]] = wave[0][0];
        multiply(out, factor);
    }
}

static void blend_quaternions(struct swr_pose *own, const struct swr_pose *other, float share)
{
    uint32_t record[1][10] __attribute__((aligned(8)));
    float ends[2][4], found[1][4] __attribute__((aligned(8)));
    quaternion(own, ends[0]);
    quaternion(other, ends[1]);
    record[0][0] = START;
    record[0][1] = LENGTH;
    swr_copy(&record[0][2], ends, 32);
    swirl_keys_quaternion(swirl_bits(share), (const uint32_t (*)[10])record, 1, found);
    own->rotation = SWR_QUATERNION_PARTS;
    swr_copy(own->turn.quaternion, found, 16);
}

/* By all the turns that their 32 bits say. */
static void blend_angles(struct swr_pose *own, const struct swr_pose *other, uint32_t order, float share)
{
    uint32_t record[1][8];
    int32_t found[1][3];
    swr_clear(record, sizeof record);
    record[0][0] = START;
    record[0][1] = LENGTH;
    if (own->rotation != SWR_NONE)
        swr_copy(&record[0][2], own->turn.angles, 12);
    if (other->rotation != SWR_NONE)
        swr_copy(&record[0][5], other->turn.angles, 12);
    swirl_keys_angles(swirl_bits(share), (const uint32_t (*)[8])record, 1, 0, found);
    own->rotation = order;
    swr_copy(own->turn.angles, found, 12);
}

/* Angles of one order go straight, all else becomes quaternions. */
static void blend_rotation(struct swr_pose *own, const struct swr_pose *other, float share)
{
    uint32_t order = own->rotation == SWR_ZXY || other->rotation == SWR_ZXY ? SWR_ZXY : SWR_XYZ;
    int plain = own->rotation == SWR_NONE || own->rotation == order;
    if (own->rotation == SWR_NONE && other->rotation == SWR_NONE)
        return;
    if (plain && (other->rotation == SWR_NONE || other->rotation == order))
        blend_angles(own, other, order, share);
    else
        blend_quaternions(own, other, share);
}

static void blend(struct swr_pose *own, const struct swr_pose *other, float share)
{
    if (own->has_position || other->has_position)
        blend_vector(own->position, own->has_position, other->position, other->has_position, 0.0f, share);
    if (own->has_scale || other->has_scale)
        blend_vector(own->scale, own->has_scale, other->scale, other->has_scale, 1.0f, share);
    own->has_position |= other->has_position;
    own->has_scale |= other->has_scale;
    blend_rotation(own, other, share);
}

int swr_link(struct swr_model *model, const struct swr_motion *motion, float frame, float share)
{
    uint32_t node, track = 0;
    if (!swr_in_frames(frame, motion->length))
        return 0;
    /* Tracks lie in the order of the nodes. */
    for (node = 0; node < model->count; node++) {
        struct swr_pose other;
        swr_still_node(model, node, &other);
        for (; track < motion->count && motion->tracks[track].node == node; track++)
            swr_move_node(motion, &motion->tracks[track], frame, &other);
        blend(&model->nodes[node].pose, &other, share);
    }
    return 1;
}
