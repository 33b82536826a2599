/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Volume chunks to modifier volumes. A volume that the near plane cuts open is closed again: each cut
 * triangle gives one from a fixed point of the plane to its cut, and what they cover an odd number of times
 * is the hole. */
#include "loops.h"

enum { VOLUME_P3 = 56, VOLUME_P4 = 57 };

static int is_drawn(const struct walk *walk, const uint8_t *vertices, uint32_t id)
{
    uint32_t rule = walk->scene->settings.volumes;
    if (rule != SWR_VOLUMES_ORIGINAL)
        return rule == SWR_VOLUMES_ALL;
    return id == VOLUME_P3 && vertices && (swr_word(vertices) & 0xFF) == PLAIN_VERTICES;
}

static void put(uint16_t (*triangles)[3], uint32_t at, uint32_t a, uint32_t b, uint32_t c)
{
    triangles[at][0] = (uint16_t)a;
    triangles[at][1] = (uint16_t)b;
    triangles[at][2] = (uint16_t)c;
}

/* The slots of triangles and quadrilaterals; how many triangles they make. */
static uint32_t polygons(struct walk *walk, const uint16_t *chunk, uint32_t user, uint32_t count)
{
    uint16_t (*out)[3] = walk->runtime->work.triangles;
    uint32_t i, n = 0, corners = (chunk[0] & 0xFF) == VOLUME_P3 ? 3 : 4;
    for (i = 0; i < count; i++) {
        const uint16_t *p = chunk + 3 + i * (corners + user);
        put(out, n++, p[0], p[1], p[2]);
        if (corners == 3)
            continue;
        if (walk->scene->settings.volume_quads == SWR_QUADS_AROUND)
            put(out, n++, p[0], p[2], p[3]);
        else
            put(out, n++, p[2], p[1], p[3]);
    }
    return n;
}

/* The same of strips, all wound the same way. */
static uint32_t strips(struct walk *walk, const uint16_t *chunk, uint32_t user, uint32_t count)
{
    const uint16_t *next = chunk + 3;
    uint32_t i, first, k, n = 0;
    for (i = 0; i < count; i++) {
        int32_t length = (int16_t)*next++;
        uint32_t entries = (uint32_t)(length < 0 ? -length : length), corner[3];
        for (first = 0; first + 2 < entries; first++) {
            swr_wound(first, length < 0, corner);
            for (k = 0; k < 3; k++)
                corner[k] = next[corner[k] + (corner[k] > 2 ? corner[k] - 2 : 0) * user];
            put(walk->runtime->work.triangles, n++, corner[0], corner[1], corner[2]);
        }
        next += entries + (entries > 2 ? entries - 2 : 0) * user;
    }
    return n;
}

/* Whether all vertices are there; marks their slots. */
static int name(struct walk *walk, uint32_t count)
{
    const uint16_t *slots = walk->runtime->work.triangles[0];
    struct buffer *buffer = &walk->runtime->buffer;
    uint32_t i;
    for (i = 0; i < 3 * count; i++)
        if (!swr_holds(buffer, slots[i]))
            return 0;
    for (i = 0; i < 3 * count; i++)
        buffer->kinds[slots[i]] |= NAMED;
    return 1;
}

/* Makes a corner of each named slot, and triangles of corners from triangles of slots. */
static uint32_t make_corners(struct walk *walk, uint32_t count)
{
    struct buffer *buffer = &walk->runtime->buffer;
    struct work *work = &walk->runtime->work;
    uint32_t slot, i, n = 0;
    for (slot = 0; slot < buffer->slots; slot++) {
        if (!(buffer->kinds[slot] & NAMED))
            continue;
        buffer->kinds[slot] &= (uint8_t)~NAMED;
        work->index_of[slot] = (uint16_t)n;
        swr_clear(&work->corners[n], sizeof work->corners[n]);
        swr_copy(work->corners[n].position, buffer->positions[slot], 16);
        work->front[n] = (uint8_t)swr_in_front(buffer->positions[slot], walk->scene->near);
        n++;
    }
    for (i = 0; i < 3 * count; i++)
        work->triangles[0][i] = work->index_of[work->triangles[0][i]];
    return n;
}

/* What one triangle leaves, to work.kept; and one that closes the hole. */
static uint32_t cut(struct work *work, const uint16_t *corner, uint32_t corners, uint32_t *edges,
    uint32_t kept)
{
    uint32_t triangle[3], out[4], start = *edges, k, count;
    for (k = 0; k < 3; k++)
        triangle[k] = corner[k];
    if (work->front[triangle[0]] && work->front[triangle[1]] && work->front[triangle[2]]) {
        put(work->kept, kept++, triangle[0], triangle[1], triangle[2]);
        return kept;
    }
    count = swr_cut(triangle, work->front, corners, work->edges, edges, out);
    if (count == 0)
        return kept;
    put(work->kept, kept++, out[0], out[1], out[2]);
    if (count == 4)
        put(work->kept, kept++, out[2], out[1], out[3]);
    if (start > 0)
        put(work->kept, kept++, corners, corners + start, corners + start + 1);
    return kept;
}

static void project(struct walk *walk, uint32_t count)
{
    struct work *work = &walk->runtime->work;
    float viewport[4] __attribute__((aligned(8)));
    uint32_t i;
    swr_copy(viewport, walk->scene->viewport, sizeof viewport);
    for (i = 0; i < count; i++)
        swr_copy(work->view[i], work->corners[i].position, 16);
    if (count)
        swirl_project_points(viewport, work->view[0], count, work->view, 16);
}

static int send(struct walk *walk, uint32_t count)
{
    const uint16_t (*kept)[3] = (const uint16_t (*)[3])walk->runtime->work.kept;
    uint32_t list;
    for (list = SWR_OPAQUE_MODIFIER; list <= SWR_TRANSLUCENT_MODIFIER; list += 2) {
        if (list == SWR_TRANSLUCENT_MODIFIER && walk->scene->settings.opaque_volumes)
            break;
        if (count > 1)
            SWR_TRY(swr_send_volume(walk, list, 0, kept, count - 1));
        SWR_TRY(swr_send_volume(walk, list, 1, kept + count - 1, 1));
    }
    return SWR_OK;
}

static int draw_triangles(struct walk *walk, uint32_t count)
{
    struct work *work = &walk->runtime->work;
    uint32_t i, corners, edges = 0, kept = 0;
    corners = make_corners(walk, count);
    for (i = 0; i < count; i++)
        kept = cut(work, work->triangles[i], corners, &edges, kept);
    if (corners + edges > 65535)
        return SWR_TOO_LARGE;
    if (edges)
        swirl_clip_near(work->corners, (const uint16_t (*)[2])work->edges, edges,
            swirl_bits(walk->scene->near), &work->corners[corners]);
    project(walk, corners + edges);
    return kept ? send(walk, kept) : SWR_OK;
}

/* Sends a volume chunk; `vertices` is the vertex list of the model whose polygon list it is in. */
int swr_volume(struct walk *walk, const uint8_t *vertices, const uint16_t *chunk)
{
    uint32_t id = chunk[0] & 0xFF, user = chunk[2] >> 14, count = chunk[2] & 0x3FFF;
    if (!is_drawn(walk, vertices, id))
        return SWR_OK;
    count = id <= VOLUME_P4 ? polygons(walk, chunk, user, count) : strips(walk, chunk, user, count);
    if (name(walk, count))
        return draw_triangles(walk, count);
    return walk->hidden == 0 ? SWR_EMPTY_SLOT : SWR_OK;
}
