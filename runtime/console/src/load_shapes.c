/* SPDX-License-Identifier: MIT OR Apache-2.0
 * CompactShape from files: a list of shapes (NJSL), and a motion through them (CPSM;
 * docs/formats/compact-shape.md). */
#include "entries.h"

enum { NJSL = 0x4C534A4E, CPSM = 0x4D535043, SHAPE_ID = 0x4000, END = 255 };

/* Ids 34, 35, 41, 42, 128, 129, 130. */
int swr_shape_kind(uint32_t id, struct shape_kind *kind)
{
    kind->position = id == 34 || id == 35 || id == 41 || id == 42;
    kind->normal = id == 41 || id == 42 || id == 128 || id == 129;
    kind->diffuse = id == 35 || id == 42 || id == 129 || id == 130;
    kind->stride = 3u * kind->position + 3u * kind->normal + kind->diffuse;
    return kind->stride != 0;
}

/* The list of shapes while it is checked. */
struct shape_file {
    struct motion_file list;   /* the chunk NJSL */
    struct motion_file motion; /* the chunk CPSM */
    struct swr_shapes *shapes;
    uint32_t has_list; /* POF0 names the pointers of the list */
};

/* Marks the pointers of the list's chunk. */
static int open_list(struct shape_file *it, const uint8_t *bytes, uint32_t size,
    const struct swr_chunk *chunk)
{
    uint32_t at = chunk->offset + chunk->size;
    struct swr_chunk next;
    struct motion_file *list = &it->list;
    swr_open(list, bytes, chunk);
    SWR_TRY(swr_check(list, 0, 8, 4));
    it->shapes->list = list->body;
    it->shapes->groups = swr_word(list->body);
    it->shapes->group_count = swr_word(list->body + 4);
    if (it->shapes->group_count > list->size >> 3 || (!it->shapes->groups && it->shapes->group_count))
        return swr_refuse(list, 0, SWR_SHAPES);
    SWR_TRY(swr_check(list, it->shapes->groups, 8 * it->shapes->group_count, 4));
    if (swr_next_chunk(bytes, size, &at, &next) != SWR_OK || next.name != POF0)
        return SWR_OK;
    it->has_list = 1;
    swr_read_pointers(list, bytes + next.offset, next.size);
    return SWR_OK;
}

static int leads_to_shape(const struct motion_file *list, uint32_t target)
{
    struct shape_kind kind;
    uint32_t id;
    if (target == 0 || (target & 3) || target > list->size || list->size - target < 4)
        return 0;
    id = swr_word(list->body + target) & 0xFF;
    return id == END || swr_shape_kind(id, &kind);
}

/* Where an array of pointers to vertex lists ends at the latest. */
static uint32_t array_end(const struct shape_file *it, uint32_t at)
{
    uint32_t i, end = it->list.size, groups = it->shapes->groups;
    for (i = 0; i < it->shapes->group_count; i++) {
        uint32_t other = swr_word(it->list.body + groups + 8 * i);
        if (other > at && other < end)
            end = other;
    }
    return groups > at && groups < end ? groups : end;
}

/* The number of pointers in the array at `at`: up to the last one that POF0 names or, without a list, before
 * the first word that leads to no shape chunk. */
static uint32_t array_length(const struct shape_file *it, uint32_t at)
{
    uint32_t end = array_end(it, at), next, known = 0, i = 0;
    for (next = at; next + 4 <= end; next += 4) {
        uint32_t target = swr_word(it->list.body + next);
        uint32_t is_pointer = it->has_list ? swr_get(it->list.listed, next >> 2)
                                           : (uint32_t)leads_to_shape(&it->list, target);
        if (!is_pointer && (target != 0 || !it->has_list))
            break;
        if (target > at && target < end)
            end = target;
        i++;
        if (is_pointer)
            known = i;
    }
    return known;
}

/* The vertex list of a shape for an entry, which has to be one chunk; 0 if there is none. */
static uint32_t find_shape(const struct shape_file *it, uint32_t shape, uint32_t entry)
{
    const struct motion_file *list = &it->list;
    uint32_t array, at, head;
    struct shape_kind kind;
    if (shape >= it->shapes->group_count)
        return 0;
    array = swr_word(list->body + it->shapes->groups + 8 * shape);
    if (array == 0 || (array & 3) || array > list->size || entry >= array_length(it, array))
        return 0;
    at = swr_word(list->body + array + 4 * entry);
    if (at == 0 || (at & 3) || at > list->size || list->size - at < 8)
        return 0;
    head = swr_word(list->body + at);
    if (!swr_shape_kind(head & 0xFF, &kind) || 4 * (head >> 16) > list->size - at - 8)
        return 0;
    if ((swr_word(list->body + at + 4 + 4 * (head >> 16)) & 0xFF) != END)
        return 0;
    return swr_multiple(head >> 16, kind.stride) ? at : 0;
}

