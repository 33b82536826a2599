/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The array of a motion's nodes, whose length no field tells. */
#include "entries.h"

int swr_refuse(const struct motion_file *file, uint32_t offset, int result)
{
    file->fault->offset = file->base + offset;
    return result;
}

int swr_check(const struct motion_file *file, uint32_t offset, uint32_t bytes, uint32_t align)
{
    if (offset & (align - 1))
        return swr_refuse(file, offset, SWR_POINTER);
    if (offset > file->size || bytes > file->size - offset)
        return swr_refuse(file, offset, SWR_END_OF_FILE);
    return SWR_OK;
}

struct table swr_read_table(const struct motion_file *file, uint32_t node, uint32_t slot)
{
    struct table table;
    table.at = file->mdata + node * file->tables * 8 + slot * 4;
    table.target = swr_word(file->body + table.at);
    table.count = swr_word(file->body + table.at + 4 * file->tables);
    return table;
}

/* Marks the pointers that a list names. */
void swr_read_pointers(struct motion_file *file, const uint8_t *list, uint32_t bytes)
{
    uint32_t at = 0, offset = 0;
    while (swr_next_pointer(list, bytes, &at, &offset) > 0) {
        if (offset < file->mdata || offset >= file->end || offset + 4 > file->size)
            continue;
        swr_set(file->listed, offset >> 2);
        file->any_listed = 1;
        file->lists_null |= swr_word(file->body + offset) == 0;
    }
}

/* Whether a pointer leads to where a table may be, and is listed if others are. */
static int is_sound(const struct motion_file *file, const struct table *table, uint32_t at, uint32_t stride)
{
    int free = table->target >= at + stride || table->target < file->mdata;
    int known = !file->any_listed || swr_get(file->listed, table->at >> 2);
    return !(table->target & 1) && table->target <= file->size && free && known;
}

/* Whether POF0 names a pointer of the node at `at`. */
static int names_node(const struct motion_file *file, uint32_t at)
{
    uint32_t slot;
    for (slot = 0; slot < file->tables; slot++)
        if (swr_get(file->listed, (at >> 2) + slot))
            return 1;
    return 0;
}

/* Takes the next node; `more` says whether there was one. */
static int next_entry(struct motion_file *file, int *more)
{
    uint32_t stride = 8 * file->tables, at = file->mdata + file->entries * stride, slot;
    *more = 0;
    if (at + stride > file->end || (file->lists_null && !names_node(file, at)))
        return SWR_OK;
    for (slot = 0; slot < file->tables; slot++) {
        struct table table = swr_read_table(file, file->entries, slot);
        if (table.target == 0 || is_sound(file, &table, at, stride))
            continue;
        if (file->entries == 0 || swr_get(file->listed, table.at >> 2))
            return swr_refuse(file, table.at, SWR_MOTION);
        return SWR_OK;
    }
    for (slot = 0; slot < file->tables; slot++) {
        struct table table = swr_read_table(file, file->entries, slot);
        if (table.target > file->mdata && table.target < file->end)
            file->end = table.target;
    }
    file->entries++;
    *more = 1;
    return SWR_OK;
}

static int count_nodes(struct motion_file *file)
{
    int more = file->tables != 0;
    SWR_TRY(swr_check(file, file->mdata, 8 * file->tables, 4));
    while (more)
        SWR_TRY(next_entry(file, &more));
    return SWR_OK;
}

void swr_open(struct motion_file *file, const uint8_t *bytes, const struct swr_chunk *chunk)
{
    file->base = chunk->offset;
    file->body = bytes + chunk->offset;
    file->end = file->size = chunk->size;
}

int swr_count_entries(struct motion_file *file, const uint8_t *bytes, uint32_t size,
    const struct swr_chunk *chunk)
{
    uint32_t at = chunk->offset + chunk->size;
    struct swr_chunk next;
    if (swr_next_chunk(bytes, size, &at, &next) == SWR_OK && next.name == POF0)
        swr_read_pointers(file, bytes + next.offset, next.size);
    return file->mdata ? count_nodes(file) : SWR_OK;
}

int swr_find_chunk(
    const uint8_t *file, uint32_t size, uint32_t name, uint32_t number, struct swr_chunk *chunk,
    struct swr_fault *fault)
{
    uint32_t at = 0;
    for (;;) {
        int result;
        fault->offset = at;
        result = swr_next_chunk(file, size, &at, chunk);
        if (result != SWR_OK)
            return result;
        if (chunk->name == name && number-- == 0)
            return SWR_OK;
    }
}
