/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Cameras and lights that move. No source tells which way rolls and vectors go, what an angle of view is
 * across, or whether cones are whole or half angles: all as the crate `swirl-scene` has it. */
#include "internal.h"

/* -- Keys at a frame -- */

/* The floats of a key, filled up with zeros. */
static void vector_key(const struct swr_track *track, uint32_t i, float out[3])
{
    const uint8_t *value = swr_key(track, i) + 4;
    uint32_t k, floats = track->element == SWR_THREE_FLOATS ? 3 : track->element == SWR_ONE_FLOAT ? 1 : 2;
    for (k = 0; k < 3; k++)
        out[k] = 0.0f;
    if (track->element == SWR_PACKED_COLOUR)
        for (k = 0; k < 3; k++)
            out[k] = (float)(int32_t)(swr_word(value) >> (16 - 8 * k) & 0xFF) / 255.0f;
    else
        swr_copy(out, value, 4 * floats);
}

/* The angles of a key: two cones, or one angle. */
static void angle_key(const struct swr_track *track, uint32_t i, int32_t out[3])
{
    const uint8_t *key = swr_key(track, i);
    out[1] = out[2] = 0;
    if (track->element == SWR_SHORT_ANGLES)
        out[0] = (int16_t)swr_half(key + 2);
    else if (track->element == SWR_ONE_ANGLE)
        out[0] = (int32_t)swr_word(key + 4);
    else
        swr_copy(out, key + 12, 8);
}

/* What a part of a motion is at a frame; 0 if nothing moves it. */
static int vector(const struct swr_view_motion *motion, uint32_t part, float frame, float out[3])
{
    const struct swr_track *track = &motion->tracks[part];
    uint32_t straight[1][8], curve[1][14], k, axis;
    float found[1][3], key[3];
    struct swr_interval at;
    if (track->count == 0)
        return 0;
    swr_interval_at(track, motion->length, motion->last_key, frame, &at);
    vector_key(track, at.before, out);
    if (!at.between)
        return 1;
    straight[0][0] = curve[0][0] = at.start;
    straight[0][1] = curve[0][1] = at.length;
    swr_copy(&straight[0][2], out, 12);
    vector_key(track, at.after, key);
    swr_copy(&straight[0][5], key, 12);
    for (k = 0; k < 4; k++) {
        vector_key(track, swr_around(track, at.before, k), key);
        for (axis = 0; axis < 3; axis++)
            curve[0][2 + 4 * axis + k] = swirl_bits(key[axis]);
    }
    if (motion->spline)
        swirl_keys_spline(swirl_bits(frame), (const uint32_t (*)[14])curve, 1, found);
    else
        swirl_keys_linear(swirl_bits(frame), (const uint32_t (*)[8])straight, 1, found);
    swr_copy(out, found, 12);
    return 1;
}

static int angles(const struct swr_view_motion *motion, uint32_t part, float frame, int32_t out[3])
{
    const struct swr_track *track = &motion->tracks[part];
    int short_way = track->element == SWR_SHORT_ANGLES;
    uint32_t record[1][8], k;
    int32_t found[1][3], keys[4][3];
    struct swr_interval at;
    if (track->count == 0)
        return 0;
    swr_interval_at(track, motion->length, motion->last_key, frame, &at);
    angle_key(track, at.before, out);
    if (!at.between)
        return 1;
    if (motion->spline && !motion->straight_angles) {
        for (k = 0; k < 4; k++)
            angle_key(track, swr_around(track, at.before, k), keys[k]);
        swr_curved_angles((const int32_t (*)[3])keys, &at, short_way, frame, out);
        return 1;
    }
    record[0][0] = at.start;
    record[0][1] = at.length;
    swr_copy(&record[0][2], out, 12);
    angle_key(track, at.after, (int32_t *)&record[0][5]);
    swirl_keys_angles(swirl_bits(frame), (const uint32_t (*)[8])record, 1, (uint32_t)short_way, found);
    swr_copy(out, found, 12);
    return 1;
}

/* -- Cameras -- */