static uint32_t group_id(const struct shape_file *it, uint32_t shape)
{
    return swr_half(it->list.body + it->shapes->groups + 8 * shape + 4);
}

/* Whether all shapes of the keys are there and can be blended with the first; `at` is where it lies. */
static int check_keys(const struct shape_file *it, uint32_t keys, uint32_t count, uint32_t entry,
    uint32_t *at)
{
    const struct motion_file *motion = &it->motion;
    uint32_t i, first = swr_word(motion->body + keys + 4), head;
    *at = find_shape(it, first, entry);
    if (*at == 0)
        return swr_refuse(motion, keys, SWR_SHAPES);
    head = swr_word(it->list.body + *at);
    for (i = 1; i < count; i++) {
        uint32_t shape = swr_word(motion->body + keys + 8 * i + 4), other = find_shape(it, shape, entry);
        if (other == 0 || group_id(it, shape) != group_id(it, first)
            || ((swr_word(it->list.body + other) ^ head) & 0xFFFF00FF))
            return swr_refuse(motion, keys + 8 * i, SWR_SHAPES);
    }
    return SWR_OK;
}

static uint32_t ascending(const uint8_t *keys, uint32_t count)
{
    uint32_t i;
    for (i = 1; i < count; i++)
        if (swr_word(keys + 8 * i) <= swr_word(keys + 8 * (i - 1)))
            return i;
    return count;
}

/* The chunk's stand-in, of which shapes write some words, and memory for both shapes between which it lies. */
static int take_moved(struct shape_file *it, struct swr_moved *moved, const uint8_t *own,
    struct swr_memory *memory)
{
    uint32_t bytes = 4 + 4 * (swr_word(own) >> 16), words = moved->vertices * 6;
    moved->stand_in = swr_take(memory, bytes);
    if (!moved->stand_in)
        return SWR_MEMORY;
    swr_copy(moved->stand_in, own, bytes);
    if (words > it->shapes->most)
        it->shapes->most = words;
    return SWR_OK;
}

/* One NJS_CSHAPEDATA, which moves one vertex chunk. */
static int take_data(struct shape_file *it, uint32_t node, uint32_t number, const uint8_t *own, uint32_t data,
    struct swr_moved *moved, struct swr_memory *memory)
{
    const struct motion_file *motion = &it->motion;
    uint32_t keys = swr_word(motion->body + data), count = swr_half(motion->body + data + 4);
    uint32_t entry = swr_half(motion->body + data + 6), at;
    struct shape_kind kind;
    if (count == 0)
        return SWR_OK;
    if (keys == 0)
        return swr_refuse(motion, data, SWR_SHAPES);
    SWR_TRY(swr_check(motion, keys, 8 * count, 4));
    SWR_TRY(check_keys(it, keys, count, entry, &at));
    swr_shape_kind(swr_word(it->list.body + at) & 0xFF, &kind);
    moved->node = node;
    moved->chunk = number;
    moved->vertices = swr_quotient(swr_word(it->list.body + at) >> 16, kind.stride);
    moved->entry = entry;
    moved->keys.keys = motion->body + keys;
    moved->keys.count = count;
    moved->keys.ascending = ascending(motion->body + keys, count);
    moved->keys.stride = 8;
    moved->keys.element = SWR_POSITION; /* frames of 32 bits */
    if (moved->vertices > swr_word(own + 4) >> 16)
        return swr_refuse(motion, data, SWR_SHAPES);
    it->shapes->count++;
    return take_moved(it, moved, own, memory);
}

/* Chunk `number` of the vertex list of a node; 0 if it has not so many. */
static const uint8_t *vertex_chunk(const struct swr_model *model, uint32_t node, uint32_t number)
{
    uint32_t at = swr_word(model->body + model->nodes[node].offset + 4), list = at ? swr_word(model->body
        + at) : 0;
    const uint8_t *chunk = model->body + list;
    if (list == 0)
        return 0;
    for (; (swr_word(chunk) & 0xFF) != END; chunk += 4 + 4 * (swr_word(chunk) >> 16))
        if (number-- == 0)
            return chunk;
    return 0;
}

