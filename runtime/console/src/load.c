/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Chunk models from files. Everything that drawing reads is checked here, so that drawing need not. */
#include "internal.h"

enum { HEAD_BYTES = 8, OBJECT_BYTES = 52, MODEL_BYTES = 24 };

/* A node table of any other size would leave gaps between nodes. */
typedef char node_size_is_a_multiple_of_32[sizeof(struct swr_node) % 32 == 0 ? 1 : -1];

struct branch {
    uint32_t offset;
    uint32_t *link; /* where its number goes */
};

struct loader {
    struct swr_model *model;
    struct swr_fault *fault;
    uint32_t base; /* of the chunk in the file */
    uint32_t *seen;   /* a bit for each word of the chunk at which a node begins */
    uint32_t *starts; /* the same of all structures */
    uint32_t quaternions;
    struct branch *stack;
    uint32_t depth;
};

static int fail(const struct loader *loader, uint32_t offset, int result)
{
    loader->fault->offset = loader->base + offset;
    return result;
}

/* Whether `bytes` bytes at an offset are in the chunk. */
static int inside(const struct swr_model *model, uint32_t offset, uint32_t bytes)
{
    return offset <= model->size && bytes <= model->size - offset;
}

static int check(const struct loader *loader, uint32_t offset, uint32_t bytes, uint32_t align)
{
    if (offset & (align - 1))
        return fail(loader, offset, SWR_POINTER);
    return inside(loader->model, offset, bytes) ? SWR_OK : fail(loader, offset, SWR_END_OF_FILE);
}

static void raise(uint32_t *most, uint32_t value) { *most = value > *most ? value : *most; }

/* -- Vertex lists -- */

static int weighted_slots(struct loader *loader, uint32_t at, const struct vertex_kind *kind,
    uint32_t offset, uint32_t count)
{
    struct swr_model *model = loader->model;
    uint32_t i;
    for (i = 0; i < count; i++) {
        uint32_t word = swr_word(model->body + at + 8 + 4 * (i * kind->stride + kind->at));
        int32_t slot = (int32_t)offset + (int16_t)(word & 0xFFFF);
        if (slot < 0 || slot >= SWR_MAX_SLOTS)
            return fail(loader, at, SWR_SLOT);
        if (word >> 16 > 255)
            model->weight_scale = 1.0f / 65535.0f;
        raise(&model->needs.slots, (uint32_t)slot + 1);
    }
    return SWR_OK;
}

static int plain_slots(struct loader *loader, uint32_t at, uint32_t offset, uint32_t count)
{
    if (offset + count > SWR_MAX_SLOTS)
        return fail(loader, at, SWR_SLOT);
    raise(&loader->model->needs.slots, offset + count);
    return SWR_OK;
}

static int load_vertices(struct loader *loader, uint32_t at, uint32_t head)
{
    struct swr_model *model = loader->model;
    const struct vertex_kind *kind = swr_vertex_kind(head & 0xFF);
    uint32_t size = head >> 16, counts, offset, count;
    if (!kind)
        return fail(loader, at, SWR_VERTEX_KIND);
    if (size == 0)
        return fail(loader, at, SWR_VERTEX_SIZE);
    counts = swr_word(model->body + at + 4);
    offset = counts & 0xFFFF;
    count = counts >> 16;
    if (count * kind->stride > size - 1)
        return fail(loader, at, SWR_VERTEX_SIZE);
    if (count == 0)
        return SWR_OK;
    if (kind->normal == PACKED_NORMAL)
        raise(&model->needs.vertices, count);
    if (kind->attribute == ATTRIBUTE_NINJA_D8)
        raise(&model->needs.words, 4 * count);
    if (kind->attribute == ATTRIBUTE_NINJA || kind->attribute == ATTRIBUTE_NINJA_D8)
        SWR_TRY(weighted_slots(loader, at, kind, offset, count));
    else
        return plain_slots(loader, at, offset, count);
    /* Status 3 is no weight: the vertices lie one after the other. */
    return (head >> 8 & 3) == 3 ? plain_slots(loader, at, offset, count) : SWR_OK;
}

