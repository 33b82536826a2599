/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions of cell sprites: place, angle, scale and colour of a whole sprite (docs/formats/cell-sprite.md
 * 5.3). */
#include "entries.h"

enum { NCSM = 0x4D53434E };
enum { PLACE, ANGLE, SCALE, COLOUR };

/* The elements by the bits of their type, with the bytes of a key: a frame and what it holds. */
static const struct { uint8_t bit, part; struct key_form form; } PARTS[] = {
    {0, PLACE, {16, 0}}, {1, ANGLE, {8, 0}}, {2, SCALE, {12, 0}}, {9, COLOUR, {8, 0}},
};

/* A sprite has one node. */
static int take_tables(const struct motion_file *file, struct swr_sprite_motion *motion)
{
    uint32_t slot, k;
    SWR_TRY(swr_check(file, file->mdata, 8 * file->tables, 4));
    for (slot = 0; slot < file->tables; slot++) {
        struct table table = swr_read_table(file, 0, slot);
        if (table.target && slot >= file->elements)
            return swr_refuse(file, table.at, SWR_MOTION);
        for (k = 0; k < sizeof PARTS / sizeof *PARTS; k++)
            if (table.target && file->bit[slot] == PARTS[k].bit)
                SWR_TRY(swr_take_keys(file, &table, &PARTS[k].form, &motion->tracks[PARTS[k].part]));
    }
    return SWR_OK;
}

int swr_load_sprite_motion(struct swr_sprite_motion *motion, const void *bytes, uint32_t size,
    uint32_t number, struct swr_fault *fault)
{
    struct motion_file file;
    struct swr_motion head;
    struct swr_chunk chunk;
    swr_clear(motion, sizeof *motion);
    swr_clear(fault, sizeof *fault);
    swr_clear(&file, sizeof file);
    swr_clear(&head, sizeof head);
    file.motion = &head;
    file.fault = fault;
    SWR_TRY(swr_find_chunk(bytes, size, NCSM, number, &chunk, fault));
    swr_open(&file, bytes, &chunk);
    SWR_TRY(swr_read_head(&file));
    motion->length = head.length;
    motion->spline = head.spline;
    return file.mdata ? take_tables(&file, motion) : SWR_OK;
}

/* What a key holds, 1 to 3 words. */
static void take(const struct swr_track *track, uint32_t i, uint32_t words, uint32_t out[3])
{
    swr_clear(out, 12);
    swr_copy(out, swr_key(track, i) + 4, 4 * words);
}

/* Where a track is at a frame; 0 if it has no keys. */
static int find(const struct swr_sprite_motion *motion, uint32_t part, float frame, struct swr_interval *out)
{
    const struct swr_track *track = &motion->tracks[part];
    if (track->count == 0)
        return 0;
    swr_interval_at(track, motion->length, motion->last_key, frame, out);
    return 1;
}

static void linear(const struct swr_track *track, const struct swr_interval *at, uint32_t words,
    uint32_t record[8])
{
    record[0] = at->start;
    record[1] = at->length;
    take(track, at->before, words, &record[2]);
    take(track, at->after, words, &record[5]);
}

static void move_floats(const struct swr_sprite_motion *motion, uint32_t part, float frame, uint32_t words,
    float *out)
{
    const struct swr_track *track = &motion->tracks[part];
    uint32_t straight[1][8], curve[1][14], held[3], k, axis;
    float found[1][3];
    struct swr_interval at;
    if (!find(motion, part, frame, &at))
        return;
    if (!at.between) {
        take(track, at.before, words, held);
        swr_copy(out, held, 4 * words);
        return;
    }
    linear(track, &at, words, straight[0]);
    swr_copy(curve[0], straight[0], 8);
    for (k = 0; k < 4; k++) {
        take(track, swr_around(track, at.before, k), words, held);
        for (axis = 0; axis < 3; axis++)
            curve[0][2 + 4 * axis + k] = held[axis];
    }
    if (motion->spline)
        swirl_keys_spline(swirl_bits(frame), (const uint32_t (*)[14])curve, 1, found);
    else
        swirl_keys_linear(swirl_bits(frame), (const uint32_t (*)[8])straight, 1, found);
    swr_copy(out, found, 4 * words);
}

static uint32_t word_of(const struct swr_track *track, uint32_t i) { return swr_word(swr_key(track, i) + 4); }

static float turn(const struct swr_track *track, uint32_t from, uint32_t to)
{
    return (float)(int32_t)(word_of(track, to) - word_of(track, from));
}

/* On a spline, as differences to the key before the frame. */
static int32_t curved_angle(const struct swr_track *track, const struct swr_interval *at, float frame)
{
    uint32_t record[1][14], keys[4], k;
    float found[1][3], next;
    swr_clear(record, sizeof record);
    record[0][0] = at->start;
    record[0][1] = at->length;
    for (k = 0; k < 4; k++)
        keys[k] = swr_around(track, at->before, k);
    next = turn(track, keys[1], keys[2]);
    record[0][2] = swirl_bits(-turn(track, keys[0], keys[1]));
    record[0][4] = swirl_bits(next);
    record[0][5] = swirl_bits(next + turn(track, keys[2], keys[3]));
    swirl_keys_spline(swirl_bits(frame), (const uint32_t (*)[14])record, 1, found);
    return (int32_t)(word_of(track, at->before) + (uint32_t)(int32_t)found[0][0]);
}

static void move_angle(const struct swr_sprite_motion *motion, float frame, int32_t *out)
{
    const struct swr_track *track = &motion->tracks[ANGLE];
    uint32_t record[1][8];
    int32_t found[1][3];
    struct swr_interval at;
    if (!find(motion, ANGLE, frame, &at))
        return;
    if (!at.between) {
        *out = (int32_t)word_of(track, at.before);
        return;
    }
    if (motion->spline && !motion->straight_angles) {
        *out = curved_angle(track, &at, frame);
        return;
    }
    linear(track, &at, 1, record[0]);
    swirl_keys_angles(swirl_bits(frame), (const uint32_t (*)[8])record, 1, 0, found);
    *out = found[0][0];
}

static void move_colour(const struct swr_sprite_motion *motion, float frame, float out[4])
{
    const struct swr_track *track = &motion->tracks[COLOUR];
    uint32_t before, after, moment[3], k;
    struct swr_interval at;
    if (!find(motion, COLOUR, frame, &at))
        return;
    before = word_of(track, at.before);
    if (at.between) {
        after = word_of(track, at.after);
        moment[0] = swirl_bits(frame);
        moment[1] = at.start;
        moment[2] = at.length;
        swirl_shape_colours(&before, &after, 1, moment, &before);
    }
    for (k = 0; k < 4; k++)
        out[k] = (float)(int32_t)(before >> (24 - 8 * k) & 0xFF) / 255.0f;
}

int swr_move_sprite(struct swr_sprite *sprite, const struct swr_sprite_motion *motion, float frame)
{
    if (!swr_in_frames(frame, motion->length))
        return 0;
    move_floats(motion, PLACE, frame, 3, sprite->position);
    move_floats(motion, SCALE, frame, 2, sprite->scale);
    move_angle(motion, frame, &sprite->angle);
    move_colour(motion, frame, sprite->diffuse);
    return 1;
}