static int take_node(struct shape_file *it, uint32_t node, const struct table *table,
    struct swr_memory *memory)
{
    uint32_t i;
    if (table->target == 0)
        return SWR_OK;
    if (table->count > it->motion.size >> 3)
        return swr_refuse(&it->motion, table->at, SWR_END_OF_FILE);
    SWR_TRY(swr_check(&it->motion, table->target, 8 * table->count, 4));
    for (i = 0; i < table->count; i++) {
        const uint8_t *own = vertex_chunk(it->motion.model, node, i);
        if (!own || it->shapes->count == it->shapes->room)
            return swr_refuse(&it->motion, table->target + 8 * i, own ? SWR_MEMORY : SWR_SHAPES);
        SWR_TRY(take_data(it, node, i, own, table->target + 8 * i, &it->shapes->moved[it->shapes->count],
            memory));
    }
    return SWR_OK;
}

/* Chunks of vertex lists of all nodes: so many can be moved. */
static uint32_t count_chunks(const struct swr_model *model)
{
    uint32_t node, count = 0, i;
    for (node = 0; node < model->count; node++) {
        for (i = 0; vertex_chunk(model, node, i); i++)
            count++;
    }
    return count;
}

static int bind(struct shape_file *it, struct swr_memory *memory)
{
    const struct swr_model *model = it->motion.model;
    uint32_t node, entry = 0;
    it->shapes->room = count_chunks(model);
    it->shapes->moved = swr_take(memory, it->shapes->room * sizeof *it->shapes->moved);
    if (!it->shapes->moved)
        return SWR_MEMORY;
    swr_clear(it->shapes->moved, it->shapes->room * sizeof *it->shapes->moved);
    for (node = 0; node < model->count; node++) {
        struct table table;
        it->motion.fault->node = node;
        if (model->nodes[node].flags & SHAPE_SKIP)
            continue;
        if (entry >= it->motion.entries)
            return swr_refuse(&it->motion, it->motion.mdata, SWR_NODES);
        table = swr_read_table(&it->motion, entry++, 0);
        SWR_TRY(take_node(it, node, &table, memory));
    }
    it->shapes->between = swr_take(memory, 3 * 4 * it->shapes->most + 32);
    return it->shapes->between ? SWR_OK : SWR_MEMORY;
}

static int open_motion(struct shape_file *it, const uint8_t *bytes, uint32_t size,
    const struct swr_chunk *chunk)
{
    struct motion_file *motion = &it->motion;
    swr_open(motion, bytes, chunk);
    SWR_TRY(swr_check(motion, 0, 12, 4));
    if (swr_half(motion->body + 8) != SHAPE_ID || (swr_half(motion->body + 10) & 15) > 1)
        return swr_refuse(motion, 8, SWR_MOTION);
    motion->mdata = swr_word(motion->body);
    motion->tables = 1;
    it->shapes->length = swr_word(motion->body + 4);
    return swr_count_entries(motion, bytes, size, chunk);
}

int swr_load_shapes(struct swr_shapes *shapes, const struct swr_model *model, const struct swr_file *list,
    const struct swr_file *motion, struct swr_memory *memory, struct swr_fault *fault)
{
    struct shape_file it;
    struct swr_chunk chunk;
    struct swr_memory local = *memory;
    swr_clear(shapes, sizeof *shapes);
    swr_clear(fault, sizeof *fault);
    swr_clear(&it, sizeof it);
    it.shapes = shapes;
    it.list.model = it.motion.model = model;
    it.list.fault = it.motion.fault = fault;
    it.list.listed = swr_borrow_bits(&local, list->size >> 2);
    it.motion.listed = it.list.listed ? swr_borrow_bits(&local, motion->size >> 2) : 0;
    if (!it.motion.listed)
        return SWR_MEMORY;
    SWR_TRY(swr_find_chunk(list->bytes, list->size, NJSL, list->number, &chunk, fault));
    SWR_TRY(open_list(&it, list->bytes, list->size, &chunk));
    SWR_TRY(swr_find_chunk(motion->bytes, motion->size, CPSM, motion->number, &chunk, fault));
    SWR_TRY(open_motion(&it, motion->bytes, motion->size, &chunk));
    SWR_TRY(bind(&it, &local));
    memory->next = local.next;
    return SWR_OK;
}