static int load_vertex_list(struct loader *loader, uint32_t at)
{
    const struct swr_model *model = loader->model;
    for (;;) {
        uint32_t head;
        SWR_TRY(check(loader, at, 4, 4));
        head = swr_word(model->body + at);
        if ((head & 0xFF) == 255)
            return SWR_OK;
        SWR_TRY(check(loader, at, 4 + 4 * (head >> 16), 4));
        SWR_TRY(load_vertices(loader, at, head));
        at += 4 + 4 * (head >> 16);
    }
}

/* -- Polygon lists -- */

/* Finds the end of strips of entries of `size` half-words in `words`; the triangles that they make. */
static int load_strips(
    struct loader *loader, uint32_t at, uint32_t words, uint32_t size, uint32_t user, uint32_t count,
    uint32_t *triangles)
{
    struct swr_needs *needs = &loader->model->needs;
    uint32_t used = 0;
    for (; count; count--) {
        int32_t length;
        uint32_t entries;
        if (used >= words)
            return fail(loader, at, SWR_POLYGON_SIZE);
        length = (int16_t)swr_half(loader->model->body + at + 2 * used);
        entries = (uint32_t)(length < 0 ? -length : length);
        used += 1 + entries * size + (entries > 2 ? entries - 2 : 0) * user;
        if (used > words)
            return fail(loader, at, SWR_POLYGON_SIZE);
        raise(&needs->strip, entries);
        raise(&needs->strip_words, entries * size);
        *triangles += entries > 2 ? entries - 2 : 0;
    }
    return SWR_OK;
}

static int load_strip_chunk(struct loader *loader, uint32_t at, const struct strip_kind *kind, uint32_t words)
{
    uint32_t count, triangles = 0;
    if (words < 3)
        return fail(loader, at, SWR_POLYGON_SIZE);
    count = swr_half(loader->model->body + at + 4);
    loader->model->needs.second |= kind->second;
    loader->model->strips |= kind->second ? 2u : 1u;
    return load_strips(loader, at + 6, words - 3, kind->words, count >> 14, count & 0x3FFF, &triangles);
}

/* Ids 56 to 58: triangles, quadrilaterals, strips. */
static int load_volume(struct loader *loader, uint32_t at, uint32_t id, uint32_t words)
{
    uint32_t counts, count, user, triangles = 0, corners = id - 53;
    if (words < 3)
        return fail(loader, at, SWR_POLYGON_SIZE);
    counts = swr_half(loader->model->body + at + 4);
    count = counts & 0x3FFF;
    user = counts >> 14;
    loader->model->strips |= 4;
    if (id == 58) {
        SWR_TRY(load_strips(loader, at + 6, words - 3, 1, user, count, &triangles));
    } else {
        triangles = count * (corners - 2);
        if (count * (corners + user) > words - 3)
            return fail(loader, at, SWR_POLYGON_SIZE);
    }
    raise(&loader->model->needs.triangles, triangles);
    return SWR_OK;
}

static int load_polygon_chunk(struct loader *loader, uint32_t at, uint32_t id, uint32_t words)
{
    const struct strip_kind *kind = swr_strip_kind(id);
    uint32_t bits = id & 7;
    if (kind)
        return load_strip_chunk(loader, at, kind, words);
    if (id >= 56 && id <= 58)
        return load_volume(loader, at, id, words);
    /* Material: two half-words a colour. Bump: six. */
    if (id >= 17 && id <= 31 && id != 24 && words < 2 + 2 * ((bits & 1) + (bits >> 1 & 1) + (bits >> 2)))
        return fail(loader, at, SWR_POLYGON_SIZE);
    return id == 24 && words < 8 ? fail(loader, at, SWR_POLYGON_SIZE) : SWR_OK;
}

static int load_polygon_list(struct loader *loader, uint32_t at)
{
    const struct swr_model *model = loader->model;
    for (;;) {
        uint32_t id, words;
        SWR_TRY(check(loader, at, 2, 2));
        id = swr_half(model->body + at) & 0xFF;
        if (id == 255)
            return SWR_OK;
        if (id >= 128)
            return fail(loader, at, SWR_POLYGON_KIND);
        SWR_TRY(check(loader, at, id < 8 ? 2 : 4, 2));
        words = swr_polygon_words((const uint16_t *)(const void *)(model->body + at));
        SWR_TRY(check(loader, at, 2 * words, 2));
        SWR_TRY(load_polygon_chunk(loader, at, id, words));
        at += 2 * words;
    }
}

