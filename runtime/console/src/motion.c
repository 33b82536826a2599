/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions of a model's nodes: the keys around a frame, and by a kernel what lies between them. */
#include "internal.h"

const uint8_t *swr_key(const struct swr_track *track, uint32_t i) { return track->keys + i * track->stride; }

static uint32_t key_frame(const struct swr_track *track, uint32_t i)
{
    return track->element == SWR_SHORT_ANGLES ? swr_half(swr_key(track, i)) : swr_word(swr_key(track, i));
}

/* Keys at the frame or before it; of those that ascend. */
static uint32_t reached(const struct swr_track *track, uint32_t frame)
{
    uint32_t low = 0, high = track->ascending;
    while (low < high) {
        uint32_t middle = (low + high) >> 1;
        if (key_frame(track, middle) <= frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What holds at a frame; see LastKey of swirl-scene for what comes after the last key. */
void swr_interval_at(
    const struct swr_track *track, uint32_t length, uint32_t last_key, float frame, struct swr_interval *out)
{
    uint32_t keys = reached(track, (uint32_t)(int32_t)frame), next;
    int last;
    out->before = keys ? keys - 1 : 0;
    out->start = key_frame(track, out->before);
    out->after = out->before + 1 == track->count ? 0 : out->before + 1;
    last = out->before + 1 == track->ascending;
    out->between = keys && track->count > 1 && !(last && last_key == SWR_LAST_HOLD);
    next = last && last_key == SWR_LAST_WRAP ? length : key_frame(track, out->after);
    out->length = next > out->start ? next - out->start : 1;
}

static void find(const struct swr_motion *motion, const struct swr_track *track, float frame,
    struct swr_interval *out)
{
    swr_interval_at(track, motion->length, motion->last_key, frame, out);
}

uint32_t swr_around(const struct swr_track *track, uint32_t before, uint32_t step)
{
    uint32_t i;
    /* One before, the key, the next two, counted around. */
    for (i = before + step; i >= 1 + track->count; i -= track->count) {
    }
    return i == 0 ? track->count - 1 : i - 1;
}

static void vector(const struct swr_motion *motion, const struct swr_track *track, float frame, float out[3])
{
    uint32_t linear[1][8], spline[1][14], k, axis;
    float found[1][3];
    struct swr_interval at;
    find(motion, track, frame, &at);
    if (!at.between) {
        swr_copy(out, swr_key(track, at.before) + 4, 12);
        return;
    }
    linear[0][0] = spline[0][0] = at.start;
    linear[0][1] = spline[0][1] = at.length;
    if (motion->spline) {
        for (k = 0; k < 4; k++)
            for (axis = 0; axis < 3; axis++)
                spline[0][2 + 4 * axis + k] = swr_word(swr_key(track, swr_around(track, at.before, k)) + 4
                + 4 * axis);
        swirl_keys_spline(swirl_bits(frame), (const uint32_t (*)[14])spline, 1, found);
    } else {
        swr_copy(&linear[0][2], swr_key(track, at.before) + 4, 12);
        swr_copy(&linear[0][5], swr_key(track, at.after) + 4, 12);
        swirl_keys_linear(swirl_bits(frame), (const uint32_t (*)[8])linear, 1, found);
    }
    swr_copy(out, found, 12);
}

static int32_t angle(const struct swr_track *track, uint32_t i, uint32_t axis)
{
    if (track->element == SWR_SHORT_ANGLES)
        return (int16_t)swr_half(swr_key(track, i) + 2 + 2 * axis);
    return (int32_t)swr_word(swr_key(track, i) + 4 + 4 * axis);
}

/* From key to key; the short way is no more than half a turn. */
static float turn(int32_t from, int32_t to, int short_way)
{
    uint32_t way = (uint32_t)to - (uint32_t)from;
    return (float)(short_way ? (int32_t)(int16_t)way : (int32_t)way);
}

/* On a spline through four keys, as differences to the key before the frame. */
void swr_curved_angles(const int32_t keys[4][3], const struct swr_interval *at, int short_way, float frame,
    int32_t out[3])
{
    uint32_t record[1][14], axis;
    float found[1][3];
    record[0][0] = at->start;
    record[0][1] = at->length;
    for (axis = 0; axis < 3; axis++) {
        uint32_t *four = &record[0][2 + 4 * axis];
        float next = turn(keys[1][axis], keys[2][axis], short_way);
        four[0] = swirl_bits(-turn(keys[0][axis], keys[1][axis], short_way));
        four[1] = swirl_bits(0.0f);
        four[2] = swirl_bits(next);
        four[3] = swirl_bits(next + turn(keys[2][axis], keys[3][axis], short_way));
    }
    swirl_keys_spline(swirl_bits(frame), (const uint32_t (*)[14])record, 1, found);
    for (axis = 0; axis < 3; axis++)
        out[axis] = (int32_t)((uint32_t)keys[1][axis] + (uint32_t)(int32_t)found[0][axis]);
}

static void spline_angles(const struct swr_track *track, const struct swr_interval *at, float frame,
    int32_t out[3])
{
    int32_t keys[4][3];
    uint32_t k, axis;
    for (k = 0; k < 4; k++)
        for (axis = 0; axis < 3; axis++)
            keys[k][axis] = angle(track, swr_around(track, at->before, k), axis);
    swr_curved_angles((const int32_t (*)[3])keys, at, track->element == SWR_SHORT_ANGLES, frame, out);
}

static void angles(const struct swr_motion *motion, const struct swr_track *track, float frame,
    int32_t out[3])
{
    uint32_t record[1][8], axis;
    int32_t found[1][3];
    struct swr_interval at;
    find(motion, track, frame, &at);
    for (axis = 0; axis < 3; axis++) {
        out[axis] = angle(track, at.before, axis);
        record[0][2 + axis] = (uint32_t)out[axis];
        record[0][5 + axis] = (uint32_t)angle(track, at.after, axis);
    }
    if (!at.between)
        return;
    if (motion->spline && !motion->straight_angles) {
        spline_angles(track, &at, frame, out);
        return;
    }
    record[0][0] = at.start;
    record[0][1] = at.length;
    swirl_keys_angles(swirl_bits(frame), (const uint32_t (*)[8])record, 1,
        track->element == SWR_SHORT_ANGLES, found);
    swr_copy(out, found, 12);
}

static void quaternion(const struct swr_motion *motion, const struct swr_track *track, float frame,
    float out[4])
{
    uint32_t record[1][10] __attribute__((aligned(8)));
    float found[1][4] __attribute__((aligned(8)));
    struct swr_interval at;
    find(motion, track, frame, &at);
    if (!at.between) {
        swr_copy(out, swr_key(track, at.before) + 4, 16);
        return;
    }
    record[0][0] = at.start;
    record[0][1] = at.length;
    swr_copy(&record[0][2], swr_key(track, at.before) + 4, 16);
    swr_copy(&record[0][6], swr_key(track, at.after) + 4, 16);
    swirl_keys_quaternion(swirl_bits(frame), (const uint32_t (*)[10])record, 1, found);
    swr_copy(out, found, 16);
}

/* Sets what a track moves in its node to its state at a frame. */
void swr_move_node(const struct swr_motion *motion, const struct swr_track *track, float frame,
    struct swr_pose *pose)
{
    switch (track->element) {
    case SWR_POSITION: vector(motion, track, frame, pose->position); break;
    case SWR_SCALE: vector(motion, track, frame, pose->scale); break;
    case SWR_QUATERNION_KEYS:
        pose->rotation = SWR_QUATERNION_PARTS;
        quaternion(motion, track, frame, pose->turn.quaternion);
        break;
    default:
        pose->rotation = motion->zxy ? SWR_ZXY : SWR_XYZ;
        angles(motion, track, frame, pose->turn.angles);
    }
}

/* Whether a motion of a length has the frame. */
int swr_in_frames(float frame, uint32_t length)
{
    return frame >= 0.0f && swr_finite(frame) && frame < (float)(int32_t)length;
}

int swr_move(struct swr_model *model, const struct swr_motion *motion, float frame)
{
    uint32_t i;
    if (!swr_in_frames(frame, motion->length))
        return 0;
    for (i = 0; i < model->count; i++)
        swr_still_node(model, i, &model->nodes[i].pose);
    for (i = 0; i < motion->count; i++)
        swr_move_node(motion, &motion->tracks[i], frame, &model->nodes[motion->tracks[i].node].pose);
    return 1;
}
