/* SPDX-License-Identifier: MIT OR Apache-2.0
 * Cell sprites and streams from files, in place. Everything that playing reads is checked here. */
#include "cells.h"
#include "entries.h"

enum { NJSP = 0x50534A4E, NJCS = 0x53434A4E, SPRITE_BYTES = 64, STREAM_BYTES = 16 };

/* Words 0xFFFFxxxx are angles whose sign bits have overwritten the rest; they stand alone. */
static int is_lost(uint32_t head) { return head >> 16 == 0xFFFF; }

uint32_t swr_cell_kind(uint32_t head) { return is_lost(head) ? 8 : head >> 28; }

uint32_t swr_cell_data(uint32_t head)
{
    uint32_t kind = head >> 28, blocks = head >> 16;
    if (is_lost(head))
        return 0;
    if (kind == CELL_BLOCKS)
        return (blocks >> 7 & 1) + (blocks & 0x40 ? 5 : blocks >> 5 & 1) + 2 * (blocks >> 4 & 1)
            + 4 * ((blocks >> 3 & 1) + (blocks >> 2 & 1));
    if (kind == CELL_ENTRY)
        return head >> 24 & 15;
    return kind >= CELL_EVENT ? head >> 16 & 0xFFF : 0;
}

/* What the files of this page share. */
struct cell_file {
    const uint8_t *body;
    uint32_t base, size; /* of the chunk in the file */
    struct swr_fault *fault;
};

static int refuse(const struct cell_file *it, uint32_t at, int result)
{
    it->fault->offset = it->base + at;
    return result;
}

static int check(const struct cell_file *it, uint32_t at, uint32_t bytes)
{
    if (at & 3)
        return refuse(it, at, SWR_POINTER);
    return at <= it->size && bytes <= it->size - at ? SWR_OK : refuse(it, at, SWR_END_OF_FILE);
}

static int open_chunk(struct cell_file *it, const void *file, uint32_t size, uint32_t name, uint32_t number,
    struct swr_fault *fault)
{
    struct swr_chunk chunk;
    swr_clear(fault, sizeof *fault);
    SWR_TRY(swr_find_chunk(file, size, name, number, &chunk, fault));
    it->body = (const uint8_t *)file + chunk.offset;
    it->base = chunk.offset;
    it->size = chunk.size;
    it->fault = fault;
    return SWR_OK;
}

int swr_load_sprite(struct swr_sprite *sprite, const void *file, uint32_t size, uint32_t number,
    struct swr_fault *fault)
{
    struct cell_file it;
    uint32_t at, count;
    swr_clear(sprite, sizeof *sprite);
    SWR_TRY(open_chunk(&it, file, size, NJSP, number, fault));
    SWR_TRY(check(&it, 0, SPRITE_BYTES));
    at = swr_word(it.body);
    count = swr_word(it.body + 4);
    if (count >> 31 || (at == 0 && count))
        return refuse(&it, 4, SWR_CELLS);
    if (count > it.size >> 6)
        return refuse(&it, 4, SWR_END_OF_FILE);
    if (at)
        SWR_TRY(check(&it, at, count * 64));
    swr_copy(sprite, it.body, sizeof *sprite);
    sprite->cells = (const uint32_t (*)[16])(const void *)(it.body + at);
    sprite->count = count;
    return SWR_OK;
}

/* Goes along a stream to its end; the number of its stamps. */
static int measure(const struct cell_file *it, uint32_t start, uint32_t *end, uint32_t *stamps)
{
    uint32_t at = start, kind, head;
    *stamps = 0;
    do {
        SWR_TRY(check(it, at, 4));
        head = swr_word(it->body + at);
        kind = swr_cell_kind(head);
        *stamps += kind == CELL_STAMP;
        SWR_TRY(check(it, at + 4, 4 * swr_cell_data(head)));
        at += 4 + 4 * swr_cell_data(head);
    } while (kind != CELL_END);
    *end = at;
    return SWR_OK;
}

static int is_before(const struct swr_stamp *a, const struct swr_stamp *b)
{
    return a->time != b->time ? a->time < b->time : a->word < b->word;
}

/* Lets the stamp at `top` down to its place in a heap whose latest is on top. */
static void sift(struct swr_stamp *stamps, uint32_t top, uint32_t count)
{
    uint32_t child;
    while ((child = 2 * top + 1) < count) {
        struct swr_stamp held = stamps[top];
        if (child + 1 < count && is_before(&stamps[child], &stamps[child + 1]))
            child++;
        if (!is_before(&held, &stamps[child]))
            return;
        stamps[top] = stamps[child];
        stamps[child] = held;
        top = child;
    }
}

/* By time; by their places where times are equal. */
static void sort(struct swr_stamp *stamps, uint32_t count)
{
    uint32_t i;
    for (i = count >> 1; i; i--)
        sift(stamps, i - 1, count);
    for (i = count; i > 1; i--) {
        struct swr_stamp first = stamps[0];
        stamps[0] = stamps[i - 1];
        stamps[i - 1] = first;
        sift(stamps, 0, i - 1);
    }
}

/* The stamps that the pattern reaches. */
static void list_stamps(struct swr_stream *stream, uint32_t current, uint32_t start)
{
    uint32_t at, head;
    for (at = 0; at < 4 * stream->words; at += 4 + 4 * swr_cell_data(head)) {
        head = stream->data[at >> 2];
        if (swr_cell_kind(head) != CELL_STAMP)
            continue;
        if (current && start + at == current)
            stream->first_time = head & 0xFFFF;
        if (stream->first == 0)
            stream->first = (at >> 2) + 1;
        if ((int32_t)(head & 0xFFFF) > stream->length)
            continue;
        stream->stamps[stream->count].time = head & 0xFFFF;
        stream->stamps[stream->count++].word = (at >> 2) + 1;
    }
    sort(stream->stamps, stream->count);
}

int swr_load_stream(struct swr_stream *stream, const void *file, uint32_t size, uint32_t number,
    struct swr_memory *memory, struct swr_fault *fault)
{
    struct cell_file it;
    uint32_t start, current, end = 0, stamps = 0;
    swr_clear(stream, sizeof *stream);
    SWR_TRY(open_chunk(&it, file, size, NJCS, number, fault));
    SWR_TRY(check(&it, 0, STREAM_BYTES));
    start = swr_word(it.body);
    current = swr_word(it.body + 4);
    stream->offset = (int32_t)swr_word(it.body + 8);
    stream->length = (int32_t)swr_word(it.body + 12);
    if (start)
        SWR_TRY(measure(&it, start, &end, &stamps));
    if (current & 3)
        return refuse(&it, 4, SWR_POINTER);
    if (current && (current < start || current >= end))
        return refuse(&it, 4, SWR_CELLS);
    stream->stamps = swr_take(memory, stamps * sizeof *stream->stamps);
    if (!stream->stamps)
        return SWR_MEMORY;
    stream->data = (const uint32_t *)(const void *)(it.body + start);
    stream->words = start ? (end - start) >> 2 : 0;
    list_stamps(stream, current, start);
    return SWR_OK;
}
