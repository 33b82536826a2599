/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Streams that play together over a private copy of a sprite's cells (docs/formats/cell-sprite.md 4). */
#include "cells.h"

/* Stamps of all streams that a step plays at each end of a long series of repetitions. */
enum { MOST_STAMPS = 1 << 18, LEAST_RUNS = 4 };

struct swr_cell_list *swr_start_cells(struct swr_memory *memory, const struct swr_sprite *sprite,
    struct swr_stream *const streams[], uint32_t count)
{
    struct swr_cell_list *list;
    struct swr_memory local = *memory;
    if (count > SWR_MOST_STREAMS)
        return 0;
    list = swr_take(&local, sizeof *list);
    if (!list)
        return 0;
    swr_clear(list, sizeof *list);
    list->count = sprite->count;
    list->own = sprite->cells;
    list->cells = swr_take(&local, 64 * sprite->count);
    list->schedules = swr_take(&local, count * sizeof *list->schedules);
    list->streams = swr_take(&local, count * sizeof *list->streams);
    if (!list->cells || !list->schedules || !list->streams)
        return 0;
    list->stream_count = count;
    swr_copy(list->streams, streams, count * sizeof *list->streams);
    *memory = local;
    swr_reset_cells(list);
    return list;
}

void swr_reset_cells(struct swr_cell_list *list)
{
    list->time = 0;
    swr_copy(list->cells, list->own, 64 * list->count);
    swr_clear(list->schedules, list->stream_count * sizeof *list->schedules);
}

static int repeats(const struct swr_cell_list *list, uint32_t cell)
{
    return cell < list->count && (list->cells[cell][0] & CELL_REPEATS);
}

/* Whether one of the cells that a stream writes to repeats. */
static int any_repeats(const struct swr_cell_list *list, const struct swr_stream *stream)
{
    uint32_t at = stream->first, i;
    struct change change;
    struct cell_write write;
    for (; at < stream->words; at += 1 + swr_cell_data(stream->data[at])) {
        if (!swr_change(stream->data + at, list->count, &change))
            continue;
        for (i = 0; i < change.count; i++) {
            swr_cell_write(&change, i, &write);
            if (repeats(list, write.word >> 4))
                return 1;
        }
    }
    return 0;
}

/* The writes of a chunk. A repetition leaves cells alone that do not repeat; a burst may reach over
 * several. */
static void apply(struct swr_cell_list *list, const struct change *change, int repetition)
{
    uint32_t i, cell = 0xFFFFFFFF, open = 1;
    struct cell_write write;
    for (i = 0; i < change->count; i++) {
        uint32_t *word;
        swr_cell_write(change, i, &write);
        if (repetition && write.word >> 4 != cell) {
            cell = write.word >> 4;
            open = (uint32_t)repeats(list, cell);
        }
        if (!open)
            continue;
        word = &list->cells[write.word >> 4][write.word & 15];
        *word = (*word & ~write.mask) | (write.value & write.mask);
    }
}

static void deliver(struct swr_cell_list *list, uint32_t number, const uint32_t *chunk, int32_t time)
{
    struct swr_cell_event event;
    event.id = *chunk & 0xFFFF;
    event.count = swr_cell_data(*chunk);
    event.words = chunk + 1;
    event.stream = number;
    event.time = time;
    list->event(list->event_context, &event);
}

/* Runs the chunks of a stamp; `wanted`: with its events. */
static void run(struct swr_cell_list *list, uint32_t number, const struct due *due, int wanted)
{
    const struct swr_stream *stream = list->streams[number];
    uint32_t at = stream->stamps[due->place].word, kind;
    int repetition = due->run != 0;
    struct change change;
    while ((kind = swr_cell_kind(stream->data[at])) != CELL_STAMP && kind != CELL_END) {
        if (swr_change(stream->data + at, list->count, &change))
            apply(list, &change, repetition);
        else if (kind == CELL_EVENT && wanted && list->event && (!repetition || any_repeats(list, stream)))
            deliver(list, number, stream->data + at, (int32_t)due->time);
        at += 1 + swr_cell_data(stream->data[at]);
    }
}

/* Repetitions that are played at each end of many. */
static uint32_t runs_to_keep(const struct swr_cell_list *list)
{
    uint32_t i, most = 0, keep;
    for (i = 0; i < list->stream_count; i++)
        if (list->streams[i]->count > most)
            most = list->streams[i]->count;
    most *= list->stream_count;
    keep = swr_quotient(MOST_STAMPS, most ? most : 1);
    return keep > LEAST_RUNS ? keep : LEAST_RUNS;
}

static void plan(struct swr_cell_list *list, int64_t start, uint32_t keep)
{
    uint32_t i;
    for (i = 0; i < list->stream_count; i++) {
        const struct swr_stream *stream = list->streams[i];
        struct swr_schedule *schedule = &list->schedules[i];
        int64_t from = schedule->begun ? schedule->next : swr_beginning(stream, start);
        struct due due = {0, 0, 0};
        schedule->silent = schedule->begun ? INT64_MIN : start;
        schedule->last_run = swr_run_at(stream, list->time);
        schedule->keep = keep;
        schedule->waiting = swr_first_due(stream, from, &due) && due.time <= list->time;
        schedule->time = due.time;
        schedule->run = due.run;
        schedule->place = due.place;
        schedule->begun = 1;
        schedule->next = (int64_t)list->time + 1;
    }
}

/* The stream whose stamp comes first; the order of the list decides where times are equal. */
static int earliest(const struct swr_cell_list *list, uint32_t *found)
{
    uint32_t i;
    int any = 0;
    for (i = 0; i < list->stream_count; i++) {
        if (!list->schedules[i].waiting || (any && list->schedules[i].time >= list->schedules[*found].time))
            continue;
        *found = i;
        any = 1;
    }
    return any;
}

/* A stamp before the one that the stream points at is not reached in the first run. */
static int waits(const struct swr_stream *stream, const struct due *due)
{
    return due->run == 0 && stream->stamps[due->place].time < stream->first_time;
}

void swr_advance_cells(struct swr_cell_list *list, uint32_t step)
{
    int64_t start = list->time, end = start + step;
    uint32_t i;
    list->time = end > INT32_MAX ? INT32_MAX : (int32_t)end;
    plan(list, start, runs_to_keep(list));
    while (earliest(list, &i)) {
        struct swr_schedule *schedule = &list->schedules[i];
        struct due due, now;
        now.time = due.time = schedule->time;
        now.run = due.run = schedule->run;
        now.place = due.place = schedule->place;
        swr_next_due(list->streams[i], schedule, &due);
        schedule->waiting = due.time <= list->time;
        schedule->time = due.time;
        schedule->run = due.run;
        schedule->place = due.place;
        if (!waits(list->streams[i], &now))
            run(list, i, &now, now.time >= schedule->silent);
    }
}
