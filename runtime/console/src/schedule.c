/* SPDX-License-Identifier: MIT OR Apache-2.0
 * The times at which a stream's stamps are reached: one run of the pattern, and its repetitions around it. */
#include "cells.h"

/* value / by, down; value is above -2^40 and below 2^40. libgcc's 64-bit functions need a linker
 * script that keeps `.got.plt` and `.got` together, so this library does without them. */
static int64_t quotient(int64_t value, uint32_t by)
{
    union { uint64_t whole; uint32_t half[2]; } bits, found;
    uint32_t left = 0, i, negative = value < 0;
    bits.whole = (uint64_t)(negative ? ~value : value);
    found.whole = 0;
    for (i = 40; i--;) {
        uint32_t bit = 1u << (i & 31);
        left = left << 1 | ((bits.half[i >> 5] & bit) != 0);
        if (left >= by) {
            left -= by;
            found.half[i >> 5] |= bit;
        }
    }
    return negative ? -1 - (int64_t)found.whole : (int64_t)found.whole;
}

static int64_t product(int64_t value, uint32_t by)
{
    union { uint64_t whole; uint32_t half[2]; } bits, found;
    uint32_t negative = value < 0;
    bits.whole = (uint64_t)(negative ? -value : value);
    found.whole = (uint64_t)bits.half[0] * by;
    found.half[1] += bits.half[1] * by;
    return negative ? -(int64_t)found.whole : (int64_t)found.whole;
}

static uint32_t period(const struct swr_stream *stream)
{
    return stream->length > 1 ? (uint32_t)stream->length : 1;
}

int64_t swr_run_at(const struct swr_stream *stream, int64_t time)
{
    return quotient(time - stream->offset, period(stream));
}

int64_t swr_beginning(const struct swr_stream *stream, int64_t start)
{
    if (start < stream->offset)
        return stream->offset + product(swr_run_at(stream, start), period(stream));
    return stream->offset;
}

static void set(const struct swr_stream *stream, int64_t run, uint32_t place, struct due *due)
{
    due->time = stream->offset + product(run, period(stream)) + stream->stamps[place].time;
    due->run = run;
    due->place = place;
}

/* A stamp at the pattern's end falls on the start of the next run, so the search begins one run early. */
int swr_first_due(const struct swr_stream *stream, int64_t from, struct due *due)
{
    int64_t first = swr_run_at(stream, from) - 1, run;
    uint32_t place;
    if (stream->length <= 0)
        return 0;
    for (run = first; run <= first + 2; run++) {
        for (place = 0; place < stream->count; place++) {
            set(stream, run, place, due);
            if (due->time >= from)
                return 1;
        }
    }
    return 0;
}

/* The run after `run`, past repetitions in the middle. */
static int64_t run_after(const struct swr_schedule *schedule, int64_t run)
{
    int64_t next = run + 1, late = schedule->last_run - schedule->keep, jump = next;
    if (next < -schedule->keep)
        jump = late < -schedule->keep ? late : -schedule->keep;
    else if (next > schedule->keep)
        jump = late;
    return next > jump ? next : jump;
}

void swr_next_due(const struct swr_stream *stream, const struct swr_schedule *schedule, struct due *due)
{
    if (due->place + 1 < stream->count)
        set(stream, due->run, due->place + 1, due);
    else
        set(stream, run_after(schedule, due->run), 0, due);
}