/* -- The tree -- */

/* Marks the beginning of a structure, which has been checked. */
static void begin(struct loader *loader, uint32_t offset) { swr_set(loader->starts, offset >> 2); }

static int load_node_model(struct loader *loader, uint32_t at)
{
    const uint8_t *body = loader->model->body;
    uint32_t vertices, polygons;
    SWR_TRY(check(loader, at, MODEL_BYTES, 4));
    begin(loader, at);
    vertices = swr_word(body + at);
    polygons = swr_word(body + at + 4);
    if (vertices) {
        SWR_TRY(load_vertex_list(loader, vertices));
        begin(loader, vertices);
    }
    if (polygons) {
        SWR_TRY(load_polygon_list(loader, polygons));
        begin(loader, polygons);
    }
    return SWR_OK;
}

static void later(struct loader *loader, uint32_t offset, uint32_t *link)
{
    *link = SWR_NO_NODE;
    if (offset == 0)
        return;
    loader->stack[loader->depth].offset = offset;
    loader->stack[loader->depth++].link = link;
    raise(&loader->model->needs.pending, loader->depth);
}

static int mark(struct loader *loader, uint32_t offset)
{
    if (swr_get(loader->seen, offset >> 2))
        return fail(loader, offset, SWR_SHARED_NODE);
    swr_set(loader->seen, offset >> 2);
    begin(loader, offset);
    return SWR_OK;
}

/* Takes the next node into the table. */
static int load_node(struct loader *loader, struct swr_memory *memory)
{
    struct swr_model *model = loader->model;
    struct branch branch = loader->stack[--loader->depth];
    const uint8_t *object = model->body + branch.offset;
    struct swr_node *node;
    loader->fault->node = model->count;
    SWR_TRY(check(loader, branch.offset, model->node_bytes, 4));
    SWR_TRY(mark(loader, branch.offset));
    node = swr_take(memory, sizeof *node);
    if (!node)
        return fail(loader, branch.offset, SWR_MEMORY);
    swr_clear(node, sizeof *node);
    *branch.link = model->count++;
    node->offset = branch.offset;
    node->flags = swr_word(object);
    loader->quaternions |= node->flags & QUATERNION;
    later(loader, swr_word(object + 48), &node->sibling);
    later(loader, swr_word(object + 44), &node->child);
    return swr_word(object + 4) ? load_node_model(loader, swr_word(object + 4)) : SWR_OK;
}

/* Nodes of NJCM have 52 bytes, without room for the real part of a quaternion. They are read as nodes of 56
 * bytes where no structure begins in the four bytes behind any of them (docs/formats/ninja.md 1.4). */
static int has_room_for_real_parts(const struct loader *loader)
{
    const struct swr_model *model = loader->model;
    uint32_t i;
    for (i = 0; i < model->count; i++) {
        uint32_t end = model->nodes[i].offset + OBJECT_BYTES;
        if (!inside(model, end, 4) || swr_get(loader->starts, end >> 2))
            return 0;
    }
    return 1;
}

static int load_tree(struct loader *loader, struct swr_memory *memory)
{
    struct swr_model *model = loader->model;
    uint32_t root;
    struct swr_memory local = *memory;
    /* Each node lies in the chunk once, so no more wait than fit into it, and the two that lead out of it. */
    loader->stack = swr_borrow(&local, (model->size / OBJECT_BYTES + 3) * sizeof *loader->stack);
    loader->seen = swr_borrow_bits(&local, model->size >> 2);
    loader->starts = swr_borrow_bits(&local, model->size >> 2);
    if (!loader->stack || !loader->seen || !loader->starts)
        return fail(loader, 0, SWR_MEMORY);
    model->needs.pending = 1;
    loader->stack[0].offset = 0;
    loader->stack[0].link = &root;
    loader->depth = 1;
    model->nodes = (struct swr_node *)(void *)(local.next + (-(uint32_t)(uintptr_t)local.next & 31));
    while (loader->depth)
        SWR_TRY(load_node(loader, &local));
    if (loader->quaternions && has_room_for_real_parts(loader))
        model->node_bytes = OBJECT_BYTES + 4;
    memory->next = local.next;
    return SWR_OK;
}

