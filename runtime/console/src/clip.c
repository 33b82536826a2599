/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Strips cut at the near plane. Both triangles at an edge ask for the same point, in front first: no crack
 * opens. */
#include "loops.h"

/* Triangle `first` of a strip, counter-clockwise. */
void swr_wound(uint32_t first, uint32_t reversed, uint32_t out[3])
{
    uint32_t turned = (first & 1) != reversed;
    out[0] = first + turned;
    out[1] = first + !turned;
    out[2] = first + 2;
}

static uint32_t new_corner(uint32_t front, uint32_t behind, uint32_t first_new, uint16_t (*edges)[2],
    uint32_t *count)
{
    edges[*count][0] = (uint16_t)front;
    edges[*count][1] = (uint16_t)behind;
    return first_new + (*count)++;
}

uint32_t swr_cut(const uint32_t triangle[3], const uint8_t *front, uint32_t first_new, uint16_t (*edges)[2],
    uint32_t *edge_count, uint32_t out[4])
{
    uint32_t inside = 0, alone = 0, k, a, b, c;
    for (k = 0; k < 3; k++)
        inside += front[triangle[k]];
    if (inside == 0 || inside == 3)
        return 0;
    /* The corner that is alone on its side comes first. */
    while (front[triangle[alone]] != (inside == 1))
        alone++;
    a = triangle[alone];
    b = triangle[alone == 2 ? 0 : alone + 1];
    c = triangle[alone == 0 ? 2 : alone - 1];
    if (inside == 1) {
        out[0] = a;
        out[1] = new_corner(a, b, first_new, edges, edge_count);
        out[2] = new_corner(a, c, first_new, edges, edge_count);
        return 3;
    }
    out[0] = new_corner(b, a, first_new, edges, edge_count);
    out[1] = b;
    out[2] = new_corner(c, a, first_new, edges, edge_count);
    out[3] = c;
    return 4;
}

/* What a triangle leaves; nothing if a corner is nowhere (not a finite depth). */
static uint32_t cut_strip(struct work *work, uint32_t first, uint32_t reversed, uint32_t count,
    uint32_t *edges, uint32_t out[4])
{
    uint32_t triangle[3], k;
    swr_wound(first, reversed, triangle);
    for (k = 0; k < 3; k++)
        if (!swr_finite(work->corners[triangle[k]].position[2]))
            return 0;
    return swr_cut(triangle, work->front, count, work->edges, edges, out);
}

/* Positions of all corners to the screen; intensities back to their place. */
static void project(struct walk *walk, const struct strip_batch *batch, uint32_t count)
{
    struct work *work = &walk->runtime->work;
    float viewport[4] __attribute__((aligned(8)));
    uint32_t i;
    swr_copy(viewport, walk->scene->viewport, sizeof viewport);
    for (i = 0; i < count; i++)
        swr_copy_vector(work->view[i], work->corners[i].position);
    swirl_project_points(viewport, work->view[0], count, work->view, 16);
    for (i = 0; i < count; i++) {
        swr_copy_vector(work->corners[i].position, work->view[i]);
        if (batch->intensity)
            work->corners[i].colours[0] = swirl_bits(work->corners[i].uv[1][0]);
    }
}

static int send_runs(struct walk *walk, const struct strip_batch *batch, uint32_t count, uint32_t reversed)
{
    struct work *work = &walk->runtime->work;
    struct run run = {0, 0, 0};
    while (swr_next_run(work->front, count, reversed, &run))
        SWR_TRY(swr_send_corners(walk, batch, &work->corners[run.start], run.end - run.start, run.reversed));
    return SWR_OK;
}

/* Sends a cut triangle; flat shading takes the colour of the corner `flat`. */
static int send_cut(struct walk *walk, const struct strip_batch *batch, const uint32_t *indices,
    uint32_t count, uint32_t flat)
{
    const struct swirl_corner *corners = walk->runtime->work.corners;
    struct swirl_corner piece[4];
    uint32_t k;
    for (k = 0; k < count; k++) {
        swr_copy(&piece[k], &corners[indices[k]], sizeof piece[k]);
        if (batch->flags & FLAT)
            swr_copy(piece[k].colours, corners[flat].colours, 16);
    }
    return swr_send_corners(walk, batch, piece, count, 0);
}

/* Marks the corners in front of the near plane. */
static void mark_front(struct walk *walk, uint32_t count)
{
    struct work *work = &walk->runtime->work;
    uint32_t i;
    for (i = 0; i < count; i++)
        work->front[i] = (uint8_t)swr_in_front(work->corners[i].position, walk->scene->near);
}

/* Finds the edges of all cut triangles, and how many corners each leaves, before projection overwrites the
 * depths. */
static uint32_t collect(struct walk *walk, uint32_t count, uint32_t reversed)
{
    struct work *work = &walk->runtime->work;
    uint32_t first, edges = 0, out[4];
    for (first = 0; first + 2 < count; first++)
        work->pieces[first] = (uint8_t)cut_strip(work, first, reversed, count, &edges, out);
    return edges;
}

static int send_cuts(struct walk *walk, const struct strip_batch *batch, uint32_t count, uint32_t reversed)
{
    struct work *work = &walk->runtime->work;
    uint32_t first, edges = 0, triangle[3], out[4];
    for (first = 0; first + 2 < count; first++) {
        if (work->pieces[first] == 0)
            continue;
        swr_wound(first, reversed, triangle);
        swr_cut(triangle, work->front, count, work->edges, &edges, out);
        SWR_TRY(send_cut(walk, batch, out, work->pieces[first], first + 2));
    }
    return SWR_OK;
}

/* Cuts the strip in work.corners, which are in view space, and sends what is left. */
int swr_clip(struct walk *walk, const struct strip_batch *batch, uint32_t count, uint32_t reversed)
{
    struct work *work = &walk->runtime->work;
    uint32_t edges;
    mark_front(walk, count);
    edges = collect(walk, count, reversed);
    if (edges)
        swirl_clip_near(work->corners, (const uint16_t (*)[2])work->edges, edges,
            swirl_bits(walk->scene->near), &work->corners[count]);
    project(walk, batch, count + edges);
    SWR_TRY(send_runs(walk, batch, count, reversed));
    return send_cuts(walk, batch, count, reversed);
}
