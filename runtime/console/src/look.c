/* SPDX-License-Identifier: MIT OR Apache-2.0
 * From a free camera to the scene's, by integer rotations: angles come out the same on every machine. */
#include "internal.h"

enum { STEPS = 15, BITS = 30 };

/* Cosine and sine of 2^i half BAMS units, over 2^30. */
static const int32_t STEP[STEPS][2] = {
    {1073741823, 51472},
    {1073741819, 102944},
    {1073741804, 205887},
    {1073741745, 411775},
    {1073741508, 823550},
    {1073740561, 1647099},
    {1073736771, 3294193},
    {1073721611, 6588356},
    {1073660973, 13176464},
    {1073418433, 26350943},
    {1072448455, 52686014},
    {1068571464, 105245103},
    {1053110176, 209476638},
    {992008094, 410903207},
    {759250125, 759250125},
};

/* Turns back by a step. */
static void back(const int32_t in[2], int32_t cosine, int32_t sine, int32_t out[2])
{
    int64_t x = in[0], y = in[1];
    out[0] = (int32_t)((x * cosine + y * sine) >> BITS);
    out[1] = (int32_t)((y * cosine - x * sine) >> BITS);
}

/* A vector whose largest part has 30 bits; zeros if it is not finite, or shorter than 2^-98. */
static void to_fixed(const float vector[3], int32_t out[3])
{
    uint32_t k, largest = 0;
    for (k = 0; k < 3; k++) {
        uint32_t exponent = swirl_bits(vector[k]) >> 23 & 0xFF;
        largest = exponent > largest ? exponent : largest;
    }
    swr_clear(out, 12);
    if (largest < 29 || largest == 255)
        return;
    for (k = 0; k < 3; k++)
        out[k] = (int32_t)(vector[k] * swr_from_bits((127 + 29 + 127 - largest) << 23));
}

static int32_t absolute(int32_t value) { return value < 0 ? -value : value; }

/* The angle from the first axis to a vector, to the nearest BAMS unit; and the vector's length. */
static int32_t angle(int32_t along, int32_t across, int32_t *length)
{
    int32_t vector[2], turned[2], units = 0, i;
    vector[0] = absolute(along);
    vector[1] = absolute(across);
    *length = 0;
    if (along == 0 && across == 0)
        return 0;
    for (i = STEPS - 1; i >= 0; i--) {
        back(vector, STEP[i][0], STEP[i][1], turned);
        if (turned[1] < 0)
            continue;
        swr_copy(vector, turned, sizeof vector);
        units |= 1 << i;
    }
    *length = vector[0];
    units = (units + 1) >> 1;
    units = along < 0 ? 0x8000 - units : units;
    return across < 0 ? -units : units;
}

static float cotangent(uint32_t half_units)
{
    int32_t vector[2] = {1 << BITS, 0}, turned[2], i;
    for (i = STEPS - 1; i >= 0; i--) {
        if (!(half_units >> i & 1))
            continue;
        back(vector, STEP[i][0], -STEP[i][1], turned);
        swr_copy(vector, turned, sizeof vector);
    }
    return (float)vector[0] / (float)vector[1];
}

/* Angles of view of nothing or half a turn and more have no picture; the nearest that has is taken. */
static void look_through(struct swr_scene *scene, uint32_t across)
{
    uint32_t units = across & 0xFFFF;
    float scale;
    units = units < 1 ? 1 : units > 0x7FFF ? 0x7FFF : units;
    scale = scene->width / 2.0f * cotangent(units);
    scene->viewport[0] = scale;
    scene->viewport[1] = -scale;
    scene->viewport[2] = scene->width / 2.0f;
    scene->viewport[3] = scene->height / 2.0f;
}

void swr_look(struct swr_scene *scene, const struct swr_free_camera *camera)
{
    float from[3], flat[3];
    int32_t fixed[3], level, length;
    uint32_t k;
    for (k = 0; k < 3; k++)
        from[k] = camera->position[k] - camera->target[k];
    swr_copy(scene->target, camera->target, 12);
    /* Almost straight above the target, yaw needs all bits of the level part. */
    swr_copy(flat, from, 12);
    flat[1] = 0.0f;
    to_fixed(flat, fixed);
    scene->yaw = angle(fixed[2], fixed[0], &level);
    to_fixed(from, fixed);
    angle(fixed[2], fixed[0], &level);
    scene->pitch = angle(level, fixed[1], &length);
    scene->roll = camera->roll;
    scene->distance = swr_from_bits(
        swr_root_bits(swirl_bits(from[0] * from[0] + from[1] * from[1] + from[2] * from[2])));
    look_through(scene, (uint32_t)camera->angle);
}
