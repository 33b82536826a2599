/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Motions from files: which key table moves which node. A motion does not tell how many nodes it has, nor how wide the
 * angles of its ANG_1 tables are; both follow from where structures begin (docs/formats/ninja.md 1.9). */
#include "internal.h"

enum { NMDM = 0x4D444D4E, POF0 = 0x30464F50 };
enum { MAX_TABLES = 5, MAX_ELEMENTS = 5, OTHER_ELEMENT = 99 };

/* An element by its bit of the type: its number, by which tables are sorted, and what it moves. */
static const struct { uint8_t bit, number, element; } ELEMENTS[] = {
    {0, 0, SWR_POSITION}, {4, 0, OTHER_ELEMENT}, {14, 0, OTHER_ELEMENT}, {1, 1, SWR_ANGLES}, {5, 1, SWR_SHORT_ANGLES},
    {13, 1, SWR_QUATERNION_KEYS}, {2, 2, SWR_SCALE}, {3, 3, OTHER_ELEMENT}, {6, 3, OTHER_ELEMENT}, {15, 4, OTHER_ELEMENT},
    {7, 6, OTHER_ELEMENT}, {8, 7, OTHER_ELEMENT}, {9, 8, OTHER_ELEMENT}, {10, 9, OTHER_ELEMENT}, {12, 10, OTHER_ELEMENT},
    {11, 10, OTHER_ELEMENT},
};

struct table { uint32_t at, target, count; };

struct loader {
    struct swr_motion *motion;
    const struct swr_model *model;
    struct swr_fault *fault;
    const uint8_t *body;
    uint32_t base, size;
    uint32_t tables; /* of a node */
    uint32_t elements;
    uint8_t element[MAX_ELEMENTS];
    uint32_t mdata, end, entries;
    uint32_t any_listed, lists_null;
    uint32_t *listed; /* a bit for each word that POF0 names */
    uint32_t *starts; /* a bit for each half-word at which a structure begins */
};

static int fail(const struct loader *loader, uint32_t offset, int result)
{
    loader->fault->offset = loader->base + offset;
    return result;
}

static int check(const struct loader *loader, uint32_t offset, uint32_t bytes, uint32_t align)
{
    if (offset & (align - 1))
        return fail(loader, offset, SWR_POINTER);
    if (offset > loader->size || bytes > loader->size - offset)
        return fail(loader, offset, SWR_END_OF_FILE);
    return SWR_OK;
}

static void set(uint32_t *bits, uint32_t i) { bits[i >> 5] |= 1u << (i & 31); }
static uint32_t get(const uint32_t *bits, uint32_t i) { return bits[i >> 5] >> (i & 31) & 1; }

static struct table read_table(const struct loader *loader, uint32_t node, uint32_t slot)
{
    struct table table;
    table.at = loader->mdata + node * loader->tables * 8 + slot * 4;
    table.target = swr_word(loader->body + table.at);
    table.count = swr_word(loader->body + table.at + 4 * loader->tables);
    return table;
}