/* -- Files -- */

enum { NJCM = 0x4D434A4E, N2CM = 0x4D43324E, POF0 = 0x30464F50 };

/* A pointer list has the bytes to each next pointer over 4, in 6, 14 or 30 bits. */
int swr_next_pointer(const uint8_t *list, uint32_t bytes, uint32_t *at, uint32_t *offset)
{
    uint32_t width, words, k;
    if (*at >= bytes || list[*at] >> 6 == 0)
        return 0;
    width = list[*at] >> 6 == 1 ? 1 : list[*at] >> 6 == 2 ? 2 : 4;
    if (width > bytes - *at)
        return 0;
    words = list[*at] & 63;
    for (k = 1; k < width; k++)
        words = words << 8 | list[*at + k];
    if (words > 0x0FFFFFFF || *offset + 4 * words < *offset)
        return -1;
    *at += width;
    *offset += 4 * words;
    return 1;
}

static int check_pointers(struct loader *loader, const uint8_t *list, uint32_t bytes)
{
    uint32_t at = 0, offset = 0;
    int found;
    while ((found = swr_next_pointer(list, bytes, &at, &offset)) != 0)
        if (found < 0 || !inside(loader->model, offset, 4))
            return fail(loader, offset, SWR_POINTER_LIST);
    return SWR_OK;
}

/* The chunk at `*at`, whose name it gives; `*at` goes to the next one. */
int swr_next_chunk(const uint8_t *file, uint32_t size, uint32_t *at, struct swr_chunk *chunk)
{
    uint32_t left = *at < size ? size - *at : 0;
    if (left < HEAD_BYTES || (swr_word(file + *at) & 0xFF) == 0)
        return SWR_CHUNK;
    chunk->name = swr_word(file + *at);
    chunk->size = swr_word(file + *at + 4);
    chunk->offset = *at + HEAD_BYTES;
    if (chunk->size > left - HEAD_BYTES)
        return SWR_END_OF_FILE;
    *at = chunk->offset + chunk->size;
    return *at & 3 && *at != size ? SWR_POINTER : SWR_OK;
}

static int load_chunk(struct loader *loader, const uint8_t *file, uint32_t size,
    const struct swr_chunk *chunk, struct swr_memory *memory)
{
    struct swr_model *model = loader->model;
    struct swr_chunk next;
    uint32_t at = chunk->offset + chunk->size;
    loader->base = chunk->offset;
    model->body = file + chunk->offset;
    model->size = chunk->size;
    model->node_bytes = chunk->name == N2CM ? OBJECT_BYTES + 4 : OBJECT_BYTES;
    /* 1/255 cut off, as the runtime has it (docs/formats/ninja.md 1.6). */
    model->weight_scale = swr_from_bits(0x3B808080);
    if (swr_next_chunk(file, size, &at, &next) == SWR_OK && next.name == POF0)
        SWR_TRY(check_pointers(loader, file + next.offset, next.size));
    return load_tree(loader, memory);
}

int swr_load_model(struct swr_model *model, void *file, uint32_t size, uint32_t number,
    struct swr_memory *memory, struct swr_fault *fault)
{
    struct loader loader;
    struct swr_chunk chunk;
    uint32_t at = 0;
    swr_clear(model, sizeof *model);
    swr_clear(fault, sizeof *fault);
    swr_clear(&loader, sizeof loader);
    loader.model = model;
    loader.fault = fault;
    for (;;) {
        int result;
        fault->offset = at;
        result = swr_next_chunk(file, size, &at, &chunk);
        if (result != SWR_OK)
            return result;
        if ((chunk.name == NJCM || chunk.name == N2CM) && number-- == 0)
            return load_chunk(&loader, file, size, &chunk, memory);
    }
}

int swr_wants_cheap_shadows(const struct swr_model *const models[], uint32_t count)
{
    uint32_t i, held = 0;
    for (i = 0; i < count; i++)
        held |= models[i]->strips;
    return (held & 4) && !(held & 2);
}
