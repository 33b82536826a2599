/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The walk over an object tree, children before siblings. */
#include "internal.h"

static void take_rotation(struct swr_pose *pose, const uint8_t *object, uint32_t flags, uint32_t zxy,
    uint32_t node_bytes)
{
    if ((flags & QUATERNION) && node_bytes == 56) {
        pose->rotation = SWR_QUATERNION_PARTS;
        pose->turn.quaternion[0] = swr_real(object + 52);
        swr_copy(&pose->turn.quaternion[1], object + 20, 12);
    } else {
        pose->rotation = zxy ? SWR_ZXY : SWR_XYZ;
        swr_copy(pose->turn.angles, object + 20, 12);
    }
}

/* Nodes as they stand in the file: what UNIT flags name is not applied, HIDE and BREAK hold. */
void swr_rest(struct swr_model *model)
{
    uint32_t i;
    for (i = 0; i < model->count; i++) {
        const uint8_t *object = model->body + model->nodes[i].offset;
        uint32_t flags = model->nodes[i].flags;
        struct swr_pose *pose = &model->nodes[i].pose;
        pose->has_position = !(flags & UNIT_POS);
        pose->has_scale = !(flags & UNIT_SCL);
        pose->hidden = (flags & HIDE) != 0;
        pose->childless = (flags & BREAK) != 0;
        swr_copy(pose->position, object + 8, 12);
        swr_copy(pose->scale, object + 32, 12);
        pose->rotation = SWR_NONE;
        if (!(flags & UNIT_ANG))
            take_rotation(pose, object, flags, flags & ZXY_ANG, model->node_bytes);
    }
}

/* A node as it stands while a motion plays: UNIT flags and BREAK do not count, and those with an entry turn
 * as the root does. */
void swr_still_node(const struct swr_model *model, uint32_t node, struct swr_pose *pose)
{
    const uint8_t *object = model->body + model->nodes[node].offset;
    uint32_t flags = model->nodes[node].flags, root = model->nodes[0].flags & ZXY_ANG;
    pose->has_position = pose->has_scale = 1;
    pose->hidden = (flags & HIDE) != 0;
    pose->childless = 0;
    swr_copy(pose->position, object + 8, 12);
    swr_copy(pose->scale, object + 32, 12);
    take_rotation(pose, object, flags, flags & SKIP ? flags & ZXY_ANG : root, model->node_bytes);
}

/* What a walk keeps on its way. */
struct way {
    struct walk *walk;
    uint32_t depth;
    uint32_t has_base;
    float base[16] __attribute__((aligned(8))); /* what the last node with ROTATE_BASE has kept */
};

/* The rotation of what was kept, at the node's place. */
static void rebased(const struct way *way, const struct swr_pose *pose, const float parent[16], float out[16])
{
    struct swr_pose unmoved;
    float start[16] __attribute__((aligned(8))), moved[16] __attribute__((aligned(8)));
    float place[3] = {0.0f, 0.0f, 0.0f};
    if (pose->has_position)
        swr_copy(place, pose->position, 12);
    swr_translate(parent, place, moved);
    swr_copy(start, way->base, 48);
    swr_copy(&start[12], &moved[12], 16);
    swr_copy(&unmoved, pose, sizeof unmoved);
    unmoved.has_position = 0;
    swr_node_matrix(start, &unmoved, out);
}

static void node_matrix(struct way *way, const struct swr_node *node, const float parent[16], float out[16])
{
    if (node->flags & ROTATE_BASE) {
        way->has_base = 1;
        swr_copy(way->base, parent, 64);
    }
    if (way->has_base && (node->flags & ROTATE_SET))
        rebased(way, &node->pose, parent, out);
    else
        swr_node_matrix(parent, &node->pose, out);
}

/* The original ignores CLIP where it does not push a matrix, that is where all UNIT flags are set
 * (docs/formats/ninja.md 2.1). */
static int clips(uint32_t flags)
{
    uint32_t unmoved = UNIT_POS | UNIT_ANG | UNIT_SCL;
    return (flags & CLIP) && (flags & unmoved) != unmoved;
}

/* Draws a node's model; `clipped` says whether the node's children go, too. */
static int draw_model(struct walk *walk, const struct swr_node *node, const float matrix[16], int *clipped)
{
    const uint8_t *body = walk->model->body;
    uint32_t at = swr_word(body + node->offset + 4), vertices, polygons;
    *clipped = 0;
    if (at == 0)
        return SWR_OK;
    if (node->pose.hidden) {
        walk->hidden++;
        return SWR_OK;
    }
    walk->beyond = swr_hiding(walk, matrix, body + at);
    *clipped = walk->beyond && clips(node->flags);
    vertices = swr_word(body + at);
    polygons = swr_word(body + at + 4);
    if (vertices)
        swr_fill(walk, walk->fault->node, matrix, body + vertices);
    if (polygons)
        SWR_TRY(swr_polygons(walk, body + polygons, vertices ? body + vertices : 0, matrix));
    walk->beyond = 0;
    return SWR_OK;
}

static void push(struct way *way, uint32_t node, const float matrix[16])
{
    struct pending *pending = &way->walk->runtime->pending[way->depth];
    if (node == SWR_NO_NODE)
        return;
    pending->node = node;
    swr_copy(pending->matrix, matrix, 64);
    way->depth++;
}

static int visit(struct way *way)
{
    struct walk *walk = way->walk;
    struct pending *now = &walk->runtime->pending[--way->depth];
    const struct swr_node *node = &walk->model->nodes[now->node];
    float matrix[16] __attribute__((aligned(8)));
    int clipped;
    walk->fault->node = now->node;
    walk->fault->offset = node->offset;
    node_matrix(way, node, now->matrix, matrix);
    /* A sibling waits in the node's place, with the same parent. */
    now->node = node->sibling;
    way->depth += now->node != SWR_NO_NODE;
    SWR_TRY(draw_model(walk, node, matrix, &clipped));
    if (!clipped && !node->pose.childless)
        push(way, node->child, matrix);
    return SWR_OK;
}

/* Empties the vertex buffer and forgets remembered lists. */
static void reset(struct swr_runtime *runtime)
{
    swr_fill_bytes(runtime->buffer.kinds, runtime->buffer.slots, 0);
    swirl_fill_words((uint32_t *)(void *)runtime->buffer.positions, 4 * runtime->buffer.slots, 0, 0);
    swirl_fill_words((uint32_t *)(void *)runtime->buffer.normals, 4 * runtime->buffer.slots, 0, 0);
    swr_clear(&runtime->buffer.latest, sizeof runtime->buffer.latest);
    swr_clear(runtime->remembered, sizeof runtime->remembered);
}

int swr_draw(struct swr_runtime *runtime, const struct swr_model *model, const struct swr_scene *scene,
    struct swr_fault *fault)
{
    struct walk walk;
    struct way way;
    float view[16] __attribute__((aligned(8)));
    swr_clear(&walk, sizeof walk);
    walk.runtime = runtime;
    walk.model = model;
    walk.scene = scene;
    walk.fault = fault;
    if (scene->light_count > runtime->max_lights || !swr_enough(&runtime->needs, &model->needs))
        return SWR_MEMORY;
    reset(runtime);
    swr_camera(scene, view);
    swr_start_material(&walk, view);
    swr_frustum(&walk);
    swr_clear(&way, sizeof way);
    way.walk = &walk;
    push(&way, 0, view);
    while (way.depth)
        SWR_TRY(visit(&way));
    return SWR_OK;
}
