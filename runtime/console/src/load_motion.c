/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions from files: which key table moves which node. A motion does not tell how many nodes it has, nor
 * how wide the angles of its ANG_1 tables are; both follow from where structures begin
 * (docs/formats/ninja.md 1.9). */
#include "entries.h"

enum { NMDM = 0x4D444D4E, OTHER_ELEMENT = 99 };

/* An element by its bit of the type: its number, by which tables are sorted, and what it moves. */
static const struct { uint8_t bit, number, element; } ELEMENTS[] = {
    {0, 0, SWR_POSITION}, {4, 0, OTHER_ELEMENT}, {14, 0, OTHER_ELEMENT},
    {1, 1, SWR_ANGLES}, {5, 1, SWR_SHORT_ANGLES}, {13, 1, SWR_QUATERNION_KEYS},
    {2, 2, SWR_SCALE},
    {3, 3, OTHER_ELEMENT}, {6, 3, OTHER_ELEMENT},
    {15, 4, OTHER_ELEMENT},
    {7, 6, OTHER_ELEMENT},
    {8, 7, OTHER_ELEMENT},
    {9, 8, OTHER_ELEMENT},
    {10, 9, OTHER_ELEMENT},
    {12, 10, OTHER_ELEMENT}, {11, 10, OTHER_ELEMENT},
};

/* The elements of a type; those of one number exclude each other. */
static int read_elements(struct motion_file *file, uint32_t type)
{
    uint32_t i, last = 99, number;
    for (i = 0; i < sizeof ELEMENTS / sizeof ELEMENTS[0]; i++) {
        if (!(type >> ELEMENTS[i].bit & 1))
            continue;
        number = ELEMENTS[i].number;
        /* POINT is 9, but 10 beside INTENSITY. */
        if (ELEMENTS[i].bit == 12 && !(type >> 10 & 1))
            number = 9;
        if (number == last || file->elements == MAX_ELEMENTS)
            return swr_refuse(file, 8, SWR_MOTION);
        file->bit[file->elements] = ELEMENTS[i].bit;
        file->element[file->elements++] = ELEMENTS[i].element;
        last = number;
    }
    return SWR_OK;
}

static uint32_t count_bits(uint32_t word)
{
    uint32_t count = 0;
    for (; word; word >>= 1)
        count += word & 1;
    return count;
}

int swr_read_head(struct motion_file *file)
{
    struct swr_motion *motion = file->motion;
    uint32_t type, method;
    SWR_TRY(swr_check(file, 0, 12, 4));
    file->mdata = swr_word(file->body);
    motion->length = swr_word(file->body + 4);
    type = swr_half(file->body + 8);
    method = swr_half(file->body + 10);
    motion->spline = (method >> 6 & 3) != 0;
    motion->zxy = file->model ? file->model->nodes[0].flags & ZXY_ANG : 0;
    SWR_TRY(read_elements(file, type));
    file->tables = method & 15 ? method & 15 : count_bits(type);
    if (file->tables < file->elements || file->tables > MAX_TABLES)
        return swr_refuse(file, 10, SWR_MOTION);
    return SWR_OK;
}

/* The layouts of keys by element. */
static const struct key_form FORMS[] = {{16, 0}, {16, 0}, {16, 0}, {8, 1}, {20, 0}};

/* The width of ANG_1 keys: 32 bits, or 16 where more tables fit then. */
static void choose_angles(struct motion_file *file, uint32_t slot)
{
    const struct key_form forms[2] = {FORMS[SWR_ANGLES], FORMS[SWR_SHORT_ANGLES]};
    if (swr_choose_form(file, slot, forms))
        file->element[slot] = SWR_SHORT_ANGLES;
}

static int take_track(struct motion_file *file, uint32_t node, const struct table *table, uint32_t element,
    struct swr_memory *memory)
{
    struct swr_motion *motion = file->motion;
    struct swr_track *track = swr_take(memory, sizeof *track);
    if (!track)
        return swr_refuse(file, table->target, SWR_MEMORY);
    SWR_TRY(swr_take_keys(file, table, &FORMS[element], track));
    track->element = element;
    track->node = node;
    motion->count++;
    return SWR_OK;
}

/* Pairs the nodes that take an entry with the motion's, in drawing order. */
static int bind(struct motion_file *file, struct swr_memory *memory)
{
    struct swr_motion *motion = file->motion;
    uint32_t node, slot, entry = 0;
    motion->tracks = (struct swr_track *)(void *)(memory->next + (-(uint32_t)(uintptr_t)memory->next & 31));
    for (node = 0; node < file->model->count; node++) {
        file->fault->node = node;
        if (file->model->nodes[node].flags & SKIP)
            continue;
        if (entry >= file->entries)
            return swr_refuse(file, file->mdata, SWR_NODES);
        for (slot = 0; slot < file->elements; slot++) {
            struct table table = swr_read_table(file, entry, slot);
            if (table.target && table.count && file->element[slot] != OTHER_ELEMENT)
                SWR_TRY(take_track(file, node, &table, file->element[slot], memory));
        }
        entry++;
    }
    return SWR_OK;
}

static int load_tables(struct motion_file *file, struct swr_memory *memory)
{
    uint32_t slot;
    SWR_TRY(swr_mark_starts(file));
    for (slot = 0; slot < file->elements; slot++)
        if (file->element[slot] == SWR_ANGLES)
            choose_angles(file, slot);
    return bind(file, memory);
}

static int load_chunk(struct motion_file *file, const uint8_t *bytes, uint32_t size,
    const struct swr_chunk *chunk, struct swr_memory *memory)
{
    struct swr_memory local = *memory;
    swr_open(file, bytes, chunk);
    SWR_TRY(swr_read_head(file));
    file->listed = swr_borrow_bits(&local, file->size >> 2);
    file->starts = file->listed ? swr_borrow_bits(&local, file->size >> 1) : 0;
    if (!file->starts)
        return swr_refuse(file, 0, SWR_MEMORY);
    SWR_TRY(swr_count_entries(file, bytes, size, chunk));
    SWR_TRY(load_tables(file, &local));
    memory->next = local.next;
    return SWR_OK;
}

int swr_load_motion(struct swr_motion *motion, const struct swr_model *model, const void *bytes,
    uint32_t size, uint32_t number, struct swr_memory *memory, struct swr_fault *fault)
{
    struct motion_file file;
    struct swr_chunk chunk;
    swr_clear(motion, sizeof *motion);
    swr_clear(fault, sizeof *fault);
    swr_clear(&file, sizeof file);
    file.motion = motion;
    file.model = model;
    file.fault = fault;
    SWR_TRY(swr_find_chunk(bytes, size, NMDM, number, &chunk, fault));
    return load_chunk(&file, bytes, size, &chunk, memory);
}