/* The elements of a type; those of one number exclude each other. */
static int read_elements(struct loader *loader, uint32_t type)
{
    uint32_t i, last = 99, number;
    for (i = 0; i < sizeof ELEMENTS / sizeof ELEMENTS[0]; i++) {
        if (!(type >> ELEMENTS[i].bit & 1))
            continue;
        number = ELEMENTS[i].number;
        /* POINT is 9, but 10 beside INTENSITY. */
        if (ELEMENTS[i].bit == 12 && !(type >> 10 & 1))
            number = 9;
        if (number == last || loader->elements == MAX_ELEMENTS)
            return fail(loader, 8, SWR_MOTION);
        loader->element[loader->elements++] = ELEMENTS[i].element;
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

static int read_head(struct loader *loader)
{
    struct swr_motion *motion = loader->motion;
    uint32_t type, method;
    SWR_TRY(check(loader, 0, 12, 4));
    loader->mdata = swr_word(loader->body);
    motion->length = swr_word(loader->body + 4);
    type = swr_half(loader->body + 8);
    method = swr_half(loader->body + 10);
    motion->spline = (method >> 6 & 3) != 0;
    motion->zxy = loader->model->nodes[0].flags & ZXY_ANG;
    SWR_TRY(read_elements(loader, type));
    loader->tables = method & 15 ? method & 15 : count_bits(type);
    if (loader->tables < loader->elements || loader->tables > MAX_TABLES)
        return fail(loader, 10, SWR_MOTION);
    return SWR_OK;
}

/* Marks the pointers that a list names; see check_pointers in load.c. */
static void read_pointers(struct loader *loader, const uint8_t *list, uint32_t bytes)
{
    uint32_t at = 0, offset = 0;
    while (at < bytes && list[at] >> 6) {
        uint32_t width = list[at] >> 6 == 1 ? 1 : list[at] >> 6 == 2 ? 2 : 4, words = list[at] & 63, k;
        if (width > bytes - at)
            return;
        for (k = 1; k < width; k++)
            words = words << 8 | list[at + k];
        if (words > 0x0FFFFFFF || offset + 4 * words < offset)
            return;
        offset += 4 * words;
        at += width;
        if (offset < loader->mdata || offset >= loader->end || offset + 4 > loader->size)
            continue;
        set(loader->listed, offset >> 2);
        loader->any_listed = 1;
        loader->lists_null |= swr_word(loader->body + offset) == 0;
    }
}

/* Whether a pointer leads to where a table may be, and is listed if others are. */
static int is_sound(const struct loader *loader, const struct table *table, uint32_t at, uint32_t stride)
{
    int free = table->target >= at + stride || table->target < loader->mdata;
    int known = !loader->any_listed || get(loader->listed, table->at >> 2);
    return !(table->target & 1) && table->target <= loader->size && free && known;
}

/* Whether POF0 names a pointer of the node at `at`. */
static int names_node(const struct loader *loader, uint32_t at)
{
    uint32_t slot;
    for (slot = 0; slot < loader->tables; slot++)
        if (get(loader->listed, (at >> 2) + slot))
            return 1;
    return 0;
}

/* Takes the next node; `more` says whether there was one. */
static int next_entry(struct loader *loader, int *more)
{
    uint32_t stride = 8 * loader->tables, at = loader->mdata + loader->entries * stride, slot;
    *more = 0;
    if (at + stride > loader->end || (loader->lists_null && !names_node(loader, at)))
        return SWR_OK;
    for (slot = 0; slot < loader->tables; slot++) {
        struct table table = read_table(loader, loader->entries, slot);
        if (table.target == 0 || is_sound(loader, &table, at, stride))
            continue;
        if (loader->entries == 0 || get(loader->listed, table.at >> 2))
            return fail(loader, table.at, SWR_MOTION);
        return SWR_OK;
    }
    for (slot = 0; slot < loader->tables; slot++) {
        struct table table = read_table(loader, loader->entries, slot);
        if (table.target > loader->mdata && table.target < loader->end)
            loader->end = table.target;
    }
    loader->entries++;
    *more = 1;
    return SWR_OK;
}

static int count_entries(struct loader *loader)
{
    int more = loader->tables != 0;
    SWR_TRY(check(loader, loader->mdata, 8 * loader->tables, 4));
    while (more)
        SWR_TRY(next_entry(loader, &more));
    return SWR_OK;
}

/* Marks where tables begin; one behind the elements is an error. */
static int mark_starts(struct loader *loader)
{
    uint32_t node, slot;
    set(loader->starts, 0);
    set(loader->starts, loader->mdata >> 1);
    for (node = 0; node < loader->entries; node++)
        for (slot = 0; slot < loader->tables; slot++) {
            struct table table = read_table(loader, node, slot);
            if (table.target == 0)
                continue;
            if (slot >= loader->elements)
                return fail(loader, table.at, SWR_MOTION);
            set(loader->starts, table.target >> 1);
        }
    return SWR_OK;
}

/* Bytes from a half-word to the next structure. */
static uint32_t room(const struct loader *loader, uint32_t at)
{
    uint32_t next = (at >> 1) + 1;
    while (2 * next < loader->size && !get(loader->starts, next))
        next++;
    return (2 * next < loader->size ? 2 * next : loader->size) - at;
}

/* Whether keys fit into what there is, and ascend. */
static int fits(const struct loader *loader, const struct table *table, uint32_t stride, int halves)
{
    uint32_t i, before = 0, space = room(loader, table->target);
    if (table->count > space >> 3 || table->count * stride > space)
        return 0;
    for (i = 0; i < table->count; i++) {
        const uint8_t *key = loader->body + table->target + i * stride;
        uint32_t frame = halves ? swr_half(key)
                                : (uint32_t)swr_half(key) | (uint32_t)swr_half(key + 2) << 16;
        if (i && frame <= before)
            return 0;
        before = frame;
    }
    return 1;
}

/* Whether an entry before has the same table. */
static int seen_before(const struct loader *loader, uint32_t node, uint32_t slot)
{
    struct table own = read_table(loader, node, slot);
    while (node--) {
        struct table other = read_table(loader, node, slot);
        if (other.target == own.target && other.count == own.count)
            return 1;
    }
    return 0;
}

/* The width of ANG_1 keys: 32 bits, or 16 where more tables fit then. */
static void choose_angles(struct loader *loader, uint32_t slot)
{
    uint32_t node, wide = 0, narrow = 0;
    for (node = 0; node < loader->entries; node++) {
        struct table table = read_table(loader, node, slot);
        if (table.target == 0 || seen_before(loader, node, slot))
            continue;
        wide += !fits(loader, &table, 16, 0);
        narrow += !fits(loader, &table, 8, 1);
    }
    if (narrow < wide)
        loader->element[slot] = SWR_SHORT_ANGLES;
}

static int take_track(struct loader *loader, uint32_t node, const struct table *table, uint32_t element, struct swr_memory *memory)
{
    static const uint8_t STRIDES[] = {16, 16, 16, 8, 20};
    struct swr_motion *motion = loader->motion;
    uint32_t stride = STRIDES[element];
    struct swr_track *track;
    SWR_TRY(check(loader, table->target, 0, element == SWR_SHORT_ANGLES ? 2 : 4));
    if (table->count > (loader->size - table->target) >> 3)
        return fail(loader, table->target, SWR_END_OF_FILE);
    SWR_TRY(check(loader, table->target, table->count * stride, 2));
    track = swr_take(memory, sizeof *track);
    if (!track)
        return fail(loader, table->target, SWR_MEMORY);
    track->keys = loader->body + table->target;
    track->count = table->count;
    track->stride = stride;
    track->element = element;
    track->node = node;
    motion->count++;
    return SWR_OK;
}

/* Keys before the first that does not ascend: the search never reaches later ones. */
static void find_ascending(struct swr_track *track)
{
    uint32_t before = 0, i;
    for (i = 0; i < track->count; i++) {
        const uint8_t *key = track->keys + i * track->stride;
        uint32_t frame = track->element == SWR_SHORT_ANGLES ? swr_half(key) : swr_word(key);
        if (i && frame <= before)
            break;
        before = frame;
    }
    track->ascending = i;
}

/* Pairs the nodes that take an entry with the motion's, in drawing order. */
static int bind(struct loader *loader, struct swr_memory *memory)
{
    struct swr_motion *motion = loader->motion;
    uint32_t node, slot, entry = 0;
    motion->tracks = (struct swr_track *)(void *)(memory->next + (-(uint32_t)(uintptr_t)memory->next & 31));
    for (node = 0; node < loader->model->count; node++) {
        loader->fault->node = node;
        if (loader->model->nodes[node].flags & SKIP)
            continue;
        if (entry >= loader->entries)
            return fail(loader, loader->mdata, SWR_NODES);
        for (slot = 0; slot < loader->elements; slot++) {
            struct table table = read_table(loader, entry, slot);
            if (table.target && table.count && loader->element[slot] != OTHER_ELEMENT)
                SWR_TRY(take_track(loader, node, &table, loader->element[slot], memory));
        }
        entry++;
    }
    for (slot = 0; slot < motion->count; slot++)
        find_ascending(&motion->tracks[slot]);
    return SWR_OK;
}

/* Bits from the end of memory, for the time of loading. */
static uint32_t *borrow(struct swr_memory *memory, uint32_t bits)
{
    uint32_t bytes = (bits >> 8) * 32 + 64 + ((uint32_t)(uintptr_t)memory->end & 31);
    if (bytes > (uint32_t)(memory->end - memory->next))
        return 0;
    memory->end -= bytes;
    swr_clear(memory->end, bytes & ~31u);
    return (uint32_t *)(void *)memory->end;
}

static int load_tables(struct loader *loader, struct swr_memory *memory)
{
    uint32_t slot;
    SWR_TRY(mark_starts(loader));
    for (slot = 0; slot < loader->elements; slot++)
        if (loader->element[slot] == SWR_ANGLES)
            choose_angles(loader, slot);
    return bind(loader, memory);
}

static int load_chunk(struct loader *loader, const uint8_t *file, uint32_t size, const struct swr_chunk *chunk,
    struct swr_memory *memory)
{
    struct swr_memory local = *memory;
    struct swr_chunk next;
    uint32_t at = chunk->offset + chunk->size;
    loader->base = chunk->offset;
    loader->body = file + chunk->offset;
    loader->end = loader->size = chunk->size;
    SWR_TRY(read_head(loader));
    loader->listed = borrow(&local, loader->size >> 2);
    loader->starts = loader->listed ? borrow(&local, loader->size >> 1) : 0;
    if (!loader->starts)
        return fail(loader, 0, SWR_MEMORY);
    if (swr_next_chunk(file, size, &at, &next) == SWR_OK && next.name == POF0)
        read_pointers(loader, file + next.offset, next.size);
    if (loader->mdata)
        SWR_TRY(count_entries(loader));
    SWR_TRY(load_tables(loader, &local));
    memory->next = local.next;
    return SWR_OK;
}

int swr_load_motion(struct swr_motion *motion, const struct swr_model *model, const void *file, uint32_t size, uint32_t number,
    struct swr_memory *memory, struct swr_fault *fault)
{
    struct loader loader;
    struct swr_chunk chunk;
    uint32_t at = 0;
    swr_clear(motion, sizeof *motion);
    swr_clear(fault, sizeof *fault);
    swr_clear(&loader, sizeof loader);
    loader.motion = motion;
    loader.model = model;
    loader.fault = fault;
    for (;;) {
        int result;
        fault->offset = at;
        result = swr_next_chunk(file, size, &at, &chunk);
        if (result != SWR_OK)
            return result;
        if (chunk.name == NMDM && number-- == 0)
            return load_chunk(&loader, file, size, &chunk, memory);
    }
}