int swr_move_camera(struct swr_free_camera *camera, const struct swr_view_motion *motion, float frame)
{
    float found[3];
    int32_t turned[3];
    uint32_t k;
    if (!swr_in_frames(frame, motion->length))
        return 0;
    if (vector(motion, SWR_VIEW_PLACE, frame, found))
        swr_copy(camera->position, found, 12);
    if (vector(motion, SWR_VIEW_TARGET, frame, found))
        swr_copy(camera->target, found, 12);
    if (vector(motion, SWR_VIEW_VECTOR, frame, found))
        for (k = 0; k < 3; k++)
            camera->target[k] = camera->position[k] + found[k];
    if (angles(motion, SWR_VIEW_ROLL, frame, turned))
        camera->roll = turned[0];
    if (angles(motion, SWR_VIEW_ANGLE, frame, turned))
        camera->angle = turned[0];
    return 1;
}

/* -- Lights -- */

/* A vector without length lights nothing. */
static void unit(const float v[3], float out[3])
{
    uint32_t k, exponent;
    float length = swr_from_bits(swr_root_bits(swirl_bits(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])));
    exponent = swirl_bits(length) >> 23 & 0xFF;
    for (k = 0; k < 3; k++)
        out[k] = exponent != 0 && exponent != 255 ? v[k] / length : 0.0f;
}

/* Where the light goes, if keys tell; VEC_3 comes before VEC_0. */
static int way(const struct swr_view_motion *motion, float frame, float out[3])
{
    float found[3];
    if (!vector(motion, SWR_VIEW_VECTOR, frame, found) && !vector(motion, SWR_VIEW_VECTOR_0, frame, found))
        return 0;
    unit(found, out);
    return 1;
}

static void negate(const float v[3], float out[3])
{
    uint32_t k;
    for (k = 0; k < 3; k++)
        out[k] = -v[k];
}

/* What a light becomes that takes another kind from its keys: at the origin, and a point shines down. */
static void take_kind(struct swr_light_source *light, uint32_t kind)
{
    if (light->kind == SWR_DIRECTIONAL)
        negate(light->place, light->beam);
    if (light->kind == SWR_DIRECTIONAL)
        swr_clear(light->place, 12);
    if (light->kind == SWR_POINT) {
        light->beam[0] = light->beam[2] = 0.0f;
        light->beam[1] = -1.0f;
    }
    if (kind != SWR_SPOT)
        swr_clear(light->beam, 12);
    light->kind = kind;
}

/* Half of a whole angle, cut toward zero. */
static int32_t half(int32_t angle)
{
    return angle < 0 ? -(int32_t)((0u - (uint32_t)angle) >> 1) : angle >> 1;
}

/* The kind of light is that of the keys, or else its own. */
static void move_source(struct swr_light_source *light, const struct swr_view_motion *motion, float frame)
{
    float range[3], found[3];
    int32_t cone[3];
    int is_spot = vector(motion, SWR_VIEW_SPOT, frame, range);
    if (is_spot || vector(motion, SWR_VIEW_POINT, frame, range)) {
        take_kind(light, is_spot ? SWR_SPOT : SWR_POINT);
        light->near = range[0];
        light->far = range[1];
        light->inner = light->outer = 0;
    }
    if (is_spot && angles(motion, SWR_VIEW_SPOT, frame, cone)) {
        light->inner = half(cone[0]);
        light->outer = half(cone[1]);
    }
    if (light->kind != SWR_DIRECTIONAL && vector(motion, SWR_VIEW_PLACE, frame, found))
        swr_copy(light->place, found, 12);
    if (light->kind == SWR_POINT || !way(motion, frame, found))
        return;
    if (light->kind == SWR_DIRECTIONAL)
        negate(found, light->place);
    else
        swr_copy(light->beam, found, 12);
}

int swr_move_light(struct swr_light_source *light, float ambient[3], const struct swr_light_source *rest,
    const struct swr_view_motion *motion, float frame)
{
    float colour[3], intensity[3] = {1.0f, 0.0f, 0.0f};
    uint32_t k;
    if (!swr_in_frames(frame, motion->length))
        return 0;
    swr_copy(light, rest, sizeof *light);
    if (vector(motion, SWR_VIEW_COLOUR, frame, colour)) {
        swr_copy(light->colour, colour, 12);
        swr_copy(light->specular, colour, 12);
    }
    vector(motion, SWR_VIEW_INTENSITY, frame, intensity);
    for (k = 0; k < 3; k++) {
        ambient[k] = light->colour[k] * intensity[1];
        light->colour[k] *= intensity[0];
        light->specular[k] *= intensity[0];
    }
    move_source(light, motion, frame);
    return 1;
}
