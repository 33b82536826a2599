/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions of cameras (NCAM) and lights (NLIM) from files: one entry of key tables
 * (docs/formats/ninja.md 1.9). */
#include "entries.h"

enum { NCAM = 0x4D41434E, NLIM = 0x4D494C4E };

/* An element by its bit of the type, with the layouts that its keys may have, the expected one first. */
struct view_element {
    uint8_t bit, part;
    struct { uint8_t stride, halves, element; } forms[2];
};

enum { NO_FORM = 0 };

static const struct view_element CAMERA[] = {
    {0, SWR_VIEW_PLACE, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {3, SWR_VIEW_VECTOR, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {6, SWR_VIEW_TARGET, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {7, SWR_VIEW_ROLL, {{4, 1, SWR_SHORT_ANGLES}, {8, 0, SWR_ONE_ANGLE}}},
    {8, SWR_VIEW_ANGLE, {{4, 1, SWR_SHORT_ANGLES}, {8, 0, SWR_ONE_ANGLE}}},
};

static const struct view_element LIGHT[] = {
    {0, SWR_VIEW_PLACE, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {3, SWR_VIEW_VECTOR, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {4, SWR_VIEW_VECTOR_0, {{16, 0, SWR_THREE_FLOATS}, {NO_FORM, 0, 0}}},
    {9, SWR_VIEW_COLOUR, {{16, 0, SWR_THREE_FLOATS}, {8, 0, SWR_PACKED_COLOUR}}},
    {10, SWR_VIEW_INTENSITY, {{12, 0, SWR_TWO_FLOATS}, {8, 0, SWR_ONE_FLOAT}}},
    {11, SWR_VIEW_SPOT, {{20, 0, SWR_SPOT_KEYS}, {NO_FORM, 0, 0}}},
    {12, SWR_VIEW_POINT, {{12, 0, SWR_TWO_FLOATS}, {NO_FORM, 0, 0}}},
};

struct view_file {
    struct motion_file file;
    struct swr_view_motion *view;
    const struct view_element *elements;
    uint32_t count;
};

/* The table of an element in the first entry. */
static int take_part(struct view_file *it, uint32_t slot, const struct view_element *element)
{
    struct motion_file *file = &it->file;
    struct table table = swr_read_table(file, 0, slot);
    struct key_form forms[2];
    uint32_t chosen = 0, k;
    if (!table.target || !table.count)
        return SWR_OK;
    for (k = 0; k < 2; k++) {
        forms[k].stride = element->forms[k].stride;
        forms[k].halves = element->forms[k].halves;
    }
    if (forms[1].stride != NO_FORM)
        chosen = swr_choose_form(file, slot, forms);
    it->view->tracks[element->part].element = element->forms[chosen].element;
    return swr_take_keys(file, &table, &forms[chosen], &it->view->tracks[element->part]);
}

static int take_parts(struct view_file *it)
{
    uint32_t slot, k;
    SWR_TRY(swr_mark_starts(&it->file));
    for (slot = 0; slot < it->file.elements; slot++)
        for (k = 0; k < it->count; k++)
            if (it->file.bit[slot] == it->elements[k].bit)
                SWR_TRY(take_part(it, slot, &it->elements[k]));
    return SWR_OK;
}

static int load(struct view_file *it, const uint8_t *bytes, uint32_t size, const struct swr_chunk *chunk,
    struct swr_memory local)
{
    struct motion_file *file = &it->file;
    struct swr_motion head;
    swr_clear(&head, sizeof head);
    file->motion = &head;
    swr_open(file, bytes, chunk);
    SWR_TRY(swr_read_head(file));
    it->view->length = head.length;
    it->view->spline = head.spline;
    file->listed = swr_borrow_bits(&local, file->size >> 2);
    file->starts = file->listed ? swr_borrow_bits(&local, file->size >> 1) : 0;
    if (!file->starts)
        return swr_refuse(file, 0, SWR_MEMORY);
    SWR_TRY(swr_count_entries(file, bytes, size, chunk));
    if (file->entries == 0)
        return swr_refuse(file, 0, SWR_NODES);
    return take_parts(it);
}

static int load_view(struct view_file *it, const void *bytes, uint32_t size, uint32_t name, uint32_t number,
    const struct swr_memory *memory, struct swr_fault *fault)
{
    struct swr_chunk chunk;
    swr_clear(it->view, sizeof *it->view);
    swr_clear(fault, sizeof *fault);
    swr_clear(&it->file, sizeof it->file);
    it->file.fault = fault;
    SWR_TRY(swr_find_chunk(bytes, size, name, number, &chunk, fault));
    return load(it, bytes, size, &chunk, *memory);
}

int swr_load_camera_motion(struct swr_view_motion *motion, const void *file, uint32_t size, uint32_t number,
    const struct swr_memory *memory, struct swr_fault *fault)
{
    struct view_file it;
    it.view = motion;
    it.elements = CAMERA;
    it.count = sizeof CAMERA / sizeof *CAMERA;
    return load_view(&it, file, size, NCAM, number, memory, fault);
}

int swr_load_light_motion(struct swr_view_motion *motion, const void *file, uint32_t size, uint32_t number,
    const struct swr_memory *memory, struct swr_fault *fault)
{
    struct view_file it;
    it.view = motion;
    it.elements = LIGHT;
    it.count = sizeof LIGHT / sizeof *LIGHT;
    return load_view(&it, file, size, NLIM, number, memory, fault);
}
